"""The features of the window: the one list."""

from functools import partial

from gui.core.feature import Feature
from gui.core.workbench import Workbench
from gui.features.agreement import feature as agreement
from gui.features.checks import feature as checks
from gui.features.disagreement import feature as disagreement
from gui.features.drafts import feature as drafts
from gui.features.errors import feature as errors
from gui.features.evaluate import feature as evaluate
from gui.features.exchange import feature as exchange
from gui.features.export import feature as export
from gui.features.extract import feature as extract
from gui.features.figure import feature as figure
from gui.features.freezing import feature as freezing
from gui.features.guideline import feature as guideline
from gui.features.help import feature as help_
from gui.features.layers import feature as layers
from gui.features.marks import feature as marks
from gui.features.outline import feature as outline
from gui.features.page_diff import feature as page_diff
from gui.features.pages import feature as pages
from gui.features.palette import feature as palette
from gui.features.presentation import feature as presentation
from gui.features.review import feature as review
from gui.features.side_by_side import feature as side_by_side
from gui.features.site import feature as site
from gui.features.source import feature as source
from gui.features.suggestions import feature as suggestions
from gui.features.team import feature as team
from gui.features.tour import feature as tour
from gui.features.transfer import feature as transfer
from gui.features.unsure import feature as unsure
from gui.features.view_3d import feature as view_3d
from gui.features.why import feature as why

FEATURES: tuple[Feature, ...] = (
    pages.FEATURE,
    outline.FEATURE,
    marks.FEATURE,
    drafts.FEATURE,
    transfer.FEATURE,
    freezing.FEATURE,
    export.FEATURE,
    layers.FEATURE,
    figure.FEATURE,
    extract.FEATURE,
    source.FEATURE,
    errors.FEATURE,
    disagreement.FEATURE,
    suggestions.FEATURE,
    review.FEATURE,
    unsure.FEATURE,
    team.FEATURE,
    exchange.FEATURE,
    checks.FEATURE,
    guideline.FEATURE,
    why.FEATURE,
    evaluate.FEATURE,
    agreement.FEATURE,
    site.FEATURE,
    side_by_side.FEATURE,
    page_diff.FEATURE,
    view_3d.FEATURE,
    presentation.FEATURE,
    tour.FEATURE,
    help_.FEATURE,
    palette.FEATURE,
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
