"""The journal of a page's gold: its changes, in order; states and undo are rebuilt from it.

A state is the records of all marks as JSON texts, by id, in the order the marks were made.  A delta
has the records that were set, the marks that were removed, and the new order if it is not the old
one followed by new records.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from annotate.marks.gold import Gold, Mark
from annotate.marks.records import read_json

HistoryStep = Literal["edit", "undo", "redo"]
"""How a change came about."""

ALSO = "and "
"""Begins what belongs to the change before it: both are one step to undo, though each was saved."""

CAME_WITH_PAGE = "marks that came with the page"
"""The change that takes these in: where a page begins, so that nobody undoes it by mistake."""

BROUGHT_BACK = "bring back dropped drafts"
"""The change that makes dropped drafts drafts again."""

Records = dict[str, str]
"""Mark's id → its record as JSON."""

GAPS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What rebuilding states raises where the journal is damaged."""


@dataclass(frozen=True)
class Revision:
    """A change of a page's gold.

    Attributes:
        number: 1 for a page's first change.
        made: Time, UTC in ISO 8601.
        what: The change, in the user's words.
        step: Whether it was an edit, or an edit undone or done again.
    """

    number: int
    made: str
    what: str
    step: HistoryStep


@dataclass(frozen=True)
class PastChange:
    """An edit of a page's gold, as the journal has it.

    Attributes:
        revision: The edit.
        number: Of the revision that ended it: a type given with a mark belongs to it.
        back: How often undo leads from the present to the state after it, negative for redo; None
            where it was undone and others were made in its place.
    """

    revision: Revision
    number: int
    back: int | None


@dataclass(frozen=True)
class History:
    """The undo history of a page: states, and what led from one to the next.

    Attributes:
        states: Gold before the first change that is remembered, and after each.
        texts: Change that led to ``states[i + 1]``; one fewer than states.
        index: Index of the current state; the states after it can be redone.
    """

    states: tuple[Gold, ...] = (Gold(),)
    texts: tuple[str, ...] = ()
    index: int = 0


def dump(value: object) -> str:
    """Return JSON without spaces; half a surrogate pair, which UTF-8 cannot encode, is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def delta(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    """Return what leads from one state to the next, as JSON; None if nothing does."""
    changed = [text for i, text in after.items() if before.get(i) != text]
    dropped = [i for i in before if i not in after]
    parts = [f'"set":[{",".join(changed)}]', f'"drop":{dump(dropped)}']
    if not is_appended(before, after):
        parts.append(f'"order":{dump(list(after))}')
    elif not changed and not dropped:
        return None
    return f"{{{','.join(parts)}}}"


def is_appended(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether ``after`` lists the rest of ``before``, then new marks."""
    order = [i for i in before if i in after]
    order.extend(i for i in after if i not in before)
    return order == list(after)


def apply(before: Mapping[str, str], change: str) -> Records:
    """Return the state after a delta."""
    read = read_json(change)
    after = dict(before)
    for mark_id in read["drop"]:
        after.pop(mark_id, None)
    for record in read["set"]:
        after[record["id"]] = dump(record)
    if "order" in read:
        after = {mark_id: after[mark_id] for mark_id in read["order"]}
    return after


def dropped_drafts(changes: Iterable[tuple[Revision, str]]) -> Records:
    """Return the drafts that were dropped or deleted and did not come back, by id.

    Those that an undone adoption took away, or a mark of the user's replaced, were not rejected.
    """
    state: Records = {}
    result: Records = {}
    for revision, change in changes:
        after = apply(state, change)
        rejects = (BROUGHT_BACK,) if revision.step == "undo" else ("drop ", "delete ")
        is_rejected = revision.what.startswith(rejects)
        for mark_id in state.keys() - after.keys() if is_rejected else ():
            if read_json(state[mark_id]).get("draft"):
                result[mark_id] = state[mark_id]
        result = {mark_id: text for mark_id, text in result.items() if mark_id not in after}
        state = after
    return result


def states(changes: Iterable[str]) -> list[Records]:
    """Return the state before the first change and after each.  O(changes and their marks)."""
    result: list[Records] = [{}]
    for change in changes:
        result.append(apply(result[-1], change))
    return result


@dataclass
class _Line:
    """What undo and redo walk along: states, and the text and revisions of each step."""

    states: list[Records]
    steps: list[tuple[str, Revision, int]]
    index: int = 0


def _line(changes: list[tuple[Revision, str]]) -> _Line:
    line = _Line([{}], [])
    after = states(change for _, change in changes)[1:]
    for (revision, _), state in zip(changes, after, strict=True):
        index = line.index
        back = index - 1 if revision.step == "undo" else index + 1
        number, text = revision.number, revision.what.removeprefix(ALSO)
        if revision.step != "edit" and 0 <= back < len(line.states) and line.states[back] == state:
            line.index = back
        elif len(line.states) == 1 and revision.what == CAME_WITH_PAGE:
            line.states = [state]
        elif index and revision.step == "edit" and revision.what.startswith(ALSO):
            line.states[index:] = [state]
            before, first, _ = line.steps[index - 1]
            line.steps[index - 1 :] = [(before, first, number)]
        else:
            line.states[index + 1 :] = [state]
            line.steps[index:] = [(text, revision, number)]
            line.index += 1
    return line


def past(changes: list[tuple[Revision, str]]) -> tuple[PastChange, ...]:
    """Return a page's edits, the oldest first, and how each is reached from the present."""
    line = _line(changes)
    ends = {first.number: (k, end) for k, (_, first, end) in enumerate(line.steps, 1)}
    result: list[PastChange] = []
    for revision, _ in changes:
        if revision.number in ends:
            place, end = ends[revision.number]
            result.append(PastChange(revision, end, line.index - place))
        elif revision.what == CAME_WITH_PAGE and not result:
            result.append(PastChange(revision, revision.number, line.index))
        elif revision.step == "edit" and not revision.what.startswith(ALSO):
            result.append(PastChange(revision, revision.number, None))
    return tuple(result)


def history(
    changes: list[tuple[Revision, str]], find: Callable[[str], Mark], limit: int
) -> History:
    """Return the last ``limit`` steps of the undo history.

    An undo or redo that does not lead to the state its neighbour had (another window wrote in
    between) counts as an edit: it can be undone itself.  A change named `ALSO` is one step with the
    one before it; history begins with marks that came with the page (`CAME_WITH_PAGE`). ``find``
    turns a record into its mark.

    ``changes`` are a page's revisions with their deltas, all of them.
    """
    past = _line(changes)
    line, texts, index = past.states, [text for text, _, _ in past.steps], past.index
    first = max(0, min(index, len(line) - 1 - limit))
    marks: dict[str, Mark] = {}
    golds = []
    for state in line[first:]:
        for text in state.values():
            if text not in marks:
                marks[text] = find(text)
        golds.append(Gold(tuple(marks[text] for text in state.values())))
    return History(tuple(golds), tuple(texts[first:]), index - first)
