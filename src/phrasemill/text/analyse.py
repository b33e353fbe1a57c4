"""From a string to columns: tokenise, look up word types, split sentences, tag, number.

Everything here runs once per document, in kernels; what depends on a word type alone is in the lexicon (kernels/words).
"""

from array import array
from collections import deque
from functools import cache

from phrasemill.kernels import mending
from phrasemill.kernels.words import Lexicon, Reading
from phrasemill.text.language_codes import AUTO, language_code
from phrasemill.text.languages import profile, segmenter
from phrasemill.text.languages.detect import language_of
from phrasemill.text.stem import default_stemmer, list_stemmer
from phrasemill.text.stopwords import stopwords
from phrasemill.text.tag import TAGS, load_tagger
from phrasemill.text.tokenise import sound
from phrasemill.types import Analysis

MOST_IDLE = 32  # lexicons that are kept; with more threads than this, some are made anew each time


class Analyser:
    """Turns texts of one language into analyses, in any number of threads; `analyse` keeps one for each setting.

    Lexicons grow as texts are read, in many arrays that must stay in step. A lock would serialise threads, and would
    deadlock where an analysis interrupts another one in the same thread (a signal handler, a finaliser). So each takes
    one out of those that are idle, which is atomic, and puts it back; not after an error, when it may be inconsistent.
    """

    def __init__(self, language: str = "en", stem: str | None = None, tag: bool = True) -> None:
        self.language = language = language_code(language)
        self.stemmer = stem or default_stemmer(language)
        self._profile = own = profile(language)
        self._rules = own.rules()
        self._stopwords = stopwords(language) | own.function_words
        self._segmenter = segmenter(own)
        self._tagger = load_tagger(own.tagger) if tag and own.tagger and not self._segmenter else None
        tagged_by = (self._tagger or self._segmenter) if tag else None
        self._tagset = tagged_by.tags if tagged_by else ("",)
        self._idle: deque[Lexicon] = deque(maxlen=MOST_IDLE)

    def _new_lexicon(self) -> Lexicon:
        tagger = None if self._tagger is None else self._tagger.fresh()
        return Lexicon(list_stemmer(self.stemmer), self._stopwords, self._profile.bound, tagger)

    def analyse(self, text: str) -> Analysis:
        """Return the columns of `text`; a word that is broken across lines is one token, lone surrogates are none."""
        if not text.isascii():
            text = sound(text)
        whole = None
        if mending.breaks_words(text):
            from phrasemill.text.repair import joined

            whole = joined(text)
        words = text if whole is None else whole.text
        if self._segmenter is None:
            reading = Reading(words, *self._rules.tokenise(words))
        else:
            *columns, tag = self._segmenter.segment(words)
            reading = Reading(words, *columns, tag if len(self._tagset) > 1 else None)
        try:
            lexicon = self._idle.pop()
        except IndexError:
            lexicon = self._new_lexicon()
        lexicon.read(reading)
        if reading.ends_early:
            del lexicon  # so that there is never more than one
            while reading.ends_early:
                self._new_lexicon().read(reading)
        elif not lexicon.full:
            self._idle.append(lexicon)
        start, end = (reading.start, reading.end) if whole is None else whole.columns(reading.start, reading.end)
        return Analysis(text, self.language, start, end, *reading.columns(self._tagset))

    def adopt(
        self, text: str, start: "array[int]", end: "array[int]", sentence_ends: "array[int]", tag: "array[int]"
    ) -> Analysis:
        """Return the columns of a text that was tokenised, split and tagged elsewhere; see `text/pretagged.py`."""
        reading = Reading(sound(text), start, end, None, tag)
        try:
            lexicon = self._idle.pop()
        except IndexError:
            lexicon = self._new_lexicon()
        lexicon.adopt(reading, sentence_ends)
        if not lexicon.full:
            self._idle.append(lexicon)
        return Analysis(reading.text, self.language, start, end, *reading.columns(TAGS))


def sentence_bounds(analysis: Analysis) -> list[tuple[int, int]]:
    """Return the tokens at which each sentence begins, and before which it ends."""
    return list(zip([0, *analysis.sentences], analysis.sentences, strict=False))


def analyser(language: str = "en", stem: str | None = None, tag: bool = True) -> Analyser:
    """Return the process's analyser for `language` and the stemmer called `stem` (the language's own by default)."""
    return analysers(language_code(language), stem, tag)


analysers = cache(Analyser)  # by the code of a language, the name of a stemmer, and whether there are tags


def analyse(text: str, *, language: str = AUTO, stem: str | None = None, tag: bool = True) -> Analysis:
    """Return the columns of `text` in `language`, by a code or a name; by default it is found from the text.

    Tags are Penn's for English, those of Universal Dependencies for other languages, and none where there is no tagger.

    `tag=False` leaves the tags out, which is faster.
    """
    return analysers(language_of(text, language), stem, tag).analyse(text)
