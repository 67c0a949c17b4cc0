"""The picture of the audit."""

from annotate.workspace.workspace import page_key
from gui.plugins.audit.controller import AuditController
from gui.plugins.audit.panel import AuditDock
from gui.plugins.audit.state import AuditWalk
from gui.window.window import Window
from tests.gui.scenes import Scene, rest, wait


def audited(window: Window) -> None:
    """Show the audit of the gold of the sample pages at its first finding."""
    window.workbench.get(AuditController).toggle()
    walk = window.session.get(AuditWalk)
    wait(lambda: walk.total > 0 and not walk.is_running, 120)
    walk.choose(0)
    part = walk.current
    assert part is not None
    wait(lambda: page_key(window.session.open.document) == part.page, 20)
    wait(lambda: window.session.open.page is not None, 60)
    rest(500)
    window.panel(AuditDock).raise_()


SCENES = {"audit-light": Scene(audited, (1300, 812))}
