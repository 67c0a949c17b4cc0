"""What one text of a page has that another has not, and which kind of change that is."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import LCSseq

from algorithms.core.batch import Run
from algorithms.measures.text_words import normalise, words_of

_MOST_CELLS = 400_000_000
"""Words of one text times words of the other up to which they are aligned: 50 MB."""


class ChangeKind(StrEnum):
    """Kind of change of a page's text."""

    FAILS = "fails now"
    EMPTY = "empty now"
    LOST = "text lost"
    REPLACED = "text lost and gained"
    GAINED = "text gained"
    ORDER = "order changed"
    SIGNS = "signs changed"
    NOT_EMPTY = "no longer empty"
    RUNS = "no longer fails"


@dataclass(frozen=True)
class TextChange:
    """Differences between two texts of a page.

    Attributes:
        kind: In a word.
        lost, gained: Passages that only the first has, and only the second, longest first.
        words_lost, words_gained: Number of their words.
    """

    kind: ChangeKind
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    words_lost: int = 0
    words_gained: int = 0

    @property
    def words(self) -> int:
        """Size of the change in words."""
        return self.words_lost + self.words_gained


def text_change(before: Run, after: Run) -> TextChange | None:
    """Return how the texts of two runs on a page differ; None where they do not."""
    if before.text is None and after.text is None:
        return None
    one, two = (normalise(run.text or "") for run in (before, after))
    if one == two and (before.text is None) == (after.text is None):
        return None
    mine, theirs = words_of(one), words_of(two)
    lost, gained = stretches(mine, theirs)
    words_lost, words_gained = (sum(map(len, each)) for each in (lost, gained))
    kind = _kind(before, after, mine, theirs, words_lost, words_gained)
    return TextChange(kind, _texts(lost), _texts(gained), words_lost, words_gained)


def _kind(
    before: Run, after: Run, mine: list[str], theirs: list[str], lost: int, gained: int
) -> ChangeKind:
    if after.text is None:
        return ChangeKind.FAILS
    if before.text is None:
        return ChangeKind.RUNS
    if not theirs and mine:
        return ChangeKind.EMPTY
    if not mine and theirs:
        return ChangeKind.NOT_EMPTY
    if not lost and not gained:
        return ChangeKind.SIGNS
    if Counter(mine) == Counter(theirs):
        return ChangeKind.ORDER
    if not lost or not gained:
        return ChangeKind.LOST if lost else ChangeKind.GAINED
    return ChangeKind.REPLACED


def stretches(mine: list[str], theirs: list[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the runs of words of each that are in no longest common subsequence, in order."""
    if len(mine) * len(theirs) > _MOST_CELLS:
        rest, more = Counter(mine), Counter(theirs)
        return [[*(rest - more).elements()]], [[*(more - rest).elements()]]
    cuts = [each for each in LCSseq.opcodes(mine, theirs) if each.tag != "equal"]
    lost = [mine[each.src_start : each.src_end] for each in cuts]
    gained = [theirs[each.dest_start : each.dest_end] for each in cuts]
    return [each for each in lost if each], [each for each in gained if each]


def _texts(stretches: list[list[str]]) -> tuple[str, ...]:
    return tuple(" ".join(each) for each in sorted(stretches, key=len, reverse=True))
