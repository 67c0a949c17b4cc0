"""3-D view: the page as layers in space."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import IN_3D
from gui.core.workbench import Workbench
from gui.features.view_3d.panel import TerrainPanel


def _terrain(
    name: str,
    text: str,
    run: Callable[..., object],
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
) -> Action:
    return Action(
        f"terrain-{name}", text, "", run, arguments, keys, where=Where.TERRAIN,
        when=IN_3D, section="Terrain", help=help_,
    )  # fmt: skip


FEATURE = Feature(
    "view_3d",
    actions=(
        _terrain("left", "Turn to the left", TerrainPanel.turn, (-1,), ("Left",)),
        _terrain("right", "Turn to the right", TerrainPanel.turn, (1,), ("Right",)),
        _terrain("up", "Tilt away", TerrainPanel.tilt, (1,), ("Up",)),
        _terrain("down", "Tilt towards", TerrainPanel.tilt, (-1,), ("Down",)),
        _terrain("flat", "Flat, or lifted again", TerrainPanel.flatten, (), ("Home",)),
        _terrain("fit", "Fit the page into the view", TerrainPanel.fit, (), ("End",)),
        _terrain("lower", "Leave out the highest level", TerrainPanel.cut_by, (-1,), ("PgDown",)),
        _terrain("higher", "Show one level more", TerrainPanel.cut_by, (1,), ("PgUp",)),
        _terrain("colour", "Next meaning of colours", TerrainPanel.next_coloring, (), ("Space",),
                 "Depth, block, method, score or none"),
        _terrain("widen", "Frame the parent", Workbench.walk, ("parent",), ("Shift+Up",)),
        _terrain("narrow", "Frame the child", Workbench.walk, ("child",), ("Shift+Down",)),
        _terrain("next", "Frame the next element", Workbench.walk, ("next",), ("Shift+Right",)),
        _terrain("previous", "Frame the previous element", Workbench.walk, ("previous",),
                 ("Shift+Left",)),
    ),
)  # fmt: skip
