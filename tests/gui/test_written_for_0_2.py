"""Commands, scripts and method files written for Pagelet 0.2 still run.

``stored_0_2/names.json`` lists what 0.2 (commit 2361b1f) took on its command line and offered to
scripts; ``long_texts.py.txt`` beside it is the template of a method that it gave to its users.
"""

import dataclasses
import inspect
import json
import shutil
from pathlib import Path

import pagelet
import pytest

from algorithms.core.catalogue import named_method
from algorithms.own import method_files
from engine.page import Page
from engine.source import Source
from gui.cli import main as command_line
from tests.commands import close_workers

STORED = Path(__file__).parent / "stored_0_2"
NAMES = json.loads((STORED / "names.json").read_text("utf-8"))
STORY = "The ferry returned this morning after two weeks, and the island has its milk again today."


# -- the command line


@pytest.mark.parametrize("command", NAMES["commands"])
def test_a_command_of_0_2_accepts_all_its_arguments_and_options(command):
    was = NAMES["commands"][command]
    parser = parser_of(command)
    options = parser._option_string_actions
    for option, known in was["options"].items():
        assert option in options, option
        assert options[option].nargs == known.get("nargs"), option
        assert takes_choices(options[option], known), option
    arguments = [each for each in parser._actions if not each.option_strings]
    assert [each.nargs for each in arguments] == [each.get("nargs") for each in was["arguments"]]
    for argument, known in zip(arguments, was["arguments"], strict=True):
        assert takes_choices(argument, known), known["name"]


def takes_choices(argument, known):
    """Return whether all former choices are accepted; without choices, everything is."""
    there = argument.choices
    return there is None or ("choices" in known and set(known["choices"]) <= set(map(str, there)))


def parser_of(command):
    """Return the parser that `main` uses for a command."""
    _, parsers = command_line.parsers(command, command_line._module(command))
    return parsers[command]


def test_capture_has_the_options_of_freeze():
    typed = ["page.html", "--out", "page.wacz", "--no-scripts"]
    old, new = (
        command_line._options([name, *typed], command_line._module(name))
        for name in ("capture", "freeze")
    )
    assert (old, old.no_scripts) == (new, True)


# -- scripts and method files of users


@pytest.mark.parametrize("name", NAMES["library"])
def test_the_library_has_all_names_and_arguments_of_0_2(name):
    was, now = NAMES["library"][name], getattr(pagelet, name)
    fields = (
        {each.name for each in dataclasses.fields(now)} if dataclasses.is_dataclass(now) else ()
    )
    assert [each for each in was.get("members", ()) if each not in {*dir(now), *fields}] == []
    for member, arguments in was.get("arguments", {}).items():
        takes = inspect.signature(getattr(now, member) if member else now).parameters
        assert [each for each in arguments if each not in takes] == [], member


def test_a_method_file_from_the_template_of_0_2_runs(tmp_path, monkeypatch):
    """Run a file that imports modules named by the template: these keep their names."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))
    monkeypatch.setenv(method_files.NAMED, "")  # naming a file sets it; undone at the end
    method_files.refresh()
    file = tmp_path / "long_texts.py"
    shutil.copy(STORED / "long_texts.py.txt", file)
    entry = named_method(str(file))
    page = Page("x", original=Source.from_text(f"<p>{STORY}</p><a href=x>short link</a>"))
    assert entry.run(page, entry.params(), "original").text == STORY
    assert entry.trace(page, entry.params(), "original").steps
    close_workers()
    monkeypatch.undo()
    method_files.refresh()
