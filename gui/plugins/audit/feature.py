"""Audit: probable errors in the gold of the open pages, one by one."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_with
from gui.core.overlay_sync import HiddenLayers, PageOverlay
from gui.core.when import ON_PAGE, WITH_DOCUMENT
from gui.core.workbench import Workbench
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec
from gui.plugins.audit.controller import AuditController
from gui.plugins.audit.panel import AuditDock, audit_specs
from gui.plugins.audit.state import AuditWalk


def _drawn(workbench: Workbench) -> PageOverlay:
    walk = workbench.session.get(AuditWalk)

    def specs(pieces: PageNumberings) -> list[LayerSpec]:
        part = walk.current
        auditing = workbench.get(AuditController)
        return [] if part is None else audit_specs(part, auditing.rows, auditing.ranges, pieces)

    return PageOverlay(
        specs, lambda: walk.is_shown and walk.current is not None,
        (walk.shown_changed, walk.index_changed, workbench.session.open.page_changed),
        HiddenLayers.METHODS,
    )  # fmt: skip


FEATURE = Feature(
    "audit",
    after="review",
    guide="audit.md",
    controllers=(AuditController,),
    overlays=(_drawn,),
    panels=(Panel("audit", dock_with(AuditDock, AuditController), "outline", AuditWalk),),
    actions=(
        Action("audit", "Check the gold of all pages", "Review ▸ Check gold",
               AuditController.toggle, keys=("Ctrl+Shift+G",), icon="check", when=WITH_DOCUMENT,
               line=True, order=210,
               help="Lists content, blocks and types that are probably wrong, with reasons",
               words=("audit gold", "find annotation errors", "wrong labels", "quality of gold"),
               context=(Context.PAGES,)),
        Action("audit-next", "Next part to check", "Review ▸ Check gold", AuditController.step,
               (1,), ("Ctrl+G",), when=WITH_DOCUMENT, order=220,
               help="The next suspicious part, on any page",
               words=("next suspicious mark", "next gold error")),
        Action("audit-previous", "Previous part to check", "Review ▸ Check gold",
               AuditController.step, (-1,), ("Ctrl+Alt+G",), when=WITH_DOCUMENT, order=230,
               help="The suspicious part before, on any page",
               words=("previous suspicious mark", "previous gold error")),
        Action("audit-fix", "Fix the gold here", "Review ▸ Check gold", AuditController.fix,
               keys=("Shift+F",), when=ON_PAGE, order=240,
               help="Marks a missing part, removes a superfluous one, changes a wrong type",
               words=("correct gold", "repair annotation")),
        Action("audit-keep", "Keep the gold here", "Review ▸ Check gold", AuditController.keep,
               keys=("Shift+K",), when=ON_PAGE, order=250,
               help="Gold is right: not listed again; undo lists it",
               words=("gold is right", "dismiss suspicion", "not an error")),
        Action("audit-ask", "Ask about the gold here", "Review ▸ Check gold", AuditController.ask,
               keys=("Shift+H",), when=ON_PAGE, order=260,
               help="A question on the page, with the reasons, for the others to answer",
               words=("question about gold", "unclear gold", "discuss suspicion")),
    ),
)  # fmt: skip
