"""The features of the window: those of the core in one list, and those of plug-ins."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module

from engine import plugin
from gui.core.feature import Feature
from gui.core.workbench import Workbench

_CORE: tuple[Feature, ...] = tuple(
    import_module(f"gui.features.{name}.feature").FEATURE
    for name in (
        "pages",
        "outline",
        "marks",
        "history",
        "drafts",
        "freezing",
        "export",
        "layers",
        "extract",
        "source",
        "errors",
        "triage",
        "unsure",
        "checks",
        "why",
        "evaluate",
        "help",
        "rescue",
        "palette",
    )
)


def _with_added(features: Sequence[Feature], added: Sequence[Feature]) -> tuple[Feature, ...]:
    """Return features with those of plug-ins, each behind the one that it names or at the end."""
    result, left = [*features], [*added]
    while left:
        names = [feature.name for feature in result]
        placed = next((feature for feature in left if feature.after in names), left[0])
        left.remove(placed)
        place = names.index(placed.after) + 1 if placed.after in names else len(names)
        result.insert(place, placed)
    return tuple(result)


FEATURES = _with_added(_CORE, tuple(plugin.objects("feature", Feature)))
"""Order of controllers, panel tabs and headings in the `?` overlay."""


def add_features(workbench: Workbench) -> None:
    """Add what acts, is shown and drawn of every feature to a workbench; once for each."""
    for feature in FEATURES:
        workbench.guides[feature.name] = feature.guide
        for row in feature.views:
            workbench.main_area.offer(row.kind, partial(row.make, workbench), row.where)
    for feature in FEATURES:
        for make in feature.controllers:
            workbench.add(make(workbench))
    for feature in FEATURES:
        for draw in feature.overlays:
            workbench.drawing.add(draw(workbench))
