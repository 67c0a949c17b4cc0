"""Putting what the others did into a workspace, each under his own name.

As merging does: nothing of anybody is overwritten.  If two devices of one annotator diverged, one
line of changes is kept as his, and the other is added beside it, as "Anna (laptop)".  His is the
one that this workspace wrote; where it wrote none, that of the first device, so that everybody else
has the same.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from annotate.plugins.team_folder.held import name_of
from annotate.plugins.team_folder.keys import PageKeys
from annotate.plugins.team_folder.own_changes import assigned_here, changes_of
from annotate.plugins.team_folder.record import Body, LogLine, change_id, one_line
from annotate.plugins.team_folder.state import Sheet, SheetId, TeamState, uid_beside
from annotate.plugins.team_work.quiz import results_by_page, store_results
from annotate.workspace import annotators, sheets
from annotate.workspace.annotators import Annotator, Role
from annotate.workspace.mark_rows import extend
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import put_guideline, stored_guideline
from engine.errors import InputError
from engine.words import plural


@dataclass
class ReceivedChanges:
    """Received changes.

    Attributes:
        marked: Annotator → keys of pages with new marks of his.
        comments: Annotator → number of his new comments.
        mine: Keys of pages on which own marks are new: made on another device.
        is_other: Whether there is any change.
        notes: Unusable content, a sentence each.
        dealt: Changes of others to settings of all, or of others, a clause each.
    """

    marked: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    comments: Counter[str] = field(default_factory=Counter)
    mine: set[str] = field(default_factory=set)
    is_other: bool = False
    notes: list[str] = field(default_factory=list)
    dealt: set[str] = field(default_factory=set)


class Receiving:
    """Brings one workspace up to a state, in parts, each inside `Store.saving`."""

    def __init__(
        self,
        store: Store,
        state: TeamState,
        keys: PageKeys,
        own: Collection[str],
        news: ReceivedChanges,
    ) -> None:
        self._store, self._state, self._keys, self._own = store, state, keys, own
        self._news = news
        self._people = {who.uid: who for who in annotators.annotators(store)}
        self._names = {who.name for who in self._people.values()}
        self._numbers: dict[str, int] = {}  # name → the last number that was tried behind it
        self._marks: dict[str, dict[str, str]] = {}  # last change → the resulting marks
        self._comments: Mapping[str, LogLine] = {}

    # people ----------------------------------------------------------------------------------
    def people(self, bodies: Sequence[Body]) -> None:
        """Add who is not there yet, and call all as they call themselves."""
        for body in bodies:
            who = self._person(body["uid"])
            role = Role(body["role"])
            name = body["name"]
            if name != who.name and name in self._names:
                # An annotator whose name is taken here keeps the number that distinguishes them.
                name = who.name or self._free(name)
            if (who.name, who.role) != (name, role):
                self._store.run(
                    "UPDATE annotators SET name = ?, role = ? WHERE id = ?",
                    *(name, str(role), who.number),
                )
                self._call(Annotator(who.number, who.uid, name, role), who.name)

    def _call(self, who: Annotator, before: str = "") -> Annotator:
        self._names.discard(before)
        self._names.add(who.name)
        self._people[who.uid] = who
        self._news.is_other = True
        return who

    def _free(self, name: str) -> str:
        """Return an unused name: the given one, else with a number appended."""
        result, count = name, self._numbers.get(name, 1)
        while result in self._names:
            count += 1
            result = f"{name} {count}".strip()
        self._numbers[name] = count
        return result

    def _person(self, uid: str, name: str = "") -> Annotator:
        if uid not in self._people:
            given = self._state.person(uid) or {"name": "", "role": "annotator"}
            hosts = self._state.devices.get(uid, {})
            name = name or given["name"] or next(iter(sorted(hosts.values())), "") or "somebody"
            name, role = self._free(name), Role(given["role"])
            number = self._store.run(
                "INSERT INTO annotators (uid, name, role) VALUES (?, ?, ?)", uid, name, str(role)
            )
            self._call(Annotator(number, uid, name, role))
        return self._people[uid]

    # sheets ----------------------------------------------------------------------------------
    def read(self, sheets_: Sequence[SheetId]) -> None:
        """Rebuild the marks on sheets, before the transaction that puts them in."""
        self._marks = {}
        for which in sheets_:
            sheet = self._state.sheets.get(which, Sheet())
            for _, chain in sheet.chains():
                row = self._store.one(
                    "SELECT 1 FROM pages JOIN annotators ON annotators.id = annotator"
                    " WHERE uid = ? AND key = ? AND revision = ?",
                    *(which[0], self._local(which), len(chain)),
                )
                if row is None:  # else its changes may be these
                    with suppress(InputError):
                        self._after(sheet, chain)

    def _after(self, sheet: Sheet, chain: Sequence[str]) -> dict[str, str]:
        """Return the marks that changes lead to; `InputError` if they lead to none."""
        if chain[-1] not in self._marks:
            deltas = [sheet.changes[each]["delta"] for each in chain]
            self._marks[chain[-1]] = sheets.marks_after(deltas)
        return self._marks[chain[-1]]

    def sheets(self, those: Sequence[SheetId]) -> None:
        for which in those:
            page = self._page(self._person(which[0]), which)
            self._status(page, which)
            self._decisions(page, which)
            sheet = self._state.sheets.get(which)
            if sheet is not None and (chains := sheet.chains()):
                self._changes(which, page, sheet, chains)

    def _changes(
        self, which: SheetId, page: int, sheet: Sheet, chains: list[tuple[str, list[str]]]
    ) -> None:
        ours = self._ids(page)
        chain = self._first(which[0], [chain for _, chain in chains], ours)
        if chain != ours:
            self._put(page, sheet, chain, ours, which[0], self._local(which))
        seen = {tuple(chain)}
        for device, chain in chains:
            # A chain that leads to another end is part of that one.
            if any(line[: len(chain)] == tuple(chain) for line in seen):
                continue
            seen.add(tuple(chain))
            self._beside(which, device, sheet, chain)

    def _ids(self, page: int) -> list[str]:
        return [change_id(body) for body in changes_of(self._store, page)]

    def _first(self, uid: str, chains: Sequence[list[str]], ours: list[str]) -> list[str]:
        """Return which line of changes is to be his, ``ours`` where the one that is here is."""
        ahead = [chain for chain in chains if chain[: len(ours)] == ours]
        if uid in self._own and ours:
            return ahead[0] if ahead else ours
        # Values here that are in no log, as after merging a file, are never overwritten.
        return chains[0] if ahead and chains[0] != ours[: len(chains[0])] else ours

    def _beside(self, which: SheetId, device: str, sheet: Sheet, chain: list[str]) -> None:
        uid = which[0]
        host = self._state.devices.get(uid, {}).get(device, "") or device
        other = uid_beside(uid, device)
        beside = self._person(other, f"{self._person(uid).shown} ({host})")
        page = self._page(beside, which)
        ours = self._ids(page)
        if ours != chain:
            self._put(page, sheet, chain, ours, other, self._local(which))

    def _put(
        self, page: int, sheet: Sheet, chain: list[str], ours: list[str], uid: str, key: str
    ) -> None:
        """Set a sheet to a chain of changes, and to the resulting marks."""
        changes = [sheet.changes[each] for each in chain]
        try:
            marks = self._after(sheet, chain)
        except InputError as error:
            self._news.notes.append(f"marks on {key} are not used: {error}")
            return
        common = len(ours) if chain[: len(ours)] == ours else 0
        self._store.run("DELETE FROM changes WHERE page = ? AND revision > ?", page, common)
        names = ("revision", "made", "what", "step", "delta")
        new = [tuple(each[name] for name in names) for each in changes[common:]]
        records = {mark: (index, text) for index, (mark, text) in enumerate(marks.items(), 1)}
        extend(self._store, page, new, records, len(changes))
        self._news.is_other = True
        if uid in self._own:
            self._news.mine.add(key)
        else:
            self._news.marked[self._people[uid].shown].add(key)

    def _local(self, which: SheetId) -> str:
        page = self._state.setting("page", *which)
        return self._keys.local(which[1], page["digest"] if page is not None else "")

    def _page(self, who: Annotator, which: SheetId) -> int:
        """Return the number of a sheet, created if missing; of others as they have it."""
        key = which[1]
        given: Body = self._state.setting("page", *which) or {
            "url": key, "title": "", "digest": "", "width": 0, "height": 0, "position": 0,
            "visited": "",
        }  # fmt: skip
        local = self._keys.local(key, given["digest"])
        columns = (
            self._keys.local_url(key, given["url"]), one_line(given["title"]), given["digest"],
            given["width"], given["height"], given["visited"],
        )  # fmt: skip
        ask = "SELECT id, url, title, digest, width, height, visited FROM pages WHERE annotator = ?"
        row = self._store.one(f"{ask} AND key = ?", who.number, local)
        if row is None and local != key and who.uid not in self._own:
            # Its local key was unknown when the sheet came.
            self._store.run(
                "UPDATE pages SET key = ? WHERE annotator = ? AND key = ?", local, who.number, key
            )
            row = self._store.one(f"{ask} AND key = ?", who.number, local)
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

    # changes outside sheets ------------------------------------------------------------------
    def new_comments(self) -> list[str]:
        """Return the ids of comments that are not here, in the order they were written."""
        here = {number for (number,) in self._store.all("SELECT id FROM comments")}
        there = self._comments = self._state.comments
        return sorted(there.keys() - here, key=lambda each: there[each].rank)

    def comments(self, numbers: Sequence[str]) -> None:
        for number in numbers:
            body = self._comments[number].body
            page = self._page(self._person(body["owner"]), (body["owner"], body["key"]))
            author = self._person(body["author"])
            self._store.run(
                "INSERT OR IGNORE INTO comments (id, page, author, mark, made, kind, text, answers)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                *(number, page, author.number),
                *(body[name] for name in ("mark", "made", "kind", "text", "answers")),
            )
            self._news.is_other = True
            if author.uid not in self._own:
                self._news.comments[author.shown] += 1

    def _settle(self) -> None:
        """Settle comments, and take out those that their authors took back."""
        rows = self._store.all(
            "SELECT comments.id, uid, settled FROM comments JOIN annotators ON"
            " annotators.id = author"
        )
        here = {}
        for number, author, settled in rows:
            if (number, author) in self._state.removed:
                self._store.run("DELETE FROM comments WHERE id = ?", number)
                self._news.is_other = True
            else:
                here[number] = settled
        for body in self._state.of_kind("settled"):
            if here.get(body["id"], body["settled"]) != int(body["settled"]):
                self._store.run(
                    "UPDATE comments SET settled = ? WHERE id = ?",
                    *(int(body["settled"]), body["id"]),
                )
                self._news.is_other = True

    def assignments(self, bodies: Sequence[Body]) -> None:
        """Set everybody's assignments to the latest ones."""
        for body in bodies:
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
            self._report_setting(
                f"assigned {plural(len(rows), 'page')} to {who.shown}", "assigned", who.uid
            )

    def _report_setting(self, what: str, kind: str, *which: str) -> None:
        """Record a change by another person that concerns the team."""
        dealer = self._state.dealer(kind, *which)
        if dealer and dealer not in self._own:
            self._news.dealt.add(f"{name_of(self._state, dealer)} {what}")

    def rest(self) -> None:
        """Receive settled differences, quiz results, and the guideline."""
        self._settle()
        results = results_by_page(self._store)
        for body in self._state.of_kind("quiz"):
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
                self._report_setting("set the guideline", "guideline")
