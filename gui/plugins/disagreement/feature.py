"""Disagreement: which texts of the page some methods keep and others drop."""

from gui.core.action import Action, Context
from gui.core.feature import Feature
from gui.core.overlay_sync import HiddenLayers, PageOverlay
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec, heat_spec
from gui.plugins.disagreement.controller import (
    DisagreementMap,
    Disagreements,
    disagreement,
    extractions,
)


def _drawn(workbench: Workbench) -> PageOverlay:
    session = workbench.session
    state = session.get(DisagreementMap)

    def specs(pieces: PageNumberings) -> list[LayerSpec]:
        page, results = session.open.page, extractions(session)
        if page is None or len(results) < 2:
            return []
        return [{**heat_spec(disagreement(page, results), pieces), "id": "disagreement"}]

    return PageOverlay(specs, lambda: state.is_shown, (state.shown_changed,), HiddenLayers.METHODS)


FEATURE = Feature(
    "disagreement",
    after="errors",
    guide="triage.md",
    controllers=(Disagreements,),
    overlays=(_drawn,),
    actions=(
        Action("disagreement", "Where methods disagree", "Methods ▸ Heat maps",
               Disagreements.toggle,
               when=ON_PAGE, order=65, context=(Context.MAIN,),
               is_on=lambda now: now.session.get(DisagreementMap).is_shown,
               help="A heat map: strongest where half of the methods shown keep the text",
               words=("heat map of disagreement", "conflicts of methods", "vote of methods")),
    ),
)  # fmt: skip
