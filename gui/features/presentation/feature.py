"""Presentation: the page with one method after the other, for talks."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import PRESENTING
from gui.features.presentation.stage import Presentation


def _talk(
    name: str,
    text: str,
    run: Callable[..., object],
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
) -> Action:
    return Action(
        f"talk-{name}", text, "", run, arguments, keys, where=Where.TALK,
        when=PRESENTING, section="Presentation", help=help_, in_talk=True,
    )  # fmt: skip


FEATURE = Feature(
    "presentation",
    actions=(
        _talk("next", "Next slide", Presentation.step, (1,), ("Right", "Space", "PgDown")),
        _talk("previous", "Previous slide", Presentation.step, (-1,), ("Left", "PgUp")),
        _talk("first", "First slide", Presentation.go, (0,), ("Home",)),
        _talk("last", "Last slide", Presentation.go_last, (), ("End",)),
        _talk("notes", "Notes to this slide", Presentation.toggle_notes, (), ("Alt+N",),
              "Written and read here; kept with the page"),
        _talk("clock", "Stop the clock, or let it go on", Presentation.toggle_clock, (),
        ("Alt+T",)),
    ),
)  # fmt: skip
