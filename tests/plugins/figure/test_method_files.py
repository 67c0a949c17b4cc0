"""A researcher's method in one file: the template works, and errors are reported."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from algorithms.core.catalogue import named_method
from algorithms.explain.differences import words_kept
from algorithms.own import method_files
from algorithms.plugins.figure.method_figures import figures_of
from tests.algorithms.own.test_method_files import LONG, PAGE, TEMPLATE


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """Return separate settings, without any named file."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    monkeypatch.delenv(method_files.NAMED, raising=False)
    method_files.refresh()
    yield tmp_path / "settings"
    os.environ.pop(method_files.NAMED, None)
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "nothing"))
    method_files.refresh()


@pytest.fixture
def file(tmp_path) -> Path:
    return Path(shutil.copy(TEMPLATE, tmp_path / "long_texts.py"))


def test_the_template_extracts_traces_and_draws_a_figure(file):
    entry = named_method(str(file))
    assert (entry.key, entry.name, entry.inputs) == (
        "long-texts",
        "Long texts",
        ("original", "dom", "seen"),
    )
    assert entry.params.specs()["words"].high == 200
    result = entry.run(PAGE, entry.params(), "original")
    assert result.text == LONG
    trace = entry.trace(PAGE, entry.params(), "original")
    assert np.array_equal(trace.kept, words_kept(result))
    assert (
        trace.decisions(14)[-1].sentence == "dropped: words between two tags 2 (at least 12 needed)"
    )
    figure = figures_of(entry, PAGE, entry.params(words=5), "original")[0]
    assert figure.title == "Length of each text"
    assert (figure.thresholds[0].parameter, figure.thresholds[0].at) == ("words", 5)
    assert figure.items.places.tolist() == [[0, 13], [13, 15]]
    assert figure.items.y.tolist() == [13, 2]
