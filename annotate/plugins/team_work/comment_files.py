"""Comments of a workspace as a file for those without Pagelet: a table (CSV) or JSON."""

import json
from pathlib import Path

from annotate.plugins.team_work import comments
from annotate.workspace.workspace import Workspace
from engine.bounded_file import atomic_write
from engine.csv_cells import write_csv
from engine.errors import InputError

ENDINGS = ("csv", "json")

COLUMNS = (
    "page", "title", "mark", "level", "type", "quote", "marked_by", "author", "made", "kind",
    "text", "id", "answers", "resolved",
)  # fmt: skip


def write_comments(workspace: Workspace, path: Path) -> int:
    """Write all comments, a row each, answers after their questions; return the number.

    The suffix of the file determines the format.  `InputError` for another ending, or where the
    file cannot be written.
    """
    if path.suffix.lower().removeprefix(".") not in ENDINGS:
        raise InputError(f"{path.name} must end in .csv or .json")
    rows = comment_rows(workspace)
    if path.suffix.lower() == ".csv":
        write_csv(path, COLUMNS, (row.values() for row in rows))
    else:
        with atomic_write(path) as beside:
            text = json.dumps(rows, ensure_ascii=False, indent=1)
            beside.write_bytes(f"{text}\n".encode())
    return len(rows)


def comment_rows(workspace: Workspace) -> list[dict[str, str | int | bool | None]]:
    """Return a row of `COLUMNS` for each comment.

    Level and what follows of the mark are empty for a comment on the page, and None and "" where
    the mark was deleted since.
    """
    marks = {
        mark: (level, kind, " ".join(str(quote or "").split()))
        for mark, level, kind, quote in workspace.rows(
            "SELECT marks.id, json_extract(record, '$.level'), json_extract(record, '$.type'),"
            " coalesce((SELECT group_concat(json_extract(value, '$.quote'), ' ')"
            " FROM json_each(record, '$.targets')), json_extract(record, '$.quote'))"
            " FROM marks JOIN comments ON comments.mark = marks.id AND comments.page = marks.page"
        )
    }
    titles = dict(workspace.rows("SELECT key, max(title) FROM pages GROUP BY key"))
    rows: list[dict[str, str | int | bool | None]] = []
    for thread in comments.threads(workspace):
        for each in thread:
            level, kind, quote = marks.get(each.mark, (None, "", ""))
            values = (
                each.page, titles.get(each.page, ""), each.mark, level, kind, quote, each.owner,
                each.author, each.made, str(each.kind), each.text, each.id, each.answers,
                each.is_settled,
            )  # fmt: skip
            rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows
