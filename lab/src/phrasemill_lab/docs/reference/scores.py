"""Metrics, policies and presets."""

from dataclasses import fields

from phrasemill.evaluation.metrics import METRICS, Metric
from phrasemill.evaluation.policies import CHOICES, PRESETS, Policy, Preset
from phrasemill.evaluation.report import metric_label
from phrasemill_lab.docs.reference import markdown

# Choices that are not among a few words.
OTHERS = {
    "stemmer": "the stemmer of `match` and `dedupe`: `porter`, `porter-parts` (also stems the parts of hyphenated "
    "words), `nltk` (NLTK's Porter), `none` or a language",
    "lowercase": "whether words are compared in lower case",
    "dedupe_gold": "whether repeated gold keyphrases count once",
    "embeddings": "for `match='semantic'` and `match='cosine'`: `minilm`, a folder with a model, or a file of vectors",
    "threshold": "for `match='semantic'`: the lowest cosine of a match",
}


def page() -> str:
    parts = [
        "## Metrics\n",
        "After `@` comes a number, `O` (the number of gold keyphrases) or `M` (all predictions).\n",
        markdown.table(("metric", "what it is", "paper"), _metrics()),
        "You can set the choices below for each metric: `F1@5(average='micro', present='absent')`. "
        f"Options of single metrics: {_own_options()}.\n",
        "## Choices\n",
        "The choices of a score are its policy. Set them by a preset, by `--set choice=value` or "
        "`policy={…}`, or in the "
        "metric.\n",
        markdown.table(("choice", "value", "what it means"), _choices()),
        "## Presets\n",
        "A preset sets all choices as in a published protocol. Choices that are not listed have their default.\n",
        *(_preset(one) for one in PRESETS.values()),
    ]
    intro = (
        "All metrics, choices and presets of `phrasemill evaluate`, `phrasemill.evaluate` and `POST /v1/evaluate`. "
        "`phrasemill metrics` prints the same, and [Metrics](metrics.md) explains them. Every "
        "score is printed with its "
        "signature, which records all choices."
    )
    return markdown.page("Metrics, policies and presets", intro, parts)


def _metrics() -> list[tuple[str, str, str]]:
    return [
        (
            f"`{metric_label(one.name)}`",
            markdown.escaped(f"{one.summary} Needs {one.needs}." if one.needs else one.summary),
            markdown.escaped(one.paper),
        )
        for one in METRICS.describe()
    ]


def _own_options() -> str:
    shared = {field.name for field in fields(Metric)} | {field.name for field in fields(Policy)}
    found: dict[str, list[str]] = {}
    for name in METRICS.names():
        for field in fields(METRICS.get(name)):  # type: ignore[arg-type]
            if field.name not in shared:
                found.setdefault(field.name, []).append(f"`{metric_label(name)}`")
    return ", ".join(f"`{option}` ({', '.join(names)})" for option, names in found.items()) or "none"


def _choices() -> list[tuple[str, str, str]]:
    default, rows = Policy(), []
    for field in fields(Policy):
        chosen = getattr(default, field.name)
        if field.name not in CHOICES:
            rows.append((f"`{field.name}`", f"`{chosen!r}` (default)", OTHERS[field.name]))
            continue
        for value, meaning in CHOICES[field.name].items():
            shown = f"`'{value}'`{' (default)' if value == chosen else ''}"
            rows.append((f"`{field.name}`", shown, markdown.escaped(meaning)))
    return rows


def _preset(one: Preset) -> str:
    default = Policy()
    changed = [
        f"{field.name}={getattr(one.policy, field.name)!r}"
        for field in fields(Policy)
        if getattr(one.policy, field.name) != getattr(default, field.name)
    ]
    lines = [
        f"### `{one.name}`\n",
        f"{markdown.escaped(one.summary)}. {markdown.escaped(one.consequence)}\n",
        f"- Source: {markdown.escaped(one.source)}",
        f"- Choices: {', '.join(map(markdown.code, changed)) or 'the defaults'}",
        f"- Metrics: {', '.join(map(markdown.code, one.metrics))}\n",
    ]
    return "\n".join(lines)
