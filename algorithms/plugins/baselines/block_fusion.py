"""BlockFusion: fuse neighbouring text blocks of like text density.

Source: C. Kohlschuetter, W. Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008,
as built by R. Kreuzer, Utrecht 2013, section 6.1, Algorithm 6.1, on the authors' library: its text
blocks (`algorithms.signals.text_blocks`), its density of a fused block (words in full lines of
both over the lines of both).  Two neighbours are fused if their densities differ by at most the
threshold times the larger one; the pass is repeated until nothing is fused.  `METHOD` is BF-plain.

BF-rulebased decides by the tags between two blocks first: some always part (headings, lists,
tables, ``hr``, pictures), some never do (``br`` and what changes letters only).

A block's rows are the texts of its words.  Level 2, where asked for, comes from running the
same inside each block with a second, smaller threshold on the blocks it was fused from.  The text
is read from the serialised DOM.  Cost: a pass is O(b) for b text blocks; few are needed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.text_blocks import TextBlocks, text_blocks
from algorithms.signals.traversal import IS_BLOCK, end_of_way
from algorithms.trace import Rule, Step, Trace, step
from engine.page import Page
from engine.source import Source
from engine.tree import Bools

PARTING_TAGS = (
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "dl", "ol", "hr", "table", "address", "img",
    "script",
)  # fmt: skip
JOINING_TAGS = (
    "a", "b", "br", "em", "font", "i", "s", "span", "strong", "sub", "sup", "tt", "u", "var",
)  # fmt: skip


@dataclass(frozen=True)
class BlockFusionParams(Params):
    threshold: float = param(
        0.38, "largest difference in text density that is fused, as a share", low=0.0, high=1.0
    )
    inner: float = param(
        0.0, "the same for level-2 blocks inside; 0 for no level 2", low=0.0, high=1.0
    )


@dataclass(frozen=True)
class Fused:
    """Neighbouring text blocks as one.

    Attributes:
        first, last: Text blocks it is made of: the first, and one past the last.
        words, lines: Words in full lines, and those lines.
    """

    first: int
    last: int
    words: int
    lines: int

    @property
    def density(self) -> float:
        """Words per line."""
        return self.words / self.lines


def segment(page: Page, params: BlockFusionParams, *, by_rules: bool = False) -> Segmentation:
    """Return the fused blocks, by density alone or with the tags between them asked first."""
    fusion = Fusion(page, params, by_rules=by_rules)
    singles, part, join, rows_of = fusion.singles, fusion.part, fusion.join, fusion.rows_of
    blocks = []
    for piece in fuse(singles, params.threshold, part, join):
        rows = rows_of(piece)
        if not rows:
            continue
        blocks.append(Block(rows, 1, reason=f"about {piece.density:.1f} words per line throughout"))
        if params.inner:
            inside = fuse(singles[piece.first : piece.last], params.inner, part, join)
            result = ((rows_of(small), small.density) for small in inside)
            blocks.extend(
                Block(below, 2, reason=f"about {density:.1f} words per line")
                for below, density in result
                if below
            )
    blocks.sort(key=lambda block: (block.rows[0], block.level))
    return Segmentation(page.rendered(), tuple(blocks))


segment_by_rules = partial(segment, by_rules=True)


class Fusion:
    """Text blocks of a page before any fusion, and the rows of their texts.

    Attributes:
        singles: Each text block for itself.
        part, join: bool (b,). Whether the border before each always stays, or never does.
    """

    def __init__(self, page: Page, params: BlockFusionParams, *, by_rules: bool) -> None:
        source = page.source("dom")
        atoms = text_blocks(source)
        words, lines = atoms.wrapped
        self.singles = [Fused(k, k + 1, int(words[k]), int(lines[k])) for k in range(len(atoms))]
        self.threshold = params.threshold
        none = np.zeros(len(atoms), dtype=bool)
        rules: tuple[Bools, Bools] = _rules(source, atoms) if by_rules else (none, none)
        self.part, self.join = rules
        self._row_of_word = page.dom_alignment.place[:, 0].tolist()
        self._first, self._last = atoms.first.tolist(), atoms.last.tolist()

    def rows_of(self, piece: Fused) -> tuple[int, ...]:
        """Return the rows of the texts in some text blocks, ascending."""
        rows = set(self._row_of_word[self._first[piece.first] : self._last[piece.last - 1]])
        return tuple(sorted(row for row in rows if row >= 0))

    def passes(self) -> list[list[Fused]]:
        """Return the pieces before the first pass and after each, the last one the result."""
        return _passes(self.singles, self.threshold, self.part, self.join)


def fuse(pieces: list[Fused], threshold: float, part: Bools, join: Bools) -> list[Fused]:
    """Fuse neighbours pass by pass until a pass changes nothing.

    ``part`` and ``join``, bool (b,), mark a border before each text block that always stays, or
    never does.
    """
    return _passes(pieces, threshold, part, join)[-1]


def _passes(pieces: list[Fused], threshold: float, part: Bools, join: Bools) -> list[list[Fused]]:
    result = [pieces]
    while True:
        fused = _one_pass(result[-1], threshold, part, join)
        if len(fused) == len(result[-1]):
            return result
        result.append(fused)


@dataclass(frozen=True)
class Border:
    """Decision in a pass between a piece and the piece before it."""

    left: Fused
    right: Fused
    is_fused: bool


def _one_pass(
    pieces: list[Fused],
    threshold: float,
    part: Bools,
    join: Bools,
    notify: Callable[[Border], None] | None = None,
) -> list[Fused]:
    done: list[Fused] = []
    for piece in pieces:
        belongs = bool(done) and _belong(done[-1], piece, threshold, part, join)
        if notify is not None and done:
            notify(Border(done[-1], piece, belongs))
        if belongs:
            left = done[-1]
            done[-1] = Fused(
                left.first, piece.last, left.words + piece.words, left.lines + piece.lines
            )
        else:
            done.append(piece)
    return done


def _belong(left: Fused, right: Fused, threshold: float, part: Bools, join: Bools) -> bool:
    if part[right.first] or join[right.first]:
        return bool(join[right.first])
    larger = max(left.density, right.density)
    return abs(left.density - right.density) <= threshold * larger


def _rules(source: Source, atoms: TextBlocks) -> tuple[Bools, Bools]:
    """Return which borders always part, and which never do, bool (b,) each; parting tags win."""
    tokens = source.tokens
    parting, joining = (
        np.concatenate(([0], np.cumsum(tokens.is_named(*tags))))
        for tags in (PARTING_TAGS, JOINING_TAGS)
    )
    part, join = np.zeros(len(atoms), bool), np.zeros(len(atoms), bool)
    low, high = tokens.words[atoms.last[:-1] - 1], tokens.words[atoms.first[1:]]
    part[1:] = parting[high] > parting[low]
    join[1:] = ~part[1:] & (joining[high] - joining[low] == high - low - 1)
    return part, join


_FUSED = ("fused with the text before", "not fused with the text before")
_ENDS = Rule("no further text is fused with it", verbs=IS_BLOCK)
_BY_TAGS = "the tags between them decide"


def trace(page: Page, params: BlockFusionParams, *, by_rules: bool = False) -> Trace:
    """Return pass by pass whether a text was fused with the piece before."""
    fusion = Fusion(page, params, by_rules=by_rules)
    steps: list[Step] = []
    whole = fuse(fusion.singles, params.threshold, fusion.part, fusion.join)
    steps += _steps(fusion, [fusion.singles], "threshold", params.threshold)
    if params.inner:
        inside = [fusion.singles[piece.first : piece.last] for piece in whole]
        steps += _steps(fusion, inside, "inner", params.inner)
    result = segment(page, params, by_rules=by_rules)
    return Trace((*steps, *end_of_way(_ENDS, result.blocks)), len(result.nodes))


trace_by_rules = partial(trace, by_rules=True)


def _steps(
    fusion: Fusion, lists: list[list[Fused]], parameter: str, threshold: float
) -> Iterator[Step]:
    """Yield the borders of each pass over these lists of text blocks."""
    where = "" if parameter == "threshold" else " inside"
    number = 0
    while lists:
        number += 1
        borders: list[Border] = []
        passed = [
            (pieces, _one_pass(pieces, threshold, fusion.part, fusion.join, borders.append))
            for pieces in lists
        ]
        lists = [after for before, after in passed if len(after) < len(before)]
        rule = Rule(
            f"difference in density{where}, as a share", "<=", (parameter,), is_share=True,
            verbs=_FUSED, measured=f"densities{where} differ by {{}}",
        )  # fmt: skip
        by_row: dict[int, Border] = {}
        for border in borders:
            # Only for the text at the border: those fused with it are beside similar text.
            for row in fusion.rows_of(replace(border.right, last=border.right.first + 1)):
                by_row.setdefault(row, border)
        if by_row:
            yield _step_of(fusion, rule, by_row, threshold, number)


def _step_of(
    fusion: Fusion, rule: Rule, by_row: dict[int, Border], threshold: float, number: int
) -> Step:
    rows = sorted(by_row)
    borders = [by_row[row] for row in rows]
    by_tags = [bool(fusion.part[b.right.first] or fusion.join[b.right.first]) for b in borders]
    notes = tuple(
        f"pass {number}: {_BY_TAGS}"
        if tags
        else f"pass {number}: {border.right.density:.1f} words per line here, "
        f"{border.left.density:.1f} before"
        for border, tags in zip(borders, by_tags, strict=True)
    )
    shares = [abs(b.left.density - b.right.density) for b in borders]
    larger = [max(b.left.density, b.right.density) for b in borders]
    values = np.divide(shares, larger, out=np.zeros(len(rows)), where=np.array(larger) > 0)
    limits = np.where(by_tags, np.nan, threshold)
    positions = [(row, row + 1) for row in rows]
    return step(rule, positions, [border.is_fused for border in borders], values, limits, notes)


METHOD = Method(
    "block-fusion",
    "BlockFusion",
    BlockFusionParams,
    "segmentation",
    cite="Kohlschütter, Nejdl 2008; Kreuzer 2013, section 6.1",
    on_page=segment,
    trace_page=trace,
    summary="Fuses neighbouring texts that have about as many words a line.",
)

METHOD_BY_RULES = replace(
    METHOD,
    key="block-fusion-rb",
    name="BlockFusion, rule based",
    cite="Kohlschütter, Nejdl 2008",
    on_page=segment_by_rules,
    trace_page=trace_by_rules,
    summary=f"{METHOD.summary[:-1]}; some tags always part, some never.",
)
