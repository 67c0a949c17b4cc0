"""Types renamed everywhere: all stored rows are counted and replayed by code of this test alone."""

import json
import random
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Guess, MarkState, Target
from annotate.workspace import annotators, retyping
from annotate.workspace.annotators import Role
from annotate.workspace.retyping import name_of, retype, take_back
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError
from tests.annotate.pages import nodes_of, row_of

KEYS = [f"https://example.org/{number}" for number in range(4)]
NAMES = ["Menu", "Link list", "Promo", "Ad", ""]
IDS = [f"p{number}" for number in range(8)]


@pytest.fixture(scope="module")
def nodes():
    return nodes_of("".join(f"<p id={each}>Text {each} of the quay</p>" for each in IDS))


def mark_some(workspace, nodes, chance, count):
    for _ in range(count):
        key, place = chance.choice(KEYS), Target(row_of(nodes, chance.choice(IDS)))
        gold = workspace.load_gold(key, nodes)
        if any(place in mark.targets for mark in gold.marks):
            gold = edits.set_type(gold, [gold.marks[-1].id], chance.choice(NAMES))
        else:
            gold = edits.add_block(gold, nodes, [place], 1, chance.choice(NAMES))
            if chance.random() < 0.4:
                last = gold.marks[-1].with_(
                    state=chance.choice([MarkState.EXACT, MarkState.DRAFT]),
                    guess=Guess(chance.choice(NAMES[:4]), "it looks so", "1"),
                )
                gold = Gold((*gold.marks[:-1], last))
        workspace.save_gold(key, gold, nodes, "edit marks")


def workspace_at(path, nodes, seed, people=("", "Ben")):
    chance = random.Random(seed)
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key) for key in KEYS])
        mark_some(workspace, nodes, chance, 12)
        for name in people[1:]:
            with workspace.store.saving():
                annotators.add(workspace.store, name, Role.ANNOTATOR)
            workspace.work_as(annotators.annotator_named(workspace.store, name))
            mark_some(workspace, nodes, chance, 12)
        workspace.work_as(workspace.annotators[0])
    return path


def rows(path):
    """Return all stored marks, read by SQLite and json alone."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT page, id, place, record FROM marks ORDER BY page, id").fetchall()


def counted(path):
    records = [json.loads(row[-1]) for row in rows(path)]
    return Counter(x["type"] for x in records), Counter(x["guess"]["type"] for x in records
                                                        if "guess" in x)  # fmt: skip


def renamed(counts, old, new):
    result = Counter()
    for name, count in counts.items():
        result[new if name == old else name] += count
    return result


def replayed(path):
    """Return pages whose journal does not lead to their marks."""
    wrong = []
    with closing(sqlite3.connect(path)) as db:
        for page, revision in db.execute("SELECT id, revision FROM pages").fetchall():
            state, numbers = {}, []
            for number, delta in db.execute(
                "SELECT revision, delta FROM changes WHERE page = ? ORDER BY revision", (page,)
            ):
                change = json.loads(delta)
                numbers.append(number)
                for each in change["drop"]:
                    state.pop(each, None)
                state.update((each["id"], each) for each in change["set"])
            stored = db.execute("SELECT id, record FROM marks WHERE page = ?", (page,)).fetchall()
            if numbers != list(range(1, revision + 1)) or state != {
                mark: json.loads(text) for mark, text in stored
            }:
                wrong.append(page)
    return wrong


def faults(path, act, old, new):
    """Return what is wrong after a renaming, by counts of all rows before and after."""
    before = counted(path)
    with Workspace.open(path) as workspace, workspace.store.saving():
        act(workspace.store, old, new)
    after = counted(path)
    wrong = [f"{kind}: {now}" for kind, now, expected in zip(
        ("types", "suggested"), after, [renamed(x, old, new) for x in before], strict=True
    ) if now != expected]  # fmt: skip
    return wrong + [f"the journal of page {page}" for page in replayed(path)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("old", "new"), [("Menu", "Navigation"), ("Promo", "Ad")])
def test_all_rows_follow_and_one_undo_brings_all_back(tmp_path, nodes, seed, old, new):
    path = workspace_at(tmp_path / "work.pagelet", nodes, seed)
    before = rows(path)
    assert faults(path, retype, old, new) == []
    with Workspace.open(path) as workspace:
        own = of_workspace(workspace)
        assert (own is not None and own.former == {"Menu": "Navigation"}) == (old == "Menu")
        with workspace.store.saving():
            take_back(workspace.store, name_of(old, new))
        assert of_workspace(workspace) is None
    assert rows(path) == before
    assert replayed(path) == []
    assert faults(path, lambda *x: retype(*x, "redo"), old, new) == []
    with Workspace.open(path) as workspace:
        for key in KEYS:  # undo of each page still holds together
            workspace.load_gold(key, nodes)
            workspace.undo_history(key, nodes)


def test_the_oracle_finds_a_renaming_that_leaves_out_a_page(tmp_path, nodes, monkeypatch):
    path = workspace_at(tmp_path / "work.pagelet", nodes, 1)
    without = retyping._RECORDS.replace("WHERE", "WHERE page > 1 AND")
    monkeypatch.setattr(retyping, "_RECORDS", without)
    found = faults(path, retype, "Menu", "Navigation")
    print(found)
    assert "Menu'" in found[0]


def test_the_oracle_finds_a_change_that_is_not_in_the_journal(tmp_path, nodes, monkeypatch):
    path = workspace_at(tmp_path / "work.pagelet", nodes, 1)
    monkeypatch.setattr(retyping.journal, "delta", lambda *_: '{"set":[],"drop":[]}')
    assert any("journal" in each for each in faults(path, retype, "Menu", "Navigation"))


def test_marks_made_after_a_renaming_and_changed_types_survive_its_undo(tmp_path, nodes):
    path = workspace_at(tmp_path / "work.pagelet", nodes, 3)
    with Workspace.open(path) as workspace:
        with workspace.store.saving():
            retype(workspace.store, "Menu", "Navigation")
        key = next(k for k in KEYS if (1, "Navigation") in workspace.marked().get(k, ()))
        gold = workspace.load_gold(key, nodes)
        first = next(mark for mark in gold.marks if mark.type == "Navigation")
        workspace.save_gold(key, edits.set_type(gold, [first.id], "Logo"), nodes, "set type")
        with workspace.store.saving():
            take_back(workspace.store, name_of("Menu", "Navigation"))
        workspace.forget_loaded()
        found = workspace.load_gold(key, nodes)
        assert found.find(first.id).type == "Logo"
        assert not any(mark.type == "Navigation" for mark in found.marks)
    assert replayed(path) == []


def test_what_cannot_be_renamed_is_refused_in_a_sentence(tmp_path, nodes):
    path = workspace_at(tmp_path / "work.pagelet", nodes, 1)
    before = rows(path)
    with Workspace.open(path) as workspace:
        for old, new in (("Menu", " "), ("Menu", "Menu"), ("Nobody", "Logo")):
            with pytest.raises(InputError), workspace.store.saving():
                retype(workspace.store, old, new)
        with pytest.raises(InputError), workspace.store.saving():
            take_back(workspace.store, name_of("Menu", "Logo"))
    assert rows(path) == before
