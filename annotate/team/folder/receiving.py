"""Putting what the others did into a workspace, each under his own name.

As merging does: nothing of anybody is overwritten.  Where two devices of one annotator went on
apart from each other, one line of changes is his, and the other stands beside it, as "Anna
(laptop)".  His is the one that this workspace wrote; where it wrote none, that of the first
device, so that everybody else has the same.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.marks import journal
from annotate.team.folder.keys import PageKeys
from annotate.team.folder.own_changes import assigned_here, changes_of
from annotate.team.folder.record import Body, change_id
from annotate.team.folder.state import Sheet, SheetId, TeamState
from annotate.team.quiz import results_by_page, store_results
from annotate.workspace import annotators, sheets
from annotate.workspace.annotators import Annotator, Role
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import put_guideline, stored_guideline
from engine.errors import InputError

_SPACE = uuid.UUID("0c6f4a3e-58a8-4e0e-8d0b-6a1f6d4f2b11")


@dataclass
class News:
    """What came in.

    Attributes:
        marked: Who → keys of pages on which his marks are new.
        comments: Who → how many of his comments are new.
        mine: Keys of pages on which own marks are new: made on another device.
        is_other: Whether anything at all is different.
        notes: What could not be used, a sentence each.
    """

    marked: dict[str, set[str]] = field(default_factory=dict)
    comments: dict[str, int] = field(default_factory=dict)
    mine: set[str] = field(default_factory=set)
    is_other: bool = False
    notes: list[str] = field(default_factory=list)


class Receiving:
    """Brings one workspace up to a state; all of it inside `Store.saving`."""

    def __init__(
        self, store: Store, state: TeamState, keys: PageKeys, own: Collection[str], news: News
    ) -> None:
        self._store, self._state, self._keys, self._own = store, state, keys, own
        self._news = news
        self._people = {who.uid: who for who in annotators.annotators(store)}

    # people ----------------------------------------------------------------------------------
    def people(self) -> None:
        """Add who is not there yet, and call all as they call themselves."""
        for body in self._state.of_kind("person"):
            who = self._person(body["uid"])
            role = Role(body["role"])
            if (who.name, who.role) == (body["name"], role):
                continue
            is_taken = any(
                each.name == body["name"] and each.uid != who.uid for each in self._people.values()
            )
            # One whose name another has here keeps the number that tells the two apart.
            name = who.name if is_taken and who.name else body["name"]
            if is_taken and not who.name:
                name = annotators.free_name(self._store, body["name"])
            if (who.name, who.role) != (name, role):
                self._store.run(
                    "UPDATE annotators SET name = ?, role = ? WHERE id = ?",
                    *(name, str(role), who.number),
                )
                self._people[who.uid] = Annotator(who.number, who.uid, name, role)
                self._news.is_other = True

    def _person(self, uid: str, name: str = "") -> Annotator:
        if uid not in self._people:
            given = self._state.setting("person", uid) or {"name": "", "role": "annotator"}
            hosts = self._state.devices.get(uid, {})
            name = name or given["name"] or next(iter(sorted(hosts.values())), "") or "somebody"
            self._people[uid] = annotators.add(self._store, name, Role(given["role"]), uid)
            self._news.is_other = True
        return self._people[uid]

    # sheets ----------------------------------------------------------------------------------
    def sheet(self, which: SheetId) -> None:
        """Bring in what an annotator did on a page: marks, status, decisions."""
        uid, key = which
        page = self._page(self._person(uid), key, which)
        self._status(page, which)
        self._decisions(page, which)
        sheet = self._state.sheets.get(which)
        chains = sheet.chains() if sheet is not None else []
        if sheet is None or not chains:
            return
        ours = [change_id(body) for body in changes_of(self._store, page)]
        first = self._first(uid, [chain for _, chain in chains], ours)
        seen = {tuple(ours)} if first is None else {tuple(chains[first][1])}
        if first is not None:
            self._put(page, sheet, chains[first][1], ours, uid, self._local(which))
        for device, chain in chains:
            # What is on the way to another end is in it.
            if any(line[: len(chain)] == tuple(chain) for line in seen):
                continue
            seen.add(tuple(chain))
            self._beside(which, device, sheet, chain)

    def _first(self, uid: str, chains: Sequence[list[str]], ours: list[str]) -> int | None:
        """Return which line of changes is to be his; None where the one that is here is."""
        ahead = [i for i, chain in enumerate(chains) if chain[: len(ours)] == ours]
        if uid in self._own and ours:
            return ahead[0] if ahead else None
        if chains[0] == ours[: len(chains[0])]:
            return None
        # What is here and in no log, as after merging a file, is overwritten by nothing.
        return 0 if ahead else None

    def _beside(self, which: SheetId, device: str, sheet: Sheet, chain: list[str]) -> None:
        uid, key = which
        who = self._person(uid)
        host = self._state.devices.get(uid, {}).get(device, "") or device
        other = uuid.uuid5(_SPACE, f"{uid} {device}").hex
        beside = self._person(other, f"{who.shown} ({host})")
        page = self._page(beside, key, which)
        ours = [change_id(body) for body in changes_of(self._store, page)]
        if ours != chain:
            self._put(page, sheet, chain, ours, other, self._local(which))

    def _put(
        self, page: int, sheet: Sheet, chain: list[str], ours: list[str], uid: str, key: str
    ) -> None:
        """Have a sheet hold a line of changes, and the marks these lead to."""
        if chain == ours:
            return
        changes = [sheet.changes[each] for each in chain]
        try:
            marks = _marks_after(changes)
        except InputError as error:
            self._news.notes.append(f"marks on {key} are not used: {error}")
            return
        common = len(ours) if chain[: len(ours)] == ours else 0
        self._store.run("DELETE FROM changes WHERE page = ? AND revision > ?", page, common)
        self._store.run_each(
            "INSERT INTO changes (page, revision, made, what, step, delta)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (page, *(each[name] for name in ("revision", "made", "what", "step", "delta")))
                for each in changes[common:]
            ],
        )
        self._store.run("DELETE FROM marks WHERE page = ?", page)
        self._store.run_each(
            "INSERT INTO marks (page, id, place, record) VALUES (?, ?, ?, ?)",
            [(page, mark, index, text) for index, (mark, text) in enumerate(marks.items(), 1)],
        )
        self._store.run("UPDATE pages SET revision = ? WHERE id = ?", len(changes), page)
        self._news.is_other = True
        if uid in self._own:
            self._news.mine.add(key)
        else:
            self._news.marked.setdefault(self._people[uid].shown, set()).add(key)

    def _local(self, which: SheetId) -> str:
        page = self._state.setting("page", *which)
        return self._keys.local(which[1], page["digest"] if page is not None else "")

    def _page(self, who: Annotator, key: str, which: SheetId) -> int:
        """Return the number of a sheet, made where there is none; of others as they have it."""
        given: Body = self._state.setting("page", *which) or {
            "url": key, "title": "", "digest": "", "width": 0, "height": 0, "position": 0,
            "visited": "",
        }  # fmt: skip
        local = self._keys.local(key, given["digest"])
        columns = (
            self._keys.local_url(key, given["url"]), given["title"], given["digest"],
            given["width"], given["height"], given["visited"],
        )  # fmt: skip
        ask = "SELECT id, url, title, digest, width, height, visited FROM pages WHERE annotator = ?"
        row = self._store.one(f"{ask} AND key = ?", who.number, local)
        if row is None and local != key:
            row = self._renamed(who, key, local, ask)
        if row is None:
            self._news.is_other = True
            return self._store.run(
                "INSERT INTO pages (annotator, key, place, url, title, digest, width, height,"
                " visited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(who.number, local, given["position"], *columns),
            )
        number = int(row[0])
        if who.uid not in self._own and tuple(row[1:]) != columns:
            self._store.run(
                "UPDATE pages SET url = ?, title = ?, digest = ?, width = ?, height = ?,"
                " visited = ? WHERE id = ?",
                *(*columns, number),
            )
        return number

    def _renamed(self, who: Annotator, key: str, local: str, ask: str) -> tuple[Any, ...] | None:
        """Give a sheet the key its page has here: which it is was not known when it came."""
        if who.uid in self._own:
            return None
        self._store.run(
            "UPDATE pages SET key = ? WHERE annotator = ? AND key = ?", local, who.number, key
        )
        return self._store.one(f"{ask} AND key = ?", who.number, local)

    def _status(self, page: int, which: SheetId) -> None:
        given = self._state.setting("status", *which)
        if given is None:
            return
        (status,) = self._store.one("SELECT status FROM pages WHERE id = ?", page) or ("",)
        if status != given["status"]:
            self._store.run("UPDATE pages SET status = ? WHERE id = ?", given["status"], page)
            self._news.is_other = True

    def _decisions(self, page: int, which: SheetId) -> None:
        for item in sorted(self._state.decisions.get(which, ())):
            given = self._state.setting("decision", *which, item)
            if given is None:
                continue
            self._store.run("DELETE FROM decisions WHERE page = ? AND item = ?", page, item)
            if given["choice"]:
                self._store.run(
                    "INSERT INTO decisions (page, item, choice) VALUES (?, ?, ?)",
                    *(page, item, given["choice"]),
                )

    # what is not of one sheet ----------------------------------------------------------------
    def comments(self) -> None:
        """Bring in comments, and what of them is settled or was taken back."""
        here = dict(self._store.all("SELECT id, settled FROM comments"))
        for number in self._state.removed & here.keys():
            self._store.run("DELETE FROM comments WHERE id = ?", number)
            del here[number]
            self._news.is_other = True
        new = self._state.comments.keys() - here.keys() - self._state.removed
        for number in sorted(new, key=lambda each: self._state.comments[each].rank):
            self._comment(self._state.comments[number].body)
            here[number] = 0
        for body in self._state.of_kind("settled"):
            if here.get(body["id"], body["settled"]) != int(body["settled"]):
                self._store.run(
                    "UPDATE comments SET settled = ? WHERE id = ?",
                    *(int(body["settled"]), body["id"]),
                )
                self._news.is_other = True

    def _comment(self, body: Body) -> None:
        which = body["owner"], body["key"]
        page = self._page(self._person(body["owner"]), body["key"], which)
        author = self._person(body["author"])
        self._store.run(
            "INSERT INTO comments (id, page, author, mark, made, kind, text, answers)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(body["id"], page, author.number),
            *(body[name] for name in ("mark", "made", "kind", "text", "answers")),
        )
        self._news.is_other = True
        if author.uid not in self._own:
            self._news.comments[author.shown] = self._news.comments.get(author.shown, 0) + 1

    def assignments(self) -> None:
        """Have everybody's assignments as they were dealt last."""
        for body in self._state.of_kind("assigned"):
            who = self._person(body["uid"], body["name"])
            pages = assigned_here(self._state, self._keys, body)
            rows = [(key, index, control) for index, (key, control) in enumerate(pages, 1)]
            there = self._store.all(
                "SELECT key, place, control FROM assignments WHERE annotator = ? ORDER BY place",
                who.number,
            )
            if there == rows:
                continue
            self._store.run("DELETE FROM assignments WHERE annotator = ?", who.number)
            self._store.run_each(
                "INSERT OR REPLACE INTO assignments (annotator, key, place, control)"
                " VALUES (?, ?, ?, ?)",
                [(who.number, *row) for row in rows],
            )
            self._news.is_other = True

    def rest(self) -> None:
        """Bring in how quizzes went, and the guideline."""
        results = results_by_page(self._store)
        given = self._state.of_kind("quiz")
        for body in given:
            pages = results.setdefault(body["uid"], {})
            pages[self._keys.local(body["key"])] = [body["right"], body["of"]]
        if results != results_by_page(self._store):
            store_results(self._store, results)
            self._news.is_other = True
        guideline = self._state.setting("guideline")
        if guideline is not None:
            here = stored_guideline(self._store)
            there = [[page.title, page.text] for page in here.pages] if here is not None else []
            if here is None or (here.name, there) != (guideline["name"], guideline["pages"]):
                put_guideline(self._store, guideline["name"], guideline["pages"])
                self._news.is_other = True


def _marks_after(changes: Sequence[Body]) -> dict[str, str]:
    """Return id → record of the marks that changes lead to; `InputError` if they lead to none."""
    state: dict[str, Any] = {}
    for body in changes:
        state = sheets.after(state, body["delta"])
    marks = {mark: journal.dump(record) for mark, record in state.items()}
    sheets.check(len(changes), marks, [(body["revision"], body["delta"]) for body in changes])
    return marks
