"""The catalogue: every single-document method is in it, and ``pagelet methods --json``."""

import json

import pytest

from algorithms.core.catalogue import EXTRACTORS, METHODS, named_method
from engine.errors import InputError
from gui.cli.main import main

OF_THE_CORE = (
    "plain bte dsc adsc lqf-25 lqf lqf-75 ccb accb tccb cetr-tm cetr-km cetr bp-numwords "
    "bp-numwords+largest bp-numwords+main bp-density bp-density+largest bp-density+main bp-min10 "
    "combine gleaner"
).split()


@pytest.fixture
def listed(capsys):
    """Return what the command prints, by key."""
    assert main(["methods", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert len({entry["key"] for entry in entries}) == len(entries)
    return {entry["key"]: entry for entry in entries}


@pytest.mark.parametrize("key", [entry.key for entry in EXTRACTORS])
def test_every_single_document_method_is_listed_with_all_that_is_known(key, listed):
    entry = listed[key]
    assert entry["output"] == "extraction"
    assert entry["input"][:2] == ["original", "dom"]
    assert entry["cite"]
    assert entry["summary"]
    method = next(each for each in EXTRACTORS if each.key == key)
    assert {p["name"]: p["default"] for p in entry["parameters"]} == method.params.defaults()
    assert all(p["help"] for p in entry["parameters"])


def test_a_name_too_long_for_a_file_is_refused_as_an_unknown_method():
    with pytest.raises(InputError, match="unknown method 'xxx"):
        named_method("x" * 300)


def test_every_method_of_ours_is_listed(listed):
    assert set(OF_THE_CORE) <= {entry.key for entry in EXTRACTORS}
    assert {entry.key for entry in METHODS} <= set(listed)
