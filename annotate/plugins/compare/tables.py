"""A comparison of two versions as a table for the reader, as JSON and as Markdown."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from annotate.evaluation.tables.summaries import aligned, aligned_before
from annotate.plugins.compare.compare import PageChange, Share, VersionComparison
from annotate.plugins.compare.runs import mixes_guidelines
from engine.csv_cells import guarded_row
from engine.words import plural

_EXCERPT = 100


def as_text(compared: VersionComparison, most: int) -> str:
    """Return what changed as tables in plain text, the first changes of many."""
    parts = [*headline(compared)]
    if compared.by_guideline:
        parts.append(aligned(guideline_lines(compared)))
    if compared.by_type and compared.has_gold:
        parts.append(aligned(type_lines(compared)))
    if not compared.has_gold and compared.by_kind:
        parts.append(aligned(kind_lines(compared)))
    if shown := compared.changes[:most]:
        words = ["what changed", *map(in_words, shown)]
        parts.append(aligned_before(change_lines(compared, shown), words))
    rest = len(compared.changes) - most
    return "\n\n".join((*parts, *([f"and {plural(rest, 'page')} more"] if rest > 0 else [])))


def as_markdown(compared: VersionComparison, most: int) -> str:
    """Return the same as Markdown, for a comment on a pull request."""
    one, two = compared.names
    parts = [f"### {as_cell(one)} → {as_cell(two)}", *map(as_cell, headline(compared))]
    if compared.by_guideline:
        parts.append(markdown_table(guideline_lines(compared)))
    if compared.by_type and compared.has_gold:
        parts.append(markdown_table(type_lines(compared)))
    if not compared.has_gold and compared.by_kind:
        parts.append(markdown_table(kind_lines(compared)))
    if shown := compared.changes[:most]:
        lines = change_lines(compared, shown)
        words = ["what changed", *map(in_words, shown)]
        rows = [[*line, text] for line, text in zip(lines, words, strict=True)]
        parts.append(markdown_table(rows))
    rest = len(compared.changes) - most
    return "\n\n".join((*parts, *([f"and {plural(rest, 'page')} more"] if rest > 0 else []))) + "\n"


def headline(compared: VersionComparison) -> Iterator[str]:
    """Yield the sentences above all tables."""
    whole = compared.whole
    yield (
        f"{compared.names[0]} → {compared.names[1]}: the text of {whole.changed} of "
        f"{plural(whole.pages, 'page')} changed"
    )
    interval, (before, after) = compared.interval, compared.means
    if interval is None or before is None or after is None:
        return
    worst = min(compared.changes, key=lambda each: each.difference or 0.0, default=None)
    yield (
        f"{compared.measure.label}: {before:.3f} → {after:.3f}, mean difference "
        f"{interval.mean:+.4f} on {plural(whole.scored, 'page')} (95 % interval "
        f"{interval.low:+.4f} to {interval.high:+.4f}, Wilcoxon p = "
        f"{compared.test.p:.2g}); {whole.better} gained more than {compared.threshold:g}, "
        f"{whole.worse} lost more than that"
        + (
            f"; worst page {worst.page.name}, {worst.difference:+.2f}"
            if worst is not None and worst.difference is not None and worst.difference < 0
            else ""
        )
    )
    if mixed := mixes_guidelines([*compared.by_guideline]):
        yield mixed


def guideline_lines(compared: VersionComparison) -> list[list[str]]:
    """Return a table of the differences by the guideline of gold."""
    head = ["guideline", "pages", "changed", "scored", "mean", "gained", "lost"]
    return [head, *(_share_line(name, share) for name, share in compared.by_guideline.items())]


def type_lines(compared: VersionComparison) -> list[list[str]]:
    """Return a table of the differences by type of page."""
    head = ["type", "pages", "changed", "scored", "mean", "gained", "lost"]
    return [head, *(_share_line(name, share) for name, share in compared.by_type.items())]


def _share_line(name: str, share: Share) -> list[str]:
    counts = [str(number) for number in (share.pages, share.changed, share.scored)]
    return [name, *counts, _signed(share.mean), str(share.better), str(share.worse)]


def kind_lines(compared: VersionComparison) -> list[list[str]]:
    """Return a table of the kinds of change."""
    head = ["change", "pages", "words"]
    rows = ([str(kind), str(n), str(words)] for kind, (n, words) in compared.by_kind.items())
    return [head, *rows]


def change_lines(compared: VersionComparison, changes: Sequence[PageChange]) -> list[list[str]]:
    """Return a table of changed pages, without what changed on them."""
    if not compared.has_gold:
        head = ["page", "change", "lost", "gained"]
        return [head, *([each.page.name, str(each.text.kind), *_words(each)] for each in changes)]
    head = ["page", "difference", "before", "after", "lost", "gained"]
    return [
        head,
        *(
            [
                each.page.name,
                _signed(each.difference),
                _digits(each.before),
                _digits(each.after),
                *_words(each),
            ]
            for each in changes
        ),
    ]


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
        "changes": [change_as_json(each) for each in compared.changes],
    }


def as_csv(compared: VersionComparison) -> str:
    """Return the changed pages as rows for a spreadsheet, worst first."""
    text = StringIO()
    rows = [
        {
            key: " … ".join(value) if isinstance(value, list) else value
            for key, value in each.items()
        }
        for each in map(change_as_json, compared.changes)
    ]
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
        "parameters": side.params.as_dict(),
        "mean": compared.means[number],
    }


def change_as_json(change: PageChange) -> dict[str, object]:
    """Return one changed page ready for JSON."""
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


def _words(change: PageChange) -> tuple[str, str]:
    return f"-{change.text.words_lost}", f"+{change.text.words_gained}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _short(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"
