"""ROUGE-LSum: how much of each gold sentence is, in order, in any sentence of the extract.

Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", ACL 2004 workshop,
section 3.2, in the reading of the rouge-score package: for each gold sentence the union, over the
extract's sentences, of the positions in a longest common subsequence; a word counts only as often
as it is left in both texts.

Which of several longest subsequences is taken changes the union: here, as in that package, the one
found by walking back from both ends, taking equal words at once, else leaving the gold's word
unless leaving the extract's loses less.  Words are the texts between blanks, case kept, no
stemming.  Sentences are lines; the SIGIR 2023 study splits with NLTK's punkt, `sentences_of` at
``. ! ?`` followed by a blank.  Text is normalised as for all measures; in scripts without blanks
`WordUnit` defines words.

Corners: an empty gold makes R 1, an empty extract P 1; both empty give 1.
Cost: a gold sentence is compared with those sentences only that have a word of it not yet found,
the most alike first, and with their words in common only; a table is one bit a cell.  Near-linear
where the extract has the gold's sentences: 1 ms for texts of 1,000 words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from rapidfuzz.distance import LCSseq

from algorithms.measures.prf import Prf, prf_of
from algorithms.measures.text_words import normalise
from engine.word_units import WordUnit, pieces_in

_MOST_CELLS = 400_000_000
"""Of two sentences' table, a bit each; beyond, any longest subsequence is taken."""

_END = re.compile(r"(?<=[.!?])\s+|\n+")

Sentence = Sequence[str]


def lines_of(text: str) -> list[str]:
    """Return the lines that hold something."""
    return [line for line in text.split("\n") if line.strip()]


def sentences_of(text: str) -> list[str]:
    """Return the sentences, ended by a full stop, exclamation or question mark, or a line break."""
    return [part for part in _END.split(text) if part.strip()]


def rouge_lsum(
    predicted: str, gold: str, *, by_lines: bool = True, unit: WordUnit = "characters"
) -> Prf:
    """Compare two texts, sentence by sentence."""
    split = lines_of if by_lines else sentences_of
    e, m = (
        [pieces_in(normalise(sentence), unit) for sentence in split(text)]
        for text in (predicted, gold)
    )
    left_e, left_m = (Counter(w for sentence in side for w in sentence) for side in (e, m))
    relevant, retrieved = left_m.total(), left_e.total()
    hits = 0
    index = _SentenceIndex(e)
    for sentence in m:
        for position in _indices(index.union(sentence)):
            word = sentence[position]
            if left_e[word] and left_m[word]:
                hits += 1
                left_e[word] -= 1
                left_m[word] -= 1
    return prf_of(hits, relevant, retrieved)


class _SentenceIndex:
    """The sentences of an extract, found by their words.  Sets of positions are bits of an int."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._sentences = list(dict.fromkeys(map(tuple, sentences)))
        self._whole = set(self._sentences)
        self._with: dict[str, list[int]] = {}
        for number, sentence in enumerate(self._sentences):
            for word in set(sentence):
                self._with.setdefault(word, []).append(number)

    def union(self, gold: Sentence) -> int:
        """Return which words of a gold sentence are in a common subsequence with any other."""
        if tuple(gold) in self._whole:
            return (1 << len(gold)) - 1
        at = _positions(gold)
        can_add: dict[int, int] = {}  # by sentence: the gold's positions with one of its words
        for word, positions in at.items():
            for number in self._with.get(word, ()):
                can_add[number] = can_add.get(number, 0) | positions
        result = 0
        # The union is the same in any order; those with most in common leave least to others.
        for number in sorted(can_add, key=lambda number: -can_add[number].bit_count()):
            if can_add[number] & ~result:
                result |= _common(gold, self._sentences[number])
        return result


T = TypeVar("T")


def _positions(sentence: Sequence[T]) -> dict[T, int]:
    at: dict[T, int] = {}
    for index, word in enumerate(sentence):
        at[word] = at.get(word, 0) | 1 << index
    return at


def _indices(bits: int) -> list[int]:
    """Return the positions of a set, ascending."""
    return [index for index, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def _any_common(gold: Sentence, sentence: Sentence) -> int:
    """Return the gold's positions in any longest common subsequence."""
    result = 0
    for block in LCSseq.opcodes(gold, sentence):
        if block.tag == "equal":
            result |= (1 << block.src_end) - (1 << block.src_start)
    return result


def _common(gold: Sentence, sentence: Sentence) -> int:
    """Return the gold's positions in the longest common subsequence found by walking back.

    Words of the gold alone are passed on the way.  A run of words of the sentence alone does what
    one of them does: the gold's words that are not needed are left there, not beyond.
    """
    ours = set(sentence)
    common = [(index, word) for index, word in enumerate(gold) if word in ours]
    theirs = {word for _, word in common}
    others: list[str | None] = []
    for word in sentence:
        if word in theirs:
            others.append(word)
        elif others and others[-1] is not None:
            others.append(None)
    if len(common) * len(others) > _MOST_CELLS:
        return _any_common(gold, sentence)
    rows = _rows([word for _, word in common], others)

    def best(i: int, j: int) -> int:
        """Return the length of the longest common subsequence of the first i and j words."""
        return j - (rows[i] & ((1 << j) - 1)).bit_count()

    result = 0
    i, j = len(common), len(others)
    length = best(i, j)
    while length:
        if common[i - 1][1] == others[j - 1]:
            result |= 1 << common[i - 1][0]
            i, j, length = i - 1, j - 1, length - 1
        elif best(i - 1, j) == length:
            i -= 1
        else:
            j -= 1
    return result


def _rows(words: Sequence[str], others: Sequence[str | None]) -> list[int]:
    """Return the rows of the table of longest common subsequences, m bits each, n + 1 of them.

    Bit j of row i is 0 where the first i words have a longer one with the first j + 1 of the others
    than with the first j (H. Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004).
    """
    at = _positions(others)
    every = (1 << len(others)) - 1
    rows = [every]
    for word in words:
        above = rows[-1]
        matches = above & at[word]
        rows.append((above + matches | above - matches) & every)
    return rows
