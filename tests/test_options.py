"""Options are declared once, and everything else follows."""

import inspect
import json
import os
import subprocess
import sys
from array import array
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

import phrasemill as pm
from phrasemill import engine
from phrasemill.catalogue import METHODS
from phrasemill.errors import UnknownName
from phrasemill.options import OPTIONS, Options, checked
from phrasemill.ranker import Ranker, build
from phrasemill.types import Candidates

SOURCE = Path(pm.__file__).parent
# A new option, and where it is looked for: each line prints the names of the options of one face.
NEW = """
    wideness: Annotated[int | None, Option("count", None, "WIDTH", least=2), "How wide phrases are."]
"""
FACES = """
import inspect, json, sys, warnings
import phrasemill as pm
from phrasemill import options
from phrasemill.cli.extract import ExtractArguments, RunArguments
from phrasemill.client import Client

def names(function):
    return list(inspect.signature(function).parameters)

found = {one.__name__: names(one) for one in (pm.extract, pm.extract_batch, pm.Extractor, pm.extract_set)}
found["extract --help"], found["run --help"] = names(ExtractArguments), names(RunArguments)
found["help()"] = [word.strip("`:") for word in pm.extract.__doc__.split()]
for called in (Client.extract, Client.create_job, Client.extract_set):
    typed = inspect.signature(called).parameters["options"].annotation
    found[called.__qualname__] = list(typed.__args__[0].__annotations__)
if "service" in sys.argv:
    from phrasemill.service import models, requests
    found["POST /v1/extract"] = list(models.ExtractRequest.model_fields)
    found["POST /v1/sets"] = list(models.SetRequest.model_fields)
    form = requests.FORM["requestBody"]["content"]["multipart/form-data"]["schema"]
    found["POST /v1/files"] = list(form["properties"])
if "mcp" in sys.argv:
    from phrasemill.integrations import mcp
    found["MCP extract"], found["MCP extract_set"] = names(mcp.extract), names(mcp.extract_set_of)
if "spacy" in sys.argv:
    from phrasemill.integrations import spacy
    found["spaCy"] = names(spacy.make)
if "sklearn" in sys.argv:
    from phrasemill.integrations.sklearn import KeyphraseVectorizer
    found["scikit-learn"] = list(KeyphraseVectorizer().get_params())
if "docs" in sys.argv:
    import docs_hooks
    found["reference"] = [word.strip("`") for word in docs_hooks.options().split()]
print(json.dumps(found))
"""
MODULES = {"service": "fastapi", "mcp": "mcp", "spacy": "spacy", "sklearn": "sklearn", "docs": "mkdocs"}


def installed() -> list[str]:
    from importlib.util import find_spec

    return [face for face, module in MODULES.items() if find_spec(module)]


def faces(package: Path) -> dict[str, list[str]]:
    """The options of each face, with the package in this folder."""
    path = os.pathsep.join([str(package), str(SOURCE.parents[1])])
    command = [sys.executable, "-c", FACES, *installed()]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True, timeout=120
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("declared_in", "without"),
    [
        ("SetOptions", set()),
        ("RemoteOptions", {"extract_set", "Client.extract_set", "POST /v1/sets", "MCP extract_set"}),
    ],
)
def test_adding_an_option_is_one_edit(tmp_path: Path, declared_in: str, without: set[str]) -> None:
    package = tmp_path / "phrasemill"
    package.mkdir()
    for one in SOURCE.iterdir():
        (package / one.name).symlink_to(one)
    declared = (SOURCE / "options.py").read_text(encoding="utf-8")
    head, name, body = declared.partition(f"class {declared_in}(")
    first = body.index(": Annotated[")
    line = body.rindex("\n", 0, first)
    (package / "options.py").unlink()
    (package / "options.py").write_text(head + name + body[:line] + NEW + body[line + 1 :], encoding="utf-8")
    found = faces(tmp_path)
    assert {face for face, names in found.items() if "wideness" not in names} == without


def test_signatures_have_every_option_with_its_default() -> None:
    for function in (pm.extract, pm.extract_batch, pm.Extractor):
        parameters = inspect.signature(function).parameters
        declared = {name: one.default for name, one in parameters.items() if name in OPTIONS}
        assert declared == {name: one.default for name, one in OPTIONS.items()}
        assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in Options.__annotations__)
    with pytest.raises(TypeError):
        pm.extract("Graph theory.", "tfidf")  # type: ignore[misc]
    assert pm.Extractor("tfidf").options["method"] == "tfidf"


def test_an_unknown_option_lists_the_known_ones() -> None:
    for call in (pm.extract, pm.extract_batch, pm.Extractor):
        with pytest.raises(
            UnknownName, match=r"unknown option 'tpo' \(did you mean 'top'\?\); choose from .*top"
        ) as one:
            call("Graph theory.", tpo=3)  # type: ignore[operator]
        assert isinstance(one.value, TypeError)
    with pytest.raises(UnknownName, match="unknown option 'jobs'"):
        pm.extract("Graph theory.", jobs=2)  # type: ignore[call-arg]
    with pytest.raises(UnknownName, match="unknown option 'explain'"):
        engine.run("nowhere.jsonl", "out", explain=True)
    with pytest.raises(UnknownName, match="unknown option 'explain'"):
        pm.extract_set(["Graph theory."], explain=True)  # type: ignore[call-arg]


def test_what_can_be_read_only_once_is_kept() -> None:
    options = checked({"exclude": iter(["graph"]), "candidates": (word for word in ["tree"]), "language": "German"})
    assert (options["exclude"], options["candidates"], options["language"]) == (("graph",), ("tree",), "de")
    find = pm.Extractor("firstphrases", exclude=iter(["graph theory"]))
    texts = ["Graph theory of trees.", "Graph theory of forests."]
    assert [find(text) for text in texts] == [
        pm.extract(t, method="firstphrases", exclude=["graph theory"]) for t in texts
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "nosuch"}, "unknown method 'nosuch'"),
        ({"method": 3}, "method must be a spec"),
        ({"top": 0}, "top must be at least 1"),
        ({"top": "many"}, "top must be a count"),
        ({"threshold": "high"}, "threshold must be a number"),
        ({"diversity": 2}, "diversity must be from 0 to 1"),
        ({"redundancy": "nothing"}, "unknown redundancy rule 'nothing'"),
        ({"language": "Klingon"}, "Klingon"),
        ({"exclude": "neural"}, "exclude takes a list of phrases, not one string: exclude="),
        ({"exclude": [3]}, "exclude takes phrases, got 3"),
        ({"exclude": 3}, "exclude takes a list of phrases, not 3"),
        ({"stopwords": ["the", ""]}, "stopwords takes words, got ''"),
        ({"stopwords": ["the end"]}, "stopwords takes single words, got 'the end'; exclude leaves out whole phrases"),
        ({"candidates": "salt"}, "candidates takes a list of phrases, not one string"),
        ({"boost": {" ": 3.0}}, "boost takes phrases, got ' '"),
        ({"explain": "no"}, "explain must be True or False, got 'no'"),
        ({"roll_up": 1}, "`roll_up` requires a `vocabulary`"),
        ({"new_terms": True}, "`new_terms` requires a `vocabulary`"),
        (
            {"method": "textrank", "style": "news"},
            "textrank has no style; styles are for consensus, encoder, generator",
        ),
        ({"method": "learned(style='author')", "style": "news"}, "both name a style"),
        ({"method": "learned('author')", "style": "news"}, "both name a style"),
        ({"method": pm.Extractor(), "style": "news"}, "not with an object"),
        ({"style": "poems"}, "unknown style 'poems'; choose from author"),
    ],
)
def test_a_wrong_option_is_an_error_in_one_line(options: dict[str, object], message: str) -> None:
    for call in (pm.Extractor, partial(pm.extract, "Salt water."), partial(pm.extract_batch, ["Salt water."])):
        with pytest.raises(pm.ConfigError, match=message) as raised:
            call(**options)  # type: ignore[operator]
        assert "\n" not in str(raised.value)
    with pytest.raises(pm.ConfigError, match="jobs must be"):
        pm.Extractor(jobs=0)


def test_options_reach_the_selection() -> None:
    text = "Neural networks learn. A neural network has layers, and neural networks generalise."
    find = partial(pm.extract, text, method="tfidf", top=None)
    assert {"neural", "layers"} <= set(find().texts)
    kept = find(exclude=["Neural", "layer"]).texts
    assert not {"neural", "layers"} & set(kept) and any("neural network" in one.lower() for one in kept)
    assert {len(one.split()) for one in find(shortest=2, longest=2).texts} == {2}
    assert "neural" not in find(stopwords=[" NEURAL "]).texts
    assert not find(threshold=1e9) and find(candidates=["layers"]).texts == ["layers"]
    assert find(boost={"layers": 100.0})[0].text == "layers" and find(explain=True)[0].evidence
    assert find(redundancy="nested") != find() and find(diversity=1.0, top=2) != find(top=2)


def test_methods_of_ones_own_get_what_they_know() -> None:
    class Own:
        def extract(self, source: pm.Document, **given: object) -> list[pm.Keyphrase]:
            return [pm.Keyphrase(repr(sorted(given.items())), 1.0)]

    [told] = pm.extract("Salt water.", method=Own(), top="all", exclude=["salt"]).texts
    assert told == "[('exclude', frozenset({'salt'})), ('redundancy', None), ('threshold', None), ('top', None)]"
    for options in ({"longest": 2}, {"explain": True}, {"boost": ["salt"]}, {"stopwords": ["salt"]}):
        with pytest.raises(pm.ConfigError, match=r"need a method made of Ranker, which .*Own"):
            pm.Extractor(Own(), **options)  # type: ignore[arg-type]

    class Shorter(type(build("tfidf"))):  # type: ignore[misc]
        def extract(self, *given: object, **options: object) -> list[pm.Keyphrase]:
            return super().extract(*given, **options)[:1]

    assert len(pm.extract("Salt water and wells.", method=Shorter(), longest=2)) == 1


def test_an_extraction_is_prepared_once_for_the_same_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until a name stands for another method; what can change between calls is not kept."""

    class First(Ranker):
        """Nothing."""

        name = "passing"
        made: ClassVar[list[int]] = []

        def __init__(self) -> None:
            self.made.append(1)

        def propose(self, analysis: pm.Analysis) -> Candidates:
            return Candidates(analysis, array("i", [0]), array("i"), array("i"))

        def score(self, candidates: Candidates) -> list[float]:
            return []

    class Second(First):
        made: ClassVar[list[int]] = []

    monkeypatch.setattr(METHODS, "_places", dict(METHODS._places))
    METHODS.register("passing", First)
    for _ in range(3):
        pm.extract("Salt water.", method="passing", top=1)
        pm.extract("Salt water.", method="passing", top=2, exclude=["wells"])
    assert len(First.made) == 2
    for top in (True, 1.0):  # equal to 1, and something else
        with suppress(pm.ConfigError):
            pm.extract("Salt water.", method="passing", top=top)
    assert len(First.made) == 4
    METHODS.register("passing", Second)
    pm.extract("Salt water.", method="passing", top=1)
    assert len(First.made) == 4 and len(Second.made) == 1
    chosen = ["water"]
    assert pm.extract("Salt water.", method="tfidf", candidates=chosen).texts == ["water"]
    chosen[0] = "salt"
    assert pm.extract("Salt water.", method="tfidf", candidates=chosen).texts == ["Salt"]
    (terms := tmp_path / "terms.txt").write_text("water", encoding="utf-8")
    assert pm.extract("Salt water.", method="tfidf", vocabulary=str(terms)).texts == ["water"]
    terms.write_text("salts", encoding="utf-8")
    assert pm.extract("Salt water.", method="tfidf", vocabulary=str(terms)).texts == ["Salt"]
