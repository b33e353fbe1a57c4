"""Table 7 of Shapira et al. (2021), single documents of DUC-2001, and Table 2 of Sheng et al. (2022), PubMedAKE."""

from collections.abc import Iterable, Mapping

from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Score, Scores, evaluate
from phrasemill.lab.datasets import load_dataset
from phrasemill.lab.papers.mkduc01 import SYSTEMS
from phrasemill.lab.papers.tables import Published, Reproduced, Row, Setting, per_cent, sampled, signatures_of
from phrasemill.pipeline import extract_batch
from phrasemill.types import Document

TOP = 20
MATCHINGS = {"exact": "exact", "stems": "stem", "partial": "partial"}
OTHERS_DUC = ("learned(style='news')",)
DUC_NOTE = "The body alone, without the headline, as the published lists seem to be (docs/parity.md)."
BIO_NOTE = (
    "The paper does not say how it averages; ours are micro-averages, which fit its figures. It probably compares "
    "lower-cased phrases with keywords in their own case; we lower both (docs/parity.md)."
)


def lists(setting: Setting, method: str, documents: Iterable[Document], top: int = TOP) -> dict[str, list[str]]:
    """The phrases of each document by one method."""
    held = list(documents)
    found = {}
    for done, (document, phrases) in enumerate(zip(held, extract_batch(held, method=method, top=top), strict=True)):
        found[document.id] = [phrase.text for phrase in phrases]
        setting.progress(method, done + 1, len(held))
    return found


def duc2001_table(setting: Setting, table: Published) -> Reproduced:
    """Table 7: precision and F1 by phrases and by words, and the words of a phrase."""
    documents = list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    bodies = [Document(one.id, one.text, language=one.language) for one in documents]
    gold = {one.id: one.references for one in documents}
    metrics = [*table.columns[:-1], "phrase-length@M"]
    specs = {name: SYSTEMS.get(name) for name in table.rows} | {spec: spec for spec in OTHERS_DUC}
    rows: list[Row] = []
    used: list[Score] = []
    notes = [DUC_NOTE, *sampled(setting)]
    for name, spec in specs.items():
        spec = _filled(spec, setting)
        scores = _scored(setting, spec, bodies, gold, metrics, "mkduc01-published", notes)
        used.extend(scores or ())
        rows.append(Row(name, spec or "", table.rows.get(name), per_cent(scores) if scores else None))
    kept = [row for row in rows if row.published or row.ours]
    return Reproduced(table, tuple(kept), tuple(notes), tuple(signatures_of(used)))


def pubmedake_table(setting: Setting, table: Published) -> Reproduced:
    """Table 2: precision, recall and F1 of keywords that the text has, by three ways to match."""
    documents, gold, what = pubmedake(setting, "present")
    named = [column.split(" ") for column in table.columns]
    metrics = [f"{metric}(match={MATCHINGS[how]!r})" for how, metric in named]
    aliases = {"TfIdf": "Tf-Idf"}
    specs = {name: SYSTEMS[aliases.get(name, name)] for name in table.rows} | {"learned": "learned(style='author')"}
    rows: list[Row] = []
    used: list[Score] = []
    notes = [what, BIO_NOTE, *sampled(setting)]
    for name, spec in specs.items():
        scores = _scored(setting, spec, documents, gold, metrics, "pubmedake", notes)
        used.extend(scores or ())
        rows.append(Row(name, spec, table.rows.get(name), per_cent(scores) if scores else None))
    return Reproduced(table, tuple(rows), tuple(notes), tuple(signatures_of(used)))


def pubmedake(setting: Setting, gold: str) -> tuple[list[Document], dict[str, tuple[str, ...]], str]:
    """The test articles that are there, all or the authors' sample, with keywords that are present or absent."""
    for split in ("test", "sample"):
        try:
            found = list(load_dataset("pubmedake", setting.data, split=split, gold=gold, check="off"))
        except DataError as error:
            missing = error
            continue
        documents = found[: setting.documents]
        phrases = {one.id: tuple(map(str, one.references)) for one in documents}
        said = "the sample of 1,000 articles that the authors publish" if split == "sample" else "the whole test set"
        return documents, phrases, f"Published for the whole test set of 168,634 articles; ours are of {said}."
    raise missing


def _filled(spec: str | None, setting: Setting) -> str | None:
    """The spec with the folder of models in it; None where it needs one and there is none."""
    if spec is None or "{models}" not in spec:
        return spec
    there = setting.models is not None and (setting.models / "bertkpe").exists()
    return spec.format(models=setting.models) if there else None


def _scored(
    setting: Setting,
    spec: str | None,
    documents: list[Document],
    gold: Mapping[str, tuple[object, ...]],
    metrics: list[str],
    preset: str,
    notes: list[str],
) -> Scores | None:
    """Nothing, and a note, where the method cannot run here."""
    if spec is None:
        return None
    try:
        found = lists(setting, spec, documents)
    except PhrasemillError as error:
        notes.append(f"{spec}: {error}")
        return None
    return evaluate(found, gold, metrics=metrics, preset=preset)  # type: ignore[arg-type]
