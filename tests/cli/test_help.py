"""The help: a screen with `-h`, everything with `--help`."""

import re

import pytest

from cli_process import Command
from phrasemill.cli import COMMANDS, extract


@pytest.mark.parametrize("command", [[], ["extract"]])
def test_the_short_help_fits_a_screen_and_has_what_most_people_need(at: Command, command: list[str]) -> None:
    code, out, err = at(*command, "-h")
    lines = out.splitlines()
    assert (code, err) == (0, "") and len(lines) <= 30 and max(map(len, lines)) <= 90
    options = [line for line in lines if line.startswith("  -")]
    assert len(options) <= 12 and sum(line.startswith("  phrasemill ") for line in lines) == 3
    every = at(*command, "--help")[1]
    assert "╭" in every and all(name in every for line in options for name in re.findall("--[a-z]+", line))


def test_the_short_help_is_that_of_no_command_and_of_any_place_of_the_option(at: Command) -> None:
    assert at() == at("-h") and all(f"  {name} " in at()[1] for name in COMMANDS)
    assert at("extract", "article.txt", "-h")[1].rstrip() == extract.SHORT
    assert at("methods", "-h") == at("methods", "--help"), "where there is no short one"
    assert "Usage: phrasemill tags" in at("tags")[1]


def test_the_help_has_groups_and_fits_a_screen(at: Command) -> None:
    code, out, _ = at("--help")
    assert code == 0 and len(out.splitlines()) <= 45 and len(COMMANDS) <= 13
    places = [out.index(f"─ {panel} ") for panel in ("Extract", "Corpora", "Train and measure", "Laboratory")]
    assert places == sorted(places)
    assert all(f"│ {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("command", [[], ["extract"], ["dataset"], ["dataset", "show"], ["run"], ["doctor"]])
def test_flags_have_no_type(at: Command, command: list[str]) -> None:
    out = at(*command, "--help")[1]
    assert "--help" in out and "bool" not in out and "list[str]" not in out


def test_there_is_one_command_for_datasets(at: Command) -> None:
    assert at("dataset", "list")[0] == 0
    code, _, err = at("datasets")
    assert code == 2 and "(did you mean 'dataset'?)" in err
