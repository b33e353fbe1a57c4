"""Trains the taggers of languages other than English, and prints how well they do (docs/reference/tagger.md).

python -m phrasemill_lab.models.tagger_languages --data DIR --output DIR  # the models, trained on all sentences
python -m phrasemill_lab.models.tagger_languages --data DIR               # the table, on the test sentences
python -m phrasemill_lab.models.tagger_languages --data DIR --folds 10    # … and by cross-validation over all
"""

import argparse
import tempfile
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from phrasemill.text.languages import UPOS
from phrasemill_lab.models import tagger_treebanks
from phrasemill_lab.models.accuracy import LanguageFigures, figures
from phrasemill_lab.models.tagger import TaggerRecipe, corpus, model, save, space, train
from phrasemill_lab.models.tagger_data import TaggedSentence, augmented
from phrasemill_lab.models.tagger_lexicon import NO_LEXICON, PackedLexicon, pack
from phrasemill_lab.models.word_lists import word_list

LANGUAGES = "de fr es it pt nl pl ru sv no da fi cs tr ko vi ar".split()
RECIPE = TaggerRecipe(tags=UPOS, epochs=12, near_count=3, ambiguous_count=10, bits=12, orders=5)
MANY_TOKENS = 150_000  # to train on; rare features are left out then
LARGEST = 600_000  # bytes; the smallest weights of a larger model are left out


def fit(path: Path, sentences: Iterable[TaggedSentence], lexicon: PackedLexicon = NO_LEXICON) -> None:
    """Train a tagger on the sentences, and write it to `path`."""
    data = corpus(augmented(sentences), RECIPE, lexicon)
    recipe = replace(RECIPE, here_count=3, near_count=8) if len(data.types) > MANY_TOKENS else RECIPE
    features = space(data, recipe)
    weights = train(data, features, recipe)
    for prune in count(recipe.prune):
        save(path, model(features, weights, replace(recipe, prune=prune)), recipe.tags, lexicon)
        if path.stat().st_size <= LARGEST:
            break


def measure(sentences: Sequence[TaggedSentence], lexicon: PackedLexicon = NO_LEXICON) -> LanguageFigures:
    """Train on the sentences that are not held out, and return how well that does on those that are."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tagger.safetensors")
        fit(path, [sentence for sentence in sentences if sentence.part == "train"], lexicon)
        return figures(path, sentences)


def cross_validate(
    sentences: Sequence[TaggedSentence], lexicon: PackedLexicon = NO_LEXICON, *, folds: int
) -> LanguageFigures:
    """Return the mean figures of as many models as there are folds, each measured on a fold that it has not seen."""
    fold_of = [zlib.crc32(" ".join(sentence.words).encode()) % folds for sentence in sentences]
    every = []
    for fold in range(folds):
        parted = [
            replace(sentence, part="test" if own == fold else "train")
            for sentence, own in zip(sentences, fold_of, strict=True)
        ]
        every.append(measure(parted, lexicon))
    return LanguageFigures.mean(every)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Train or measure the taggers of languages other than English.")
    parser.add_argument("--data", type=Path, required=True, help="folder of treebanks as *.jsonl.xz files")
    parser.add_argument("--language", nargs="+", default=LANGUAGES, metavar="CODE")
    parser.add_argument("--output", type=Path, help="train on all sentences, and write the models to this folder")
    parser.add_argument("--folds", type=int, help="measure by cross-validation over all sentences")
    options = parser.parse_args(arguments)
    if not options.output:
        print(LanguageFigures.HEAD)
    for language in options.language:
        began = time.perf_counter()
        sentences = tagger_treebanks.read(options.data, language)
        lexicon = pack(word_list(language))
        if options.output:
            path = options.output / f"tagger_{language}.safetensors"
            fit(path, sentences, lexicon)
            print(f"{path}: {path.stat().st_size:,} bytes, {time.perf_counter() - began:.0f} s", flush=True)
        elif options.folds:
            print(cross_validate(sentences, lexicon, folds=options.folds).row(language), flush=True)
        else:
            print(measure(sentences, lexicon).row(language), flush=True)


if __name__ == "__main__":
    main()
