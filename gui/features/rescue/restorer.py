"""Earlier states of the workspace, listed with date and counts, to continue with one."""

from datetime import datetime

from PySide6.QtCore import QObject

from annotate.workspace import backups
from annotate.workspace.backups import Backup
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.quick_pick import Choice


class Restorer(QObject):
    """Lists the backups of the workspace, and continues with a chosen one."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench

    def ask(self) -> None:
        """Ask which backup to continue with, the newest first."""
        workspace, say = self._workbench.workspace, self._workbench.session.messages.say
        with self._workbench.session.messages.errors():
            there = {_name(each): each for each in backups.listed(workspace.path)}
            if not there:
                say("there is no backup yet: one is made when Pagelet starts, and every few hours")
                return
            ((marks,),) = workspace.store.all("SELECT count(*) FROM marks")
            self._workbench.main_area.field.ask(
                f"Earlier states; what is here now ({plural(marks, 'mark')}) is kept",
                "A date",
                lambda name: self._restore(there.get(name)),
                [Choice(name, _counts(each, marks)) for name, each in there.items()],
                more=lambda _text, _choices: (),
            )

    def _restore(self, backup: Backup | None) -> None:
        if backup is not None and self._workbench.saving.is_safe():
            self._workbench.workspace.save_late()
            self._workbench.restoring.put_back(backup)


def _name(backup: Backup) -> str:
    """Return when a backup was made, as the user's clock has it."""
    at = backup.made.astimezone()
    is_today = at.date() == datetime.now(at.tzinfo).date()
    day = "Today" if is_today else f"{at:%A, %d %B %Y}".replace(" 0", " ")
    before = backup.path.stem.rpartition(" ")[0]
    why = {"": "", "restored": ", before an earlier state was taken"}
    return f"{day}, {at:%H:%M:%S}{why.get(before, ', before the file was converted')}"


def _counts(backup: Backup, now: int) -> str:
    more = backup.marks - now
    change = f" ({more:+d})".replace("-", "−") if more else ""
    return f"{plural(backup.pages, 'page')}, {plural(backup.marks, 'mark')}{change}"
