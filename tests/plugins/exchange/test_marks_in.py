"""Marks that come in: the account of each file balances, and a peer counts the same.

``pytest -s`` prints the tables.
"""

import json
import sqlite3
from contextlib import closing

import pytest

from annotate.plugins.exchange.imports import account_of, recognise_format
from engine.errors import InputError
from gui.cli.main import main
from tests.oracles.mark_peers import NOTES, marks_in, stated_in
from tests.plugins.exchange.marks_in import Said, bring, page_with, problems, stored


def _cases(field):
    """Yield folder, file and format of the marks of complaints; where pages are, they are there."""
    for folder in sorted(field.iterdir()):
        if not (folder / "pages").is_dir():
            continue
        for path in sorted(folder.iterdir()):
            if path.name in ("pages", "expected.txt", "new", "old"):
                continue
            brat = path.is_dir() and any(path.rglob("*.ann"))
            yolo = path.is_dir() and any(path.rglob("labels"))
            key = (
                "brat"
                if brat
                else "yolo"
                if yolo
                else recognise_format(path)
                if path.is_file()
                else ""
            )
            if key:
                yield folder, path, key


def _table(rows):
    width = max((len(name) for name, *_ in rows), default=0)
    print()
    for name, *cells in rows:
        print(name.ljust(width), *cells)


def test_files_of_other_projects_hold_as_many_marks_as_a_peer_counts(suites):
    rows, wrong = [], []
    folders = ("webannotation/correct", "label-studio", "labelme")
    for path in (each for name in folders for each in sorted((suites / name).rglob("*.json"))):
        key = recognise_format(path)
        account = account_of(path, key)
        notes = sum(account.passed[note] for note in NOTES)
        peer = marks_in(path, key)
        rows.append((path.name, key, account.found - notes, peer))
        wrong += [rows[-1]] if account.found - notes != peer else []
    _table(rows)
    assert len(rows) > 30
    assert wrong == []


def test_files_that_break_the_data_model_are_refused_in_a_sentence(suites):
    taken, odd = [], []
    for path in sorted((suites / "webannotation" / "incorrect").iterdir()):
        try:
            account = account_of(path, "webannotation")
            taken += [path.name] * account.taken
            odd += [path.name] * (account.found != 1)
        except InputError as error:
            odd += [path.name] * (not str(error).startswith(path.name))
    assert (taken, odd) == ([], [])


@pytest.mark.web
@pytest.mark.slow
def test_an_import_of_each_complaint_stores_what_it_says(field, tmp_path, capfd):
    rows, wrong = [], []
    for folder, path, key in _cases(field):
        name = f"{folder.name} {path.name}"
        workspace = tmp_path / f"{folder.name}-{path.name}.pagelet"
        words = ["import", path, "--format", key, "--onto", folder / "pages", "--json"]
        main([*map(str, words), "--workspace", str(workspace), "--no-sandbox"])
        said = Said.of(json.loads(capfd.readouterr().out))
        main(["open", "--look", str(path), "--json"])
        looked = json.loads(capfd.readouterr().out)["counts"]
        found = problems(said, stored(workspace), marks_in(path, key), stated_in(path, key))
        if looked.get("mark") != said.found:
            found.append(f"--look counts {looked}, the import {said.found}")
        rows.append((name, key, said.found, said.taken, said.moved, *found))
        wrong += [(name, each) for each in found]
    with capfd.disabled():
        _table(rows)
    assert len(rows) > 15
    assert wrong == []


# -- the oracle finds planted faults


ANN = "T1\tAd 10 15\tBoats\nT2\tAd 35 42\tTickets\n"
TXT = "Old pier.\nBoats leave every hour.\n\nTickets are sold on board only.\n"


def _brought(tmp_path, annotations=ANN):
    folder = tmp_path / "brat"
    folder.mkdir()
    (folder / "pier.ann").write_text(annotations)
    (folder / "pier.txt").write_text(TXT)
    workspace = tmp_path / "w.pagelet"
    return folder, workspace, bring(folder, page_with(TXT), workspace, "brat")


def test_the_oracle_is_silent_where_nothing_is_wrong(tmp_path):
    folder, workspace, said = _brought(tmp_path)
    assert problems(said, stored(workspace), marks_in(folder, "brat"), ["Boats", "Tickets"]) == []


def test_the_oracle_finds_a_mark_that_is_not_stored(tmp_path):
    _, workspace, said = _brought(tmp_path)
    with closing(sqlite3.connect(workspace)) as file:
        file.execute("DELETE FROM marks WHERE place = 1")
        file.commit()
    assert problems(said, stored(workspace), None, None) == ["2 taken or to be confirmed, 1 stored"]


def test_the_oracle_finds_words_that_the_file_does_not_state(tmp_path):
    shifted = "T1\tAd 11 16\nT2\tAd 35 42\n"  # as if the words were not believed
    _, workspace, said = _brought(tmp_path, shifted)
    assert problems(said, stored(workspace), None, ["Boats", "Tickets"]) == [
        "gold 'oats', which the file does not state"
    ]


def test_the_oracle_finds_an_annotation_that_is_in_no_account(tmp_path):
    folder, workspace, said = _brought(tmp_path)
    (folder / "pier.ann").write_text(f"{ANN}T3\tAd 0 3\tOld\n")  # the reader has not seen it
    assert problems(said, stored(workspace), marks_in(folder, "brat"), None) == [
        "2 found, a peer counts 3"
    ]


def test_the_oracle_finds_an_account_that_does_not_add_up(tmp_path):
    _, workspace, said = _brought(tmp_path)
    less = Said(said.found, said.taken - 1, said.moved, said.lost, {})
    assert problems(less, stored(workspace), None, None) == [
        "2 found, 1 accounted for", "1 taken or to be confirmed, 2 stored",
    ]  # fmt: skip
