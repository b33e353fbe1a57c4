"""`phrasemill measure agreement`: how well metrics agree with people's judgements."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from phrasemill.cli import options
from phrasemill.cli.evaluate import PRESET_HELP, SCORING
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import counting_bar, show_tables, write_json
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError
from phrasemill.evaluation import evaluate, read_answers
from phrasemill.evaluation.report import complaints
from phrasemill.evaluation.similarity import SELF_CONTAINED
from phrasemill.files.tables import Table
from phrasemill_lab.papers import correlation

FORMATS = ("table", "json", "csv", "markdown", "latex")
EXAMPLES = """[bold]Examples[/bold]
  phrasemill measure agreement pairs.jsonl
  phrasemill measure agreement pairs.jsonl -m r-precision -m bleu --combine majority
  phrasemill measure agreement judged.jsonl --pairs near-misses -m r-precision -m cosine -m meteor-wordnet
  phrasemill measure agreement rated.jsonl --predictions run.jsonl --gold gold.jsonl"""
SIMILARITY_HELP = (
    "A similarity: exact, partial, r-precision, bleu …; with --predictions, a metric such as F1@5. "
    "By default all except cosine, which needs embeddings, and meteor-wordnet, which needs NLTK's data."
)
PAIRS_HELP = "Which judgements to use: all, near-misses, or parts (one phrase is part of the other)."
EMBEDDINGS_HELP = "For cosine: minilm, a folder with a model, or a file of word vectors."
STEMMER_HELP = "The stemmer: porter, nltk, none …; by default that of the language."
JUDGED_HELP = "The predictions that were judged, if people judged whole lists."


def agreement(
    judgements: Annotated[Path, Option("HUMAN", "JSON lines with human scores.")],
    metric: Annotated[list[str] | None, Option("--metric -m NAME", SIMILARITY_HELP, SCORING)] = None,
    combine: Annotated[str, Option("--combine HOW", panel=SCORING, choices=tuple(correlation.COMBINE))] = "average",
    pairs: Annotated[str, Option("--pairs WHICH", PAIRS_HELP, SCORING, choices=tuple(correlation.PAIRS))] = "all",
    embeddings: Annotated[str, Option("--embeddings NAME", EMBEDDINGS_HELP, SCORING)] = "minilm",
    language: Annotated[str, Option("--language -l CODE", "The language of the phrases.", INPUT)] = "en",
    stemmer: Annotated[str | None, Option("--stemmer NAME", STEMMER_HELP, SCORING)] = None,
    statistic: Annotated[
        list[str] | None, Option("--statistic NAME", panel=SCORING, choices=correlation.STATISTICS)
    ] = None,
    predictions: Annotated[Path | None, Option("--predictions PRED", JUDGED_HELP, INPUT)] = None,
    gold: Annotated[Path | None, Option("--gold GOLD", "The gold keyphrases for --predictions.", INPUT)] = None,
    preset: Annotated[str, Option("--preset -p NAME", PRESET_HELP, SCORING)] = "default",
    format: Annotated[str, Option("--format -f FORMAT", panel=OUTPUT, choices=FORMATS)] = "table",
    output: options.Output = None,
) -> int:
    """Correlate metrics with people's judgements, and show how far people agree with each other."""
    judged = correlation.read_judgements(judgements)
    if (predictions is None) != (gold is None):
        raise ConfigError("--predictions and --gold go together; give both or neither")
    if predictions is not None and gold is not None:
        scores = evaluate(read_answers(predictions), read_answers(gold), metrics=metric or [], preset=preset)
        for sentence in complaints([scores]):
            complain(sentence)
        found = [correlation.correlate_documents(scores, judged, combine=combine)]
    else:
        with counting_bar("Comparing", len(judged)) as advance:
            found = correlation.correlate(
                judged,
                metrics=metric or SELF_CONTAINED,
                combine=combine,
                pairs=pairs,
                language=language,
                stemmer=stemmer,
                embeddings=embeddings,
                progress=advance,
            )
    if format == "json":
        write_json([asdict(one) for one in found], output)
    else:
        grids = [_table(found, name) for name in statistic or correlation.STATISTICS]
        show_tables(grids, format, output)
    return 0


def _table(found: list[correlation.Agreement], statistic: str) -> Table:
    """Return one row per group, one column per metric, beside the human bound."""
    columns = list(getattr(found[0], statistic))
    rows = [
        (one.group, str(one.judgements), *("-" if value is None else f"{value:.4f}" for value in values))
        for one in found
        for values in [[getattr(one, statistic)[column] for column in columns]]
    ]
    return Table(f"Rank correlation with people ({statistic})", ("judgements", "n", *columns), tuple(rows))
