"""Numbers of files: whatever a number is replaced by, nothing ends, and one sentence tells it.

The independent truth: each number of each file is replaced by what no number of its kind is, and
a reader may then take it, leave it out or refuse it (`PageletError`); nothing else.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotate.datasets.opening import open_pages
from annotate.marks import gold_file
from engine import bounds
from engine.document import VIEWPORT, Document, plain_document
from engine.errors import InputError, PageletError
from gui.state.layers import from_records

ODD = (
    *("-1", "0", "1e308", "-1e308", "1e999", "NaN", "-Infinity", "9" * 30, "9" * 4000),
    *('"text"', "null", "true", "[]", "{}", "100000", "2147483648", "0.5"),
)

PAGE = "<!doctype html><title>x</title><h1>Head</h1><p>Words of a paragraph to be read"


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Yield each JSON text with one of its numbers replaced, and what replaced it."""
    for number in re.finditer(r"(?<=[\s:,\[])-?\d[\d.eE+-]*(?=[\s,\]}])", text):
        for odd in ODD:
            yield text[: number.start()] + odd + text[number.end() :], odd


def opened(folder: Path, size: str) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    (folder / "p.html").write_text(PAGE)
    about = f'{{"pages":[{{"file":"p.html","id":"p","viewport":{size}}}]}}'
    (folder / "corpus.json").write_text(about)
    pages = open_pages(str(folder))
    return pages.documents, tuple(map(str, pages.problems))


@pytest.mark.parametrize(
    "size",
    [
        *("[100000, 100000]", "[-1, 5]", "[0, 700]", '["wide", 700]', "[NaN, 700]", "[1e999, 1]"),
        *("[16384, 16384]", '"text"', "null", "{}", "[1]", "[1, 2, 3]", "[true, true]", "7"),
        *("[800.5, 600]", f"[{'9' * 4000}, 1]"),
    ],
)
def test_a_viewport_out_of_bounds_is_told_and_the_page_has_the_usual_one(tmp_path, size):
    documents, problems = opened(tmp_path, size)
    assert [each.viewport for each in documents] == [VIEWPORT]
    (problem,) = problems
    assert "p.html is opened in 1366 × 768 px" in problem
    assert len(problem) < 200


@pytest.mark.parametrize("size", ["[360, 640]", "[1, 1]", "[16384, 4096]", "[800.0, 600]"])
def test_a_viewport_within_bounds_is_taken(tmp_path, size):
    documents, problems = opened(tmp_path, size)
    assert [list(each.viewport) for each in documents] == [json.loads(size)]
    assert not problems


def test_no_document_is_made_with_a_viewport_that_ends_the_window(tmp_path):
    (tmp_path / "p.html").write_text(PAGE)
    for size in ((100_000, 100_000), (0, 5), (5, -1), (20_000, 10)):
        with pytest.raises(InputError, match="viewport must be"):
            plain_document(tmp_path / "p.html", viewport=size)


def test_numbers_of_gold_files_are_taken_or_refused_in_a_sentence(tmp_path):
    mark = {"id": "a", "level": 1, "type": "Content", "targets": []}
    whole = {"format": "pagelet-gold", "version": 1, "marks": [mark],
             "page": {"url": "p", "title": "", "digest": "d", "viewport": [1366, 768]}}  # fmt: skip
    path = tmp_path / "p.gold.json"
    count = 0
    for text, odd in mutants(json.dumps(whole)):
        path.write_text(text)
        told, sides = "", (0, 0)
        try:
            sides = gold_file.read_file(path).viewport
        except PageletError as error:
            told = str(error)
        assert len(told) < 1000, odd[:40]
        assert all(0 <= side <= bounds.NOTED_SIDE.most for side in sides), odd
        count += 1
    assert count == 4 * len(ODD)


def test_numbers_of_stored_layers_are_taken_or_left_out():
    stored = {"key": "bte", "color": "#ff0000", "dash": "solid", "level": 0, "visible": True,
              "opacity": 0.5, "params": {}, "source": "source"}  # fmt: skip
    whole = from_records([stored])
    assert any(layer.key == "bte" for layer in whole)
    for text, odd in mutants(json.dumps(stored)):
        for layer in from_records([json.loads(text)]):
            assert 0 <= layer.opacity <= 1, odd
            assert layer.level in (0, 1, 2), odd


def test_the_oracle_finds_a_reader_that_trusts_its_file():
    def trusting(text: str) -> tuple[int, int]:
        width, height = json.loads(text)
        return int(width), int(height)

    faults = {odd for text, odd in mutants("[ 1366, 768 ]") if not _is_safe(trusting, text)}
    assert {"NaN", "1e999", '"text"', "null", "100000", "-1"} <= faults
    door = lambda text: bounds.sides(json.loads(text))  # noqa: E731
    assert all(_is_safe(door, text) for text, _ in mutants("[ 1366, 768 ]"))


def _is_safe(reader, text: str) -> bool:
    try:
        width, height = reader(text)
    except PageletError:
        return True
    except (ValueError, TypeError, OverflowError):
        return False
    return 0 < width <= bounds.SIDE.most and 0 < height <= bounds.SIDE.most


def shown(workspace: Path, path: str, end: str) -> dict[str, object]:
    """Return what a window in a process of its own shows; it ends as ``end`` says."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.oracles.window_process", str(workspace), path, end],
        capture_output=True, text=True, check=False, timeout=180,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == (-9 if end == "die" else 0), done.stderr[-2000:]
    told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.web
@pytest.mark.slow
def test_a_window_opens_a_page_whose_viewport_is_out_of_bounds(tmp_path):
    opened(tmp_path, "[100000, 100000]")
    told = shown(tmp_path / "w.pagelet", str(tmp_path), "close")
    assert told["viewport"] == list(VIEWPORT)
    assert "viewport must be" in str(told["said"])


@pytest.mark.web
@pytest.mark.slow
def test_what_a_window_ended_with_is_offered_and_not_opened(tmp_path):
    folder, workspace = tmp_path / "set", tmp_path / "w.pagelet"
    folder.mkdir()
    opened(folder, "[800, 600]")
    assert shown(workspace, str(folder), "close")["pages"] == ["p.html"]
    assert shown(workspace, "-", "die")["pages"] == ["p.html"]  # a closed window opens again
    for _ in range(2):  # also where the offer is not taken
        told = shown(workspace, "-", "close")
        assert told["pages"] == []
        assert str(folder) in str(told["banner"])
    assert shown(workspace, "+", "close")["pages"] == ["p.html"]
    assert shown(workspace, "-", "close")["pages"] == ["p.html"]
