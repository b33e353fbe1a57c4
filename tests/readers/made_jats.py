"""JATS articles that we made up, for the tests that read them."""

DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96)//EN" "JATS-archivearticle1.dtd">'
ABSTRACT = "<p>Wells on the coast turn salty when pumps draw too much groundwater.</p>"
KEYWORDS = "<kwd-group><kwd>Groundwater</kwd><kwd>sea level</kwd></kwd-group>"


def article(
    pmc: str = "1",
    *,
    title: str = "Salt in coastal wells",
    abstract: str = ABSTRACT,
    keywords: str = KEYWORDS,
    meta: str = "",
    body: str = "<body><sec><title>Aims</title><p>We drilled wells.</p></sec></body>",
    doctype: str = DOCTYPE,
) -> bytes:
    """One article. An empty part is left out, tags and all."""
    parts = (
        f'<article-id pub-id-type="pmc">{pmc}</article-id>' if pmc else "",
        f"<title-group><article-title>{title}</article-title></title-group>" if title else "",
        f"<abstract>{abstract}</abstract>" if abstract else "",
        keywords,
        meta,
    )
    front = f"<front><article-meta>{''.join(parts)}</article-meta></front>"
    return f'<?xml version="1.0"?>\n{doctype}<article xml:lang="en">{front}{body}</article>'.encode()
