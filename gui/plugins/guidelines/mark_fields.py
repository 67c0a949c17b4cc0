"""The guideline's own fields of a mark: asked for in the field over the page."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from annotate.marks import edits
from annotate.marks.gold import Mark
from annotate.marks.guideline import OwnField
from engine.words import plural
from gui.core.workbench import Workbench
from gui.plugins.guidelines.cropper import title_of
from gui.plugins.guidelines.state import GuidelineState
from gui.widgets.quick_pick import Choice

_NONE = "no value"


class MarkFields(QObject):
    """Actions on the fields of the selected marks, or of the one under the mouse."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._state = workbench.session.get(GuidelineState)

    def ask(self) -> None:
        """Ask which field, those without a value first, and then for its value."""
        marks, field = self._session.selection.meant_marks(), self._workbench.main_area.field
        self._session.selection.set_selected([mark.id for mark in marks])
        found = self._fields(marks)
        if not found:
            kind = next((title_of(mark) for mark in marks), "") or "marks without a type"
            self._session.messages.say(
                f"the guideline has no fields of {kind}: write them below ## Fields on its page"
            )
            return
        values = dict(marks[-1].fields)
        found = tuple(sorted(found, key=lambda each: each.name in values))
        choices = [Choice(each.name, values.get(each.name, each.kind)) for each in found]
        field.ask("Field of the mark", "Its name", self.ask_value, choices)

    def ask_value(self, name: str) -> None:
        """Ask for the value of a field."""
        marks = self._session.selection.meant_marks()
        own = next((each for each in self._fields(marks) if each.name == name), None)
        if own is None:
            self._session.messages.say(f"the guideline has no field {name} of these marks")
            return
        now = dict(marks[-1].fields).get(name, "")
        choices = [Choice(each) for each in own.choices]
        choices += [Choice(_NONE, f"now {now}")] if now else []
        text = "" if own.choices else now
        taken = partial(self._set, own)
        self._workbench.main_area.field.ask(
            name, own.kind, taken, choices, text, is_whole=lambda _typed: not own.choices
        )

    def _set(self, own: OwnField, text: str) -> None:
        marks = self._session.selection.meant_marks()
        ids = [mark.id for mark in marks]
        with self._session.messages.errors():
            value = own.checked("" if text == _NONE else text)
            what = f"set {own.name} of {plural(len(ids), 'mark')}"
            self._workbench.marking.change(
                what, lambda gold, _nodes: edits.set_field(gold, ids, own.name, value)
            )
            values = dict(self._session.selection.meant_marks()[-1].fields)
            if any(each.name not in values for each in self._fields(marks)) and value:
                self.ask()

    def _fields(self, marks: Sequence[Mark]) -> tuple[OwnField, ...]:
        """Return the fields that all these marks have."""
        lists = [self._state.guideline.fields(title_of(mark)) for mark in marks]
        return tuple(x for x in lists[0] if all(x in each for each in lists)) if lists else ()
