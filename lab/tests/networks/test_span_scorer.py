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
from phrasemill_lab.models.pretrained import Pretrained, scorer_from  # noqa: E402
from phrasemill_lab.networks.span_export import export  # noqa: E402
from phrasemill_lab.networks.span_scorer import (  # noqa: E402
    SpanLabels,
    Spans,
    SpanScorer,
    best,
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
    return {"bert": bert, "mpnet": str(tiny_mpnet.make(tmp_path_factory.mktemp("mpnet"), Pretrained.load(bert).pieces))}


@pytest.fixture(scope="module")
def module(bert: str) -> SpanScorer:
    torch.manual_seed(1)
    return scorer_from(bert)[0].eval()


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
    alone, against = losses(scores, chosen, 2, torch.ones(4))
    s, marks, rows = scores.tolist(), chosen.label.tolist(), chosen.window.tolist()
    plain = sum(np.log1p(np.exp(-x if mark else x)) for x, mark in zip(s, marks, strict=True)) / 2
    ranked = 0.0
    for i in (0, 3):
        others = sum(np.exp(s[j]) for j in range(4) if rows[j] == rows[i] and not marks[j])
        ranked += np.log((np.exp(s[i]) + others) / np.exp(s[i])) / 2
    assert (alone.item(), against.item()) == pytest.approx((plain, ranked), abs=1e-5)


@pytest.mark.parametrize(("int8", "near"), [(False, 1e-3), (True, 0.5)])
@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_onnx_says_what_torch_says(starts: dict[str, str], kind: str, tmp_path: Path, int8: bool, near: float) -> None:
    torch.manual_seed(1)
    module, pieces = scorer_from(starts[kind])
    module.eval()
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
            scores = module(torch.tensor(source(window, "news", pieces))[None], spans).spans.numpy()
        np.maximum.at(wanted, here.candidate, scores)
    assert np.abs(found.best - wanted).max() < near
    others = [scorer.scores(candidates, style, title=2, body=body).best for style in ENCODER_PIECES]
    assert len({tuple(scores.tolist()) for scores in others}) == 1  # all styles begin alike
