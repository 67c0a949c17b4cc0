"""What gleaner's decision on a block rests on: things are removed, and the page is read again.

Each removal makes a separate page that has the same blocks: without class, id and role, with links
as text, with headings or other elements that have lost their name, with other words in the block.
That page is measured and decided as any other, so the result equals that of editing the page.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.expected_f1 import best_blocks
from algorithms.extraction.gleaner.gleaner_model import Model, PagePrediction
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.learning.reasons import Without, sentence, strongest
from engine.source import Source
from engine.tree import BLOCK_TAGS, TEXTLESS_TAGS

Words = tuple[int, int]
"""The words of the block asked about: first, and one past the last."""

_Edit = tuple[int, int, str]
"""Start and end in code points of the HTML, and the replacement."""

_NAMES = re.compile(
    r"""\s(?:class|id|role)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)|(?=[\s/>]))""", re.IGNORECASE
)
_LETTER = re.compile(r"[^\W\d_]")
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_INLINE = frozenset("abbr b button cite code em i label mark q s small strong time u".split())
_NAMED = (
    BLOCK_TAGS - _HEADINGS - TEXTLESS_TAGS - {"html", "body", "frameset", "div", "hr", "option"}
)
_FEW = 3


@dataclass(frozen=True)
class Removal:
    """Something that can be removed from a page.

    Attributes:
        name: Its name.
        how: What replaces it.
        edit: Returns the page without it; the block's words count only for what is the block's own.
        is_own: Whether it is something of the block itself, and not of the page.
    """

    name: str
    how: str
    edit: Callable[[Source, Words], Source]
    is_own: bool = False


class Reasons:
    """Reasons for the decisions of one run; edited pages are kept for the next block.

    Args:
        model: What decides.
        source: The page.
        prediction: The model's prediction for it.
        least, known_type: As `Model.predict` takes them.
    """

    def __init__(
        self,
        model: Model,
        source: Source,
        prediction: PagePrediction,
        least: float,
        known_type: str,
    ) -> None:
        self._model, self._source, self._prediction = model, source, prediction
        self._least, self._type = least, known_type
        self._pages: dict[str, _Read] = {}

    def sentence(self, block: int) -> str:
        """Return the reasons for the decision on a block."""
        runs, prediction = text_runs(self._source), self._prediction
        words = int(runs.first[block]), int(runs.last[block])
        is_kept, chance = bool(prediction.choice.is_kept[block]), float(prediction.chance[block])
        tried = {}
        for removal in REMOVALS:
            page = self._read(removal, words)
            if page is not None:
                tried[self._without(removal.name, removal.how, page, words, is_kept)] = removal
        named = strongest(chance, is_kept, list(tried))
        together = None
        if len(named) > 1 and not named[0].is_turned:
            source = self._source
            for each in named:
                source = tried[each].edit(source, words)
            together = self._without("", "", self._measured(source), words, is_kept)
        return sentence(chance, named, "dropped" if is_kept else "kept", together)

    def rests(self, block: int, name: str) -> bool:
        """Whether the decision on a block is the other one without a thing; True if unknown."""
        removal = next((each for each in REMOVALS if each.name == name), None)
        if removal is None:
            return True
        runs, is_kept = text_runs(self._source), bool(self._prediction.choice.is_kept[block])
        words = int(runs.first[block]), int(runs.last[block])
        page = self._read(removal, words)
        return page is not None and self._without(name, "", page, words, is_kept).is_turned

    def _read(self, removal: Removal, words: Words) -> "_Read | None":
        """Return the page without something; None where it has nothing of it."""
        key = removal.name if not removal.is_own else f"{removal.name} {words}"
        if key not in self._pages:
            self._pages[key] = self._measured(removal.edit(self._source, words))
        page = self._pages[key]
        return None if page[0] is self._source else page

    def _measured(self, source: Source) -> "_Read":
        if source is self._source:
            return source, self._prediction.matrix
        return source, self._model.matrix(source, self._type)[0]

    def _without(self, name: str, how: str, page: "_Read", words: Words, is_kept: bool) -> Without:
        """Return the decision on the block on an edited page."""
        runs, matrix = text_runs(page[0]), page[1]
        block = int(np.searchsorted(runs.first, words[0], side="right")) - 1
        score = self._model.mixture.scores(matrix[block : block + 1])
        chance = 1 / (1 + float(np.exp(-score[0])))
        is_turned = False
        if (chance > self._prediction.choice.limit) != is_kept:  # seldom: all blocks are scored
            chances = 1 / (1 + np.exp(-self._model.mixture.scores(matrix)))
            choice = best_blocks(chances, runs, self._least)
            is_turned = bool(choice.is_kept[block]) != is_kept
        return Without(name, how, chance, is_turned)


_Read = tuple[Source, npt.NDArray[np.float32]]
"""A page, and what trees and nets read of it."""


# Removals ---------------------------------------------------------------------------------------


def _edited(source: Source, edits: Iterable[_Edit]) -> Source:
    """Return a page with some of its HTML replaced; itself where nothing is."""
    html, at = source.html, 0
    result: list[str] = []
    for start, end, text in sorted(edits, key=lambda each: each[:2]):
        result += (html[at:start], text)
        at = end
    return Source.from_text("".join((*result, html[at:]))) if result else source


def _without_names(source: Source, _words: Words) -> Source:
    tokens, html = source.tokens, source.html
    tags = tokens.is_tag & ~tokens.is_close
    spans = zip(tokens.start[tags].tolist(), tokens.end[tags].tolist(), strict=True)
    found = ((a, b, _NAMES.sub("", html[a:b])) for a, b in spans if b - a > _FEW)
    return _edited(source, (each for each in found if len(each[2]) < each[1] - each[0]))


def _without_links(source: Source, _words: Words) -> Source:
    tags = source.tokens.is_named("a")
    spans = zip(source.tokens.start[tags].tolist(), source.tokens.end[tags].tolist(), strict=True)
    return _edited(source, ((start, end, " ") for start, end in spans))


def _without_headings(source: Source, _words: Words) -> Source:
    return _edited(source, _renamed(source, dict.fromkeys(_HEADINGS, "div")))


def _without_elements(source: Source, _words: Words) -> Source:
    names = dict.fromkeys(_NAMED, "div") | dict.fromkeys(_INLINE, "span")
    return _edited(source, _renamed(source, names))


def _renamed(source: Source, names: dict[str, str]) -> Iterator[_Edit]:
    """Yield edits that rename elements; those without an end tag get one."""
    tree, start = source.tree, source.tokens.start
    new = [names.get(name, "") for name in tree.names]
    rows = np.flatnonzero(np.array([bool(name) for name in new])[tree.tag] & (tree.token >= 0))
    for row in rows.tolist():
        tag = int(tree.tag[row])
        at = int(start[tree.token[row]]) + 1
        yield at, at + len(tree.names[tag]), new[tag]
        yield int(tree.inner[row, 1]), int(tree.outer[row, 1]), f"</{new[tag]}>"


def _without_words(source: Source, words: Words) -> Source:
    html, spans = source.html, source.tokens.spans[slice(*words)].tolist()
    written = [(start, end) for start, end in spans if "&" not in html[start:end]]
    return _edited(source, ((a, b, _LETTER.sub(_as_x, html[a:b])) for a, b in written))


def _as_x(letter: re.Match[str]) -> str:
    return "X" if letter[0].isupper() else "x"


def _without_length(source: Source, words: Words) -> Source:
    spans = source.tokens.spans[words[0] + _FEW : words[1]].tolist()
    return _edited(source, ((start, end, "") for start, end in spans))


REMOVALS = (
    Removal("class, id and role", "taken out", _without_names),
    Removal("links", "as plain text", _without_links),
    Removal("headings", "as div", _without_headings),
    Removal("names of other elements", "as div and span", _without_elements),
    Removal("its words", "each letter an x", _without_words, is_own=True),
    Removal("its length", f"cut to {_FEW} words", _without_length, is_own=True),
)
"""The removals to try, of the page and then of the block.  What cuts the block comes last."""
