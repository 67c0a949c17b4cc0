"""Moved pages keep their entries in the workspace."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.page_rows import PageStatus, pair_paths
from annotate.workspace.workspace import Workspace, page_key, path_of
from engine.document import Document
from engine.page import Page
from engine.source import Source
from tests.annotate.pages import nodes_of, row_of

NODES = nodes_of("<main id=main><p id=one>The ferry is back.</p></main>")


def with_block(gold: Gold, name: str) -> Gold:
    return edits.add_block(gold, NODES, [Target(row_of(NODES, name))], 1)


def html(words: str) -> bytes:
    return f"<p>{words}".encode()


def documents(folder: Path) -> list[Document]:
    files = sorted(folder.rglob("*.html"))
    return [
        Document(str(file), file.as_uri(), folder, str(file.relative_to(folder))) for file in files
    ]


def visit(workspace: Workspace, document: Document) -> None:
    data = Path(document.full_path).read_bytes()
    page = Page("file://", original=Source.from_bytes(data))
    workspace.visit(page_key(document), title="", digest=page.digest, viewport=page.viewport)


@pytest.fixture
def marked(tmp_path):
    """Return a workspace with two pages of a folder, the first marked and done."""
    folder = tmp_path / "work"
    for name, words in (("ferry", "The ferry is back."), ("mill", "The mill stands still.")):
        (folder / name).mkdir(parents=True)
        (folder / name / "index.html").write_bytes(html(words))
    with Workspace.open(tmp_path / "marks.pagelet") as workspace:
        result = documents(folder)
        workspace.add_pages(result)
        for document in result:
            visit(workspace, document)
        key = page_key(result[0])
        gold = with_block(Gold(), "one")
        workspace.load_gold(key, NODES)
        workspace.save_gold(key, gold, NODES, "mark")
        workspace.set_status(key, PageStatus.DONE)
        workspace.set_setting("notes", {key: "slowly"})
        yield workspace, folder


def marks_of(workspace: Workspace, document: Document) -> int:
    return len(workspace.load_gold(page_key(document), NODES).marks)


def test_a_folder_that_was_moved_keeps_marks_history_status_and_notes(marked, tmp_path):
    workspace, folder = marked
    moved = folder.rename(tmp_path / "elsewhere")
    result = documents(moved)
    assert len(workspace.add_pages(result)) == 2
    key = page_key(result[0])
    assert marks_of(workspace, result[0]) == 1
    assert [revision.what for revision in workspace.history(key)] == ["mark"]
    assert workspace.page(key).status == PageStatus.DONE
    assert workspace.setting("notes") == {key: "slowly"}
    assert [entry.key for entry in workspace.pages()] == [page_key(each) for each in result]


def test_a_mark_made_after_a_move_is_added_to_the_earlier_marks(marked, tmp_path):
    workspace, folder = marked
    (document, _) = documents(folder.rename(tmp_path / "elsewhere"))
    workspace.add_pages([document])
    key = page_key(document)
    gold = workspace.load_gold(key, NODES)
    more = with_block(gold, "main")
    workspace.save_gold(key, more, NODES, "mark")
    assert marks_of(workspace, document) == 2


def test_a_copied_page_is_a_new_page_without_marks(marked, tmp_path):
    workspace, folder = marked
    copy = documents(shutil.copytree(folder, tmp_path / "copy"))
    assert workspace.add_pages(copy) == {}
    assert marks_of(workspace, copy[0]) == 0
    assert marks_of(workspace, documents(folder)[0]) == 1


def test_a_page_changed_during_a_move_is_a_new_page(marked, tmp_path):
    workspace, folder = marked
    moved = folder.rename(tmp_path / "elsewhere")
    (moved / "ferry" / "index.html").write_bytes(html("The ferry is late."))
    result = documents(moved)
    assert list(workspace.add_pages(result).values()) == [page_key(result[1])]
    assert marks_of(workspace, result[0]) == 0


def test_equal_files_are_paired_by_the_most_similar_folders():
    gone = {"/a/x/1/index.html": {"d"}, "/a/x/2/index.html": {"d"}}
    new = {"/b/x/2/index.html": "d", "/b/x/1/index.html": "d"}
    assert pair_paths(gone, new, new.__getitem__) == {
        "/a/x/1/index.html": "/b/x/1/index.html",
        "/a/x/2/index.html": "/b/x/2/index.html",
    }


def test_an_ambiguous_file_is_paired_with_no_page():
    gone = {"/a/1/index.html": {"d"}, "/a/2/index.html": {"d"}}
    assert pair_paths(gone, ["/b/3/index.html"], lambda _: "d") == {}


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(
    lambda parts: "/" + "/".join(parts)
)


@given(
    st.dictionaries(PATHS, st.sets(st.sampled_from("de"), max_size=2), max_size=6),
    st.dictionaries(PATHS, st.sampled_from("def"), max_size=6),
)
def test_pairs_are_one_to_one_and_of_equal_names_and_bytes(gone, new):
    result = pair_paths(gone, new, new.__getitem__)
    assert len(set(result.values())) == len(result)
    for old, path in result.items():
        assert new[path] in gone[old]
        assert Path(old).name == Path(path).name


def test_a_move_ignores_web_pages_and_unrelated_settings(marked, tmp_path):
    workspace, folder = marked
    workspace.add_pages([Document("https://example.org/", "https://example.org/")])
    with workspace.store.saving():
        workspace.store.run("INSERT INTO settings (key, value) VALUES ('odd', ?)", json.dumps([1]))
    result = documents(folder.rename(tmp_path / "elsewhere"))
    assert len(workspace.add_pages(result)) == 2
    assert workspace.setting("odd") == [1]


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from("\ufffddfc89af")))
def test_keys_are_unicode_and_spell_each_name(name):
    document = Document(name, "", None, "")
    page_key(document).encode()
    assert path_of(page_key(document)) == name


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_moved_page_whose_name_is_no_utf8_is_followed(tmp_path):
    before, after = tmp_path / "a", tmp_path / "b"
    before.mkdir()
    (before / os.fsdecode(b"caf\xe9.html")).write_bytes(html("The ferry is back."))
    (old,) = documents(before)
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        workspace.add_pages([old])
        visit(workspace, old)
        before.rename(after)
        (new,) = documents(after)
        assert workspace.add_pages([new]) == {page_key(old): page_key(new)}
        assert [page.key for page in workspace.pages()] == [page_key(new)]
