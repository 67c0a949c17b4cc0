"""Trials of the fuzzer: workspaces of others that are read, merged and written."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from annotate.datasets.readers import read_dataset
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.plugins.team_work import comments
from annotate.plugins.team_work.merging import merge
from annotate.plugins.team_work.shared_pages import roles_by_page
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.fuzz import files, workspaces
from tests.fuzz.refusals import refused


def schema(seed: int, folder: Path) -> str:
    """Open a workspace with any SQL in its schema by every door."""
    workspaces.with_schema(seed, folder / "theirs.pagelet")
    return by_all_doors(folder)


def records(seed: int, folder: Path) -> str:
    """Open a workspace with any values in its rows by every door."""
    workspaces.with_records(seed, folder / "theirs.pagelet")
    return by_all_doors(folder)


def by_all_doors(folder: Path) -> str:
    """Read and merge ``theirs.pagelet``, which stays as it is, then open it for writing."""
    theirs, mine = folder / "theirs.pagelet", workspaces.mine(folder / "mine.pagelet")
    before, own = theirs.read_bytes(), mine.read_bytes()
    refused(lambda: read_dataset(theirs))
    ended = refused(lambda: read_all(Workspace.reading(theirs)))
    merged = refused(lambda: merge([theirs], mine))
    assert merged == "read" or mine.read_bytes() == own, "a merge that was refused changed a file"
    workspaces.is_usable(mine)
    refused(lambda: merge([theirs], folder / "new.pagelet"))
    assert theirs.read_bytes() == before, "a file that was only to be read was changed"
    with suppress(PageletError):
        opened = Workspace.open(theirs)
        read_all(opened)
        assert not opened.damage or theirs.read_bytes() == before, "what is read-only was changed"
    assert not list(folder.glob("**/*.part*"))
    return f"{ended}, merged" if merged == "read" else ended


def read_all(workspace: Workspace) -> None:
    """Ask a workspace for all it has, and save what can be saved."""
    nodes = files.nodes()
    with workspace:
        for ask in (workspace.marked, workspace.gold_digests):
            refused(ask)
        refused(lambda: roles_by_page(workspace.store))
        for who in workspace.annotators:
            refused(lambda who=who: workspace.work_as(who))
            for entry in workspace.pages():
                key = entry.key
                refused(lambda key=key: workspace.load_gold(key, nodes))
                refused(lambda key=key: workspace.undo_history(key, nodes))
                refused(lambda key=key: workspace.made_on(key))
                refused(lambda key=key: comments.threads(workspace, key))
                refused(lambda key=key: workspace.golds(key, nodes))
                gold = edits.add_block(Gold(), nodes, [Target(3)], 1)
                refused(lambda key=key, gold=gold: workspace.save_gold(key, gold, nodes, "m"))


FILES: dict[str, Callable[[int, Path], str]] = {"schema": schema, "records": records}
