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
    """The limit of `engine.memory`; what the command line or the environment says goes first."""

    def __init__(self, settings: QSettings, field: QuickPick, session: Session) -> None:
        self._settings, self._field, self._session = settings, field, session
        stored = str(settings.value(_KEY, ""))
        if stored and memory.VARIABLE not in os.environ:
            with suppress(InputError):  # somebody has edited the file
                memory.set_limit(stored)

    def ask(self) -> None:
        self._field.ask(
            f"Memory for a page in GB, {memory.limit() / 1e9:g} now",
            f"{memory.DEFAULT_GB:g}",
            self._take,
            [
                Choice(each, "GB, the default" if float(each) == memory.DEFAULT_GB else "GB")
                for each in _OFFERED
            ],
        )

    def _take(self, text: str) -> None:
        number = text.strip()
        if number.upper().endswith("GB"):
            number = number[:-2].strip()
        try:
            gigabytes = memory.checked(number, "memory for a page")
        except InputError as error:
            self._session.messages.say(str(error))
            return
        memory.set_limit(number)
        self._settings.setValue(_KEY, f"{gigabytes:g}")
        self._settings.sync()
        self._session.messages.say(f"a page may take {gigabytes:g} GB of memory from now on")
