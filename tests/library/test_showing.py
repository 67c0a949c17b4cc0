"""Test ``pagelet.show``, which draws results in a window."""

import json
from types import SimpleNamespace

import pagelet
import pytest

from algorithms.own import method_files
from annotate.library import showing
from gui.cli import open_window
from gui.features.evaluate.columns import lend
from tests.gui.parts import session_on_page

PAGE = b"<title>Tea</title><p>Tea is a drink of hot water and leaves.</p>"


@pytest.fixture
def started(monkeypatch):
    """Return the command lines that would be started on a machine with a screen."""
    result = []
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    popen = SimpleNamespace(Popen=lambda words, **_options: result.append(words))
    monkeypatch.setattr(showing, "subprocess", popen)
    return result


def test_show_starts_the_window_with_parameters_and_input_of_each_result(started, tmp_path):
    path = tmp_path / "tea.html"
    path.write_bytes(PAGE)
    page = pagelet.open(path)
    run = page.run("bte", input="original", tag_cost=2.5)
    pagelet.show(page, run, page.run("dsc"))
    pagelet.show(run)
    (both, alone) = started
    words = both[both.index("open") + 1 :]
    assert words == [
        str(path), "--draw", "bte:original", "--set", "bte.tag_cost=2.5", "--draw", "dsc:original"
    ]  # fmt: skip
    assert alone[alone.index("open") + 1 :] == words[:5]
    columns = open_window._drawn(["bte:original", "dsc:original"], ["bte.tag_cost=2.5"])
    assert [(each.method, each.input) for each in columns] == [
        ("bte", "original"),
        ("dsc", "original"),
    ]
    assert json.loads(columns[0].parameters)["tag_cost"] == 2.5


def test_the_window_draws_only_the_results_until_layers_are_returned(qapp):
    session = session_on_page()
    own = session.layers.all
    lend(session, open_window._drawn(["vips", "bte:dom"], ["vips.pdoc=4"]))
    drawn = {
        layer.key: layer for layer in session.layers.all if layer.visible and not layer.is_gold
    }
    assert set(drawn) == {"vips", "bte"}
    assert drawn["vips"].params.pdoc == 4
    assert drawn["bte"].source == "dom"
    assert session.layers.current_layer == "vips"
    session.layers.return_layers()
    assert session.layers.all == own


def test_the_window_runs_a_function_with_its_parameters(started, monkeypatch):
    monkeypatch.delenv(method_files.NAMED, raising=False)

    def first_word(html):
        return html.partition("<p>")[2].split()[0]

    run = pagelet.open(PAGE).run(first_word, seconds=7.0)
    pagelet.show(run)
    (words,) = started
    file = words[words.index("--method-file") + 1]
    assert words[words.index("--draw") :] == [
        "--draw", "first_word:original", "--set", "first_word.seconds=7.0"
    ]  # fmt: skip
    monkeypatch.setenv(method_files.NAMED, file)
    method_files.refresh()
    (column,) = open_window._drawn(["first_word:original"], ["first_word.seconds=7.0"])
    assert pagelet.open(PAGE).run(column.method).text == "Tea"


def test_show_refuses_a_result_of_another_page_and_an_unread_input(started):
    page, other = pagelet.open(PAGE), pagelet.open(b"<p>Coffee is one, too.")
    with pytest.raises(pagelet.InputError, match="was run on another page"):
        pagelet.show(page, other.run("bte"))
    assert started == []
    with pytest.raises(pagelet.InputError, match="vips does not read 'dom'; it reads: rendered"):
        open_window._drawn(["vips:dom"], [])
