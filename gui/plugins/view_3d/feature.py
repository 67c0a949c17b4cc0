"""3-D view: the page as layers in space."""

from gui.core.action import Action, ViewActions
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import MainArea, Where
from gui.core.when import ON_PAGE, showing
from gui.core.workbench import Workbench
from gui.plugins.view_3d.panel import View3DPanel

IN_3D = showing(View3DPanel, "show the page in 3-D first (F6)", "terrain")
_HERE = Where("terrain", is_view=True)
_view_3d = ViewActions("terrain", _HERE, IN_3D, "Page in 3-D")

FEATURE = Feature(
    "view_3d",
    after="page_diff",
    guide="views.md",
    views=(ViewRow(View3DPanel, View3DPanel, _HERE),),
    actions=(
        Action("terrain", "The page in 3-D", "View", MainArea.toggle, (View3DPanel,), ("F6",),
               icon="terrain", when=ON_PAGE,
               help="Every element lifted by its depth; again: back to the page", order=30,
               words=("3d view", "depth view", "dom layers", "tilt")),
        _view_3d("left", "Turn to the left", View3DPanel.turn, (-1,), ("Left",),
                 words=("rotate left", "orbit left")),
        _view_3d("right", "Turn to the right", View3DPanel.turn, (1,), ("Right",),
                 words=("rotate right", "orbit right")),
        _view_3d("up", "Tilt away", View3DPanel.tilt, (1,), ("Up",),
                 words=("rotate up", "tilt back")),
        _view_3d("down", "Tilt towards", View3DPanel.tilt, (-1,), ("Down",),
                 words=("rotate down", "tilt forward")),
        _view_3d("flat", "Flat, or lifted again", View3DPanel.flatten, (), ("Home",),
                 words=("flatten", "unlift")),
        _view_3d("fit", "Fit the page into the view", View3DPanel.zoom_fit, (), ("End",),
                 words=("fit 3d view", "reset camera")),
        _view_3d("lower", "Leave out the highest level", View3DPanel.cut_by, (-1,), ("PgDown",),
                 words=("peel off level", "hide top level")),
        _view_3d("higher", "Show one level more", View3DPanel.cut_by, (1,), ("PgUp",),
                 words=("restore level", "show top level")),
        _view_3d("colour", "Next meaning of colours", View3DPanel.next_coloring, (), ("Space",),
                 "Depth, block, method, score or none",
                 words=("colour by", "change 3d colours")),
        _view_3d("widen", "Frame the parent", Workbench.walk, ("parent",), ("Shift+Up",),
                 words=("parent in 3d", "expand 3d frame")),
        _view_3d("narrow", "Frame the child", Workbench.walk, ("child",), ("Shift+Down",),
                 words=("child in 3d", "shrink 3d frame")),
        _view_3d("next", "Frame the next element", Workbench.walk, ("next",), ("Shift+Right",),
                 words=("next element in 3d", "following 3d element")),
        _view_3d("previous", "Frame the previous element", Workbench.walk, ("previous",),
                 ("Shift+Left",),
                 words=("previous element in 3d", "preceding 3d element")),
        _view_3d("pick", "Select the framed element", View3DPanel.pick_candidate, (),
                 ("Return", "Enter"),
                 words=("select in 3d", "pick 3d element")),
    ),
)  # fmt: skip
