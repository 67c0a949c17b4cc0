"""A board as files: Markdown, and web pages in which every number opens the list of its pages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from annotate.evaluation.report.markup import decimal, fill_template, slug
from annotate.evaluation.tables.summaries import align_cells
from annotate.plugins.boards.board import BEST, EVERYTHING, Board, BoardNumber
from engine.bounded_file import atomic_write
from engine.csv_cells import write_csv
from engine.errors import convert_os_error
from engine.words import plural

SEEN = "●"


def name_of(label: str) -> str:
    """Return the name in the table: ``plain`` is the reference *everything*."""
    return EVERYTHING if label == "plain" else label


def cell_text(number: BoardNumber) -> str:
    """Return a number with its interval, ``.812 ±.021``; a dash where the method did not run."""
    if number.mean is None:
        return "–"
    half = (number.mean.high - number.mean.low) / 2
    seen = f" {SEEN}" if number.seen else ""
    return f"{_short(number.mean.mean)} ±{_short(half)}{seen}"


def _short(value: float) -> str:
    return decimal(value).removeprefix("0")


def table_of(board: Board) -> tuple[list[str], list[tuple[str, list[BoardNumber]]]]:
    """Return the names of the parts, and a line for each method, the best of each page last."""
    parts = {part: board.numbers(part) for part in board.parts}
    lines = [(label, [of[label] for of in parts.values()]) for label in (*board.order, BEST)]
    return list(parts), lines


def board_text(board: Board) -> str:
    """Return the table of whole data sets, for the terminal."""
    parts, lines = table_of(board)
    whole = [k for k, part in enumerate(parts) if " · " not in part]
    head = ["method", *(parts[k] for k in whole), "ms", "failed"]
    table = [head]
    for label, numbers in lines:
        failed = sum(numbers[k].failed for k in whole)
        cells = [cell_text(numbers[k]) for k in whole]
        table.append([name_of(label), *cells, _ms(board, label), str(failed or "")])
    return align_cells(table)


def _ms(board: Board, label: str) -> str:
    if label == BEST:
        return ""
    mine = board.ms[list(board.methods).index(label)]
    known = mine[~np.isnan(mine)]
    return f"{np.median(known):.1f}" if known.size else "–"


def notes(board: Board) -> list[str]:
    """Return what a reader must know of the numbers, a sentence each."""
    scored = f"{board.measure}, mean over pages; a failed run counts as an empty text"
    result = [
        f"{scored}; ± is half of the 95 % interval, drawn by site.",
        f"{EVERYTHING}: all text. {BEST}: the best on each page, of methods that have not seen it.",
    ]
    for k, label in enumerate(board.methods):
        if count := int(board.seen[k].sum()):
            stated = filter(None, [plural(count, "page"), board.stated.get(label)])
            result.append(f"{SEEN} {label} has seen the gold of {'; '.join(stated)}.")
    return result


def rule_lines(board: Board, dataset: str) -> list[list[str]]:
    """Return adherence: a line a method, a column a sort of text; empty without any."""
    found = board.adherence.get(dataset, {})
    sorts = sorted({sort for mine in found.values() for sort in mine})
    lines = [["method", *sorts]] if sorts else []
    for label in board.order if sorts else ():
        mine = found.get(label, {})
        shown = (_short(mine[sort][0]) if sort in mine else "–" for sort in sorts)
        lines.append([name_of(label), *shown])
    if sorts:
        most = {sort: max(m[sort][1] for m in found.values() if sort in m) for sort in sorts}
        lines.append(["pages", *(str(most[sort]) for sort in sorts)])
    return lines


def board_markdown(board: Board) -> str:
    """Return all of it as Markdown: methods as lines, data sets with their parts as columns."""
    parts, lines = table_of(board)
    text = ["# Board", "", *(f"- {note}" for note in notes(board))]
    for dataset in (part for part in parts if " · " not in part):
        mine = [k for k, p in enumerate(parts) if p == dataset or p.startswith(f"{dataset} · ")]
        counts = [int(board.parts[parts[k]].sum()) for k in mine]
        names = [_column(parts[k], dataset) for k in mine]
        head = [f"{name} ({count})" for name, count in zip(names, counts, strict=True)]
        rows = [[name_of(label), *(cell_text(of[k]) for k in mine)] for label, of in lines]
        text += ["", f"## {dataset}", "", *_markdown_table(["method", *head], rows)]
        if rules := rule_lines(board, dataset):
            text += ["", "### Adherence to the gold, by sort of text", ""]
            text += _markdown_table(rules[0], rules[1:])
    return "\n".join(text) + "\n"


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for line in (head, ["---", *["---:"] * (len(head) - 1)], *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |"


def write_board(out: Path, board: Board, sheets: Mapping[tuple[str, str], str]) -> Path:
    """Write ``board.html``, lists of pages beside it, Markdown and CSV; return the first.

    ``sheets`` is data set and page → address of its page in a bundle.  Raises `InputError`.
    """
    with convert_os_error(f"write to {out}"):
        (out / "lists").mkdir(parents=True, exist_ok=True)
    parts, lines = table_of(board)
    _write(out / "board.md", board_markdown(board))
    table = [
        (part, name_of(label), number.pages, number.failed, number.seen, *_interval(number))
        for k, part in enumerate(parts)
        for label, numbers in lines
        for number in [numbers[k]]
    ]
    columns = ("part", "method", "pages", "failed", "gold_seen", "mean", "low", "high")
    write_csv(out / "board.csv", columns, table)
    sections = []
    for dataset in (part for part in parts if " · " not in part):
        mine = [k for k, p in enumerate(parts) if p == dataset or p.startswith(f"{dataset} · ")]
        head = [(_column(parts[k], dataset), int(board.parts[parts[k]].sum())) for k in mine]
        rows = []
        for label, numbers in lines:
            links = [_list(out, board, parts[k], label, sheets) for k in mine]
            cells = [cell_text(numbers[k]) for k in mine]
            rows.append((name_of(label), list(zip(links, cells, strict=True))))
        sections.append((dataset, head, rows, rule_lines(board, dataset)))
    path = out / "board.html"
    _write(path, fill_template("board/board.html", sections=sections, notes=notes(board)))
    return path


def _column(part: str, dataset: str) -> str:
    return "all" if part == dataset else part.removeprefix(f"{dataset} · ")


def _interval(number: BoardNumber) -> tuple[object, object, object]:
    mean = number.mean
    return ("", "", "") if mean is None else (mean.mean, mean.low, mean.high)


def _list(
    out: Path, board: Board, part: str, label: str, sheets: Mapping[tuple[str, str], str]
) -> str:
    """Write the pages that a number is the mean of, worst first; return the list's address."""
    best = label == BEST
    values = board.best if best else board.scores[list(board.methods).index(label)]
    mine = [int(k) for k in np.flatnonzero(board.parts[part] & ~np.isnan(values))]
    mine.sort(key=lambda k: float(values[k]))
    rows = []
    for k in mine:
        page = board.pages[k]
        flags = "" if best else _flags(board, list(board.methods).index(label), k)
        sheet = sheets.get((page.dataset, page.name), "")
        rows.append((page.name, page.kind, page.language, decimal(float(values[k])), flags, sheet))
    name = f"lists/{slug(part, label)}.html"
    title = f"{name_of(label)} on {part}"
    _write(out / name, fill_template("board/list.html", title=title, rows=rows))
    return name


def _flags(board: Board, method: int, page: int) -> str:
    words = ["gold seen"] if board.seen[method, page] else []
    return ", ".join([*words, "failed"] if board.failed[method, page] else words)


def _write(path: Path, text: str) -> None:
    with convert_os_error(f"write {path}"), atomic_write(path) as beside:
        beside.write_text(text, "utf-8", errors="backslashreplace")
