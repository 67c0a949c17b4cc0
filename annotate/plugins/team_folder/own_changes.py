"""Changes of the workspace's annotators that are not in a log."""

from collections.abc import Collection, Iterator
from typing import Any

from annotate.plugins.team_folder.keys import PageKeys
from annotate.plugins.team_folder.record import Body, change_id
from annotate.plugins.team_folder.state import SheetId, TeamState
from annotate.plugins.team_work.quiz import results_by_page
from annotate.workspace import annotators, mark_rows
from annotate.workspace.annotators import Annotator
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import stored_guideline

New = tuple[str, Body]
"""Kind and body of a record to come."""

_SHEETS = """
SELECT id, key, place, url, title, digest, width, height, visited, status, revision FROM pages
WHERE annotator = ? AND (revision > 0 OR status <> 'open'
    OR EXISTS (SELECT 1 FROM comments WHERE page = pages.id)
    OR EXISTS (SELECT 1 FROM decisions WHERE page = pages.id))
"""


def changes_of(store: Store, page: int) -> list[dict[str, Any]]:
    """Return the changes of a sheet as logs have them, but for whose and of which page they are."""
    result, after = [], ""
    for revision, made, what, step, delta in mark_rows.changes_of(store, page):
        body = {"revision": revision, "after": after, "made": clean(made), "what": clean(what),
                "step": step, "delta": delta}  # fmt: skip
        after = change_id(body)
        result.append(body)
    return result


def assigned_here(state: TeamState, keys: PageKeys, assigned: Body | None) -> list[tuple[str, int]]:
    """Return key here and kind of the pages of a record of assignments, in order, each once."""
    digests = {body["key"]: body["digest"] for body in state.of_kind("page")} if assigned else {}
    result: dict[str, int] = {}
    for key, control in assigned["pages"] if assigned else ():
        result.setdefault(keys.local(key, digests.get(key, "")), control)
    return list(result.items())


def clean(text: str) -> str:
    """Return a text without zeros, which a log does not take."""
    return text.replace("\0", "")


class OwnChanges:
    """Compares a workspace with the known state of its people.

    Args:
        state: What the workspace had when it was compared last: what differs was changed here.
        arrived: Ids of changes and comments that are in logs and not in ``state`` yet.
        written: Sheets → how many of their changes are in logs; updated.
    """

    def __init__(
        self,
        store: Store,
        state: TeamState,
        keys: PageKeys,
        arrived: Collection[str],
        written: dict[SheetId, int],
    ) -> None:
        self._store, self._state, self._keys = store, state, keys
        self._arrived, self._written = arrived, written

    def of(self, uids: Collection[str], *, has_guideline: bool) -> list[New]:
        """Return the changes to write, each after those it depends on.

        ``has_guideline`` is whether the team has one that did not arrive here yet.
        """
        result: list[New] = []
        for who in annotators.annotators(self._store):
            if who.uid in uids:
                result += [*self._person(who), *self._sheets(who), *self._comments(who)]
        result += [*self._settled(), *self._assigned(), *self._quizzes(uids)]
        return result if has_guideline else [*result, *self._guideline()]

    def _person(self, who: Annotator) -> Iterator[New]:
        body = {"uid": who.uid, "name": clean(who.name), "role": str(who.role)}
        if who.name and self._state.setting("person", who.uid) != body:
            yield "person", body

    def _sheets(self, who: Annotator) -> Iterator[New]:
        for number, key, position, *columns, status, revision in self._store.all(
            _SHEETS, who.number
        ):
            which = who.uid, self._keys.shared(key)
            sheet = {"uid": who.uid, "key": which[1]}
            url, title, digest, width, height, visited = columns
            page = {"url": self._keys.shared_url(key, url), "title": clean(title),
                    "digest": digest, "width": width, "height": height}  # fmt: skip
            there = self._state.setting("page", *which)
            # If two devices have different pages, the one that opened it last decides.
            if there is None or (
                visited > there["visited"] and any(there[name] != page[name] for name in page)
            ):
                yield "page", sheet | page | {"position": position, "visited": visited}
            if self._written.get(which) != revision:
                yield from self._changes(which, number)
                self._written[which] = revision
            held = self._state.setting("status", *which) or {"status": "open"}
            if held["status"] != status:
                yield "status", sheet | {"status": status}
            yield from self._decisions(which, number)

    def _changes(self, which: SheetId, page: int) -> Iterator[New]:
        sheet = self._state.sheets.get(which)
        known = sheet.changes if sheet is not None else {}
        for body in changes_of(self._store, page):
            if (key := change_id(body)) not in known and key not in self._arrived:
                yield "change", {"uid": which[0], "key": which[1], **body}

    def _decisions(self, which: SheetId, page: int) -> Iterator[New]:
        here = dict(self._store.all("SELECT item, choice FROM decisions WHERE page = ?", page))
        for item in sorted({*here, *self._state.decisions.get(which, ())}):
            held = self._state.setting("decision", *which, item) or {"choice": ""}
            choice = here.get(item, "")
            if held["choice"] != choice:
                sheet = {"uid": which[0], "key": which[1]}
                yield "decision", sheet | {"item": item, "choice": choice}

    def _comments(self, who: Annotator) -> Iterator[New]:
        rows = self._store.all(
            "SELECT comments.id, uid, key, mark, made, kind, text, answers FROM comments"
            " JOIN pages ON pages.id = page JOIN annotators ON annotators.id = annotator"
            " WHERE author = ? ORDER BY made, comments.id",
            who.number,
        )
        here = {number for number, *_ in rows}
        for number, owner, key, mark, made, kind, text, answers in rows:
            if not self._state.has_comment(number, who.uid) and number not in self._arrived:
                yield "comment", {
                    "id": number, "owner": owner, "key": self._keys.shared(key),
                    "author": who.uid, "mark": mark, "made": made, "kind": kind,
                    "text": clean(text), "answers": answers,
                }  # fmt: skip
        for number, record in self._state.comments.items():
            if number not in here and record.body["author"] == who.uid:
                yield "removed", {"id": record.body["id"]}

    def _settled(self) -> Iterator[New]:
        for number, settled in self._store.all("SELECT id, settled FROM comments ORDER BY id"):
            held = self._state.setting("settled", number) or {"settled": False}
            if held["settled"] != bool(settled):
                yield "settled", {"id": number, "settled": bool(settled)}

    def _assigned(self) -> Iterator[New]:
        for who in annotators.annotators(self._store):
            rows = self._store.all(
                "SELECT key, control FROM assignments WHERE annotator = ? ORDER BY place",
                who.number,
            )
            held = self._state.setting("assigned", who.uid)
            if rows != assigned_here(self._state, self._keys, held):
                pages = [[self._keys.shared(key), control] for key, control in rows]
                if self._state.person(who.uid) is None:
                    yield from self._person(who)
                yield "assigned", {"uid": who.uid, "name": clean(who.name), "pages": pages}

    def _quizzes(self, uids: Collection[str]) -> Iterator[New]:
        for uid, pages in results_by_page(self._store).items():
            for key, (right, of) in pages.items():
                shared = self._keys.shared(key)
                if uid in uids and self._state.setting("quiz", uid, shared) is None:
                    yield "quiz", {"uid": uid, "key": shared, "right": right, "of": of}

    def _guideline(self) -> Iterator[New]:
        guideline = stored_guideline(self._store)
        if guideline is None:
            return
        body = {"name": guideline.name, "pages": [[each.title, each.text] for each in
                                                  guideline.pages]}  # fmt: skip
        if self._state.setting("guideline") != body:
            yield "guideline", body
