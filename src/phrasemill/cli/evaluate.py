"""`evaluate`, `compare`, `metrics` and `meta-evaluate`: scores on the command line.

What a command needs is imported when it runs, so that the others start fast.
"""

import json
from dataclasses import asdict

import typer

from phrasemill.cli import evaluation_options as options
from phrasemill.cli.evaluation_options import Format, ListFormat, PlainFormat
from phrasemill.errors import ConfigError


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`."""
    app.command(epilog=options.EVALUATE_EXAMPLES)(evaluate)
    app.command(epilog=options.COMPARE_EXAMPLES)(compare)
    app.command(epilog=options.METRICS_EXAMPLES)(metrics)
    app.command("meta-evaluate", epilog=options.META_EXAMPLES)(meta_evaluate)


def evaluate(
    predictions: options.Predictions,
    gold: options.Gold,
    metric: options.Metrics = None,
    preset: options.PresetName = "default",
    match: options.Match = None,
    settings: options.Settings = None,
    gold_field: options.GoldField = None,
    gold_top: options.GoldTop = None,
    resamples: options.Resamples = 0,
    seed: options.Seed = 1,
    per_document: options.PerDocument = False,
    format: options.OutputFormat = Format.TABLE,
    output: options.Output = None,
) -> int:
    """Score predictions against gold keyphrases; every score comes with a signature of how it was computed."""
    from phrasemill.cli.evaluation_job import ScoringJob
    from phrasemill.cli.formats import write
    from phrasemill.cli.grids import show
    from phrasemill.evaluation import report

    job = ScoringJob(predictions, gold, metric or [], preset, settings or [], gold_field, gold_top, match=match)
    # A report without intervals would invite to read too much into small differences.
    scores = job.scores(resamples or (1000 if format is Format.HTML else 0), seed)
    if format is Format.HTML:
        write(job.page(scores, test="bootstrap"), output)
    elif format is Format.JSON:
        write(report.as_json(scores, per_document=per_document), output)
    elif per_document:
        show(lambda room: report.documents_table(scores, room=room), format, output)
    elif format is Format.CSV:
        write(report.scores_csv(scores), output)
    else:
        show(lambda room: report.scores_table(scores, room=room), format, output)
    return 0


def compare(
    predictions: options.Predictions,
    gold: options.Gold,
    metric: options.Metrics = None,
    preset: options.PresetName = "default",
    match: options.Match = None,
    settings: options.Settings = None,
    gold_field: options.GoldField = None,
    gold_top: options.GoldTop = None,
    test: options.Test = "bootstrap",
    resamples: options.Resamples = 1000,
    seed: options.Seed = 1,
    differing: options.Differing = 5,
    format: options.OutputFormat = Format.TABLE,
    output: options.Output = None,
) -> int:
    """Test whether systems differ: paired tests with Holm's correction, and where they differ most."""
    from phrasemill.cli.evaluation_job import ScoringJob
    from phrasemill.cli.formats import write
    from phrasemill.cli.grids import show
    from phrasemill.evaluation import report
    from phrasemill.evaluation import significance as tests

    if len(predictions) < 2:
        raise ConfigError("compare needs at least two files of predictions")
    job = ScoringJob(predictions, gold, metric or [], preset, settings or [], gold_field, gold_top, match=match)
    scores = job.scores(resamples if format is Format.HTML else 0, seed)
    differences = tests.compare(scores, test=test, resamples=max(1, resamples), seed=seed)
    if format is Format.HTML:
        write(job.page(scores, test=test, resamples=max(1, resamples), seed=seed), output)
    elif format is Format.JSON:
        write(report.differences_json(differences), output)
    else:
        grids = [report.differences_table(differences, test=test)]
        if differing and len(scores) == 2 and format is not Format.CSV:
            name = next(iter(scores[0])).name
            grids.append(report.differing_table(scores[0], scores[1], name=name, top=differing))
        show(lambda room: grids, format, output)
    return 0


def metrics(format: options.MetricsFormat = ListFormat.TABLE) -> int:
    """List the metrics, the presets and the choices, and what each means."""
    from phrasemill.cli.formats import write
    from phrasemill.cli.grids import show
    from phrasemill.evaluation.report import choice_records, choice_tables

    if format is ListFormat.JSON:
        write(json.dumps(choice_records(), ensure_ascii=False, indent=2) + "\n", None)
    else:
        show(lambda room: choice_tables(), Format.TABLE, None)
    return 0


def meta_evaluate(
    judgements: options.Judgements,
    metric: options.Similarities = None,
    combine: options.Combine = "average",
    language: options.Language = "en",
    stemmer: options.Stemmer = None,
    statistic: options.Statistics = None,
    predictions: options.JudgedPredictions = None,
    gold: options.JudgedGold = None,
    preset: options.PresetName = "default",
    format: options.PlainOutputFormat = PlainFormat.TABLE,
    output: options.Output = None,
) -> int:
    """Correlate metrics with human judgements, beside how far annotators agree with each other."""
    from phrasemill.cli.evaluation_job import ScoringJob
    from phrasemill.cli.formats import write
    from phrasemill.cli.grids import show
    from phrasemill.cli.progress import counting_bar
    from phrasemill.evaluation.similarity import SIMILARITIES
    from phrasemill.lab.papers import meta_evaluation as meta
    from phrasemill.lab.papers.judgements import read_judgements

    judged = read_judgements(judgements)
    if (predictions is None) != (gold is None):
        raise ConfigError("--predictions and --gold go together: judgements of whole answers need both")
    if predictions is not None and gold is not None:
        scores = ScoringJob([predictions], gold, metric or [], preset, [], None, None).scores(0, 1)[0]
        found = [meta.correlate_documents(scores, judged, combine=combine)]
    else:
        with counting_bar("Comparing", len(judged)) as advance:
            names = metric or list(SIMILARITIES)
            found = meta.correlate(
                judged, metrics=names, combine=combine, language=language, stemmer=stemmer, progress=advance
            )
    if format is PlainFormat.JSON:
        write(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=2) + "\n", output)
    else:
        grids = [meta.agreement_table(found, statistic=name) for name in statistic or meta.STATISTICS]
        show(lambda room: grids, format, output)
    return 0
