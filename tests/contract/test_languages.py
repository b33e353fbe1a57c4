"""Methods that rank words and noun phrases, in every language that has a tagger."""

import pytest

import phrasemill as pm
from phrasemill.text.languages import tagged_languages

# TextRank keeps a third of the words, which in a short text is hardly one.
GRAPHS = ("textrank(keep=1.0)", "singlerank", "positionrank", "topicrank", "multipartiterank")
# A short text of our own in each language, and the stem of the word that it is about.
TEXTS = {
    "ar": ("تحمي الغابة المدينة من الفيضانات. تزرع البلدية أشجار الغابة كل عام، وتنمو الغابة ببطء.", "غابة"),
    "cs": ("Les chrání město před povodněmi. Město každý rok vysazuje nový les a starý les roste pomalu.", "les"),
    "da": ("Skoven beskytter byen mod oversvømmelser. Kommunen planter ny skov, og skoven vokser langsomt.", "skov"),
    "de": ("Der Wald schützt die Stadt vor Hochwasser. Die Gemeinde pflanzt Wald, und der Wald wächst.", "wald"),
    "en": ("The forest protects the town from floods. The council plants forest, and the forest grows.", "forest"),
    "es": ("El bosque protege la ciudad. El municipio planta bosque cada año y el bosque crece despacio.", "bosque"),
    "fi": ("Metsä suojaa kaupunkia tulvilta. Kunta istuttaa metsää joka vuosi, ja metsä kasvaa hitaasti.", "mets"),
    "fr": ("La forêt protège la ville des crues. La commune plante la forêt et la forêt grandit.", "forêt"),
    "it": ("Il bosco protegge la città dalle piene. Il comune pianta il bosco e il bosco cresce piano.", "bosco"),
    "ja": ("森林は町を洪水から守る。町は毎年森林を育て、森林はゆっくり成長する。", "森林"),
    "ko": ("숲은 도시를 홍수에서 지킨다. 시는 해마다 숲을 가꾸고 숲은 천천히 자란다.", "숲"),
    "nl": ("Het bos beschermt de stad tegen water. De gemeente plant bos en het bos groeit langzaam.", "bos"),
    "no": ("Skogen beskytter byen mot flom. Kommunen planter skog hvert år, og skogen vokser sakte.", "skog"),
    "pl": ("Las chroni miasto przed powodzią. Gmina sadzi las każdego roku, a las rośnie powoli.", "las"),
    "pt": ("A floresta protege a cidade das cheias. A câmara planta floresta e a floresta cresce.", "floresta"),
    "ru": ("Лес защищает город от наводнений. Город сажает лес каждый год, и лес растёт медленно.", "лес"),
    "sv": ("Skogen skyddar staden mot översvämning. Kommunen planterar skog och skogen växer sakta.", "skog"),
    "tr": ("Orman şehri selden korur. Belediye her yıl orman diker ve orman yavaş yavaş büyür.", "orman"),
    "vi": ("Khu rừng bảo vệ thành phố. Thành phố trồng rừng mỗi năm và rừng lớn chậm.", "rừng"),
    "zh": ("森林保护城市免受洪水。城市每年种植森林，森林慢慢生长。", "森林"),
}


def test_every_language_with_a_tagger_has_a_text() -> None:
    assert TEXTS.keys() == tagged_languages()


@pytest.mark.parametrize("language", sorted(TEXTS))
@pytest.mark.parametrize("method", GRAPHS)
def test_methods_over_noun_phrases_find_what_a_text_is_about(method: str, language: str) -> None:
    text, word = TEXTS[language]
    found = pm.extract(text, method=method, language=language)
    assert any(word in one.text.lower() for one in found[:5]), [one.text for one in found]
    assert all(text[span.start : span.end].lower() == one.text.lower() for one in found for span in one.spans[:1])
