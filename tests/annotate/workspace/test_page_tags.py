"""Tags of pages: stored, read at once, kept when a file moves."""

import shutil

import pytest

from annotate.workspace.page_tags import SETTING, put_tags, tags_of
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.page import Page
from engine.source import Source


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "old" / "mill.html"
    path.parent.mkdir()
    path.write_text("<title>Mill</title><p>The tide mill ground corn.")
    return path


def opened(workspace, path):
    """Add a page and note that it was opened; return its key."""
    document = Document(str(path), path.as_uri(), path.parent, path.name)
    workspace.add_pages([document])
    page = Page("file://", original=Source.from_bytes(path.read_bytes()))
    workspace.visit(page_key(document), title="", digest=page.digest, viewport=page.viewport)
    return page_key(document)


def test_tags_are_sorted_once_each_and_none_is_kept_of_pages_without(tmp_path):
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        put_tags(workspace, {"a": ["table", "old", "old"], "b": ["old"]})
        put_tags(workspace, {"b": []})
        assert tags_of(workspace) == {"a": ("old", "table")}
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        assert tags_of(workspace) == {"a": ("old", "table")}


def test_damaged_tags_are_left_out(tmp_path):
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        workspace.set_setting(SETTING, {"a": ["old", 3], "b": "old", "c": [4]})
        assert tags_of(workspace) == {"a": ("old",)}
        workspace.set_setting(SETTING, [1])
        assert tags_of(workspace) == {}


def test_a_page_that_moves_keeps_its_tags(tmp_path, page):
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        before = opened(workspace, page)
        put_tags(workspace, {before: ["old"]})
        new = tmp_path / "new" / "mill.html"
        new.parent.mkdir()
        shutil.move(page, new)
        after = opened(workspace, new)
        assert after != before
        assert tags_of(workspace) == {after: ("old",)}
