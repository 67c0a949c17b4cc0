"""The features of the window: the one list."""

from PySide6.QtWidgets import QWidget

from gui.core.feature import Feature
from gui.core.workbench import Workbench
from gui.features.checks import feature as checks
from gui.features.drafts import feature as drafts
from gui.features.errors import feature as errors
from gui.features.evaluate import feature as evaluate
from gui.features.exchange import feature as exchange
from gui.features.figure import feature as figure
from gui.features.freezing import feature as freezing
from gui.features.layers import feature as layers
from gui.features.marks import feature as marks
from gui.features.outline import feature as outline
from gui.features.page_diff import feature as page_diff
from gui.features.pages import feature as pages
from gui.features.presentation import feature as presentation
from gui.features.review import feature as review
from gui.features.side_by_side import feature as side_by_side
from gui.features.source import feature as source
from gui.features.suggestions import feature as suggestions
from gui.features.team import feature as team
from gui.features.transfer import feature as transfer
from gui.features.view_3d import feature as view_3d
from gui.features.why import feature as why

FEATURES: tuple[Feature, ...] = (
    pages.FEATURE,
    outline.FEATURE,
    marks.FEATURE,
    drafts.FEATURE,
    transfer.FEATURE,
    freezing.FEATURE,
    layers.FEATURE,
    figure.FEATURE,
    source.FEATURE,
    errors.FEATURE,
    suggestions.FEATURE,
    review.FEATURE,
    team.FEATURE,
    exchange.FEATURE,
    checks.FEATURE,
    why.FEATURE,
    evaluate.FEATURE,
    side_by_side.FEATURE,
    page_diff.FEATURE,
    view_3d.FEATURE,
    presentation.FEATURE,
)
"""In this order controllers are made, tabs stand, and headings of the `?` overlay come."""


def add_features(workbench: Workbench) -> None:
    """Add what acts and what is drawn of every feature to a workbench; once for each workbench."""
    for feature in FEATURES:
        for make in feature.controllers:
            workbench.add(make(workbench))
    for feature in FEATURES:
        for draw in feature.extras:
            workbench.drawing.add(draw(workbench))


def guide_of(widget: QWidget | None) -> str:
    """Return the page of the documentation on the feature a widget is of; "start.md" for none."""
    guides = {feature.name: feature.guide for feature in FEATURES}
    while widget is not None:
        name = type(widget).__module__.removeprefix("gui.features.").partition(".")[0]
        if guide := guides.get(name) or _GUIDES.get(name):
            return guide
        if type(widget).__module__.startswith("gui.page."):
            return guides["marks"]
        widget = widget.parentWidget()
    return "start.md"


_GUIDES = {"agreement": "agreement.md", "site": "sites.md"}
"""Views without a declaration of their own: their actions are the window's."""
