"""What a reviewer decided where the decision is no mark: that something is not there."""

from annotate.workspace.workspace import Workspace


def decisions(workspace: Workspace, key: str) -> dict[str, str]:
    """Return what the present annotator decided on a page: item of a difference → choice."""
    rows = workspace.store.all(
        "SELECT item, choice FROM decisions JOIN pages ON pages.id = decisions.page"
        " WHERE key = ? AND annotator = ?",
        *(key, workspace.annotator.number),
    )
    return dict(rows)


def decide(workspace: Workspace, key: str, item: str, choice: str) -> None:
    """Write a decision down; "" takes it back."""
    with workspace.store.saving():
        page = workspace.page_id(key)
        if not choice:
            workspace.store.run("DELETE FROM decisions WHERE page = ? AND item = ?", page, item)
            return
        workspace.store.run(
            "INSERT INTO decisions (page, item, choice) VALUES (?, ?, ?)"
            " ON CONFLICT (page, item) DO UPDATE SET choice = excluded.choice",
            *(page, item, choice),
        )
