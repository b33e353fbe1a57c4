"""Language detection: the script decides, or the words; too little evidence means English."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.language import Parts

from phrasemill.text.languages.detect import detect
from phrasemill.text.languages.scripts import PAGES

SENTENCES = {
    "ar": "تعمل البلدية على تحسين شبكة الحافلات في المدينة حتى يصل الناس إلى أعمالهم بسرعة أكبر ودون ازدحام.",
    "bg": "Общината подобрява автобусната мрежа в града, за да могат хората да стигат по-бързо до работа.",
    "ca": "L'ajuntament millora la xarxa d'autobusos de la ciutat perquè la gent arribi més de pressa a la feina.",
    "cs": "Město zlepšuje síť autobusů, aby se lidé dostali rychleji do práce a nemuseli jezdit svým autem.",
    "da": "Kommunen forbedrer busnettet i byen, så folk kan komme hurtigere på arbejde uden at bruge deres egen bil.",
    "de": "Die Stadt verbessert ihr Busnetz, damit die Leute schneller und ohne eigenes Auto zur Arbeit kommen.",
    "el": "Ο δήμος βελτιώνει το δίκτυο των λεωφορείων ώστε ο κόσμος να φτάνει πιο γρήγορα στη δουλειά του.",
    "en": "The city is improving its bus network so that people can get to work faster and without their own car.",
    "es": "El ayuntamiento mejora la red de autobuses de la ciudad para que la gente llegue antes al trabajo.",
    "fi": "Kaupunki parantaa bussiverkkoaan, jotta ihmiset pääsevät nopeammin töihin ilman omaa autoa.",
    "fr": "La ville améliore son réseau de bus pour que les gens arrivent plus vite au travail sans leur voiture.",
    "he": "העירייה משפרת את רשת האוטובוסים כדי שאנשים יגיעו מהר יותר לעבודה בלי המכונית שלהם.",
    "hi": "शहर अपने बस नेटवर्क को बेहतर बना रहा है ताकि लोग बिना अपनी कार के जल्दी काम पर पहुँच सकें।",
    "hr": "Grad poboljšava mrežu autobusa kako bi ljudi brže dolazili na posao bez vlastitog automobila.",
    "hu": "A város fejleszti a buszhálózatot, hogy az emberek gyorsabban és saját autó nélkül jussanak el a munkába.",
    "it": "Il comune migliora la rete degli autobus perché la gente arrivi più in fretta al lavoro senza l'auto.",
    "ja": "市はバス路線を改善し、人々が自家用車を使わずにより早く職場に着けるようにしている。",
    "ko": "시는 사람들이 자가용 없이도 더 빨리 직장에 도착할 수 있도록 버스 노선을 개선하고 있다.",
    "nl": "De stad verbetert haar busnet, zodat mensen sneller en zonder eigen auto op hun werk kunnen komen.",
    "no": "Kommunen forbedrer bussnettet i byen slik at folk kommer raskere på jobb uten å bruke sin egen bil.",
    "pl": "Miasto poprawia sieć autobusów, żeby ludzie mogli szybciej dojechać do pracy bez własnego samochodu.",
    "pt": "A câmara melhora a rede de autocarros da cidade para que as pessoas cheguem mais depressa ao trabalho.",
    "ro": "Orașul își îmbunătățește rețeaua de autobuze pentru ca oamenii să ajungă mai repede la serviciu.",
    "ru": "Город улучшает сеть автобусов, чтобы люди могли быстрее добираться до работы без своей машины.",
    "sk": "Mesto zlepšuje sieť autobusov, aby sa ľudia dostali rýchlejšie do práce bez vlastného auta.",
    "sr": "Град побољшава мрежу аутобуса како би људи брже стизали на посао без сопственог аутомобила.",
    "sv": "Staden förbättrar sitt bussnät så att människor kommer snabbare till arbetet utan egen bil.",
    "th": "เมืองกำลังปรับปรุงเครือข่ายรถโดยสารเพื่อให้ผู้คนไปทำงานได้เร็วขึ้นโดยไม่ต้องใช้รถส่วนตัว",
    "tr": "Belediye, insanların kendi arabaları olmadan işe daha hızlı gidebilmesi için otobüs ağını geliştiriyor.",
    "uk": "Місто покращує мережу автобусів, щоб люди могли швидше діставатися до роботи без своєї машини.",
    "vi": "Thành phố đang cải thiện mạng lưới xe buýt để người dân đến nơi làm việc nhanh hơn mà không cần ô tô riêng.",
    "zh": "该市正在改善公交网络，让人们不用自己的汽车也能更快地到达工作地点。",
}
FORMULAS = "Let $x_{ij} = \\sum_k w_k y_{ik}$ with α < 0.5 and β → ∞; then E[x] = μ_0 (1 − ε)²."
CODE = "def total(rows):\n    n = 0\n    for row in rows:\n        n += int(row['amount'] or 0)\n    return n\n"
TABLE = "12.4 | 33.1 | 0.98 | 7\n13.0 | 31.7 | 0.97 | 9\n"


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language: str) -> None:
    found = detect(SENTENCES[language])
    assert found.language == language
    assert 0.5 < found.confidence <= 1


def test_case_does_not_matter() -> None:
    assert detect(SENTENCES["de"].upper()).language == "de"


def test_decomposed_accents_do_not_matter() -> None:
    import unicodedata

    assert detect(unicodedata.normalize("NFD", SENTENCES["vi"])) == detect(SENTENCES["vi"])


@pytest.mark.parametrize("text", ["", "   ", TABLE, CODE, FORMULAS, "Künstliche Intelligenz", "a", "🎉🎉"])
def test_too_little_to_tell_is_english(text: str) -> None:
    assert detect(text).language == "en"


def test_an_english_title_does_not_decide() -> None:
    assert detect("A Study of Urban Bus Networks\n" + SENTENCES["es"]).language == "es"
    assert detect("Kubernetes Release Notes\n" + SENTENCES["zh"]).language == "zh"


def test_names_in_another_script_do_not_decide() -> None:
    assert detect(f"{SENTENCES['en']} The plan is called 公交网络 in Chinese.").language == "en"
    assert detect(f"{SENTENCES['ru']} Docker, Kubernetes, Linux.").language == "ru"


def test_the_larger_part_of_a_mixed_text_decides() -> None:
    assert detect(" ".join([SENTENCES["en"]] + 3 * [SENTENCES["fr"]])).language == "fr"
    assert detect(" ".join([SENTENCES["fr"]] + 3 * [SENTENCES["en"]])).language == "en"


def test_languages_without_support_are_undetermined() -> None:
    georgian = "ქალაქი აუმჯობესებს ავტობუსების ქსელს, რათა ხალხი უფრო სწრაფად მივიდეს სამსახურში."
    icelandic = "Borgin bætir strætisvagnakerfið svo að fólk komist hraðar til vinnu án þess að nota eigin bíl."
    assert detect(georgian).language == "und"
    assert detect(icelandic).language == "und"


def test_a_long_text_is_sampled_from_beginning_to_end() -> None:
    spanish, french = (" ".join(20 * [SENTENCES[code]]) for code in ("es", "fr"))
    assert detect(spanish + french[: len(spanish) // 2]).language == "es"
    assert detect(spanish[: len(french) // 2] + french).language == "fr"


def test_half_of_a_character_pair_does_no_harm() -> None:
    assert detect("\ud800 " + SENTENCES["fr"]).language == "fr"


@given(st.text() | st.text(st.characters(categories=["L", "M", "Zs"])), st.integers(0, 4), st.integers(1, 40))
def test_the_best_language_has_the_highest_sum_of_weights(text: str, script: int, times: int) -> None:
    parts = Parts(times * f"{text} ".lower(), PAGES, script, 6)
    assert all(0 <= row < 64 for row in parts.rows)
    weights = memoryview(array("b", [(31 * i) % 255 - 127 for i in range(64 * 5)]))
    bias = array("i", [3, -2, 0, 5, 1])
    sums = [bias[k] + sum(weights[5 * row + k] for row in parts.rows) for k in range(5)]
    ranked = sorted(sums, reverse=True)
    assert parts.best(weights, bias, 2) == (sums.index(ranked[0]), ranked[0] - ranked[1], ranked[0] - sums[2])
