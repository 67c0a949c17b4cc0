"""What methods return: an extraction (spans of a source) or a segmentation (blocks of rows).

Gold turns into the same two types, so that a measure takes ``(predicted, gold)`` and never asks
who made which.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from algorithms.levels import Level
from engine.nodes import NodeTable
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Ints, lock


@dataclass(frozen=True, eq=False)
class Extraction:
    """Parts of a source taken as main content.

    Attributes:
        source: What the spans count in.
        spans: int32 (k, 2). Start and end in code points of ``source.html``; in order, not
            overlapping.  A span may contain tags; only its text counts.
        given: The text as a program outside Pagelet gave it, of which the spans are the parts
            located in the source; None where the spans are all there is.
        unmapped: How many of the given text's words were not found.
        seconds: Time the program itself took; None where no other program measured it, NaN where it
            is unknown.
        notes: What a user should know of the run, one sentence each.
        no_content: Why the page holds no main content, where the method answers that; else "".
    """

    source: Source
    spans: Ints
    given: str | None = None
    unmapped: int = 0
    seconds: float | None = None
    notes: tuple[str, ...] = ()
    no_content: str = ""

    def __post_init__(self) -> None:
        spans = np.asarray(self.spans, dtype=np.int32).reshape(-1, 2)
        object.__setattr__(self, "spans", spans)
        lock(spans)

    def on(self, source: Source) -> "Extraction":
        """Return it on an equal source."""
        return replace(self, source=source)

    @cached_property
    def text(self) -> str:
        """Extracted text, with a line break where a block-level tag is between two words.

        It is the given text where there is one: the program's own text is scored.  A
        formula is there once, as its TeX, however often and in whatever form the page has it, and
        a reading beside a word (``ruby``) is in brackets; what shows no words (names of icons, the
        inside of frames) is left out, and so are numbers of lines of code.
        """
        if self.given is not None:
            return self.given
        from algorithms.structure import text_of  # loaded only when text is needed

        return text_of(self.source, self.spans)

    @property
    def markup(self) -> str | None:
        """HTML of the extraction from a program outside Pagelet; None where it has none."""
        return None


def keep_words(source: Source, kept: Bools) -> Extraction:
    """Return the words marked in ``kept``, bool (w,); neighbours share one span."""
    first, end = runs_of(kept)
    words = source.tokens.spans
    spans = np.empty((first.size, 2), dtype=np.int32)
    spans[:, 0], spans[:, 1] = words[first, 0], words[end - 1, 1]
    return Extraction(source, spans)


def everything(source: Source) -> Extraction:
    """Return all text of a source."""
    return keep_words(source, np.ones(source.tokens.words.size, dtype=bool))


def nothing(source: Source) -> Extraction:
    """Return the empty extraction."""
    return Extraction(source, np.zeros((0, 2), dtype=np.int32))


@dataclass(frozen=True)
class Block:
    """Semantic block.

    Attributes:
        rows: The nodes whose subtrees are the block: one, or neighbours grouped; ascending.
        level: 1 or 2.
        type: A name such as ``Header``; "" where the method has none.
        reason: Why the block is one, in words; "" where the method has none to give.
    """

    rows: tuple[int, ...]
    level: Level
    type: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Part:
    """Intermediate block of a method: a later block, or a former one.

    Attributes:
        rows: As in `Block`.
        label: A word or number to write on it.
        reason: Why it is one.
    """

    rows: tuple[int, ...]
    label: str
    reason: str


@dataclass(frozen=True)
class Separator:
    """Separator that a method finds between blocks.

    Attributes:
        rect: x, y, width, height in CSS px from the page's top left; width or height may be 0.
        weight: Degree of separation, from 1.
        reason: Why it has this weight.
    """

    rect: tuple[float, float, float, float]
    weight: int
    reason: str


@dataclass(frozen=True)
class Round:
    """Round of a method that works in rounds, for display.

    Attributes:
        divided: The divided parts.
        found: The parts found in that.
        separators: Those between the parts.
        merged: Merged parts, parts of parts first.
    """

    divided: tuple[Part, ...]
    found: tuple[Part, ...]
    separators: tuple[Separator, ...]
    merged: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Segmentation:
    """The blocks of a page, in document order, level 1 before level 2 where rows are equal.

    Attributes:
        nodes: The page.
        blocks: The result.
        rounds: How a method that works in rounds came to it; empty for others.
    """

    nodes: NodeTable
    blocks: tuple[Block, ...]
    rounds: tuple[Round, ...] = ()

    @cached_property
    def parts(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows of all blocks one after the other, and the place of the block each is of, (r,)."""
        rows = list(chain.from_iterable([block.rows for block in self.blocks]))
        counts = [len(block.rows) for block in self.blocks]
        positions = np.repeat(np.arange(len(counts)), counts)
        return np.array(rows, dtype=np.intp), positions.astype(np.intp)

    def texts(self) -> list[tuple[str, int]]:
        """Return text and level of each block."""
        return [(self.text_of(block), block.level) for block in self.blocks]

    def text_of(self, block: Block) -> str:
        """Return all text below the block's rows, as Kreuzer's measure reads it."""
        return "".join(self.nodes.text_below(row) for row in block.rows)


Result = Extraction | Segmentation
