"""A comparison of two versions as a table for the reader, as JSON and as Markdown."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from annotate.datasets.copied_pages import copies_sentence
from annotate.evaluation.tables.summaries import align_cells, aligned_before
from annotate.plugins.compare.compare import PageChange, Share, VersionComparison
from annotate.plugins.compare.runs import input_of, mixes_guidelines
from engine.csv_cells import guarded_row
from engine.words import plural

_EXCERPT = 100


def as_text(compared: VersionComparison, most: int) -> str:
    """Return what changed as tables in plain text, the first changes of many."""
    parts = [*headline(compared), *map(align_cells, _summaries(compared))]
    if shown := compared.changes[:most]:
        words = ["what changed", *map(in_words, shown)]
        parts.append(aligned_before(_change_lines(compared, shown), words))
    return "\n\n".join((*parts, *_rest(compared, most)))


def as_markdown(compared: VersionComparison, most: int) -> str:
    """Return the same as Markdown, for a comment on a pull request."""
    one, two = compared.names
    parts = [f"### {as_cell(one)} → {as_cell(two)}", *map(as_cell, headline(compared))]
    parts += map(markdown_table, _summaries(compared))
    if shown := compared.changes[:most]:
        words = ["what changed", *map(in_words, shown)]
        lines = zip(_change_lines(compared, shown), words, strict=True)
        parts.append(markdown_table([[*line, text] for line, text in lines]))
    return "\n\n".join((*parts, *_rest(compared, most))) + "\n"


def _rest(compared: VersionComparison, most: int) -> list[str]:
    rest = len(compared.changes) - most
    return [f"and {plural(rest, 'page')} more"] if rest > 0 else []


def headline(compared: VersionComparison) -> Iterator[str]:
    """Yield the sentences above all tables."""
    whole = compared.whole
    yield (
        f"{compared.names[0]} → {compared.names[1]}: the text of {whole.changed} of "
        f"{plural(whole.pages, 'page')} changed"
    )
    for name in compared.names:
        if seen := sum(page.has_seen(name) for page in compared.pages):
            yield f"{name} has seen the gold of {seen} of {plural(whole.pages, 'page')}"
    interval, (before, after) = compared.interval, compared.means
    if interval is None or before is None or after is None:
        return
    worst = min(compared.changes, key=lambda each: each.difference or 0.0, default=None)
    worst_page = ""
    if worst is not None and worst.difference is not None and worst.difference < 0:
        worst_page = f"; worst page {worst.page.name}, {worst.difference:+.2f}"
    yield (
        f"{compared.measure.label}: {before:.3f} → {after:.3f}, mean difference "
        f"{interval.mean:+.4f} on {plural(whole.scored, 'page')} (95 % interval "
        f"{interval.low:+.4f} to {interval.high:+.4f}, Wilcoxon p = "
        f"{compared.test.p:.2g}); {whole.better} gained more than {compared.threshold:g}, "
        f"{whole.worse} lost more than that{worst_page}"
    )
    one, two = (input_of(compared.pages, name) for name in compared.names)
    yield f"input: {one}" + ("" if one == two else f" → {two}")
    if copied := copies_sentence(compared.copies):
        yield copied
    if mixed := mixes_guidelines([*compared.by_guideline]):
        yield mixed


def _summaries(compared: VersionComparison) -> list[list[list[str]]]:
    """Return the tables of guidelines of gold and types of pages; without gold of kinds."""
    sorts = {"guideline": compared.by_guideline}
    if compared.has_gold:
        sorts["type"] = compared.by_type
    head = ["pages", "changed", "scored", "mean", "gained", "lost"]
    tables = [
        [[sort, *head], *(_share_line(name, share) for name, share in shares.items())]
        for sort, shares in sorts.items()
        if shares
    ]
    if not compared.has_gold and compared.by_kind:
        kinds = ([str(kind), str(n), str(words)] for kind, (n, words) in compared.by_kind.items())
        tables.append([["change", "pages", "words"], *kinds])
    return tables


def _share_line(name: str, share: Share) -> list[str]:
    counts = [str(number) for number in (share.pages, share.changed, share.scored)]
    return [name, *counts, _signed(share.mean), str(share.better), str(share.worse)]


def _change_lines(compared: VersionComparison, changes: Sequence[PageChange]) -> list[list[str]]:
    """Return a table of changed pages, without what changed on them."""
    if compared.has_gold:
        lines = [["page", "difference", "before", "after", "lost", "gained"]]
        cells = ([_signed(e.difference), _digits(e.before), _digits(e.after)] for e in changes)
    else:
        lines = [["page", "change", "lost", "gained"]]
        cells = ([str(each.text.kind)] for each in changes)
    for each, own in zip(changes, cells, strict=True):
        lost, gained = f"-{each.text.words_lost}", f"+{each.text.words_gained}"
        lines.append([each.page.name, *own, lost, gained])
    return lines


def in_words(change: PageChange) -> str:
    """Return the longest text that was lost, and gained, and why."""
    parts = []
    if change.text.lost:
        parts.append(f"lost “{_short(change.text.lost[0])}”")
    if change.text.gained:
        parts.append(f"gained “{_short(change.text.gained[0])}”")
    reasons = [run.reason for run in change.page.runs.values() if run.text is None and run.reason]
    return "; ".join((*parts, *reasons, *([change.reason] if change.reason else [])))


def as_json(compared: VersionComparison) -> dict[str, object]:
    """Return all of it ready for JSON."""
    interval, test = compared.interval, compared.test
    return {
        "before": _side(compared, 0),
        "after": _side(compared, 1),
        "measure": compared.measure.key,
        "pages": compared.whole.pages,
        "changed": compared.whole.changed,
        "scored": compared.whole.scored,
        "mean_difference": None if interval is None else interval.mean,
        "interval": None if interval is None else [interval.low, interval.high],
        "wilcoxon_p": None if interval is None else test.p,
        "threshold": compared.threshold,
        "gained": compared.whole.better,
        "lost": compared.whole.worse,
        "by_guideline": {name: vars(share) for name, share in compared.by_guideline.items()},
        "by_type": {name: vars(share) for name, share in compared.by_type.items()},
        "by_kind": {
            str(kind): {"pages": pages, "words": words}
            for kind, (pages, words) in compared.by_kind.items()
        },
        "changes": [_change_as_json(each) for each in compared.changes],
    }


def as_csv(compared: VersionComparison) -> str:
    """Return the changed pages as rows for a spreadsheet, worst first."""
    text = StringIO()
    rows = list(map(_change_as_json, compared.changes))
    for row in rows:
        row |= {key: " … ".join(value) for key, value in row.items() if isinstance(value, list)}
    if rows:
        writer = csv.DictWriter(text, [*rows[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(guarded_row, rows))
    return text.getvalue()


def _side(compared: VersionComparison, number: int) -> dict[str, object]:
    side = compared.sides[number]
    return {
        "name": side.entry.key,
        "version": side.entry.version,
        "input": input_of(compared.pages, side.entry.key),
        "parameters": side.params.as_dict(),
        "mean": compared.means[number],
    }


def _change_as_json(change: PageChange) -> dict[str, object]:
    return {
        "dataset": change.page.dataset,
        "page": change.page.name,
        "type": change.page.page_type,
        "change": str(change.text.kind),
        "before": change.before,
        "after": change.after,
        "difference": change.difference,
        "words_lost": change.text.words_lost,
        "words_gained": change.text.words_gained,
        "lost": list(change.text.lost),
        "gained": list(change.text.gained),
        "reason": change.reason,
    }


def markdown_table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells, the head first, as a Markdown table."""
    head, *rows = lines
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(map(as_cell, line))} |" for line in (head, rule, *rows))


def as_cell(text: str) -> str:
    """Return a text of a page escaped for Markdown, without links or tags."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return text.replace("@", "@\u200b").replace("://", ":\u200b//")


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _short(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"
