"""What a program outside Pagelet gave: its text at once, its place on the page when asked for."""

from functools import cached_property

import numpy as np

from algorithms.mapping import Mapped, map_text
from algorithms.results import Extraction
from engine.mask import visible_stretches
from engine.source import Source
from engine.tree import Ints, lock

_FEW_LETTERS = 2_000
"""Letters of an answer whose words are looked for in its document first."""

_FEW_WORDS = 8
"""So many of them, the longest."""


class GivenExtraction(Extraction):
    """An extraction whose spans are found in the source when something asks where the text stands.

    Its text, which is all that most measures need, takes nothing.
    """

    def __init__(
        self,
        source: Source,
        given: str,
        seconds: float | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        own = {"source": source, "given": given, "seconds": seconds, "notes": notes}
        self.__dict__.update(own)  # frozen: there is no other way

    def on(self, source: Source) -> "GivenExtraction":
        """Return it on an equal source."""
        return GivenExtraction(source, self.text, self.seconds, self.notes)

    @cached_property
    def _mapped(self) -> Mapped:
        return map_text(self.source, self.text)

    @cached_property
    def spans(self) -> Ints:
        """Where the text stands; see `Extraction`."""
        spans = np.asarray(self._mapped.spans, dtype=np.int32).reshape(-1, 2)
        lock(spans)
        return spans

    @cached_property
    def unmapped(self) -> int:
        """How many of its words were not found."""
        return self._mapped.unmapped

    @property
    def words(self) -> int:
        """How many words the text has."""
        return self._mapped.words

    @property
    def is_elsewhere(self) -> bool:
        """Whether it has words, and none of them is in the source."""
        if not self.text.strip() or _share_a_word(self.source.html, self.text):
            return False
        return 0 < self.words == self.unmapped


def _share_a_word(html: str, text: str) -> bool:
    """Return whether a text begins with words one of which is in a document, between two tags.

    That settles it for nearly all pages, in a fraction of the time that reading one takes.  Markup
    within a quoted value is taken for markup.
    """
    wanted = [word for word in text[:_FEW_LETTERS].split() if word.isascii() and word.isalnum()]
    longest = sorted(set(wanted), key=lambda each: (-len(each), each))[:_FEW_WORDS]
    for start, end in visible_stretches(html) if longest else ():
        for word in longest:
            place = html.find(f" {word} ", start, end)
            # Words beside a tag may go on behind it.
            if place >= 0 and html.rfind("<", start, place) < html.rfind(">", start, place):
                return True
    return False
