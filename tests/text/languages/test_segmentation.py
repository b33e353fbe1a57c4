"""Words of Chinese and Japanese, with their tags."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phrasemill.text.analyse import analyse
from phrasemill.text.languages.segmentation import segmenter, tokenise


def words(text: str, language: str) -> list[str]:
    return [token.text for token in analyse(text, language=language).tokens]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("ja", "東京/PROPN で/ADP 新しい/ADJ 技術/NOUN を/ADP 学ぶ/VERB 。/PUNCT"),
        (
            "ja",
            "第/NOUN 3/NUM 回/NOUN の/ADP 大会/NOUN は/ADP 2024/NUM 年/NOUN に/ADP 東京/PROPN で/ADP 開か/VERB "
            "れ/AUX 、/PUNCT 20/NUM 万/NUM 人/NOUN が/ADP 参加/VERB し/AUX た/AUX 。/PUNCT",
        ),
        (
            "ja",
            "コンピューター/NOUN システム/NOUN の/ADP 安全/NOUN 性/NOUN に/ADP つい/VERB て/SCONJ は/ADP まだ/ADV "
            "分から/VERB ない/AUX こと/NOUN が/ADP 多い/ADJ 。/PUNCT",
        ),
        ("ja", "彼/PRON は/ADP ゾルバニケルトン/PROPN は/ADP 来/VERB た/AUX"),
        ("zh", "我们/PRON 在/VERB 北京/PROPN 学习/VERB 新/PART 的/SCONJ 技术/NOUN 。/PUNCT"),
        (
            "zh",
            "第3/NUM 次/NOUN 会议/NOUN 将/ADV 于/ADP 2024/NUM 年/NOUN 在/VERB 上海/PROPN 举行/VERB ，/PUNCT "
            "有/VERB 20万/NUM 人/NOUN 参加/VERB 。/PUNCT",
        ),
        (
            "zh",
            "这/DET 个/NOUN 委员会/NOUN 的/PART 科学家/NOUN 说/VERB ，/PUNCT 经济/NOUN 发展/NOUN 的/SCONJ "
            "速度/NOUN 越来越/ADV 快/ADJ 了/PART 。/PUNCT",
        ),
        (
            "zh",
            "老师/NOUN 和/CCONJ 学生/NOUN 们/PART 都/SCONJ 觉得/VERB 这/DET 本书/NOUN 的/PART 可读性/NOUN "
            "很高/ADJ 。/PUNCT",
        ),
        # Characters are read as the simplified ones.
        ("zh", "政府/NOUN 發展/VERB 經濟/NOUN"),
        ("zh", "政府/NOUN 发展/VERB 经济/NOUN"),
        # Suffixes stay with nouns, particles and prefixes do not; names with a dot are one word.
        ("zh", "教育/NOUN 委员会/NOUN"),
        ("zh", "他/PRON 是/AUX 马丁·路德/PROPN 。/PUNCT"),
    ],
)
def test_words_and_tags(language: str, expected: str) -> None:
    text = "".join(token.partition("/")[0] for token in expected.split())
    assert " ".join(f"{token.text}/{token.tag}" for token in analyse(text, language=language).tokens) == expected


def test_other_scripts_are_cut_as_everywhere() -> None:
    assert words("使用Python 3.11和C++开发", "zh")[1:5] == ["Python", "3.11", "和", "C++"]
    assert words("Firefoxブラウザを使う", "ja")[:2] == ["Firefox", "ブラウザ"]


def test_a_long_text_is_cut_as_its_parts() -> None:
    sentence = "東京で新しい技術を学ぶ。\n"
    assert words(sentence * 60, "ja") == words(sentence, "ja") * 60


def test_a_run_without_end() -> None:
    text = "技術" * 5_000
    assert "".join(words(text, "ja")) == text


texts = st.text(st.sampled_from("日本語のテスト中文分词委员会第123万abc·・ー。， \n𠮷") | st.characters(), max_size=40)


@given(text=texts, language=st.sampled_from(["ja", "zh"]))
@example(text="ニ" * 20, language="ja")  # so long a run without a beginning has no path: its units are left undecided
def test_words_cover_the_tokens(text: str, language: str) -> None:
    found, tokens = segmenter(language).segment(text), tokenise(text)
    covered = [i for start, end in zip(*found[:2], strict=True) for i in range(start, end)]
    assert covered == [i for start, end in zip(*tokens[:2], strict=True) for i in range(start, end)]
    assert all(0 < tag <= 17 for tag in found[3])
