"""Assignments: every page to one annotator, the overlap to several, controls to all."""

import itertools

import pytest

import resources
from annotate.plugins.team_work.assignments import assign, deal, list_assigned, parse_assignments
from annotate.workspace import annotators
from annotate.workspace.workspace import Workspace
from engine.errors import InputError
from gui.cli.main import main

PAGES = [f"page-{n}" for n in range(100)]


def test_every_page_is_assigned_and_work_is_even():
    dealt = deal(PAGES, ["Anna", "Ben", "Carla"], overlap=0.3, per_page=2)
    who = {
        key: [n for n, mine in dealt.items() if any(a.key == key for a in mine)] for key in PAGES
    }
    assert sorted(map(len, who.values())) == [1] * 70 + [2] * 30
    sizes = [len(mine) for mine in dealt.values()]
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) == 130


def test_controls_are_assigned_to_all_and_spread_over_the_work():
    controls = PAGES[:5]
    dealt = deal(PAGES, ["Anna", "Ben"], overlap=0, controls=controls)
    for mine in dealt.values():
        positions = [index for index, each in enumerate(mine) if each.is_control]
        assert {mine[index].key for index in positions} == set(controls)
        assert len({each.key for each in mine}) == len(mine)
        assert max(b - a for a, b in itertools.pairwise(positions)) < len(mine) / 2


def test_the_same_seed_gives_the_same_assignments():
    first = deal(PAGES, ["Anna", "Ben"], controls=PAGES[:3], seed=7)
    assert deal(PAGES, ["Anna", "Ben"], controls=PAGES[:3], seed=7) == first
    assert deal(PAGES, ["Anna", "Ben"], controls=PAGES[:3], seed=8) != first


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"overlap": 1.5}, "overlap must be a share from 0 to 1, got 1.5"),
        ({"per_page": 3}, "3 annotators a page, but there are 2"),
        ({"people": ["Anna", "Anna"]}, "name each annotator once"),
        ({"pages": []}, "there are no pages"),
    ],
)
def test_invalid_numbers_of_pages_and_annotators_are_refused(more, says):
    with pytest.raises(InputError, match=says):
        deal(**{"pages": PAGES, "people": ["Anna", "Ben"], **more})


def test_assign_writes_a_workspace_for_each_annotator(tmp_path, capsys):
    words = ["assign", str(resources.path("corpus")), "--to", "Anna", "Ben", "--controls", "2"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    assert "2 control pages" in capsys.readouterr().out
    for name in ("Anna", "Ben"):
        with Workspace.open(tmp_path / f"{name}.pagelet", create=False) as workspace:
            assert workspace.annotator.name == name
            mine = list_assigned(workspace.store, workspace.annotator)
            assert sum(each.is_control for each in mine) == 2
            assert [entry.key for entry in workspace.pages()] == [each.key for each in mine]
    assert main([*words, "--controls", "99"]) == 2
    assert "came with gold, not 99" in capsys.readouterr().err


def test_names_overlap_and_controls_are_parsed_from_a_line():
    assert parse_assignments("Anna, Ben; 30 %; 4") == (["Anna", "Ben"], 0.3, 4, 0)
    assert parse_assignments("Anna") == (["Anna"], 0.2, 0, 0)
    with pytest.raises(InputError, match="expected names and numbers"):
        parse_assignments("Anna; many")


def test_taking_an_unused_name_takes_the_pages_assigned_to_it(tmp_path):
    with Workspace.open(tmp_path / "one.pagelet") as workspace:
        store, me = workspace.store, workspace.annotator
        with store.saving():
            annotators.add(store, "Anna")
        assign(store, deal(PAGES[:4], ["Anna"], per_page=1))
        annotators.take_name(store, me, "Anna", annotators.Role.ANNOTATOR)
        assert workspace.annotator.name == "Anna"
        assert {each.key for each in list_assigned(store, workspace.annotator)} == set(PAGES[:4])
        assert [who.name for who in workspace.annotators] == ["Anna", ""]
        with store.saving():
            annotators.add(store, "Ben")
        with pytest.raises(InputError, match="an annotator Ben already"):  # two have a name
            annotators.take_name(store, workspace.annotator, "Ben", annotators.Role.ANNOTATOR)


def test_an_unnamed_annotator_is_found_by_the_shown_name(tmp_path):
    path = tmp_path / "two.pagelet"
    with Workspace.open(path) as workspace:
        nameless = workspace.annotator
        with workspace.store.saving():
            ben = annotators.add(workspace.store, "Ben")
        workspace.work_as(ben)
    with Workspace.reading(path, nameless.shown) as workspace:
        assert workspace.annotator == nameless
    with pytest.raises(InputError, match="without a name"):
        Workspace.reading(path, "Carla")
