"""The workspace file: saved work is restored after errors of program, disk and file."""

import resource
import signal
import sqlite3
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

import resources
from annotate.datasets.opening import list_documents, open_document
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, MarkState, Target
from annotate.marks.journal import ALSO, CAME_WITH_PAGE
from annotate.workspace.annotators import has_worked
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document
from engine.errors import MarksContested, WorkspaceError
from tests.annotate.pages import gold_at, nodes_of, row_of, with_texts
from tests.effort import effort
from tests.nobody import as_nobody

BODY = """<header id=h>Top of the page</header>
<article id=a><h1 id=t>A headline</h1><p id=p1>The first paragraph.</p><img src=x.png>
<p id=p2>The second paragraph.</p></article><footer id=f>The end</footer>"""
KEY = "https://example.org/"


@pytest.fixture
def nodes():
    return nodes_of(BODY)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "marks.pagelet"


@pytest.fixture
def workspace(path):
    with Workspace.open(path) as opened:
        opened.add_pages([Document(KEY, KEY)])
        yield opened


def block(gold, nodes, name, level=1, type=""):
    return edits.add_block(gold, nodes, [Target(row_of(nodes, name))], level, type)


def test_marked_levels_and_types_are_listed_without_the_nodes(workspace, nodes):
    assert workspace.marked() == {}
    gold = block(Gold(), nodes, "h", 1, "Header")
    gold = block(gold, nodes, "p1", 2)
    gold = edits.toggle_main(gold, nodes, Target(row_of(nodes, "a")))
    workspace.save_gold(KEY, gold, nodes, "mark")
    assert workspace.marked() == {KEY: {(1, "Header"), (2, ""), (MAIN, "")}}


def test_gold_is_restored_after_reopening(workspace, path, nodes):
    gold = block(Gold(), nodes, "h", 1, "Header")
    gold = edits.toggle_main(gold, nodes, Target(row_of(nodes, "a")))
    gold = edits.toggle_main(gold, nodes, Target(row_of(nodes, "p1")))
    workspace.save_gold(KEY, gold, nodes, "mark")
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, nodes) == gold
        assert again.page(KEY).marks == len(gold.marks)


def test_order_and_ids_survive_undo_of_a_deletion(workspace, path, nodes):
    first = block(Gold(), nodes, "h")
    both = block(first, nodes, "f")
    workspace.save_gold(KEY, both, nodes, "mark")
    workspace.save_gold(KEY, edits.remove(both, [both.marks[0].id]), nodes, "delete")
    workspace.save_gold(KEY, both, nodes, "delete", "undo")
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, nodes) == both


def test_every_earlier_state_of_the_gold_can_be_restored(workspace, nodes):
    states = [Gold()]
    for name in ("h", "a", "f"):
        states.append(block(states[-1], nodes, name))
        workspace.save_gold(KEY, states[-1], nodes, f"mark {name}")
    states.append(edits.set_type(states[-1], [states[-1].marks[1].id], "Content"))
    workspace.save_gold(KEY, states[-1], nodes, "type")
    assert [gold_at(workspace, KEY, n, nodes) for n in range(5)] == states
    assert [r.what for r in workspace.history(KEY)] == ["mark h", "mark a", "mark f", "type"]


def test_marks_published_with_a_page_are_not_the_annotators_work(workspace, path, nodes):
    came = block(Gold(), nodes, "h")
    workspace.save_gold(KEY, came, nodes, CAME_WITH_PAGE)
    assert not has_worked(workspace.store, workspace.annotator)
    assert workspace.undo_history(KEY, nodes).states == (came,)
    own = block(came, nodes, "a")
    workspace.save_gold(KEY, own, nodes, "mark")
    assert has_worked(workspace.store, workspace.annotator)
    with Workspace.open(path) as again:
        history = again.undo_history(KEY, nodes)
        assert (history.states, history.index) == ((came, own), 1)


def test_the_undo_history_is_restored_with_its_undone_steps(workspace, path, nodes):
    one = block(Gold(), nodes, "h")
    two = block(one, nodes, "a")
    three = block(two, nodes, "f")
    for gold, what, step in [
        (one, "h", "edit"), (two, "a", "edit"), (one, "a", "undo"), (two, "a", "redo"),
        (three, "f", "edit"), (two, "f", "undo"), (one, "a", "undo"),
    ]:  # fmt: skip
        workspace.save_gold(KEY, gold, nodes, what, step)
    with Workspace.open(path) as again:
        history = again.undo_history(KEY, nodes)
        assert history.states == (Gold(), one, two, three)
        assert history.texts == ("h", "a", "f")
        assert history.index == 1
        assert history.states[history.index] == again.load_gold(KEY, nodes)
        short = again.undo_history(KEY, nodes, limit=1)
        assert short.states[short.index] == one


def test_a_change_that_belongs_to_the_one_before_is_one_step_with_it(workspace, path, nodes):
    one = block(Gold(), nodes, "h")
    typed = edits.set_type(one, [one.marks[0].id], "Header")
    two = block(typed, nodes, "a")
    for gold, what, step in [
        (one, "h", "edit"), (typed, ALSO + "type", "edit"), (two, "a", "edit"),
        (typed, "a", "undo"), (Gold(), "h", "undo"), (typed, "h", "redo"),
    ]:  # fmt: skip
        workspace.save_gold(KEY, gold, nodes, what, step)
    with Workspace.open(path) as again:
        history = again.undo_history(KEY, nodes)
        assert (history.states, history.texts) == ((Gold(), typed, two), ("h", "a"))
        assert history.index == 1


def test_half_a_character_and_a_nul_on_the_page_do_not_stop_a_save(workspace, path):
    odd = with_texts(
        nodes_of("<p id=p>before ONE after</p>"), {"before ONE after": "a \ud83d b\0 c"}
    )
    gold = block(edits.add_main(Gold(), odd, [Target(row_of(odd, "p") + 1, 0, 3)]), odd, "p")
    workspace.save_gold(KEY, gold, odd, "mark")
    workspace.visit(KEY, title="half \ud83d", digest="d", viewport=(1, 1))
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, odd) == gold
        assert gold_at(again, KEY, 1, odd) == gold
        assert again.page(KEY).title == "half ?"


def test_an_unchanged_gold_leaves_no_trace_in_the_journal(workspace, nodes):
    gold = block(Gold(), nodes, "h")
    workspace.save_gold(KEY, gold, nodes, "mark")
    workspace.save_gold(KEY, gold, nodes, "nothing")
    assert len(workspace.history(KEY)) == 1


def test_a_moved_mark_asks_again_until_it_is_confirmed(workspace, path, nodes):
    gold = block(Gold(), nodes, "p1", 2)
    workspace.save_gold(KEY, gold, nodes, "mark")
    changed = nodes_of(BODY.replace("The first paragraph.", "The first paragraph!"))
    for _ in range(2):
        with Workspace.open(path) as again:
            moved = again.load_gold(KEY, changed)
            assert moved.marks[0].state is MarkState.MOVED
            more = block(moved, changed, "f", 1)
            again.save_gold(KEY, more, changed, "mark footer")
            again.save_gold(KEY, edits.set_type(moved, [moved.marks[0].id], "Ad"), changed, "type")
    with Workspace.open(path) as again:
        moved = again.load_gold(KEY, changed)
        assert (moved.marks[0].state, moved.marks[0].type) == (MarkState.MOVED, "Ad")
        sure = edits.confirm(moved, changed, [moved.marks[0].id])
        again.save_gold(KEY, sure, changed, "confirm")
        again.save_gold(KEY, moved, changed, "confirm", "undo")
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, changed).marks[0].state is MarkState.MOVED
        assert again.load_gold(KEY, nodes).marks[0].state is MarkState.EXACT
        again.save_gold(KEY, sure, changed, "confirm", "redo")
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, changed).marks[0].state is MarkState.EXACT


def test_a_lost_mark_is_kept_and_found_again_on_its_original_page(workspace, path, nodes):
    gold = block(block(Gold(), nodes, "t", 2, "Title"), nodes, "f")
    workspace.save_gold(KEY, gold, nodes, "mark")
    other = nodes_of("<p id=x>Something else altogether</p>")
    with Workspace.open(path) as again:
        lost = again.load_gold(KEY, other)
        assert [mark.state for mark in lost.marks] == [MarkState.LOST, MarkState.LOST]
        assert lost.marks[0].quote == "A headline"
        again.save_gold(KEY, block(lost, other, "x"), other, "mark")
    with Workspace.open(path) as again:
        back = again.load_gold(KEY, nodes)
        assert [mark.state for mark in back.marks] == [
            MarkState.EXACT,
            MarkState.EXACT,
            MarkState.LOST,
        ]
        assert back.marks[:2] == gold.marks


def test_pages_keep_order_and_status(workspace, path):
    workspace.add_pages(
        [Document("https://b.org/", "https://b.org/", title="B"), Document(KEY, KEY)]
    )
    workspace.set_status("https://b.org/", PageStatus.QUESTION)
    assert workspace.visit(KEY, title="An example", digest="d1", viewport=(1366, 768))
    assert not workspace.visit(KEY, title="", digest="d2", viewport=(1366, 768))
    with Workspace.open(path) as again:
        first, second = again.pages()
        assert (first.key, first.title, first.viewport) == (KEY, "An example", (1366, 768))
        assert first.visited
        assert (second.status, second.title) == (PageStatus.QUESTION, "B")
        assert again.last_page == KEY


def test_a_file_has_one_key_however_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("<p>words")
    monkeypatch.chdir(tmp_path)
    keys = {page_key(open_document(name)) for name in ("page.html", tmp_path / "page.html")}
    assert keys == {str((tmp_path / "page.html").resolve())}


def test_pages_of_the_sample_corpus_are_known_wherever_it_is_installed():
    pages = list_documents(resources.path("corpus"))
    assert page_key(pages[0]) == f"corpus:{pages[0].path}"
    assert str(resources.ROOT) not in page_key(pages[0])


def test_a_member_of_a_package_is_known_by_its_address(tmp_path):
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as made:
        made.writestr("one.html", "<p>Words")
    (document,) = list_documents(tmp_path / "pages.zip")
    assert page_key(document) == f"{tmp_path / 'pages.zip'}!/one.html"


def test_settings_hold_what_json_can(workspace, path):
    workspace.set_setting("layers", {"bte": {"visible": True, "opacity": 0.4}})
    workspace.set_setting("layers", {"bte": {"visible": False}})
    with Workspace.open(path) as again:
        assert again.setting("layers") == {"bte": {"visible": False}}
        assert again.setting("unknown", 3) == 3


# -- invalid files


@pytest.mark.parametrize(
    "content", [b"no database at all, but quite a long text " * 9, b"\x00" * 4096, b"x"]
)
def test_a_file_of_another_kind_is_refused_and_left_unchanged(path, content):
    path.write_bytes(content)
    with pytest.raises(WorkspaceError, match="is not a workspace"):
        Workspace.open(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_another_programs_database_is_refused_and_left_unchanged(path):
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE pages (id)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match="another program made it"):
        Workspace.open(path)
    assert path.read_bytes() == before


def test_a_newer_workspace_is_refused_and_left_unchanged(workspace, path):
    workspace.close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match=r"newer Pagelet \(format 99"):
        Workspace.open(path)
    assert path.read_bytes() == before


def test_a_fully_damaged_workspace_is_refused_and_left_unchanged(workspace, path, nodes):
    workspace.save_gold(KEY, block(Gold(), nodes, "a"), nodes, "mark")
    workspace.close()
    whole = path.read_bytes()
    scrambled = whole[:4096] + b"\xff" * (len(whole) - 4096)
    path.write_bytes(scrambled)
    with pytest.raises(WorkspaceError, match="damaged"):
        Workspace.open(path)
    assert path.read_bytes() == scrambled


def test_an_empty_file_becomes_a_workspace_and_a_folder_does_not(path):
    path.touch()
    Workspace.open(path).close()
    with Workspace.open(path, create=False) as again:
        assert again.pages() == ()
    with pytest.raises(WorkspaceError, match="it is not a file"):
        Workspace.open(path.parent)


def test_a_missing_workspace_is_made_only_when_asked(path):
    with pytest.raises(WorkspaceError, match="there is no workspace"):
        Workspace.open(path, create=False)
    assert not path.exists()


# -- errors while it is open


def test_a_workspace_in_a_read_only_folder_opens_for_reading_only(open_folder):
    path = open_folder / "marks.pagelet"
    Workspace.open(path).close()
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with as_nobody(), Workspace.open(path) as workspace:
        assert workspace.damage == (
            f"{path} cannot be written: the file or its folder is read-only; "
            "it is open for reading only"
        )
        assert workspace.pages() == ()
        with pytest.raises(WorkspaceError, match="read-only"):
            workspace.set_setting("layers", [])
    with as_nobody(), pytest.raises(WorkspaceError, match=r"other\.pagelet cannot be opened"):
        Workspace.open(open_folder / "other.pagelet")


def test_a_full_disk_raises_an_error_and_the_next_save_stores_everything(workspace, path, nodes):
    """The limit on file sizes simulates the disk: SQLite's write fails in the same way."""
    gold = block(Gold(), nodes, "h")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, old[1]))
        with pytest.raises(WorkspaceError, match="disk is full"):
            workspace.save_gold(KEY, gold, nodes, "mark")
        assert workspace.history(KEY) == ()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)
    more = block(gold, nodes, "f")
    workspace.save_gold(KEY, more, nodes, "mark")
    with Workspace.open(path) as again:
        assert again.load_gold(KEY, nodes) == more


def test_a_deleted_file_is_noticed_at_the_next_save(workspace, path, nodes):
    path.unlink()
    with pytest.raises(WorkspaceError, match="moved or deleted"):
        workspace.save_gold(KEY, block(Gold(), nodes, "h"), nodes, "mark")


def test_two_windows_do_not_overwrite_each_other_silently(workspace, path, nodes):
    with Workspace.open(path) as other:
        mine, theirs = workspace.load_gold(KEY, nodes), other.load_gold(KEY, nodes)
        theirs = block(theirs, nodes, "h")
        other.save_gold(KEY, theirs, nodes, "mark header")
        mine = block(mine, nodes, "f")
        with pytest.raises(WorkspaceError, match="another window"):
            workspace.save_gold(KEY, mine, nodes, "mark footer")
        assert other.load_gold(KEY, nodes) == theirs
        workspace.save_gold(KEY, mine, nodes, "mark footer", overwrite=True)
        assert other.load_gold(KEY, nodes) == mine
        assert gold_at(other, KEY, 1, nodes) == theirs


def test_marks_that_another_window_has_undone_cause_no_conflict(workspace, path, nodes):
    with Workspace.open(path) as other:
        mine, theirs = workspace.load_gold(KEY, nodes), other.load_gold(KEY, nodes)
        other.save_gold(KEY, block(theirs, nodes, "h"), nodes, "mark header")
        other.save_gold(KEY, theirs, nodes, "mark header", "undo")
        mine = block(mine, nodes, "f")
        workspace.save_gold(KEY, mine, nodes, "mark footer")
        assert other.gold_in_file(KEY, nodes) == mine
        assert len(workspace.history(KEY)) == 3


def test_reading_the_file_does_not_resolve_a_conflict(workspace, path, nodes):
    with Workspace.open(path) as other:
        mine, theirs = workspace.load_gold(KEY, nodes), other.load_gold(KEY, nodes)
        theirs = block(theirs, nodes, "h")
        other.save_gold(KEY, theirs, nodes, "mark header")
        assert workspace.gold_in_file(KEY, nodes) == theirs
        with pytest.raises(MarksContested):
            workspace.save_gold(KEY, block(mine, nodes, "f"), nodes, "mark footer")


def test_a_window_that_is_writing_is_named(workspace, path, nodes, monkeypatch):
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("annotate.workspace.store.BUSY_SECONDS", 0.05)
    with Workspace.open(path) as hasty:
        with pytest.raises(WorkspaceError, match="another program is writing"):
            hasty.save_gold(KEY, block(Gold(), nodes, "h"), nodes, "mark")
        blocker.execute("ROLLBACK")
        hasty.save_gold(KEY, block(Gold(), nodes, "h"), nodes, "mark")
    blocker.close()


@pytest.mark.slow
def test_two_programs_may_make_the_same_workspace_at_once(path):
    code = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from annotate.workspace.workspace import Workspace
        sys.stdin.read(1)
        Workspace.open(Path(sys.argv[1])).close()
        """
    )
    authors = [
        subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE)
        for _ in range(4)
    ]
    for author in authors:
        author.stdin.write(b"g")
        author.stdin.close()
    assert [author.wait(timeout=60) for author in authors] == [0, 0, 0, 0]
    with Workspace.open(path, create=False) as workspace:
        assert workspace.pages() == ()


def test_marks_of_an_unknown_page_are_not_saved(workspace, nodes):
    gold = edits.add_main(Gold(), nodes, [Target(row_of(nodes, "p1"))])
    assert gold.marks[0].level == MAIN
    assert workspace.load_gold("https://unknown.org/", nodes) == Gold()
    with pytest.raises(WorkspaceError, match="has no page"):
        workspace.save_gold("https://unknown.org/", gold, nodes, "mark")
    assert [entry.key for entry in workspace.pages()] == [KEY]
    workspace.add_pages([Document("https://unknown.org/", "unknown")])
    assert workspace.load_gold("https://unknown.org/", nodes) == Gold()


def test_saving_a_mark_costs_as_much_on_a_large_page_as_on_a_small_one(workspace):
    workspace.add_pages([Document("small", "small"), Document("large", "large")])
    small, large = (calls_of_a_save(workspace, *page) for page in (("small", 100), ("large", 400)))
    assert large <= 1.1 * small
    assert large < 1000


def calls_of_a_save(workspace, key, sections):
    """Return the number of calls that save the hundredth mark; a section has 32 nodes."""
    item = "<li><a>Link number {0}</a> <span>with some words behind it {0}</span></li>"
    body = "".join(f"<section><ul>{item.format(k) * 5}</ul></section>" for k in range(sections))
    nodes = nodes_of(body)
    rows = [row for row in range(len(nodes)) if nodes.name_of(row) == "li"]
    gold = edits.add_main(Gold(), nodes, [Target(row) for row in rows[:99]])
    workspace.save_gold(key, gold, nodes, "mark")
    gold = edits.add_block(gold, nodes, [Target(rows[100])], 2)
    return effort(lambda: workspace.save_gold(key, gold, nodes, "mark"))
