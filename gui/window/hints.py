"""Hint of the status bar: the effect of mouse and keys now, in one line."""

from collections.abc import Callable

from annotate.marks.edits import is_main
from annotate.marks.gold import MarkState, Target
from engine.words import in_one_line
from gui.core.workbench import Workbench
from gui.state.describe import describe
from gui.state.selection import Mode

BETWEEN = " · "

Key = Callable[[str], str]
"""Returns the shortcut of an action as it is written; "" for none."""

_BY_MODE = {
    Mode.SELECT: "Click a mark · {mode-main} {mode-1} {mode-2} mark · Shift-click adds · "
    "Right click: more",
    Mode.MAIN: "Click: add or take out · Drag: what lies in the box · {widen} wider · "
    "Over text: a part of it",
    Mode.LEVEL_1: "Click: mark a block · Drag: all in the box · {widen} wider · "
    "A letter: the type of the next",
    Mode.LEVEL_2: "Click: mark a block · Drag: all in the box · {widen} wider · "
    "A letter: the type of the next",
    Mode.WHY: "Click: why it was kept or dropped · {error-next} next error · {task-mark} marks",
}
_FRAMED = "Click or Enter: {1} {0} · {widen} wider · {narrow} narrower · Esc"
_DRAFT = "{confirm} right · Letter: right, with this type · Del · {confirm-all} all in view"
_MARK = "Letter: type · {widen} to parent · {ungroup} ungroup · Del"
_READ = "Click: a mark · {mode-why} then click: why · {task-mark} marks"


def hint(now: Workbench, key: Key, *, marks: bool = True) -> str:
    """Return the effect of mouse and keys now; "" for none.

    ``marks`` tells whether the view is one to mark in.
    """
    view, session = now.main_area.current, now.session
    if view is not now.main_area.page:
        return _filled(view.hint, key)
    page, selection = session.open.page, session.selection
    if page is None or page.nodes is None:
        return ""
    framed, mode = selection.candidate, selection.mode
    if 0 <= framed < len(page.nodes) and mode not in (Mode.SELECT, Mode.WHY):
        is_taken = mode is Mode.MAIN and is_main(session.open.gold, page.nodes, Target(framed))
        name = in_one_line(describe(page.nodes, framed))  # an id may have line breaks
        return _filled(_FRAMED, key, name, "take out" if is_taken else "take")
    chosen = selection.selected_marks()
    if chosen and mode is not Mode.WHY and marks:
        is_draft = any(mark.state is not MarkState.EXACT for mark in chosen)
        return _filled(_DRAFT if is_draft else _MARK, key)
    return _filled(_READ if mode is Mode.SELECT and not marks else _BY_MODE[mode], key)


def _filled(words: str, key: Key, *names: str) -> str:
    """Write the keys of actions into a hint; parts whose action has none are left out."""
    result = []
    for part in words.split(BETWEEN):
        pieces = part.split("{")
        said = pieces[0]
        is_whole = True
        for piece in pieces[1:]:
            name, _, rest = piece.partition("}")
            word = names[int(name)] if name.isdigit() else key(name)
            is_whole = is_whole and bool(word)
            said += word + rest
        if is_whole:
            result.append(said)
    return BETWEEN.join(result)
