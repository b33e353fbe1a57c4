"""How well and how fast a tagger does: agreement with the tags of held-out documents."""

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from phrasemill.text.tag import Tagger
from phrasemill_lab.models.tagger_data import TaggedSentence, recased, title

NOUN, ADJECTIVE = "noun", "adjective"
CLASSES = dict.fromkeys(("NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN"), NOUN)
CLASSES |= dict.fromkeys(("JJ", "JJR", "JJS", "ADJ"), ADJECTIVE)
ROUNDS = 5  # of which the fastest counts

Pairs = Counter[tuple[str, str]]  # (right tag, tag given) -> tokens


def report(path: Path, sentences: Sequence[TaggedSentence], *, part: str = "test") -> str:
    """Return a table of figures for the model at `path` on the documents of one part."""
    held_out = [sentence for sentence in sentences if sentence.part == part]
    known = {word for sentence in sentences if sentence.part == "train" for word in sentence.words}
    tagger = Tagger.load(path)
    sources = sorted({sentence.source for sentence in held_out})
    rows = [(source, _pairs(tagger, [s for s in held_out if s.source == source])) for source in sources]
    rows.append(("all", _pairs(tagger, held_out)))
    rows.append(("words not in training", _pairs(tagger, held_out, only=lambda word: word not in known)))
    for name, change in (("in lower case", str.lower), ("in capitals", str.upper), ("in title case", title)):
        rows.append((f"all, {name}", _pairs(tagger, [recased(s, change) for s in held_out])))
    head = ("", "tokens", "tags %", "noun F1", "adj. F1", "macro F1", "micro F1", "3 classes %")
    table = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    table += ["| " + " | ".join((name, *_figures(pairs))) + " |" for name, pairs in rows]
    size, rate = path.stat().st_size / 1e6, speed(tagger, held_out) / 1e6
    return "\n".join([*table, "", f"model {size:.2f} MB; {rate:.2f} million tokens/s where every word was seen before"])


def _figures(pairs: Pairs) -> tuple[str, ...]:
    total = pairs.total() or 1
    right = sum(count for (gold, given), count in pairs.items() if gold == given)
    three: Pairs = Counter()
    for (gold, given), count in pairs.items():
        three[CLASSES.get(gold, ""), CLASSES.get(given, "")] += count
    noun, adjective, micro = (_f1(three, which) for which in ((NOUN,), (ADJECTIVE,), (NOUN, ADJECTIVE)))
    same = sum(count for (gold, given), count in three.items() if gold == given)
    shares = (right / total, noun, adjective, (noun + adjective) / 2, micro, same / total)
    return (str(pairs.total()), *(f"{100 * share:.2f}" for share in shares))


def _f1(pairs: Pairs, classes: tuple[str, ...]) -> float:
    both = sum(pairs[name, name] for name in classes)
    either = sum(count * ((gold in classes) + (given in classes)) for (gold, given), count in pairs.items())
    return 2 * both / either if either else 0.0


def _pairs(
    tagger: Tagger, sentences: Iterable[TaggedSentence], *, only: Callable[[str], bool] = lambda _: True
) -> Pairs:
    sentences = list(sentences)
    tagger = tagger.fresh()
    types, ends = _columns(tagger, sentences)
    out = array("B", bytes(len(types)))
    tagger.tag(types, ends, out)
    words = (word for sentence in sentences for word in sentence.words)
    tags = (tag for sentence in sentences for tag in sentence.tags)
    return Counter((tag, tagger.tags[code]) for word, tag, code in zip(words, tags, out, strict=True) if only(word))


def _columns(tagger: Tagger, sentences: Iterable[TaggedSentence]) -> tuple["array[int]", "array[int]"]:
    types, ends = array("i"), array("i")
    known: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence.words:
            if word not in known:
                known[word] = tagger.add(word)
            types.append(known[word])
        ends.append(len(types))
    return types, ends


def speed(tagger: Tagger, sentences: Iterable[TaggedSentence]) -> float:
    """Return tokens per second where every word has been seen before."""
    tagger = tagger.fresh()
    types, ends = _columns(tagger, sentences)
    out = array("B", bytes(len(types)))
    fastest = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        tagger.tag(types, ends, out)
        fastest = min(fastest, time.perf_counter() - began)
    return len(types) / fastest


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """How well the tagger of a language does on held-out sentences; shares are percentages."""

    HEAD: ClassVar[str] = (
        "| language | trained on | measured on | UPOS % | unknown words % | nouns F1 | adjectives F1 | KB |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    )

    training_tokens: int
    tokens: int
    right: float
    unknown_right: float
    nouns: float  # NOUN and PROPN alike
    adjectives: float
    size: int

    @classmethod
    def mean(cls, every: Sequence["LanguageFigures"]) -> "LanguageFigures":
        """Return the mean of figures that were measured on parts of the same sentences, by their numbers of tokens."""
        tokens = sum(one.tokens for one in every)

        def mean(name: str) -> float:
            return sum(float(getattr(one, name)) * one.tokens for one in every) / max(tokens, 1)

        shares = {name: mean(name) for name in ("right", "unknown_right", "nouns", "adjectives")}
        return cls(training_tokens=round(mean("training_tokens")), tokens=tokens, size=round(mean("size")), **shares)

    def row(self, language: str) -> str:
        shares = (self.right, self.unknown_right, self.nouns, self.adjectives)
        cells = (language, f"{self.training_tokens:,}", f"{self.tokens:,}", *(f"{share:.1f}" for share in shares))
        return f"| {' | '.join(cells)} | {self.size / 1000:.0f} |"


def figures(path: Path, sentences: Sequence[TaggedSentence]) -> LanguageFigures:
    """Return the figures of the model at `path`, trained on the sentences that are not held out, on those that are."""
    training = [sentence for sentence in sentences if sentence.part == "train"]
    held_out = [sentence for sentence in sentences if sentence.part == "test"]
    known = {word for sentence in training for word in sentence.words}
    tagger = Tagger.load(path)
    every, unknown = _pairs(tagger, held_out), _pairs(tagger, held_out, only=lambda word: word not in known)
    three: Pairs = Counter()
    for (gold, given), count in every.items():
        three[CLASSES.get(gold, ""), CLASSES.get(given, "")] += count
    return LanguageFigures(
        sum(len(sentence.words) for sentence in training),
        every.total(),
        100 * _accuracy(every),
        100 * _accuracy(unknown),
        100 * _f1(three, (NOUN,)),
        100 * _f1(three, (ADJECTIVE,)),
        path.stat().st_size,
    )


def _accuracy(pairs: Pairs) -> float:
    return sum(count for (gold, given), count in pairs.items() if gold == given) / max(pairs.total(), 1)
