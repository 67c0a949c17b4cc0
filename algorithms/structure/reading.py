"""What the rows of a page are beyond their tags: read once a page, before anything is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from algorithms.signals.memo import shared
from algorithms.structure.callouts import Callout, callouts_of
from algorithms.structure.code import code_of
from algorithms.structure.comments import PageComment, ranked_tables, thread_of
from algorithms.structure.formulas import formulas_in, formulas_of
from algorithms.structure.noise import noise_of, shadow_roots, struck_rows, styled_marks
from algorithms.structure.notes import Notes, notes_of
from algorithms.structure.rows import PageRows, page_rows
from algorithms.structure.tex import Formula, renders_raw
from engine.nodes import NodeTable
from engine.source import Source
from engine.tree import Bools

_UNSEEN = ("script", "style", "title", "template", "desc", "metadata")


@dataclass(frozen=True, eq=False)
class Reading:
    """Structure found on a page of n rows.

    Attributes:
        rows: The page.
        formulas: By row; none is below another.
        tags: Tags that replace those of rows; "" for nothing.
        lines: Rows that each begin a line of code.
        code: Rows of blocks of code that are no ``pre``.
        callouts: By row.
        comments: By row.
        notes: Notes and the references to them.
        continued: Rows that continue an entry of a list, each with the entry's first row.
        drawn_marks: Marks that the style of elements makes, by row: ``del``, ``strong``, ``em``.
        left_out: bool (n,). Rows to leave out: permalinks, line numbers, names of icons.
    """

    rows: PageRows
    formulas: Mapping[int, Formula]
    tags: Mapping[int, str]
    lines: frozenset[int]
    code: frozenset[int]
    callouts: Mapping[int, Callout]
    comments: Mapping[int, PageComment]
    notes: Notes
    continued: Mapping[int, int]
    drawn_marks: Mapping[int, tuple[str, ...]]
    left_out: Bools = field(repr=False)

    @cached_property
    def renders_raw(self) -> bool:
        """Whether the page draws TeX between delimiters in its text."""
        return renders_raw(self.rows)

    @cached_property
    def is_figure(self) -> Bools:
        """Rows in a figure, bool (n,)."""
        return self.rows.tree.within("figure")

    @cached_property
    def is_raw(self) -> Bools:
        """Rows in preformatted text, bool (n,)."""
        tree = self.rows.tree
        raw = tree.has_tag("pre", "listing", "xmp", "textarea")
        raw[list(self.code)] = True
        return tree.below(raw)


@shared
def reading_of(page: Source | NodeTable) -> Reading:
    """Return the structure of a page, cached with the page. O(n)."""
    rows = page_rows(page)
    formulas, copies = formulas_in(page) if isinstance(page, Source) else formulas_of(rows)
    noise = noise_of(rows)
    code = code_of(rows)
    callouts = callouts_of(rows)
    notes = notes_of(rows)
    comments = thread_of(page)[1]
    ranked = ranked_tables(rows)
    unseen = set(rows.named(*_UNSEEN)) - set(formulas) - set(shadow_roots(rows))
    if isinstance(page, Source):  # of a rendered page, a frame's content is another page
        unseen |= set(rows.named("iframe", "noembed"))
    out = noise.left_out | code.left_out | copies | unseen
    out |= {row for note in notes.notes for row in note.backs}
    out |= {row for each in callouts.values() for row in each.title_rows}
    out |= {row for each in comments.values() for row in each.head}
    out.update(ranked.ranks)
    continued = {line: first for first, lines in ranked.entries.items() for line in lines}
    lists = {**dict.fromkeys(ranked.tables, "ol"), **dict.fromkeys(continued, "li")}
    lists |= dict.fromkeys(ranked.bylines, "span")
    quotes = dict.fromkeys([*callouts, *comments], "blockquote")
    styled = styled_marks(rows)
    drawn = {row: ("del", *styled.made.get(row, ())) for row in struck_rows(rows)}
    tags = {**noise.tags, **styled.tags, **lists, **code.tags, **quotes}
    return Reading(
        rows, formulas, tags, frozenset(code.lines), frozenset(code.blocks), callouts,
        comments, notes, continued, {**styled.made, **drawn}, rows.below(out),
    )  # fmt: skip
