"""Choice of the documentation page to open."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gui.core.workbench import Workbench
from gui.features.help.view import HelpView

FIRST_STEPS = "start.md#3-mark"
"""Page that Help opens while no page is open."""


class HelpController(QObject):
    """Actions of the Help menu."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session = workbench.session
        self._main_area, self._guides = workbench.main_area, workbench.guides

    def open(self, target: str) -> None:
        """Show a page of the documentation."""
        view = self._main_area.get(HelpView)
        self._main_area.show(view)
        view.open_at(target)

    def copy_report(self) -> None:
        """Copy the report of the last unexpected error."""
        QGuiApplication.clipboard().setText(self._session.messages.error_report)
        self._session.messages.say(
            "the error report is copied: paste it where you report the fault"
        )

    def toggle(self) -> None:
        """Show the documentation page for the focused widget, or return to the view before."""
        if self._main_area.shows(HelpView):
            self._main_area.toggle(HelpView)
        elif self._session.open.document is None:
            self.open(FIRST_STEPS)
        else:
            self.open(self.guide_of(self._main_area.desk.window().focusWidget()))

    def guide_of(self, widget: QWidget | None) -> str:
        """Return the page of a widget's feature; "start.md" if it has none."""
        while widget is not None:
            for name in type(widget).__module__.split("."):
                if name in self._guides:
                    return self._guides[name]
            if type(widget).__module__.startswith("gui.page."):
                return self._guides["marks"]
            widget = widget.parentWidget()
        return "start.md"
