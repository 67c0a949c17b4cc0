"""Names that files may have, through all commands: none ends in an error of Python, and each name
that is written reads back.

The independent truth is the folder: what a command wrote is read by `csv`, `json` and SQLite, and
its names must be those of the files.  A table has one line a row, so a name breaks none.
"""

import csv
import io
import json
import os
import shutil
import sqlite3
import unicodedata
from pathlib import Path

import pytest

from annotate.datasets.opening import open_pages
from annotate.workspace.workspace import path_of
from engine.csv_cells import unguard_cell
from engine.words import UNICODE
from gui.cli.main import commands, main
from tests.every_command import WORDS, words_of, write_data_set

pytestmark = [
    pytest.mark.web,
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no such names"),
]

NAMES = {
    "line feed": "a\nb", "return": "a\rb", "tab": "a\tb", "escape": "a\x1b[31mb",
    "separator": "a\u2028b", "next line": "a\x85b", "no UTF-8": os.fsdecode(b"caf\xe9"),
    "composed": unicodedata.normalize("NFC", "\xe9"), "long": "n" * 200,
    "decomposed": unicodedata.normalize("NFD", "\xe9"), "dash": "-dash", "quotes": "a'b\"c",
    "signs": "a%41#b?c&d;e", "formula": "=1+1", "backslash": "a\\nb", "comma": "a,b",
}  # fmt: skip
RENDERED = ("line feed", "no UTF-8", "dash")
"""Those that commands with a browser are tried on, as that takes long."""

LEFT_OUT = {
    "open": "a window: tests/gui/window/test_odd_names.py",
    "crawl": "it is given no file",
    "docs": "it is given no file",
    "doctor": "it is given no file",
}


def data_set(folder, names):
    """Return a data set of pages, each with its gold."""
    result = write_data_set(folder)
    boxes = json.loads((result / "boxes.json").read_text())
    (image,), (mark,) = boxes["images"], boxes["annotations"]
    boxes["images"], boxes["annotations"] = [], []
    for number, name in enumerate(names, 1):
        shutil.copy(result / "index.html", result / f"{name}.html")
        shutil.copy(result / "index.gold.json", result / f"{name}.gold.json")
        boxes["images"].append(image | {"id": number, "file_name": f"{name}.html"})
        boxes["annotations"].append(mark | {"id": number, "image_id": number})
    (result / "boxes.json").write_text(json.dumps(boxes))
    (result / "texts.json").write_text(json.dumps(dict.fromkeys(names, WORDS)))
    for name in ("index.html", "index.gold.json"):
        (result / name).unlink()
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a data set of all names."""
    return data_set(tmp_path_factory.mktemp("odd") / "set", NAMES.values())


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """Return a data set of few names."""
    return data_set(tmp_path_factory.mktemp("few") / "set", [NAMES[each] for each in RENDERED])


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Return a folder for what commands need of each other; it has the workspace of an import."""
    return tmp_path_factory.mktemp("out")


def words_with(typed, out):
    """Yield the words of a command line, with each name in turn where it is for a page."""
    chosen = RENDERED if typed.renders else NAMES
    for key in chosen if "index.html" in typed.words else ("dash",):
        name = f"./{NAMES[key]}.html"
        words = (name if word == "index.html" else word for word in typed.words)
        yield [word.replace("OUT", str(out)) for word in words]


@pytest.mark.parametrize("command", [each for each in commands() if each not in LEFT_OUT])
def test_a_command_takes_names_of_all_kinds(
    command, folder, rendered, out, monkeypatch, capsys, request
):
    done = request.config.stash.setdefault(_DONE, set())
    for typed in words_of(command):
        monkeypatch.chdir(rendered if typed.renders or typed.needs else folder)
        for needed in typed.needs:
            if needed not in done and needed != command:
                for words in words_with(words_of(needed)[0], out):
                    run(words)
        done.add(command)
        capsys.readouterr()
        for words in words_with(typed, out):
            status = run(words)
            told = capsys.readouterr()
            assert status in {0, 1, 2, *typed.statuses}, (words, told.err)
            assert faults_of(told.out + told.err) == [], words
            if status:
                print(f"{words[:3]!a}: {status} {told.err.strip()[-160:]!a}")
    assert broken_tables(out) == []


_DONE = pytest.StashKey[set[str]]()


def run(words):
    """Return the status of a command; argparse leaves with one."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code or 0


def faults_of(told):
    signs = ("Traceback", "codec can't", "it is damaged", "surrogates not allowed", "rename it")
    return [sign for sign in signs if sign in told]


def broken_tables(folder):
    """Return the tables of which a row has several lines."""
    result = []
    for path in folder.rglob("*.csv"):
        text = path.read_bytes().decode()
        if len(list(csv.reader(io.StringIO(text, newline="")))) != len(text.splitlines()):
            result.append(path.name)
    return result


def pages_named(folder):
    return {each.path.removesuffix(".html") for each in open_pages(str(folder)).documents}


def test_written_tables_name_the_same_files(folder, out, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    every = set(NAMES.values())
    assert pages_named(folder) == every
    written = {
        "triage": ["triage", ".", "--out", f"{out}/t"],
        "evaluate": [*"evaluate . --methods plain --report tables --out".split(), f"{out}/e"],
        "score": ["score", "texts.json", ".", "--out", f"{out}/s"],
        "extract": ["extract", "bte", "--in", ".", "--out", f"{out}/x", "--format", "jsonl"],
        "assign": ["assign", ".", "--to", "Anna", "Ben", "--out", f"{out}/a"],
    }
    goes_on = [[*written[name], "--resume"] for name in ("evaluate", "extract")]
    for words in (*written.values(), *goes_on):
        assert main(words) == 0, capsys.readouterr().err
    found = {name: set(names(out / name[0])) for name in written}
    assert {name: sorted(each ^ every) for name, each in found.items() if each != every} == {}


def names(folder):
    """Yield the names of pages in what a command wrote."""
    for path in folder.rglob("*"):
        if path.name in ("scores.csv", "triage.csv"):
            for row in csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")):
                yield unguard_cell(row.get("page") or row["name"]).removesuffix(".html")
        elif path.suffix == ".jsonl":
            for line in path.read_bytes().decode().split("\n")[:-1]:
                row = json.loads(line)
                yield Path(UNICODE.read(row.get("page") or row["record"])).name.removesuffix(
                    ".html"
                )
        elif path.suffix == ".pagelet":
            store = sqlite3.connect(path)
            for (key,) in store.execute("SELECT key FROM pages"):
                yield Path(path_of(key)).name.removesuffix(".html")
            store.close()


def test_the_oracle_finds_a_command_that_splits_lines_at_names(tmp_path):
    rows = [["page", "value"], *([name, "1"] for name in NAMES.values())]
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)
    (tmp_path / "scores.csv").write_bytes(text.encode("utf-8", "replace"))
    assert broken_tables(tmp_path) == ["scores.csv"]
    assert set(names(tmp_path)) != set(NAMES.values())
    assert faults_of("Traceback (most recent call last)") == ["Traceback"]
