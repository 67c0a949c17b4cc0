"""Layers: visible methods, their style and parameters, and their scores."""

from collections.abc import Iterable

from PySide6.QtWidgets import QWidget

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, Side, dock_with
from gui.core.method_watch import MethodWatch
from gui.core.runner import Runner
from gui.core.when import ON_PAGE, When
from gui.core.workbench import Workbench
from gui.features.freezing.feature import FreezingController
from gui.features.layers.controller import ShownLayers
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.state.layers import GOLD_LAYERS

__all__ = ["FEATURE", "ShownLayers"]


def _layer_toggles() -> Iterable[Action]:
    for number in range(1, 10):
        yield Action(
            f"layer-{number}", f"Show or hide layer {number}", "", ShownLayers.toggle_at,
            (number - 1,), (f"Ctrl+{number}",), section="Methods", in_presentation=True,
            words=(f"toggle layer {number}", f"visibility of layer {number}"),
        )  # fmt: skip


def _details(workbench: Workbench, window: QWidget) -> DetailsDock:
    details, freezing = DetailsDock(workbench.session, window), workbench.get(FreezingController)
    details.certificate.verify_requested.connect(freezing.verify)
    details.certificate.row_requested.connect(workbench.select_row)
    freezing.verified.connect(details.certificate.show_certificate)
    details.rounds.reached.connect(workbench.canvas.scroll_to)
    return details


METHOD_CURRENT = When(
    "choose a method in the Methods panel first",
    lambda now: now.session.layers.current_layer not in GOLD_LAYERS,
)

FEATURE = Feature(
    "layers",
    guide="layers.md",
    controllers=(ShownLayers, lambda workbench: MethodWatch(workbench.session, workbench)),
    panels=(
        Panel("layers", dock_with(LayersDock, ShownLayers), Side.RIGHT),
        Panel("details", _details, Side.RIGHT),
    ),
    actions=(
        Action("run-again", "Run all methods again", "Methods", Runner.run_all,
               keys=("Ctrl+Return",), icon="reload", when=ON_PAGE, order=10,
               words=("recompute", "rerun methods", "refresh results")),
        Action("toggle-layer", "Show or hide the current layer", "Methods",
               ShownLayers.toggle_current, keys=("X",), icon="eye", order=20,
               words=("layer visibility", "hide method"),
               context=(Context.LAYER,)),
        Action("solo-layer", "Only the current layer", "Methods", ShownLayers.solo_current,
               is_on=lambda now: bool(now.session.layers.solo),
               keys=("Shift+X",), icon="solo", order=30,
               words=("isolate layer", "show one method alone")),
        Action("gold-only", "Only gold", "Methods",
               ShownLayers.toggle_gold_only, keys=("Shift+G",),
               help="To judge before seeing what methods found; again: the methods, too", order=40,
               is_on=lambda now: now.session.layers.is_gold_only,
               words=("judge first", "hide methods", "blind annotation")),
        Action("labels", "Labels on marks and blocks", "Methods", ShownLayers.toggle_labels,
               keys=("Shift+L",), help="Hide them where they cover text to be read",
               is_on=lambda now: now.session.layers.has_labels,
               in_presentation=True, order=50,
               words=("show type names", "hide captions", "tags on blocks")),
        Action("occurrence", "How often blocks stand on the site", "Methods ▸ Heat maps",
               ShownLayers.toggle_occurrence, keys=("Ctrl+Shift+H",), when=ON_PAGE,
               help="A heat map; the slider below the layers sets the least share of pages",
               is_on=lambda now: now.session.layers.occurrence.is_shown,
               order=60,
               words=("site frequency", "heat map of repetition", "boilerplate heat map")),
        Action("copy-extract", "Copy the current layer's text", "Methods ▸ Text",
               ShownLayers.copy_current_extract, keys=("Ctrl+Shift+C",), icon="copy",
               when=ON_PAGE, order=70,
               words=("copy extracted text", "copy result to clipboard")),
        Action("own-layers", "My layers", "Methods", ShownLayers.return_own,
               keys=("Shift+Esc",), help="After a cell of the Evaluate view has shown others",
               order=80,
               words=("restore layers", "leave guest layers")),
        Action("add-method", "Add a method…", "Methods", LayersDock.choose_method,
               keys=("Alt+Shift+L",),
               icon="plus", help="Found by its name or by what it does", order=90,
               words=("new algorithm", "add extractor", "add segmenter", "compare another method")),
        Action("reset-methods", "Reset all methods to as published", "Methods",
               ShownLayers.reset_methods, order=88,
               help="Parameters that were changed are marked by a star",
               words=("default parameters", "undo parameter changes", "published settings")),
        Action("layer-up", "Move the layer up", "Methods ▸ Current layer",
               ShownLayers.move_current, (-1,),
               when=METHOD_CURRENT, line=True, order=92, context=(Context.LAYER,),
               words=("raise layer", "layer order")),
        Action("layer-down", "Move the layer down", "Methods ▸ Current layer",
               ShownLayers.move_current, (1,),
               when=METHOD_CURRENT, order=94, context=(Context.LAYER,),
               words=("lower layer", "layer order down")),
        Action("layer-style", "Colour and line…", "Methods ▸ Current layer", LayersDock.pick_style,
               order=104, context=(Context.LAYER,),
               words=("change colour", "line style", "dash pattern")),
        Action("layer-remove", "Remove the layer", "Methods ▸ Current layer",
               ShownLayers.remove_current,
               icon="delete", when=METHOD_CURRENT, order=96, context=(Context.LAYER,),
               words=("delete layer", "take method away")),
        Action("all-measures", "All measures of the current layer", "Methods",
               DetailsDock.toggle_measures, keys=("Ctrl+M",), when=ON_PAGE, line=True,
               help="Each with its definition", order=100,
               words=("metrics", "f1 precision recall", "scores in detail")),
        Action("step-on", "Next step of its rounds", "Methods ▸ Rounds", DetailsDock.step, (1,),
               ("Alt+Right",), when=ON_PAGE,
               help="For methods that work in rounds, such as VIPS",
               order=120,
               words=("next iteration", "step forward in algorithm")),
        Action("step-back", "Previous step of its rounds", "Methods ▸ Rounds",
               DetailsDock.step, (-1,),
               ("Alt+Left",), when=ON_PAGE, order=130,
               words=("previous iteration", "step backward in algorithm")),
        *_layer_toggles(),
    ),
)  # fmt: skip
