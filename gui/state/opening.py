"""Opening: the states of an open page from its being asked for on, and what may follow what."""

from collections.abc import Callable, Mapping
from enum import Enum, auto


class Phase(Enum):
    """How far the open page is."""

    CLOSED = auto()  # none was asked for
    RENDERING = auto()  # the browser loads it
    READING = auto()  # rendered; its marks are read when no other program writes to them
    DRAWING = auto()  # shown, with its marks being drawn; methods wait
    SHOWN = auto()  # drawn; methods run
    CRASHED = auto()  # its renderer died: loaded again when Qt has handled that
    FAILED = auto()  # could not be opened, was stopped, or crashed again


class Event(Enum):
    """What happens to it."""

    ASKED = auto()  # a page is asked for, maybe the same again
    RENDERED = auto()
    MARKS_READ = auto()
    DRAWN = auto()
    CRASHED = auto()
    RELOADED = auto()  # loaded again after a crash
    GIVEN_UP = auto()  # cannot be rendered, was stopped, or crashed again
    CLOSED = auto()  # the window closes


_LOADING, _THERE = (Phase.RENDERING, Phase.READING), (Phase.DRAWING, Phase.SHOWN)

TRANSITIONS: Mapping[tuple[Phase, Event], Phase] = {
    **{(phase, Event.ASKED): Phase.RENDERING for phase in Phase},
    **{(phase, Event.CLOSED): Phase.CLOSED for phase in Phase},
    (Phase.RENDERING, Event.RENDERED): Phase.READING,
    (Phase.READING, Event.MARKS_READ): Phase.DRAWING,
    (Phase.DRAWING, Event.DRAWN): Phase.SHOWN,
    **{(phase, Event.CRASHED): Phase.CRASHED for phase in (*_LOADING, *_THERE)},
    (Phase.CRASHED, Event.RELOADED): Phase.RENDERING,
    **{(phase, Event.GIVEN_UP): Phase.FAILED for phase in (*_LOADING, *_THERE)},
}
"""Phase and event → the phase that follows.  Any other event is stale, and changes nothing."""


class Opening:
    """The open page's phase.  Knows nothing of browser, workspace or window.

    What answers later, such as the page that is drawn, brings the number that its load had: where
    another one has begun since, the answer is dropped.

    Attributes:
        phase: How far the page is.
        number: Of the current load: each page that is asked for has the next, and each reload.
        position: Where the page was scrolled to when its renderer died, CSS px; None where that
            did not happen since it was last used.
    """

    def __init__(self) -> None:
        self.phase = Phase.CLOSED
        self.number = 0
        self.position: float | None = None
        self._key = ""
        self._then: Callable[[], None] | None = None

    def expects(self, event: Event, number: int | None = None) -> bool:
        """Return whether an event, of the load with a number (None: the current), may happen."""
        return number in (None, self.number) and (self.phase, event) in TRANSITIONS

    def take(self, event: Event, number: int | None = None) -> bool:
        """Enter the phase that follows an event; False, and nothing else, where it is stale."""
        if not self.expects(event, number):
            return False
        self.phase = TRANSITIONS[self.phase, event]
        if event in (Event.ASKED, Event.RELOADED, Event.CLOSED):
            self.number += 1
        return True

    def ask(self, key: str) -> None:
        """Begin with the page of a key; what waited for the one before goes."""
        self.position, self._key, self._then = None, key, None
        self.take(Event.ASKED)

    def crash(self, position: float) -> bool:
        """Note that the renderer has died; return whether the page is to be loaded again.

        That is once: a page that dies again before anybody has used it is left alone.
        """
        if self.position is not None or not self.take(Event.CRASHED):
            return False
        self.position = position
        return True

    def use(self) -> None:
        """Note that somebody works on the page: should it crash now, it is loaded again."""
        if self.phase in _THERE:
            self.position = None

    def when_shown(self, key: str, then: Callable[[], None]) -> None:
        """Keep a call until the page is shown; dropped where it is not the one on its way."""
        if key == self._key and self.phase in (*_LOADING, Phase.CRASHED):
            self._then = then

    def due(self) -> Callable[[], None] | None:
        """Return the call that waits for the page, where it is shown, and forget it."""
        if self.phase not in _THERE:
            return None
        then, self._then = self._then, None
        return then
