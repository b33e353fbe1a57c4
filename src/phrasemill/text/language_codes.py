"""Languages by any usual name: `de`, `deu`, `ger`, `German`, `Deutsch`, `de-AT` and `de_DE.UTF-8` are all `de`.

A language is supported where there are stopwords or a stemmer for it. `und`, for undetermined, is a text in no language
that is known: it is analysed without either.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from phrasemill.errors import ConfigError, UnknownName

UNDETERMINED = "und"
AUTO = "auto"  # instead of a language: find it from the text, whatever the document says
# The code that is used inside, other codes, and after the colon the names: the English one first, then others.
SUPPORTED = """
af afr: Afrikaans
ar ara arb: Arabic, العربية
bg bul: Bulgarian, български
bn ben: Bengali, Bangla, বাংলা
br bre: Breton, brezhoneg
ca cat: Catalan, Valencian, català, valencià
cs ces cze: Czech, čeština, český
da dan: Danish, dansk
de deu ger: German, Deutsch
el ell gre: Greek, Modern Greek, ελληνικά
en eng: English
eo epo: Esperanto
es spa: Spanish, Castilian, español, castellano
et est ekk: Estonian, eesti
eu eus baq: Basque, euskara
fa fas per pes prs: Persian, Farsi, Dari, فارسی
fi fin: Finnish, suomi
fr fra fre: French, français
ga gle: Irish, Irish Gaelic, Gaeilge
gl glg: Galician, galego
gu guj: Gujarati, ગુજરાતી
ha hau: Hausa
he heb iw: Hebrew, עברית
hi hin: Hindi, हिन्दी
hr hrv scr: Croatian, hrvatski
hu hun: Hungarian, magyar
hy hye arm: Armenian, հայերեն
id ind in: Indonesian, Bahasa Indonesia
it ita: Italian, italiano
ja jpn: Japanese, 日本語
ko kor: Korean, 한국어
ku kur kmr: Kurdish, Kurmanji, kurdî
la lat: Latin, latina
lt lit: Lithuanian, lietuvių
lv lav lvs: Latvian, latviešu
mr mar: Marathi, मराठी
ms msa may zsm: Malay, Bahasa Melayu
ne nep npi: Nepali, नेपाली
nl nld dut: Dutch, Flemish, Nederlands, Vlaams
no nor nb nob nn nno: Norwegian, Norwegian Bokmål, Norwegian Nynorsk, norsk, bokmål, nynorsk
pl pol: Polish, polski
pt por: Portuguese, português
ro ron rum mo mol: Romanian, Moldavian, română
ru rus: Russian, русский
sk slk slo: Slovak, slovenčina
sl slv: Slovenian, Slovene, slovenščina
so som: Somali, Soomaali
sr srp scc: Serbian, српски, srpski
st sot: Southern Sotho, Sesotho, Sotho
sv swe: Swedish, svenska
sw swa swh: Swahili, Kiswahili
ta tam: Tamil, தமிழ்
th tha: Thai, ไทย
tl tgl fil: Tagalog, Filipino
tr tur: Turkish, Türkçe
uk ukr: Ukrainian, українська
ur urd: Urdu, اردو
vi vie: Vietnamese, Tiếng Việt
yi yid ji ydd: Yiddish, ייִדיש
yo yor: Yoruba, Yorùbá
zh zho chi cmn: Chinese, Mandarin, 中文, 汉语, 漢語
zu zul: Zulu, isiZulu
und mul mis zxx xx: undetermined, multiple languages
"""
# The other languages of ISO 639-1, so that none of them is called unknown.
UNSUPPORTED = """
aa aar: Afar; ab abk: Abkhazian; ae ave: Avestan; ak aka: Akan; am amh: Amharic; an arg: Aragonese;
as asm: Assamese; av ava: Avaric; ay aym: Aymara; az aze: Azerbaijani; ba bak: Bashkir; be bel: Belarusian;
bi bis: Bislama; bm bam: Bambara; bo bod tib: Tibetan; bs bos: Bosnian; ce che: Chechen; ch cha: Chamorro;
co cos: Corsican; cr cre: Cree; cu chu: Church Slavic; cv chv: Chuvash; cy cym wel: Welsh; dv div: Divehi;
dz dzo: Dzongkha; ee ewe: Ewe; ff ful: Fulah; fj fij: Fijian; fo fao: Faroese; fy fry: Western Frisian, Frisian;
gd gla: Scottish Gaelic; gn grn: Guarani; gv glv: Manx; ho hmo: Hiri Motu; ht hat: Haitian Creole, Haitian;
hz her: Herero; ia ina: Interlingua; ie ile: Interlingue; ig ibo: Igbo; ii iii: Sichuan Yi; ik ipk: Inupiaq;
io ido: Ido; is isl ice: Icelandic, íslenska; iu iku: Inuktitut; jv jav jw: Javanese;
ka kat geo: Georgian, ქართული; kg kon: Kongo; ki kik: Kikuyu; kj kua: Kuanyama; kk kaz: Kazakh;
kl kal: Kalaallisut, Greenlandic; km khm: Khmer; kn kan: Kannada; kr kau: Kanuri; ks kas: Kashmiri; kv kom: Komi;
kw cor: Cornish; ky kir: Kyrgyz, Kirghiz; lb ltz: Luxembourgish; lg lug: Ganda; li lim: Limburgish;
ln lin: Lingala; lo lao: Lao; lu lub: Luba-Katanga; mg mlg: Malagasy; mh mah: Marshallese; mi mri mao: Maori;
mk mkd mac: Macedonian; ml mal: Malayalam; mn mon: Mongolian; mt mlt: Maltese; my mya bur: Burmese; na nau: Nauru;
nd nde: North Ndebele; ng ndo: Ndonga; nr nbl: South Ndebele; nv nav: Navajo; ny nya: Chichewa, Nyanja;
oc oci: Occitan; oj oji: Ojibwa; om orm: Oromo; or ori ory: Odia, Oriya; os oss: Ossetian;
pa pan: Punjabi, Panjabi; pi pli: Pali; ps pus: Pashto; qu que: Quechua; rm roh: Romansh; rn run: Rundi;
rw kin: Kinyarwanda; sa san: Sanskrit; sc srd: Sardinian; sd snd: Sindhi; se sme: Northern Sami; sg sag: Sango;
si sin: Sinhala, Sinhalese; sm smo: Samoan; sn sna: Shona; sq sqi alb: Albanian, shqip; ss ssw: Swati;
su sun: Sundanese; te tel: Telugu; tg tgk: Tajik; ti tir: Tigrinya; tk tuk: Turkmen; tn tsn: Tswana;
to ton: Tongan; ts tso: Tsonga; tt tat: Tatar; tw twi: Twi; ty tah: Tahitian; ug uig: Uyghur; uz uzb: Uzbek;
ve ven: Venda; vo vol: Volapük; wa wln: Walloon; wo wol: Wolof; xh xho: Xhosa; za zha: Zhuang
"""
CODES = frozenset(re.findall(r"^(\w+)", SUPPORTED, re.MULTILINE))
# A BCP 47 tag such as zh-Hans-CN, or a locale such as pt_BR.UTF-8; what matters is what it begins with.
TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8})+(?:\.[\w-]+)?(?:@\w+)?", re.IGNORECASE)
LONGEST = 100
MOST_CLOSE = 4


class Language(NamedTuple):
    """The code that is used inside, and the English name."""

    code: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


def language_code(language: str) -> str:
    """Return the code of `language`, which may be given by any of its codes or names, or as a tag such as `en-US`.

    A `ConfigError` says what to choose where it is unknown or not supported.
    """
    code = known_language(language) if isinstance(language, str) else None
    if code is None:
        raise _unknown(language)
    return code


def language_or_auto(language: str) -> str:
    """Return the code of `language`, and `auto` as it is."""
    is_auto = isinstance(language, str) and language.strip().lower() == AUTO
    return AUTO if is_auto else language_code(language)


def known_language(language: str) -> str | None:
    """Return the same, and None for a language that is unknown or not supported."""
    if language in CODES:
        return language
    found = _looked_up(language)
    return found.code if found and found.code in CODES else None


def language_name(code: str) -> str:
    """Return the English name of a language, with its code."""
    return str(_index()[code])


def choices() -> list[Language]:
    """Return the languages that are supported, by their English names."""
    return sorted((Language(code, names[0]) for code, _, names in _table(SUPPORTED)), key=lambda one: one.name.lower())


def _looked_up(language: str) -> Language | None:
    if len(language) > LONGEST:
        return None
    text = language.strip()
    tag = TAG.fullmatch(text)
    return _index().get(_key(tag[1] if tag and len(text.split()) == 1 else text)) or _index().get(_key(text))


def _key(name: str) -> str:
    """Return `name` without regard to case and accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).replace("_", " ").split())


@cache
def _index() -> dict[str, Language]:
    """Return every code and name."""
    return {
        _key(one): Language(code, names[0])
        for code, others, names in _table(UNSUPPORTED) + _table(SUPPORTED)
        for one in (code, *others, *names)
    }


def _table(lines: str) -> list[tuple[str, list[str], list[str]]]:
    found = []
    for entry in re.split(r"[;\n]+", lines.strip("\n")):
        codes, _, names = entry.partition(":")
        code, *others = codes.split()
        found.append((code, others, [name.strip() for name in names.split(",")]))
    return found


def _unknown(language: object) -> ConfigError:
    if not isinstance(language, str):
        return ConfigError(f"language must be a name or a code such as 'en', got {language!r}")
    found = _looked_up(language)
    if found is not None:
        return UnsupportedLanguage(
            language,
            f"language {language!r} is {found.name}, for which there are neither stopwords nor a stemmer; "
            f"choose from {', '.join(sorted(CODES))}, where {UNDETERMINED} does without both",
        )
    close = _closest(language)
    if close:
        return UnsupportedLanguage(language, f"unknown language {language!r}; closest are {', '.join(map(str, close))}")
    return UnknownName("language", language[:LONGEST], CODES)


def _closest(language: str) -> list[Language]:
    """Return those with a name or a code like `language`, best first."""
    from difflib import get_close_matches

    known = {key: one for key, one in _index().items() if one.code in CODES and len(key) > 2}
    matches = get_close_matches(_key(language[:LONGEST]), known, n=2 * MOST_CLOSE, cutoff=0.6)
    return list(dict.fromkeys(known[key] for key in matches))[:MOST_CLOSE]


class UnsupportedLanguage(UnknownName):
    """A language that is unknown, or that has neither stopwords nor a stemmer."""

    def __init__(self, language: str, message: str) -> None:
        self.kind, self.name, self.choices = "language", language, tuple(sorted(CODES))
        ConfigError.__init__(self, message)
