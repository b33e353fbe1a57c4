"""Files that are read and written."""

from dataclasses import fields

from phrasemill.cli import options
from phrasemill.engine import rows
from phrasemill.extras import EXTRAS
from phrasemill.files.streams import ENDINGS, LARGEST, LARGEST_FILE
from phrasemill.readers.archives import SUFFIXES
from phrasemill.readers.records import Columns
from phrasemill.readers.sniffing import CONTAINERS, FORMATS, RECORDS
from phrasemill.types import Keyphrase
from phrasemill_lab.docs.reference import markdown
from phrasemill_lab.docs.reference.python_names import module_doc

INTRO = (
    "All file formats that Phrasemill reads and writes: [documents](#documents), [records](#records), "
    "[results](#results), [predictions and gold](#predictions-and-gold), [vocabularies](#vocabularies), [tags](#tags), "
    "and [models](#models-and-tables). [Reading files](readers.md) describes how files are read, and what is refused."
)
NEEDS = {"parquet": "parquet", "pdf": "pdf", ".zst": "zstd", ".7z": "sevenzip"}
# What each format of results holds; every format of the code is here.
OUTPUTS = {
    "table": "aligned columns for people",
    "json": "one record, or a list of records for several documents",
    "jsonl": "one record per line, which `phrasemill evaluate` reads",
    "bulk": "two lines per document for the bulk interface of Elasticsearch and OpenSearch",
    "csv": "one row per keyphrase",
    "text": "one phrase per line",
    "parquet": "one row per document, with `keyphrases` as a list of structs",
}
KEYPHRASE = {
    "text": "the phrase as the text writes it",
    "score": "higher is better; a probability for `learned` and `encoder`; rounded to four digits, except in Parquet",
    "spans": "offsets into the text, in code points: `[start, end]` for every occurrence; none for a phrase "
    "that the text does not contain",
    "sources": "for sets: the documents that the phrase comes from",
    "concept": "with a vocabulary: the id of the concept",
    "label": "with a vocabulary: its preferred label",
    "evidence": "with `--explain`: the reasons for the score, strongest first",
}


def page() -> str:
    parts = [
        "## Documents\n",
        "The format of a file is recognised by its first bytes if they are unique, then by its extension, then by the "
        "beginning of its content. `--input-format NAME` overrides this.\n",
        markdown.table(("format", "extensions", "one file is", "what is read", "needs"), _inputs()),
        f"A document may have up to {LARGEST >> 20} MiB, and a file of the formats "
        f"{', '.join(f'`{one}`' for one in sorted(CONTAINERS))} up to {LARGEST_FILE >> 30} GiB.\n",
        f"Compressed files are decompressed: {', '.join(f'`{one}`' for one in ENDINGS)} (zstd with the extra `zstd`). "
        f"Corpora and uploads may be archives: {', '.join(f'`{one}`' for one in SUFFIXES)}, and `.7z` with the extra "
        "`sevenzip`.\n",
        "## Records\n",
        "Name the fields of JSON lines, CSV and Parquet with `--columns text=NAME,title=NAME`, or in Python with "
        "`Columns(text=…)`:\n",
        ", ".join(f"`{field.name}`" for field in fields(Columns)) + ". " + markdown.prose(Columns.__doc__),
        "## Results\n",
        f"`phrasemill extract --format` takes {_listed(options.FORMATS)}; `phrasemill run --format` takes "
        f"{_listed(rows.FORMATS)}.\n",
        markdown.table(("format", "content"), [(f"`{name}`", OUTPUTS[name]) for name in _outputs()]),
        "A record has `id` and `language` of the document, the `method`, and `keyphrases`, each of which has:\n",
        markdown.table(("field", "what it is"), [(f"`{one.name}`", KEYPHRASE[one.name]) for one in fields(Keyphrase)]),
        "JSON also has `present`: whether there are spans. Fields without content are left out.\n",
        "## Predictions and gold\n",
        markdown.prose(module_doc("phrasemill.evaluation.formats")),
        "## Vocabularies\n",
        markdown.prose(_joined(module_doc("phrasemill.vocabulary.reading"))),
        "## Tags\n",
        markdown.prose(module_doc("phrasemill.tags.reading")),
        "## Models and tables\n",
        "Models, tables of frequencies and files of tags are safetensors, never pickles. The metadata of each file "
        "names its `kind`; a file of the wrong kind raises a `ModelError`.\n",
    ]
    return markdown.page("File formats", INTRO, parts)


def _outputs() -> list[str]:
    return list(dict.fromkeys((*options.FORMATS, *rows.FORMATS)))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{one}`" for one in names)


def _inputs() -> list[tuple[str, str, str, str, str]]:
    found = []
    for name, extensions in FORMATS.items():
        summary = " ".join(module_doc(f"phrasemill.readers.{name}").partition("\n\n")[0].split())
        kind = "many documents" if name in RECORDS else "one document"
        extra = f"`{EXTRAS[NEEDS[name]].command}`" if name in NEEDS else ""
        found.append(
            (f"`{name}`", _listed(tuple([f".{one}" for one in extensions])), kind, markdown.escaped(summary), extra)
        )
    return found


def _joined(docstring: str) -> str:
    """Return a docstring whose table rows are on one line each."""
    lines: list[str] = []
    for line in docstring.splitlines():
        if lines and lines[-1].startswith("|") and not lines[-1].endswith("|"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines).replace("`|`", "`\\|`")
