"""Words of Chinese and Japanese."""

from pathlib import Path

import pytest

from phrasemill.errors import ModelError
from phrasemill.models import shipped
from phrasemill.text.analyse import analyse
from phrasemill.text.languages.segmentation import Segmenter, segmenter
from phrasemill.types import Analysis


def words(text: str, language: str) -> list[str]:
    return [token.text for token in analyse(text, language=language).tokens]


def tagged(analysis: Analysis) -> dict[str, str]:
    return {token.text: token.tag for token in analysis.tokens}


def test_chinese_words_have_tags() -> None:
    found = tagged(analyse("我们在北京学习新的技术。", language="zh"))
    assert list(found) == ["我们", "在", "北京", "学习", "新", "的", "技术", "。"]
    assert (found["北京"], found["学习"], found["技术"], found["。"]) == ("PROPN", "VERB", "NOUN", "PUNCT")


def test_japanese_words_have_tags() -> None:
    found = tagged(analyse("東京で新しい技術を学ぶ。", language="ja"))
    assert list(found) == ["東京", "で", "新しい", "技術", "を", "学ぶ", "。"]
    assert (found["東京"], found["新しい"], found["技術"], found["を"]) == ("PROPN", "ADJ", "NOUN", "ADP")


def test_traditional_characters_are_cut_as_simplified_ones() -> None:
    traditional, simplified = words("政府發展經濟", "zh"), words("政府发展经济", "zh")
    assert traditional == ["政府", "發展", "經濟"]
    assert list(map(len, traditional)) == list(map(len, simplified))


def test_suffixes_stay_with_chinese_nouns() -> None:
    assert words("教育委员会", "zh")[-1] == "委员会"


def test_names_with_a_dot_are_one_word_in_chinese() -> None:
    assert "马丁·路德" in words("他是马丁·路德。", "zh")


def test_other_scripts_are_cut_as_everywhere() -> None:
    assert words("使用Python 3.11和C++开发", "zh")[1:5] == ["Python", "3.11", "和", "C++"]
    assert words("Firefoxブラウザを使う", "ja")[:2] == ["Firefox", "ブラウザ"]


def test_a_long_text_is_cut_as_its_parts() -> None:
    sentence = "東京で新しい技術を学ぶ。\n"
    assert words(sentence * 60, "ja") == words(sentence, "ja") * 60


def test_a_run_without_end() -> None:
    text = "技術" * 5_000
    assert "".join(words(text, "ja")) == text


def test_damage_is_noticed(tmp_path: Path) -> None:
    content = bytearray(shipped("segmenter_ja.safetensors").read_bytes())
    content[-1] ^= 1
    path = tmp_path / "damaged.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="checksum"):
        Segmenter.load(path)


def test_one_segmenter_for_all() -> None:
    assert segmenter("ja") is segmenter("ja")
