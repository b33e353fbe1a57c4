"""The span scorer against plain loops, and its ONNX form against itself."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

from torch.nn import functional  # noqa: E402

import tiny_bert  # noqa: E402
import tiny_mpnet  # noqa: E402
from phrasemill.candidates import ngrams  # noqa: E402
from phrasemill.methods.encoder.scorer import SpanScorerModel  # noqa: E402
from phrasemill.methods.encoder.windows import occurrences, source, windows  # noqa: E402
from phrasemill.methods.styles import ENCODER_PIECES  # noqa: E402
from phrasemill.text.analyse import analyse  # noqa: E402
from phrasemill_lab.models.pretrained import bert_pieces, scorer_from, scorer_from_bert  # noqa: E402
from phrasemill_lab.networks.span_export import export  # noqa: E402
from phrasemill_lab.networks.span_scorer import (  # noqa: E402
    SpanLabels,
    Spans,
    SpanScorer,
    best,
    buckets_of,
    distillation,
    losses,
)

pytestmark = pytest.mark.training

TEXT = "Groundwater wells\nDeep wells reach old groundwater. " * 12


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_bert.make(tmp_path_factory.mktemp("bert"), positions=512))


@pytest.fixture(scope="module")
def starts(bert: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folders of a BERT and of an MPNet with the same vocabulary."""
    return {"bert": bert, "mpnet": str(tiny_mpnet.make(tmp_path_factory.mktemp("mpnet"), bert_pieces(bert).pieces))}


@pytest.fixture(scope="module")
def module(bert: str) -> SpanScorer:
    torch.manual_seed(1)
    return scorer_from_bert(bert).eval()


def test_a_span_is_scored_by_its_pieces_its_window_and_its_length(module: SpanScorer) -> None:
    pieces = torch.tensor([[5, 20, 21, 22, 23, 3], [6, 30, 31, 3, 0, 0]])
    spans = Spans(*map(torch.tensor, ([0, 0, 1], [1, 2, 2], [1, 4, 2], [1, 3, 1])))
    with torch.no_grad():
        scores = module(pieces, spans).spans
        states = [module.encoder(pieces[:1])[0], module.encoder(pieces[1:, :4])[0]]  # padding must not matter
        for score, w, a, b, n in zip(scores, *[column.tolist() for column in spans], strict=True):
            of = states[w]
            vector = module.first(of[a]) + module.last(of[b]) + module.mean(of[a : b + 1]).mean(0)
            vector = functional.gelu(vector + module.whole(of[0]) + module.length.weight[n])
            assert score.item() == pytest.approx(module.score(functional.gelu(module.hidden(vector))).item(), abs=1e-4)


def test_losses_are_the_plain_sums() -> None:
    occurrence = torch.tensor([0.5, 2.0, -1.0, 0.3, 1.5])
    chosen = SpanLabels(torch.tensor([0, 0, 1, 2, 3]), torch.tensor([0, 0, 1, 1]), torch.tensor([1.0, 0.0, 0.0, 1.0]))
    scores = best(occurrence, chosen.candidate, 4)
    assert scores.tolist() == pytest.approx([2.0, -1.0, 0.3, 1.5])
    alone, against = losses(scores, chosen, 2)
    s, marks, rows = scores.tolist(), chosen.label.tolist(), chosen.window.tolist()
    plain = sum(np.log1p(np.exp(-x if mark else x)) for x, mark in zip(s, marks, strict=True)) / 2
    ranked = 0.0
    for i in (0, 3):
        others = sum(np.exp(s[j]) for j in range(4) if rows[j] == rows[i] and not marks[j])
        ranked += np.log((np.exp(s[i]) + others) / np.exp(s[i])) / 2
    assert (alone.item(), against.item()) == pytest.approx((plain, ranked), abs=1e-5)


def test_windows_without_keyphrases_or_without_others_are_no_trouble() -> None:
    only = SpanLabels(torch.tensor([0]), torch.tensor([0]), torch.tensor([1.0]))
    none = SpanLabels(torch.tensor([0]), torch.tensor([0]), torch.tensor([0.0]))
    for chosen in (only, none):
        values = torch.tensor([0.5], requires_grad=True)
        total = sum(losses(best(values, chosen.candidate, 1), chosen, 1))
        total.backward()
        assert torch.isfinite(total) and torch.isfinite(values.grad).all()


def test_a_teacher_pulls_scores_towards_its_own_where_it_has_some() -> None:
    window = torch.tensor([0, 0, 0, 1, 1])
    taught = torch.tensor([2.0, -1.0, -3.0, torch.nan, torch.nan])
    same = torch.tensor([2.0, -1.0, -3.0, 0.7, 0.1])
    assert [one.item() for one in distillation(same, taught, window, 2)] == pytest.approx([0, 0], abs=1e-5)
    scores = torch.tensor([0.0, 1.0, -2.0, 0.5, 0.3], requires_grad=True)
    alone, ranked = distillation(scores, taught, window, 2)
    (alone + ranked).backward()
    assert alone > 0 and ranked > 0
    assert scores.grad[0] < 0 < scores.grad[1] and scores.grad[3:].tolist() == [0, 0]


def test_distances_share_buckets_the_larger_they_are() -> None:
    found = buckets_of(torch.arange(-200, 201), 32).tolist()
    assert len(set(found)) == 31 and max(found) == 31  # that of 0 to the right stays empty
    assert [found[200 + step] for step in (0, -1, 1, -7, 7)] == [0, 1, 17, 7, 23]
    assert found[200 + 128] == found[400] != found[200 + 64]


def test_a_smaller_scorer_keeps_the_first_and_the_last_layer_and_the_largest_units(bert: str) -> None:
    whole, small = scorer_from_bert(bert), scorer_from_bert(bert, layers_kept=1, inner=8)
    assert small.sizes.encoder_layers == 1 and small.sizes.inner == 8
    kept, every = (one.encoder.layers[0].inner.weight for one in (small, whole))
    rows = {tuple(row) for row in every.tolist()}
    assert kept.shape[0] == 8 and all(tuple(row) in rows for row in kept.tolist())


@pytest.mark.parametrize(("int8", "near"), [(False, 1e-3), (True, 0.5)])
@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_onnx_says_what_torch_says(starts: dict[str, str], kind: str, tmp_path: Path, int8: bool, near: float) -> None:
    pieces = bert_pieces(starts[kind])
    torch.manual_seed(1)
    module = scorer_from(starts[kind]).eval()
    export(module, "\n".join(pieces.pieces), tmp_path / "model", int8=int8)
    scorer = SpanScorerModel.open(tmp_path / "model")
    candidates = ngrams(analyse(TEXT), longest=3)
    body = len(candidates.analysis)
    found = scorer.scores(candidates, "news", title=2, body=body)
    wanted = np.full(len(candidates), -np.inf)
    for window in windows(candidates.analysis, pieces, title=2, body=body):
        here = occurrences(candidates, window)
        spans = Spans(*map(torch.tensor, (np.zeros_like(here.first), here.first + 1, here.last + 1, here.words)))
        with torch.no_grad():
            scores = module(torch.tensor(source(window, "news", pieces.marks))[None], spans).spans.numpy()
        np.maximum.at(wanted, here.candidate, scores)
    assert np.abs(found.best - wanted).max() < near
    others = [scorer.scores(candidates, style, title=2, body=body).best for style in ENCODER_PIECES]
    assert len({tuple(scores.tolist()) for scores in others}) == 1  # all styles begin alike
