"""A type renamed in the whole workspace, or joined to another, as one step to undo."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand

from annotate.workspace import retyping
from annotate.workspace.retyping import Retyped, retype, take_back
from annotate.workspace.stored_guideline import stored_guideline
from engine.errors import InputError, PageletError
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.marks.type_prompt import type_choices
from gui.widgets.quick_pick import Choice


class Retyper(QObject):
    """Renames types everywhere; marks, guideline, letters and lists follow."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        workbench.page_session.moves_everywhere = self.move
        workbench.requests.others_marked.connect(self._read)
        self._read()

    def ask(self) -> None:
        """Ask which type, then for its new name; both list the types there are."""
        with self._session.messages.errors():
            counts = retyping.types(self._workbench.workspace.store)
            choices = [Choice(name, plural(count, "mark")) for name, count in counts.items()]
            choices += [each for each in type_choices(self._session) if each.text not in counts]
            field = self._workbench.main_area.field
            field.ask("Which type to rename everywhere", "Type", self.ask_name, choices)

    def ask_name(self, old: str) -> None:
        """Ask for the new name of a type."""
        self._workbench.main_area.field.ask(
            f"New name of {old}: an existing one joins both",
            "A name",
            partial(self.rename, old),
            [each for each in type_choices(self._session) if each.text != old],
        )

    def rename(self, old: str, new: str) -> None:
        """Give all marks of a type another name."""
        self._workbench.page_session.history.push(_RenameType(self, old, new))

    def move(self, what: str, by: int) -> bool:
        """Take a renaming back (-1), or do it again (1); return whether it is one."""
        names = retyping.names_of(what)
        if names is None:
            return False
        command = _RenameType(self, *names, is_past=True)
        if by < 0:
            command.undo()
            self._session.messages.say(f"undone: {what}")
        else:
            command.redo()
        return True

    def put(self, old: str, new: str, *, is_undo: bool, is_redo: bool) -> Retyped | None:
        """Change the file and show the open page again; None, with a message, on failure."""
        workbench, say = self._workbench, self._session.messages.say
        if not workbench.saving.is_safe():
            return None
        store = workbench.workspace.store
        try:
            with store.saving():
                if is_undo:
                    done = take_back(store, retyping.name_of(old, new))
                else:
                    done = retype(store, old, new, "redo" if is_redo else "edit")
        except InputError as error:
            say(str(error))
            return None
        except PageletError as error:
            say(f"not saved: {error}")
            return None
        workbench.page_session.read_again()
        workbench.requests.others_marked.emit()
        workbench.pages.refresh()
        if not is_undo:
            say(f"{done.summary}: {old} is {new} now; undo takes all of it back")
        return done

    def _read(self) -> None:
        """Follow the names that the guideline gives; marks that have not followed are named."""
        with self._session.messages.errors():
            store = self._workbench.workspace.store
            own = stored_guideline(store)
            former = own.former if own is not None else {}
            if former == self._session.former_types:
                return
            self._session.former_types = former
            counts = retyping.types(store)
            left = next((old for old in former if counts[old]), None)
            if left is not None:
                self._session.messages.say(
                    f"the guideline calls {left} {former[left]} now, and "
                    f"{plural(counts[left], 'mark')} here has the former name: Rename a type "
                    "everywhere changes that"
                )


class _RenameType(QUndoCommand):
    """Renames a type in the workspace; obsolete where that failed."""

    def __init__(self, host: Retyper, old: str, new: str, *, is_past: bool = False) -> None:
        new = " ".join(new.split())
        super().__init__(retyping.name_of(old, new))
        self._host, self._old, self._new, self._is_redo = host, old, new, is_past

    def redo(self) -> None:
        done = self._host.put(self._old, self._new, is_undo=False, is_redo=self._is_redo)
        self.setObsolete(done is None)
        self._is_redo = True

    def undo(self) -> None:
        self._host.put(self._old, self._new, is_undo=True, is_redo=False)
