"""Shows or hides where methods disagree."""

from PySide6.QtCore import QObject

from engine.words import plural
from gui.core.workbench import Workbench
from gui.plugins.disagreement.state import DisagreementMap, disagreement, extractions


class Disagreements(QObject):
    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session = workbench.session
        self._state = self._session.get(DisagreementMap)

    def toggle(self) -> None:
        """Show or hide the disagreement of the visible methods of main content."""
        session, page = self._session, self._session.open.page
        results = extractions(session)
        if self._state.is_shown:
            self._state.show(False)
        elif page is None or len(results) < 2:
            session.messages.say(
                "show two methods of main content first, by the eye before their names"
            )
        else:
            count = len(disagreement(page, results))
            session.messages.say(f"{len(results)} methods disagree on {plural(count, 'text')}")
            self._state.show(True)
