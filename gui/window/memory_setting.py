"""How much memory a page may take, as the user has set it in the window: stored over restarts."""

import os
from contextlib import suppress

from PySide6.QtCore import QSettings

from engine import memory
from engine.errors import InputError
from gui.state.session import Session
from gui.widgets.quick_pick import Choice, QuickPick

_KEY = "memory"
_OFFERED = ("1", "1.5", "2", "4", "8")


class MemorySetting:
    """The limit of `engine.memory`; the command line and the environment take precedence."""

    def __init__(self, settings: QSettings, field: QuickPick, session: Session) -> None:
        self._settings, self._field, self._session = settings, field, session
        stored = str(settings.value(_KEY, ""))
        if stored and memory.VARIABLE not in os.environ:
            with suppress(InputError):  # somebody has edited the file
                memory.set_limit(stored)

    def ask(self) -> None:
        title, usual = f"Memory for a page in GB, {memory.limit() / 1e9:g} now", memory.DEFAULT_GB
        remarks = ("GB, the default" if float(each) == usual else "GB" for each in _OFFERED)
        self._field.ask(title, f"{usual:g}", self._take, list(map(Choice, _OFFERED, remarks)))

    def _take(self, text: str) -> None:
        number = text.strip()
        if number.upper().endswith("GB"):
            number = number[:-2].strip()
        messages = self._session.messages
        with messages.errors():
            gigabytes = memory.check_limit(number, "memory for a page")
            memory.set_limit(number)
            self._settings.setValue(_KEY, f"{gigabytes:g}")
            self._settings.sync()
            messages.say(f"a page may take {gigabytes:g} GB of memory from now on")
