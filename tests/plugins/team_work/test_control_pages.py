"""Control pages: marks are compared with known gold; shared pages; curated pages."""

import pytest

from annotate.marks import gold_file
from annotate.marks.gold import Gold, Mark, Target
from annotate.plugins.team_work.assignments import Assigned, assign
from annotate.plugins.team_work.shared_pages import (
    CURATED,
    KNOWN,
    control_pages_of,
    curated_pages_of,
    marked_pages,
    roles_by_page,
)
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace, page_key
from engine.document import plain_document
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of

BODY = "<header>The Courier</header><p>The ferry returned this morning.</p>"


@pytest.fixture
def team(tmp_path):
    """Return a workspace of Anna and Ben with a shared page and a control, and its page."""
    page = page_of(BODY)
    nodes = page.rendered()
    documents = []
    for name in ("ferry.html", "control.html"):
        file = tmp_path / name
        file.write_text(f"<!doctype html>{BODY}", encoding="utf-8")
        documents.append(plain_document(str(file)))
    plain, control = map(page_key, documents)
    header, story = (Target(row_of(nodes, name)) for name in ("header", "p"))
    known = Gold((Mark("k", 1, (header,), "Header"), Mark("m", 0, (story,))))
    gold_file.write(gold_file.gold_path(tmp_path / "control.html"), page, known)
    path = tmp_path / "team.pagelet"
    with Workspace.open(path) as workspace:
        store = workspace.store
        annotators.change(store, workspace.annotator, "Anna", workspace.annotator.role)
        workspace.add_pages(documents)
        workspace.save_gold(plain, Gold((Mark("a", 1, (header,), "Header"),)), nodes, "mark")
        workspace.save_gold(control, Gold((Mark("b", 1, (header,), "Header"),)), nodes, "mark")
        with store.saving():
            annotators.add(store, "Ben")
        workspace.work_as(annotators.annotator_named(store, "Ben"))
        workspace.save_gold(plain, Gold((Mark("c", 2, (story,), "Article"),)), nodes, "mark")
        assign(store, {"Anna": [Assigned(plain), Assigned(control, True)]})
        assign(store, {"Ben": [Assigned(control, True), Assigned(plain)]})
    return path, page


def test_marks_on_a_control_page_are_returned_with_its_known_gold(team):
    path, page = team
    (result,) = control_pages_of([path])  # Ben has not marked his yet
    assert result.name == "Anna: control.html"
    golds = result.golds(page)
    assert {who: len(gold.marks) for who, gold in golds.items()} == {KNOWN: 2, "Anna": 1}


def test_a_workspace_without_control_pages_or_a_folder_is_refused(tmp_path):
    path = tmp_path / "mine.pagelet"
    Workspace.open(path).close()
    with pytest.raises(InputError, match="has no control pages"):
        control_pages_of([path])
    with pytest.raises(InputError, match="takes one workspace"):
        control_pages_of([tmp_path])


def test_a_shared_page_with_a_missing_file_is_reported_and_left_out(team, tmp_path):
    path, page = team
    nodes = page.rendered()
    control = page_key(plain_document(str(tmp_path / "control.html")))
    header = Mark("d", 1, (Target(row_of(nodes, "header")),), "Header")
    with Workspace.open(path) as workspace:
        workspace.work_as(annotators.annotator_named(workspace.store, "Ben"))
        workspace.save_gold(control, Gold((header,)), nodes, "mark")
    problems = []
    assert len(marked_pages([path], problems)) == 2
    assert problems == []
    (tmp_path / "ferry.html").unlink()
    assert [each.name for each in marked_pages([path], problems)] == ["control.html"]
    (problem,) = problems
    assert "ferry.html" in problem
    (tmp_path / "control.html").unlink()
    with pytest.raises(InputError, match=r"(ferry|control)\.html"):
        marked_pages([path], [])


def test_pages_that_two_of_three_annotators_marked_are_shared(tmp_path):
    pages = {name: page_of(f"<p id={name}>The ferry to {name} is back.</p>") for name in "pqr"}
    dealt = {"Anna": "pq", "Ben": "qr", "Carla": "rp", "Dora": "p"}
    for name, page in pages.items():
        (tmp_path / f"{name}.html").write_text(page.dom.html)
    paths = []
    for who, names in dealt.items():
        paths.append(tmp_path / f"{who}.pagelet")
        with Workspace.open(paths[-1]) as workspace:
            documents = [plain_document(str(tmp_path / f"{name}.html")) for name in "pqr"]
            workspace.add_pages(documents)
            for name in names:
                nodes = pages[name].rendered()
                mark = Mark(f"{who}{name}", 1, (Target(row_of(nodes, name)),), "Article")
                key = page_key(documents["pqr".index(name)])
                workspace.save_gold(key, Gold((mark,)), nodes, "mark")
    apart = marked_pages(paths, [])
    assert {each.name: each.annotators for each in apart} == {
        "p.html": ("Anna", "Carla", "Dora"), "q.html": ("Anna", "Ben"), "r.html": ("Ben", "Carla"),
    }  # fmt: skip
    assert len(marked_pages([paths[0], paths[1]], [])) == 3
    shared = [each.name for each in marked_pages([paths[0], paths[1]], []) if each.is_shared]
    assert shared == ["q.html"]
    with pytest.raises(InputError, match="no page is marked in two of"):
        marked_pages([paths[1], paths[3]], [])


def test_marks_of_an_annotator_are_compared_with_those_of_the_reviewer(team):
    path, page = team
    nodes = page.rendered()
    with Workspace.open(path) as workspace:
        (key, *_) = [entry.key for entry in roles_by_page(workspace.store)]
        with workspace.store.saving():
            reviewer = annotators.add(workspace.store, "Rita", Role.REVIEWER)
        workspace.work_as(reviewer)
        decision = Mark("z", 1, (Target(row_of(nodes, "header")),), "Header")
        workspace.save_gold(key, Gold((decision,)), nodes, "decide")
    pages = curated_pages_of([path], [])
    assert {each.key for each in pages} == {key}
    for each in pages:
        (who,) = each.annotators
        golds = each.golds(page)
        assert list(golds) == [CURATED, who]
        assert [mark.id for mark in golds[CURATED].marks] == ["z"]
    with pytest.raises(InputError, match="takes one workspace"):
        curated_pages_of([path, path], [])
