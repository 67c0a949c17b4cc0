"""Errors: missing and superfluous text or blocks of a result."""

from collections.abc import Sequence

from algorithms.explain.page_errors import PageError
from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_of
from gui.core.findings import frame_box
from gui.core.overlay_sync import HiddenLayers, PageOverlay
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.features.errors.controller import Errors
from gui.features.errors.panel import ErrorsDock
from gui.features.errors.state import ErrorWalk
from gui.features.errors.text_diff import TextDiffDock
from gui.page.overlay.error_layers import error_layers
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec

__all__ = ["FEATURE", "ErrorWalk", "Errors"]

_CHOSEN = "#111318"
"""Frame of the current error: darker than any kind's colour, on a light edge."""


def error_specs(
    errors: Sequence[PageError], index: int, status: str, pieces: PageNumberings
) -> list[LayerSpec]:
    """Return a layer for each kind of error, and on top the frame of the one at ``index``."""
    specs = error_layers(errors, pieces)
    if 0 <= index < len(errors) and errors[index].rows:
        box = frame_box(errors[index].rows, status, pieces)
        chosen = {"id": "error-chosen", "color": _CHOSEN, "dash": "solid", "opacity": 1.0}
        specs.append({**chosen, "boxes": [box], "ranges": []})
    return specs


def _drawn(workbench: Workbench) -> PageOverlay:
    walk = workbench.session.get(ErrorWalk)
    return PageOverlay(
        lambda pieces: error_specs(walk.items, walk.index, walk.status, pieces),
        lambda: walk.is_shown,
        (walk.shown_changed, walk.changed, walk.index_changed),
        HiddenLayers.LAYERS,
    )


FEATURE = Feature(
    "errors",
    guide="errors.md",
    controllers=(Errors,),
    overlays=(_drawn,),
    panels=(
        Panel("errors", dock_of(ErrorsDock), "outline", ErrorWalk),
        Panel("text", dock_of(TextDiffDock), "layers"),
    ),
    actions=(
        Action("errors", "Errors of the current layer", "Methods ▸ Errors", Errors.toggle,
               keys=("F7",), icon="warning", when=ON_PAGE,
               help="Missing and superfluous text, or blocks, in place of the layers", order=105,
               words=("mistakes of method", "false positives", "false negatives"),
               context=(Context.LAYER,)),
        Action("error-next", "Next error", "Methods ▸ Errors", Errors.step, (1,), ("J",),
               when=ON_PAGE, help="Shows the errors if they are not shown", order=115,
               words=("next mistake", "next false positive")),
        Action("error-previous", "Previous error", "Methods ▸ Errors", Errors.step, (-1,),
               ("Shift+J",), when=ON_PAGE, order=125,
               words=("previous mistake", "previous false positive")),
        Action("text-diff", "Extract and gold as one text", "Methods ▸ Errors", TextDiffDock.toggle,
               keys=("Shift+F7",), when=ON_PAGE,
               help="What is missing and superfluous marked in it, scrolled along with the page",
               order=135,
               words=("compare texts", "diff extract with gold")),
    ),
)  # fmt: skip
