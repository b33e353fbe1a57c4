"""Metrics, policies and presets."""

from dataclasses import fields

from phrasemill.evaluation.metrics import METRICS, Metric
from phrasemill.evaluation.policies import CHOICES, PRESETS, Policy, Preset
from phrasemill.evaluation.report import metric_label
from phrasemill.lab.docs.reference import markdown

# Choices that are not among a few words.
OTHERS = {
    "stemmer": "which stemmer `match` and `dedupe` use: `porter`, `porter-parts` (parts of hyphenated words, too), "
    "`nltk` (NLTK's Porter), or that of the language of a document",
    "lowercase": "whether words are compared in lower case",
    "dedupe_gold": "whether gold keyphrases that are the same count once",
    "embeddings": "for `match='semantic'` and `match='cosine'`: `minilm`, a folder with a model, or a file of vectors",
    "threshold": "for `match='semantic'`: the least cosine of a match",
}


def page() -> str:
    parts = [
        "## Metrics\n",
        "`@k` is a number, `O` (as many as there are gold keyphrases) or `M` (as many as were predicted).\n",
        markdown.table(("metric", "what it is", "paper"), _metrics()),
        "Each metric takes the choices below as options of its own: `F1@5(average='micro', present='absent')`. "
        f"Besides, some take: {_own_options()}.\n",
        "## Choices\n",
        "The policy of a score. Set choices by preset, by `--set choice=value` or `policy={…}`, or by metric.\n",
        markdown.table(("choice", "value", "what it means"), _choices()),
        "## Presets\n",
        "A preset makes all choices as a published protocol does. Choices that are not listed are the defaults.\n",
        *(_preset(one) for one in PRESETS.values()),
    ]
    intro = (
        "What `phrasemill evaluate`, `phrasemill.evaluate` and `POST /v1/evaluate` can compute. `phrasemill metrics` "
        "prints the same. Every score is printed with its signature, which names all choices."
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
