"""A vocabulary of thirty concepts of our own, written in every form that is read."""

from functools import cache
from xml.sax.saxutils import escape, quoteattr

BASE = "http://example.org/terms/"
# id, English label, synonyms, hidden label, German label, broader, related
ROWS = """
water|water|||Wasser||
groundwater|groundwater|ground water;subsurface water|grundwater|Grundwasser|water|well
saltwater|salt water|brine;saline water||Salzwasser|water|desalination
freshwater|fresh water|||Süßwasser|water|
rain|rain|rainfall;precipitation||Regen|water|
river|river|stream||Fluss|water|
lake|lake|||See|water|
well|well|borehole;water well||Brunnen||pump
pump|pump|||Pumpe||
aquifer|aquifer|water-bearing layer||Grundwasserleiter|groundwater|
recharge|aquifer recharge|managed aquifer recharge||Anreicherung|aquifer|
intrusion|salt water intrusion|seawater intrusion||Salzwasserintrusion|saltwater|aquifer
desalination|desalination|desalting||Entsalzung||
farm|farm|agricultural holding||Hof||irrigation
irrigation|irrigation|drip irrigation||Bewässerung||water
crop|crop|field crop||Feldfrucht|farm|
soil|soil|||Boden||
salinity|soil salinity|salt content||Versalzung|soil|saltwater
coast|coastal plain|coast;shore||Küste||
sea|sea|ocean||Meer|water|coast
tide|tide|tidal range||Gezeiten|sea|
climate|climate|||Klima||
drought|drought|dry spell||Dürre|climate|rain
evaporation|evaporation|||Verdunstung|climate|water
sensor|sensor|probe||Sensor||
conductivity|electrical conductivity|EC||Leitfähigkeit||sensor
model|groundwater model|flow model||Modell||groundwater
cost|cost|expense||Kosten||
law|water law|water right||Wasserrecht|water|
survey|geological survey|||Landesamt||
""".strip().splitlines()


def rows() -> list[list[str]]:
    return [row.split("|") for row in ROWS]


def csv() -> str:
    """A table, with a comma and quotes in a cell."""
    lines = ["id,label,synonyms,broader,related"]
    for id_, label, synonyms, _, _, broader, related in rows():
        lines.append(f'{id_},{label},"{synonyms}",{broader},{related}')
    return "\n".join(lines) + "\n"


def phrases() -> str:
    return "\n".join(row[1] for row in rows()) + "\n\n"


def rdf_xml() -> str:
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
        f'  xmlns:skos="http://www.w3.org/2004/02/skos/core#" xmlns:dct="http://purl.org/dc/terms/" xml:base="{BASE}">',
        '<skos:ConceptScheme rdf:about="scheme">',
        '<skos:prefLabel xml:lang="en">Water</skos:prefLabel></skos:ConceptScheme>',
    ]
    for number, (id_, label, synonyms, hidden, german, broader, related) in enumerate(rows()):
        # Typed nodes and descriptions with a type say the same.
        typed = number % 2
        out.append(f"<{'skos:Concept' if typed else 'rdf:Description'} rdf:about={quoteattr(id_)}>")
        if not typed:
            out.append('<rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>')
        out.append(f'<skos:prefLabel xml:lang="en">{escape(label)}</skos:prefLabel>')
        out += [f'<skos:altLabel xml:lang="en-GB">{escape(one)}</skos:altLabel>' for one in synonyms.split(";") if one]
        if hidden:
            out.append(f'<skos:hiddenLabel xml:lang="en">{hidden}</skos:hiddenLabel>')
        out.append(f'<skos:prefLabel xml:lang="de">{german}</skos:prefLabel>')
        out += [
            f'<skos:{name} rdf:resource="{to}"/>' for name, to in (("broader", broader), ("related", related)) if to
        ]
        out.append("<dct:created>2020-01-01</dct:created>")
        out.append(f"</{'skos:Concept' if typed else 'rdf:Description'}>")
    return "\n".join([*out, "</rdf:RDF>"])


def turtle() -> str:
    out = [
        "# Water, in Turtle",
        f"@base <{BASE}> .",
        "PREFIX skos: <http://www.w3.org/2004/02/skos/core#>",
        f"@prefix t: <{BASE}> .",
        '<scheme> a skos:ConceptScheme ; skos:prefLabel "Water"@en ;',
        '  skos:note 1, -2.5, 3e4, true, [ a <x> ; <y> "z" ], (1 "b" <c>) .',
    ]
    for number, (id_, label, synonyms, hidden, german, broader, related) in enumerate(rows()):
        subject = f"t:{id_}" if number % 2 else f"<{id_}>"
        alternatives = ", ".join(f"'{one}'@en-GB" for one in synonyms.split(";") if one)
        parts = ["a skos:Concept", f'skos:prefLabel "{label}"@en, """{german}"""@de']
        parts += [f"skos:altLabel {alternatives}"] if alternatives else []
        parts += [f'skos:hiddenLabel "{hidden}"@en'] if hidden else []
        parts += [f"skos:{name} t:{to}" for name, to in (("broader", broader), ("related", related)) if to]
        parts += ['<http://purl.org/dc/terms/created> "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date>']
        out.append(f"{subject}\n    " + " ;\n    ".join(parts) + (" ;" if number % 3 else "") + " .")
    return "\n".join(out) + "\n"


@cache
def rewritten(ending: str) -> str:
    """The Turtle file in another form of RDF: `nt`, `nq`, `trig` or `jsonld`."""
    from pyoxigraph import RdfFormat, parse, serialize

    statements = list(parse(turtle(), format=RdfFormat.TURTLE))
    written = serialize(statements, format=RdfFormat.from_extension(ending))
    assert written is not None
    return written.decode()
