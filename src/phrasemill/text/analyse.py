"""From a string to columns: tokenise, look up word types, split sentences, tag, number.

Everything here runs once per document, in kernels; everything that depends on a word type alone is in the lexicon.
"""

from array import array
from bisect import bisect_right
from dataclasses import replace
from functools import cache

from phrasemill.kernels import columns, mending, sentences
from phrasemill.kernels.strings import Strings
from phrasemill.lender import Lender
from phrasemill.text.language_codes import AUTO, language_code
from phrasemill.text.languages import profile, segmenter
from phrasemill.text.languages.detect import language_of
from phrasemill.text.lexicon import Lexicon
from phrasemill.text.stem import default_stemmer, list_stemmer
from phrasemill.text.stopwords import stopwords
from phrasemill.text.tag import TAGS, load_tagger
from phrasemill.text.tokenise import sound
from phrasemill.types import Analysis

# Tokens of a text that one lexicon takes, however many words they are. More than a few sentences: those at the end of a
# part, of which the last AHEAD tokens are not seen yet, are left for the next one.
LEAST = 8192
AHEAD = 32
LINE_BREAKS = (b"\2", b"\3")  # in the column of gaps: a new line, a new paragraph


class Analyser:
    """Turns texts of one language into analyses, in any number of threads; `analyse` keeps one for each setting."""

    def __init__(self, language: str = "en", *, stem: str | None = None, tag: bool = True) -> None:
        self.language = language = language_code(language)
        self.stemmer = stem or default_stemmer(language)
        self._profile = own = profile(language)
        self._rules = own.rules()
        self._stopwords = stopwords(language) | own.function_words
        self._segmenter = segmenter(own)
        self._tagger = load_tagger(own.tagger) if tag and own.tagger and not self._segmenter else None
        tagged_by = (self._tagger or self._segmenter) if tag else None
        self._tagset = tagged_by.tags if tagged_by else ("",)
        self._lexicons = Lender(self._new_lexicon, lambda lexicon: lexicon.full)

    def _new_lexicon(self) -> Lexicon:
        tagger = None if self._tagger is None else self._tagger.fresh()
        return Lexicon(list_stemmer(self.stemmer), self._stopwords, self._profile.bound, tagger)

    def analyse(self, text: str) -> Analysis:
        """Return the columns of `text`; a word that is broken across lines is one token, lone surrogates are none."""
        text = sound(text)
        if mending.breaks_words(text):
            from phrasemill.text.repair import joined

            whole = joined(text)
            if len(whole.text) < len(text):
                analysis = self._analyse(whole.text)
                start, end = whole.columns(analysis.start, analysis.end)
                return replace(analysis, text=text, start=start, end=end)
        return self._analyse(text)

    def _analyse(self, text: str) -> Analysis:
        lexicon = self._lexicons.borrow()
        if self._segmenter is None:
            start, end, gap = self._rules.tokenise(text)
            tag = array("B", bytes(len(start)))
        else:
            start, end, gap, tag = self._segmenter.segment(text)
            tag = tag if len(self._tagset) > 1 else array("B", bytes(len(start)))
        types = lexicon.types(text, start, end, least=LEAST)
        if len(types) < len(start):
            first = [(lexicon, types)]
            del lexicon, types  # so that they live no longer than they are needed
            return self._in_parts(first, text, start, end, gap, tag)
        ends = sentences.split(text, start, end, gap, types, lexicon.role)
        if lexicon.tagger is not None:
            lexicon.tagger.tag(types, ends, tag)
        analysis = self._assemble(lexicon, text, start, end, types, ends, tag, self._tagset)
        self._lexicons.give_back(lexicon)
        return analysis

    def _in_parts(
        self,
        first: "list[tuple[Lexicon, array[int]]]",
        text: str,
        start: "array[int]",
        end: "array[int]",
        gap: "array[int]",
        tag: "array[int]",
    ) -> Analysis:
        """Do what `_analyse` does for a text of more words than a lexicon takes, with one lexicon after the other.

        `first` has a lexicon, and its types of the first tokens.
        """
        lexicon, types = first.pop()
        count, ends = len(start), array("i")
        kind, word, stem = array("B", bytes(count)), array("i", bytes(4 * count)), array("i", bytes(4 * count))
        words, stems = Strings(), Strings()
        begin = line = 0
        while True:
            stop = begin + len(types)
            part = (start[begin:stop], end[begin:stop], gap[begin:stop])
            found = sentences.split(text, *part, types, lexicon.role, line)
            if stop < count:
                del found[bisect_right(found, len(types) - AHEAD) :]
            done = found[-1]
            types, here = types[:done], slice(begin, begin + done)
            if lexicon.tagger is not None:
                tags = tag[here]
                lexicon.tagger.tag(types, found, tags)
                tag[here] = tags
            of_type = (lexicon.word, lexicon.stem, lexicon.kind, lexicon.texts, lexicon.texts, lexicon.scratch)
            kind[here], own_word, own_stem, own_words, own_stems = columns.within_document(types, *of_type)
            word[here] = columns.renumbered(own_word, words.numbers(own_words))
            stem[here] = columns.renumbered(own_stem, stems.numbers(own_stems))
            ends.extend(array("i", [begin + one for one in found]))
            broken = max(map(bytes(part[2][:done]).rfind, LINE_BREAKS))
            begin, line = begin + done, start[begin + broken + 1] if -1 < broken < len(part[0]) - 1 else line
            if begin == count:
                break
            del lexicon, types, of_type, own_words, own_stems  # before there is another one
            lexicon = self._new_lexicon()
            types = lexicon.types(text, start, end, begin, LEAST)
        strings = (words.close(), stems.close(), self._tagset)
        return Analysis(text, self.language, start, end, kind, tag, word, stem, ends, *strings)

    def adopt(
        self, text: str, start: "array[int]", end: "array[int]", sentence_ends: "array[int]", tag: "array[int]"
    ) -> Analysis:
        """Return the columns of a text that was tokenised, split and tagged elsewhere; see `text/pretagged.py`."""
        text, lexicon = sound(text), self._lexicons.borrow()
        types = lexicon.types(text, start, end)
        analysis = self._assemble(lexicon, text, start, end, types, sentence_ends, tag, TAGS)
        self._lexicons.give_back(lexicon)
        return analysis

    def _assemble(
        self,
        lexicon: Lexicon,
        text: str,
        start: "array[int]",
        end: "array[int]",
        types: "array[int]",
        sentence_ends: "array[int]",
        tag: "array[int]",
        tagset: tuple[str, ...],
    ) -> Analysis:
        of_type = (lexicon.word, lexicon.stem, lexicon.kind)
        kind, word, stem, words, stems = columns.within_document(
            types, *of_type, lexicon.texts, lexicon.texts, lexicon.scratch
        )
        return Analysis(
            text=text,
            language=self.language,
            start=start,
            end=end,
            kind=kind,
            tag=tag,
            word=word,
            stem=stem,
            sentences=sentence_ends,
            words=words,
            stems=stems,
            tagset=tagset,
        )


def sentence_bounds(analysis: Analysis) -> list[tuple[int, int]]:
    """Return the tokens at which each sentence begins, and before which it ends."""
    return list(zip([0, *analysis.sentences], analysis.sentences, strict=False))


def analyser(language: str = "en", stem: str | None = None, tag: bool = True) -> Analyser:
    """Return the process's analyser for `language` and the stemmer called `stem` (the language's own by default)."""
    return _analyser(language_code(language), stem, tag)


@cache
def _analyser(code: str, stem: str | None, tag: bool) -> Analyser:
    return Analyser(code, stem=stem, tag=tag)


def analyse(text: str, *, language: str = AUTO, stem: str | None = None, tag: bool = True) -> Analysis:
    """Return the columns of `text` in `language`, by a code or a name; by default it is found from the text.

    Tags are Penn's for English, those of Universal Dependencies for other languages, and none where there is no tagger.

    `tag=False` leaves the tags out, which is faster.
    """
    return _analyser(language_of(text, language), stem, tag).analyse(text)
