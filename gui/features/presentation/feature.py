"""Presentation: the page with one method after the other."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import PRESENTING
from gui.features.presentation.stage import Presentation


def _slides(
    name: str,
    text: str,
    run: Callable[..., object],
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
) -> Action:
    return Action(
        f"talk-{name}", text, "", run, arguments, keys, where=Where.PRESENTATION,
        when=PRESENTING, section="Presentation", help=help_, in_presentation=True,
    )  # fmt: skip


FEATURE = Feature(
    "presentation",
    guide="views.md",
    actions=(
        _slides("next", "Next slide", Presentation.step, (1,), ("Right", "Space", "PgDown")),
        _slides("previous", "Previous slide", Presentation.step, (-1,), ("Left", "PgUp")),
        _slides("first", "First slide", Presentation.go, (0,), ("Home",)),
        _slides("last", "Last slide", Presentation.go_last, (), ("End",)),
        _slides("notes", "Notes to this slide", Presentation.toggle_notes, (), ("Alt+N",),
              "Written and read here; kept with the page"),
        _slides("clock", "Stop the clock, or let it go on", Presentation.toggle_clock, (),
        ("Alt+T",)),
    ),
)  # fmt: skip
