"""`doctor`: what is installed, what is missing and what for, and what is broken."""

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import phrasemill.catalogue
from cli_process import Command
from phrasemill.catalogue import Extra, extras
from phrasemill.cli.checks import BROKEN, MISSING, OK, findings

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMED = re.compile(r'MissingExtra\((?:error\.name or )?"([^"]+)", "([^"]+)",')
GROUPS = {"all", "dev", "docs", "generate"}  # of other extras, for work on the project, and an earlier name


def test_every_extra_is_described() -> None:
    declared = PROJECT["optional-dependencies"]
    assert set(extras()) == set(declared) - GROUPS
    assert declared["generate"] == ["phrasemill[neural]"]
    [everything] = declared["all"]
    assert everything == f"phrasemill[{','.join(sorted(one.name for one in extras().values() if not one.framework))}]"


def test_every_extra_is_on_the_page_about_installing() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([^`]+)`", " ".join(rows))) == {*extras(), "all"}


def test_every_error_for_a_missing_package_names_an_extra_that_brings_it() -> None:
    source = Path(phrasemill.catalogue.__file__).parent
    calls = [found for path in source.rglob("*.py") for found in NAMED.findall(path.read_text(encoding="utf-8"))]
    assert len(calls) > 12 and {extra for _, extra in calls} <= set(extras())
    modules = {"scikit-learn": "sklearn", "rouge-score": "rouge_score"}
    for packages, extra in calls:
        for package in packages.split(" and "):
            assert modules.get(package, package) in (*extras()[extra].modules, "a model"), f"{package} by {extra}"


def test_the_installation_of_these_tests_is_sound(at: Command) -> None:
    code, out, _ = at("doctor", "--quick")
    assert code == 0 and "Everything that is installed works." in out
    code, out, _ = at("doctor", "--quick", "--format", "json")
    found = json.loads(out)
    states = {one["subject"]: one["state"] for one in found["findings"]}
    assert found["broken"] == [] and states["extraction"] == states["data"] == OK


def test_weights_that_are_installed_separately_are_named_with_their_method_and_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("phrasemill.models.separate", lambda name: tmp_path / name)
    (tmp_path / "catseqd_en.safetensors").touch()
    found = {one.subject: one for one in findings() if one.subject.startswith("weights ")}
    assert found["weights catseqd"].state == OK
    large = found["weights encoder-large"]
    assert large.state == MISSING
    assert large.words.startswith("the method encoder(size='large'): pip install phrasemill-encoder-large")


def test_a_missing_extra_is_named_with_its_purpose_and_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    extra = Extra("lunar", "tides", ("no_such_module",), ("no_such_model", "pip install no-such-model"))
    monkeypatch.setattr("phrasemill.cli.checks.extras", lambda: {"lunar": extra})
    [found] = [one for one in findings() if one.subject == "extra lunar"]
    assert found.state == MISSING
    assert found.words == "tides: pip install 'phrasemill[lunar]', then pip install no-such-model"


def test_an_extra_that_cannot_be_imported_is_broken(
    at: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "half_installed.py").write_text("raise OSError('libm.so is missing')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    extra = Extra("lunar", "tides", ("half_installed",))
    monkeypatch.setattr("phrasemill.cli.checks.extras", lambda: {"lunar": extra})
    code, out, _ = at("doctor")
    assert code == 1 and "Broken: extra lunar." in out and "libm.so is missing" in out
    assert [one.state for one in findings(quick=True) if one.subject == "extra lunar"] == [OK]


def test_damaged_data_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("phrasemill.models.FOLDER", tmp_path)
    assert [one.state for one in findings(quick=True) if one.subject == "data"] == [BROKEN]
    (tmp_path / "tagger.safetensors").write_bytes(b"none")
    [found] = [one for one in findings(quick=True) if one.subject == "data"]
    assert found.state == BROKEN and "tagger.safetensors" in found.words


def test_an_extra_counts_the_modules_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"here": ModuleType("here")}
    monkeypatch.setattr(phrasemill.catalogue, "find_spec", known.get)
    assert Extra("lunar", "tides", ("here", "away")).missing == ("away",)
    assert Extra("lunar", "tides", ("here",), ("moon", "pip install moon")).missing == ("moon",)
    assert all(one.missing for one in extras().values())
