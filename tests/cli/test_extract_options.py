"""`extract`: which phrases, marks in the text, repaired text and the example."""

import json
from pathlib import Path

from cli_process import Command
from phrasemill.keyphrases import marked_spans
from phrasemill.types import Keyphrase, Span

EXAMPLE = Path(__file__).parents[2] / "src" / "phrasemill" / "data" / "example.txt"


def test_how_many(at: Command) -> None:
    def count(*options: str) -> int:
        return len(at("extract", "article.txt", "-f", "text", *options)[1].splitlines())

    everything = count("--top", "all")
    assert count("--top", "2") == 2
    assert count("-n", "1.0") == everything
    assert 1 <= count("-n", "0.2") < everything
    assert count("--threshold", "1e9") == 0


def test_phrases_that_are_not_wanted(at: Command, folder: Path) -> None:
    _, out, _ = at("extract", "article.txt", "-f", "text", "-n", "all")
    wanted = out.splitlines()
    _, out, _ = at("extract", "article.txt", "-f", "text", "-n", "all", "--exclude", wanted[0], "--exclude", wanted[1])
    assert out.splitlines() == wanted[2:]
    (folder / "not.txt").write_text(f"{wanted[0]}\n\n  {wanted[1]}  \n", encoding="utf-8")
    assert at("extract", "article.txt", "-f", "text", "-n", "all", "--exclude-file", "not.txt")[1] == out


def test_stopwords_are_separated_by_commas_or_repeated(at: Command) -> None:
    repeated = at("extract", "article.txt", "-f", "text", "--stopwords", "graph", "--stopwords", "random")
    assert at("extract", "article.txt", "-f", "text", "--stopwords", "graph, random,") == repeated
    assert not [line for line in repeated[1].splitlines() if line.lower().split()[0] in ("graph", "random")]
    assert repeated != at("extract", "article.txt", "-f", "text")


def test_highlight_marks_in_brackets_without_colour(at: Command, article: str) -> None:
    code, out, _ = at("extract", "article.txt", "--highlight", "-n", "2", "-m", "firstphrases")
    assert code == 0
    text, _, legend = out.partition("\n\n")
    assert text.replace("[[", "").replace("]]", "") == article.strip()
    assert "[[" in text
    assert legend.startswith("#  keyphrase")


def test_places_do_not_overlap() -> None:
    first = Keyphrase("b c", 2.0, (Span(2, 5),))
    longer = Keyphrase("a b c d", 1.0, (Span(0, 7), Span(10, 17)))
    inner = Keyphrase("c", 0.5, (Span(4, 5), Span(20, 21)))
    assert marked_spans([first, longer, inner]) == [(Span(0, 7), 1), (Span(10, 17), 1), (Span(20, 21), 2)]


def test_repair_maps_back_to_the_file(at: Command, folder: Path) -> None:
    source = "We have a fast algo-\nrithm. The fast algorithm is old.\n"
    (folder / "paper.txt").write_text(source, encoding="utf-8")
    _, out, _ = at("extract", "paper.txt", "--repair", "-f", "json", "-m", "firstphrases")
    spans = {k["text"]: [source[start:end] for start, end in k["spans"]] for k in json.loads(out)["keyphrases"]}
    assert spans["fast algorithm"] == ["fast algo-\nrithm", "fast algorithm"]


def test_the_built_in_example(at: Command) -> None:
    code, out, _ = at("extract", "--example", "-f", "json")
    result = json.loads(out)
    source = EXAMPLE.read_text(encoding="utf-8")
    assert code == 0
    assert result["id"] == "example"
    assert len(result["keyphrases"]) == 10
    assert "artificial reef" in [k["text"] for k in result["keyphrases"]]
    for keyphrase in result["keyphrases"]:
        for start, end in keyphrase["spans"]:
            assert source[start:end].strip() == source[start:end] != ""


def test_the_help_of_style_names_what_sets_take(at: Command) -> None:
    shown = " ".join(at("extract", "--help")[1].replace("│", " ").split())
    named = shown.partition("for sets of documents ")[2].partition(".")[0].split(" or ")
    refused = at("extract", "--set", "new", "--style", "author")
    assert refused[:2] == (2, "")
    assert refused[2].strip().endswith(f"choose from {', '.join(named)}")
