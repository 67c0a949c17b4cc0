"""Pages of a team folder that each annotator has at another path."""

import shutil

from annotate.plugins.team_folder.membership import join, leave
from annotate.plugins.team_work import assignments
from annotate.plugins.team_work.assignments import Assigned
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.plugins.team_folder.parts import (
    FERRY,
    MILL,
    logs,
    mark,
    member,
    sync,
    types,
)


def test_pages_in_the_team_folder_are_matched_at_any_path(tmp_path):
    paths, keys = [], []
    for name in ("Anna", "Ben"):
        folder = tmp_path / name / "corpus"
        folder.mkdir(parents=True)
        page = folder / "pages" / "ferry.html"
        page.parent.mkdir()
        page.write_text("<h1>Harbour</h1>")
        keys.append(str(page))
        path = tmp_path / f"{name}.pagelet"
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(str(page), "pagelet://x/", page.parent, page.name)])
            join(workspace, folder, name)
        mark(path, str(page), "h1", name)
        sync(path)
        paths.append(path)
    (log,) = logs(tmp_path / "Anna" / "corpus")
    shutil.copy(log, tmp_path / "Ben" / "corpus")
    sync(paths[1])
    assert types(paths[1], keys[1]) == {"Anna": ["Anna"], "Ben": ["Ben"]}
    assert str(tmp_path) not in log.read_text()


def test_a_file_outside_the_folder_is_matched_by_name_and_content(team):
    _, anna, ben = team
    for path, key in ((anna, "/srv/anna/ferry.html"), (ben, "/srv/ben/ferry.html")):
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(key, f"file://{key}")])
            if path == anna:
                workspace.visit(key, title="Ferry", digest="d" * 64, viewport=(1366, 768))
    mark(anna, "/srv/anna/ferry.html", "h1", "Title")
    sync(anna)
    sync(ben)
    assert types(ben, "/srv/ben/ferry.html") == {}
    with Workspace.open(ben) as workspace:
        workspace.visit("/srv/ben/ferry.html", title="F", digest="d" * 64, viewport=(1366, 768))
    mark(ben, "/srv/ben/ferry.html", "h1", "Header")
    sync(ben)
    assert types(ben, "/srv/ben/ferry.html") == {"Anna": ["Title"], "Ben": ["Header"]}


def written_for_ever(*paths):
    """Return how many records are written by workspaces that are synchronised already."""
    for _ in range(2):
        for path in paths:
            sync(path)
    return [sync(path).written for _ in range(4) for path in paths]


def test_two_devices_with_different_versions_of_a_page_stop_writing(team, tmp_path):
    folder, anna, _ = team
    mark(anna, FERRY, "h1")
    sync(anna)
    laptop = member(folder, tmp_path / "laptop.pagelet", "Laptop")
    with Workspace.open(laptop) as workspace:
        leave(workspace)
        annotators.change(workspace.store, workspace.annotator, "", Role.ANNOTATOR)
        join(workspace, folder, "Anna", is_me=True)
    for path, digest in ((anna, "a"), (laptop, "b"), (anna, "c")):
        with Workspace.open(path) as workspace:
            workspace.visit(FERRY, title=digest, digest=digest * 64, viewport=(1366, 768))
        mark(path, MILL if digest == "c" else FERRY, {"a": "a", "b": "b", "c": "h1"}[digest])
        sync(path)
    assert written_for_ever(anna, laptop) == [0] * 8


def test_assignments_of_files_outside_the_folder_are_matched_and_written_once(team):
    _, anna, ben = team
    for path, key in ((anna, "/srv/anna/ferry.html"), (ben, "/srv/ben/ferry.html")):
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(key, f"file://{key}")])
            workspace.visit(key, title="Ferry", digest="d" * 64, viewport=(1366, 768))
        mark(path, key, "h1")
        sync(path)
    with Workspace.open(anna) as workspace:
        pages = [Assigned("/srv/anna/ferry.html"), Assigned(MILL)]
        assignments.assign(workspace.store, {"Anna": pages})
    assert written_for_ever(anna, ben) == [0] * 8
    with Workspace.open(ben) as workspace:
        who = next(each for each in workspace.annotators if each.name == "Anna")
        there = assignments.list_assigned(workspace.store, who)
        assert [each.key for each in there] == ["/srv/ben/ferry.html", MILL]
