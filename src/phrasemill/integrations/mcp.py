"""A server of the Model Context Protocol: assistants call Phrasemill as tools (extra `mcp`).

    phrasemill mcp                               over standard input and output
    phrasemill mcp --http --port 8001            over streamable HTTP

Results are small, because a model reads them, and grounded: every phrase has the number of its places, the first few of
them, and the words around the first. Specs are checked as those of the HTTP service are: what could name a file or an
address is refused, because the text that an assistant reads may have written them.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import Annotated, Any, ParamSpec, Protocol, TypeVar

from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.evaluation import evaluate as scored
from phrasemill.extractor import extract as extracted
from phrasemill.integrations import requires
from phrasemill.options import DEFAULT_METHOD, RemoteOptions, SetOptions, options_of, parameters_of, styled
from phrasemill.service.problems import Refusal
from phrasemill.service.specs import check_metrics, check_redundancy, checked
from phrasemill.sets import DEFAULT_SET_METHOD, SetKeyphrase, extract_set
from phrasemill.types import Keyphrase, significant

with requires("mcp"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field

LONGEST_TEXT = 2_000_000  # characters of one call
MOST_DOCUMENTS = 500
MOST_PHRASES = 100
PLACES = 3  # of each phrase that are listed
AROUND = 40  # characters before and after a phrase in its excerpt
INSTRUCTIONS = (
    "Phrasemill finds the keyphrases of texts, with the places where they stand. Use extract for one text, extract_set "
    "for what several texts share, contrast for what sets one group of texts apart from another, and evaluate to score "
    "keyphrases against a reference. Offsets count Unicode code points from 0."
)
P = ParamSpec("P")
R = TypeVar("R")
Text = Annotated[str, Field(description="The text.")]
Texts = Annotated[list[str], Field(description="The texts, one string each.")]
Top = Annotated[int, Field(description="How many keyphrases, at most.", ge=1, le=MOST_PHRASES)]
ByDocument = dict[str, list[str]]
UNTOLD = ("explain", "top")  # answers have no room for reasons, and a model gets so many phrases


class SuggestsTags(Protocol):
    """The tags of a collection, as `phrasemill.tags` has them."""

    def suggest(self, source: str, *, limit: int) -> Any: ...


def server(tags: SuggestsTags | None = None) -> Any:
    """Return the server with its tools; `suggest_tags` is one of them if there are `tags`."""
    from phrasemill import __version__

    made = MCPServer("phrasemill", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in (extract, extract_set_of, contrast, evaluate):
        made.add_tool(_answering(tool), name=NAMES.get(tool.__name__, tool.__name__))
    if tags is not None:
        made.add_tool(_answering(_suggesting(tags)), name="suggest_tags")
    return made


def extract(text: Text, top: Top = 10, **options: Any) -> dict[str, Any]:
    """Find the keyphrases of one text, best first, with the places where they stand."""
    _check_size([text])
    check_redundancy(options.get("redundancy"))
    method = checked(styled(options.pop("method"), options.pop("style")), {})
    return {"keyphrases": [_grounded(one, text) for one in extracted(text, method=method, top=top, **options)]}


def extract_set_of(texts: Texts, top: Top = 10, **options: Any) -> dict[str, Any]:
    """Find the keyphrases that several texts share, best first; texts are numbered from 1."""
    return _of_set(texts, None, top, options)


def contrast(
    texts: Texts,
    against: Annotated[list[str], Field(description="The texts to compare with.")],
    top: Top = 10,
    **options: Any,
) -> dict[str, Any]:
    """Find the keyphrases that set some texts apart from others: score is how many times as common they are at least,
    effect is log2 of how many times as common they are."""
    return _of_set(texts, against, top, options)


def evaluate(
    predictions: Annotated[ByDocument, Field(description="Keyphrases by document id, best first.")],
    gold: Annotated[ByDocument, Field(description="The keyphrases that people chose, by document id.")],
    metrics: Annotated[list[str], Field(description="Such as F1@5, R@10, MAP; those of the preset by default.")] = (),  # type: ignore[assignment]
    preset: Annotated[str, Field(description="The protocol to follow, such as default or yuan2020.")] = "default",
) -> dict[str, Any]:
    """Score keyphrases against those that people chose; each score has the signature of all choices behind it."""
    _check_size(
        [phrase for answers in (predictions, gold) for found in answers.values() for phrase in found], most=None
    )
    check_metrics(metrics, {})
    scores = scored(predictions, gold, metrics=metrics, preset=preset)
    listed = [{"metric": one.name, "value": significant(one.value), "signature": one.signature} for one in scores]
    return {"scores": listed, "missing": list(scores.missing[:MOST_PHRASES])}


NAMES = {"extract_set_of": "extract_set"}


def _with_options(tool: Callable[..., Any], declared: Any, method: str) -> None:
    """Give a tool a parameter for each option that a class declares."""
    plain = signature(tool, eval_str=True)
    *own, _ = plain.parameters.values()
    given = {name: one for name, one in options_of(declared).items() if name not in UNTOLD}
    given["method"] = given["method"]._replace(default=method)
    named = [
        one.replace(annotation=Annotated[one.annotation, Field(description=said.help, ge=said.least, le=said.most)])
        for one, said in zip(parameters_of(given), given.values(), strict=True)
    ]
    tool.__signature__ = plain.replace(parameters=[*own, *named])  # type: ignore[attr-defined]


_with_options(extract, RemoteOptions, DEFAULT_METHOD)
_with_options(extract_set_of, SetOptions, DEFAULT_SET_METHOD)
_with_options(contrast, SetOptions, DEFAULT_SET_METHOD)


def _suggesting(tags: SuggestsTags) -> Callable[..., dict[str, Any]]:
    def suggest_tags(text: Text, limit: Top = 8) -> dict[str, Any]:
        """Suggest tags for a text: those of the collection first, then new ones."""
        _check_size([text])
        found: dict[str, Any] = tags.suggest(text, limit=limit).record()
        return found

    return suggest_tags


def _answering(tool: Callable[P, R]) -> Callable[P, R]:
    """Return the tool with its mistakes as messages for the model; all else stays on the server."""

    @wraps(tool)
    def answered(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except PhrasemillError as error:
            raise ToolError(str(error)) from None
        except Refusal as refusal:
            raise ToolError(refusal.detail) from None

    return answered


def _check_size(texts: Sequence[str], *, most: int | None = MOST_DOCUMENTS) -> None:
    if most is not None and len(texts) > most:
        raise ConfigError(f"at most {most:,} texts can be sent at once, got {len(texts):,}: use phrasemill run")
    size = sum(map(len, texts))
    if size > LONGEST_TEXT:
        raise ConfigError(f"at most {LONGEST_TEXT:,} characters can be sent at once, got {size:,}: use phrasemill run")


def _of_set(texts: Sequence[str], against: Sequence[str] | None, top: int, options: dict[str, Any]) -> dict[str, Any]:
    _check_size([*texts, *(against or ())])
    spec = checked(styled(options.pop("method"), options.pop("style")), {}, sets=True)
    found = extract_set(texts, against=against, method=spec, top=top, **options)
    answer: dict[str, Any] = {"keyphrases": [_shared(one, texts) for one in found]}
    return answer | ({"notes": list(found.notes)} if found.notes else {})


def _grounded(one: Keyphrase, text: str) -> dict[str, Any]:
    """Return a keyphrase with its first places and the words around the first."""
    record: dict[str, Any] = {"text": one.text, "score": significant(one.score), "times": len(one.spans)}
    if one.spans:
        record["places"] = [list(span) for span in one.spans[:PLACES]]
        record["excerpt"] = _excerpt(text, *one.spans[0])
    return record


def _shared(one: SetKeyphrase, texts: Sequence[str]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "text": one.text,
        "score": significant(one.score),
        "documents": one.documents,
        "of": one.total,
        "in": list(one.sources[:PLACES]),
    }
    if one.contrast is not None:
        compared = one.contrast
        record |= {"effect": round(compared.effect, 2), "q": significant(compared.q), "other": compared.other_documents}
    if one.mentions and one.mentions[0].spans:
        mention = one.mentions[0]
        record["excerpt"] = _excerpt(texts[int(mention.document) - 1], *mention.spans[0])
    return record


def _excerpt(text: str, start: int, end: int) -> str:
    first, last = max(start - AROUND, 0), min(end + AROUND, len(text))
    inside = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{inside}{'…' if last < len(text) else ''}"
