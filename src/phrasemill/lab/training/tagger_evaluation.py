"""How well and how fast a tagger does: agreement with the tags of held-out documents."""

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from phrasemill.lab.training.tagger_data import TaggedSentence, recased, title
from phrasemill.text.tag import TAGS, Tagger

NOUN, ADJECTIVE = "noun", "adjective"
CLASSES = {"NN": NOUN, "NNS": NOUN, "NNP": NOUN, "NNPS": NOUN, "JJ": ADJECTIVE, "JJR": ADJECTIVE, "JJS": ADJECTIVE}
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
    return Counter((tag, TAGS[code]) for word, tag, code in zip(words, tags, out, strict=True) if only(word))


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
