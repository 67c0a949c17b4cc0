"""The features of the window: the one list."""

from functools import partial
from importlib import import_module

from gui.core.feature import Feature
from gui.core.workbench import Workbench

FEATURES: tuple[Feature, ...] = tuple(
    import_module(f"gui.features.{name}.feature").FEATURE
    for name in (
        "pages",
        "outline",
        "marks",
        "drafts",
        "transfer",
        "freezing",
        "export",
        "layers",
        "learning",
        "method_editor",
        "figure",
        "extract",
        "source",
        "errors",
        "disagreement",
        "suggestions",
        "review",
        "audit",
        "triage",
        "unsure",
        "team",
        "team_folder",
        "exchange",
        "checks",
        "guideline",
        "why",
        "evaluate",
        "changes",
        "agreement",
        "museum",
        "site",
        "side_by_side",
        "page_diff",
        "view_3d",
        "presentation",
        "tour",
        "help",
        "palette",
    )
)
"""In this order controllers are made, tabs stand, and headings of the `?` overlay come."""


def add_features(workbench: Workbench) -> None:
    """Add what acts, is shown and drawn of every feature to a workbench; once for each."""
    for feature in FEATURES:
        workbench.guides[feature.name] = feature.guide
        for row in feature.views:
            workbench.main_area.offer(row.kind, partial(row.make, workbench), row.where or "")
    for feature in FEATURES:
        for make in feature.controllers:
            workbench.add(make(workbench))
    for feature in FEATURES:
        for draw in feature.extras:
            workbench.drawing.add(draw(workbench))
