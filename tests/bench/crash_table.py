"""What is lost where a program is killed, the disk is full, a file cannot be written or is torn.

Run from the repository's folder: ``python -m tests.bench.crash_table [KILLS [SCENE ...]]``; 100
kills of each kind where that is not said, some two minutes.  A program that works as fast as it can
says what is done, and is killed (SIGKILL) at a random moment; then the file is opened again.
*Lost* counts what was said to be done and is not there, *left* the files that stay when the work is
done again; anything but 0 in these columns is a fault, and the command ends with status 1.
"""

import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import resources
from algorithms.results import Block, Segmentation
from annotate.datasets.opening import open_pages
from annotate.marks import drafts
from annotate.marks.gold import Gold, Mark, Seed, Target, new_id
from annotate.plugins.exchange.formats import FORMATS
from annotate.plugins.exchange.imports import MarkFile
from annotate.plugins.exchange.marked_page import MarkedPage
from annotate.plugins.team_work.merging import merge
from annotate.workspace import backups, workspace_file
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import MarksContested, PageletError
from engine.page import Page
from engine.source import Source
from tests.annotate.pages import page_of
from tests.bench.killed_freezes import kill_freezes
from tests.e2e import scribe

KEYS = [f"https://example.org/{number}" for number in range(30)]
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes:
        what: Was going on.
        how: It went wrong.
        times: How often.
        lost: Of what was said to be done.
        seen: What the user sees afterwards.
        left: Files left over, after the work was done again.
    """

    what: str
    how: str
    times: int
    lost: int
    seen: str
    left: int = 0


def kill(work: Callable[[Connection], None], dice: random.Random, most: float) -> list[str]:
    """Run work in a process and kill it after ``most`` seconds at most; return what it said."""
    ours, theirs = _FORK.Pipe(duplex=False)
    program = _FORK.Process(target=work, args=(theirs,), daemon=True)
    program.start()
    theirs.close()
    messages: list[str] = []
    with suppress(EOFError, OSError):
        messages.append(ours.recv_bytes().decode())  # it has begun
        end = time.monotonic() + dice.uniform(0.0, most)
        while (left := end - time.monotonic()) > 0:
            if ours.poll(left):
                messages.append(ours.recv_bytes().decode())
    os.kill(program.pid or 0, signal.SIGKILL)
    program.join()
    with suppress(EOFError, OSError):
        while True:
            messages.append(ours.recv_bytes().decode())
    ours.close()
    return messages


def opened(path: Path) -> tuple[Workspace, str]:
    """Return a workspace and what its user is told."""
    workspace = Workspace.open(path, create=False)
    return workspace, workspace.damage or "all as it was"


# -- marking, drafts, marks of other tools


def marking(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a hand that marks."""
    return _saving(folder, dice, kills, "marking", scribe.change)


def adopting(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a program that takes blocks over as drafts, confirms and drops them."""
    page = Page(scribe.KEY, nodes=scribe.page())
    nodes = page.rendered()
    seed = Seed("vips", "1", "{}", "rendered")

    def change(gold: Gold, _nodes: object, chance: random.Random) -> Gold:
        if len(gold.marks) > 40:
            return Gold(gold.marks[:5])
        rows = sorted(chance.sample(range(2, len(nodes)), 6))
        blocks = tuple(Block((row,), chance.choice((1, 2)), "Menu") for row in rows)
        return drafts.adopt(gold, page, Segmentation(nodes, blocks), seed).gold

    return _saving(folder, dice, kills, "adopting drafts", change)


def importing(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a program that takes the marks of Web Annotation files in, one file after the other."""
    made = marked_page(folder)
    files = []
    for number in range(12):
        marks = tuple(mark.with_(id=new_id()) for mark in made.gold.marks)
        out = folder / f"annotations-{number}"
        out.mkdir()
        entry = next(each for each in FORMATS if each.key == "webannotation")
        shown = MarkedPage(made.name, made.document, made.page, Gold(marks))
        files += entry.write([shown], out)

    def change(gold: Gold, _nodes: object, chance: random.Random) -> Gold:
        if len(gold.marks) > 60:
            return Gold()
        read = MarkFile(chance.choice(files), "webannotation")
        result = read.marks(read.names[0], made.page).gold.marks
        known = {mark.id for mark in gold.marks}
        return Gold((*gold.marks, *(mark for mark in result if mark.id not in known)))

    return _saving(folder, dice, kills, "importing marks", change, made.page)


def _saving(
    folder: Path,
    dice: random.Random,
    kills: int,
    what: str,
    change: Callable[..., Gold],
    page: Page | None = None,
) -> Line:
    path = folder / "marks.pagelet"
    nodes = scribe.page() if page is None else page.rendered()
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(scribe.KEY, scribe.KEY)])

    def work(screen: Connection) -> None:
        chance = random.Random(dice.random())
        workspace = Workspace.open(path)
        gold = workspace.load_gold(scribe.KEY, nodes)
        while True:
            screen.send_bytes(json.dumps(scribe.shown(gold)).encode())
            with suppress(PageletError):
                after = change(gold, nodes, chance)
                workspace.save_gold(scribe.KEY, after, nodes, what)
                gold = after

    lost, seen, before_all = 0, set(), set(files_in(folder))
    for _ in range(kills):
        text = kill(work, dice, 0.08)
        workspace, notes = opened(path)
        with workspace:
            result = json.dumps(scribe.shown(workspace.load_gold(scribe.KEY, nodes)))
            history = workspace.undo_history(scribe.KEY, nodes, limit=3)
            states = [json.dumps(scribe.shown(each)) for each in history.states]
        # The change after the one said last may have been saved as well.
        before = states[-2] if len(states) > 1 else ""
        lost += bool(text) and text[-1] not in (result, before)
        seen.add(notes)
    left = len(set(files_in(folder)) - before_all)
    return Line(what, "kill −9", kills, lost, "; ".join(sorted(seen)), left)


# -- files as a whole


def migrating(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a program that brings a workspace of the second format up to date."""
    old = folder / "old.pagelet"
    old_workspace(old)

    def counts(path: Path) -> list[int]:
        with closing(workspace_file.read_only(path)) as db:
            return [
                db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("pages", "marks", "changes")
            ]

    expected, lost, seen, left = counts(old), 0, set(), 0
    for number in range(kills):
        path = folder / f"work-{number}" / "marks.pagelet"
        path.parent.mkdir()
        shutil.copy(old, path)

        def work(screen: Connection, path: Path = path) -> None:
            screen.send_bytes(b"begun")
            Workspace.open(path).close()
            screen.send_bytes(b"done")
            time.sleep(10)

        kill(work, dice, 0.06)
        workspace, notes = opened(path)
        workspace.close()
        seen.add(notes)
        copies = list(backups.folder_of(path).glob("*.pagelet"))
        whole = [copy for copy in copies if counts(copy) == expected]
        lost += counts(path) != expected or not whole or len(whole) != len(copies)
        left += len(list(files_in(path.parent))) - 2  # the workspace, and one backup
        shutil.rmtree(path.parent)
    return Line("migrating", "kill −9", kills, lost, "; ".join(sorted(seen)), left)


def merging(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a merge of two files; merged again it is as if it had not been killed."""
    files = [folder / "anna.pagelet", folder / "ben.pagelet"]
    for number, path in enumerate(files):
        some_workspace(path, number)
    before = [path.read_bytes() for path in files]
    whole = folder / "whole.pagelet"
    merge(files, whole)
    expected, lost, seen = people(whole), 0, set()
    for number in range(kills):
        out = folder / f"out-{number}.pagelet"

        def work(screen: Connection, out: Path = out) -> None:
            screen.send_bytes(b"begun")
            merge(files, out)
            screen.send_bytes(b"done")
            time.sleep(10)

        text = kill(work, dice, 0.4)
        if out.exists() and out.stat().st_size:
            workspace, notes = opened(out)
            workspace.close()
            seen.add(notes)
            result = people(out)
            # What is there of an annotator is all of his.
            lost += any(result[name] != expected[name] for name in result)
            lost += "done" in text and result != expected
        merge(files, out)
        lost += people(out) != expected
    lost += [path.read_bytes() for path in files] != before
    left = len(list(files_in(folder))) - len(files) - 1 - kills
    return Line("merging", "kill −9", kills, lost, "; ".join(sorted(seen)) or "not begun", left)


def exporting(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill an export to all formats; each file there is is whole."""
    made = marked_page(folder)
    whole = folder / "whole"
    write_all(made, whole)
    expected = {path.relative_to(whole): path.stat().st_size for path in files_in(whole)}
    lost = 0
    for number in range(kills):
        out = folder / f"out-{number}"

        def work(screen: Connection, out: Path = out) -> None:
            screen.send_bytes(b"begun")
            write_all(made, out)
            screen.send_bytes(b"done")
            time.sleep(10)

        text = kill(work, dice, 0.25)
        result = {
            path.relative_to(out): path.stat().st_size
            for path in files_in(out)
            if path.suffix != ".part"
        }
        lost += any(size != expected.get(name) for name, size in result.items())
        lost += "done" in text and result != expected
        shutil.rmtree(out, ignore_errors=True)
    return Line("exporting, 14 formats", "kill −9", kills, lost, "each file whole or not there")


def capturing(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a program that freezes a page into a file; in every other case an older one is there."""
    lost, seen = kill_freezes(folder, dice, kills)
    return Line("capturing", "kill −9", kills, lost, seen)


def backing_up(folder: Path, dice: random.Random, kills: int) -> Line:
    """Kill a program that makes a backup."""
    path = folder / "marks.pagelet"
    some_workspace(path, 3)
    expected, lost = people(path), 0
    for _ in range(kills):

        def work(screen: Connection) -> None:
            screen.send_bytes(b"begun")
            backups.before_migration(path, 3)
            screen.send_bytes(b"done")
            time.sleep(10)

        kill(work, dice, 0.02)
        copies = list(backups.folder_of(path).glob("*.pagelet"))
        lost += any(people(copy) != expected for copy in copies) or people(path) != expected
        shutil.rmtree(backups.folder_of(path), ignore_errors=True)
    return Line("making a backup", "kill −9", kills, lost, "each backup whole or not there")


# -- disks, folders, programs, torn files


def full_disk(folder: Path, dice: random.Random, _kills: int) -> Line:
    """Let the disk be full while marks are saved; then let there be room."""
    path, nodes = folder / "marks.pagelet", scribe.page()
    some_workspace(path, 1)
    lost, seen = 0, set()
    with Workspace.open(path) as workspace:
        key = KEYS[0]
        gold = workspace.load_gold(key, nodes)
        for _ in range(20):
            after = gold
            while after == gold:
                with suppress(PageletError):
                    after = scribe.change(gold, nodes, dice)
            with no_room():
                try:
                    workspace.save_gold(key, after, nodes, "mark")
                except PageletError as error:
                    seen.add(str(error).replace(str(path), "FILE"))
            workspace.save_gold(key, after, nodes, "mark")
            gold = after
            with Workspace.reading(path) as again:
                lost += scribe.shown(again.load_gold(key, nodes)) != scribe.shown(gold)
    return Line("marking", "disk full", 20, lost, "; ".join(sorted(seen)))


def read_only(folder: Path, _dice: random.Random, _kills: int) -> Line:
    """Open a workspace in a folder that may not be written to."""
    path = folder / "marks.pagelet"
    some_workspace(path, 1)
    expected, before = people(path), path.read_bytes()
    path.chmod(0o444)
    folder.chmod(0o555)
    euid = os.geteuid()
    try:
        if euid == 0:
            folder.parent.chmod(0o755)
            os.seteuid(65534)
        with Workspace.open(path) as workspace:
            seen = workspace.damage.replace(str(path), "FILE")
            result = len(workspace.pages())
    finally:
        os.seteuid(euid)
        folder.chmod(0o755)
    lost = result != len(KEYS) or path.read_bytes() != before or people(path) != expected
    return Line("opening", "read-only folder", 1, int(lost), seen)


def two_programs(folder: Path, dice: random.Random, kills: int) -> Line:
    """Let two programs mark the same page at once; who is too late is told, nobody overwrites."""
    path, nodes = folder / "marks.pagelet", scribe.page()
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(scribe.KEY, scribe.KEY)])
    rounds = max(2, kills // 10)

    def work(screen: Connection) -> None:
        chance = random.Random(dice.random() + os.getpid())
        saved = contested = 0
        for _ in range(rounds):
            with Workspace.open(path) as workspace:
                gold = workspace.load_gold(scribe.KEY, nodes)
                time.sleep(chance.uniform(0, 0.01))
                target = Target(chance.randrange(2, len(nodes)))
                mark = Mark(f"{os.getpid()}-{saved}", 2, (target,), "Menu")
                try:
                    workspace.save_gold(scribe.KEY, Gold((*gold.marks, mark)), nodes, "mark")
                    saved += 1
                except MarksContested:
                    contested += 1
        screen.send_bytes(json.dumps([os.getpid(), saved, contested]).encode())

    pipes = [_FORK.Pipe(duplex=False) for _ in range(2)]
    programs = [_FORK.Process(target=work, args=(theirs,)) for _, theirs in pipes]
    for program in programs:
        program.start()
    data = [json.loads(ours.recv_bytes()) for ours, _ in pipes]
    for program in programs:
        program.join()
    with Workspace.open(path) as workspace:
        there = {mark.id for mark in workspace.load_gold(scribe.KEY, nodes).marks}
    expected = {f"{pid}-{number}" for pid, saved, _ in data for number in range(saved)}
    contested = sum(each[2] for each in data)
    seen = f"{len(expected)} saved, {contested} asked whose marks to keep"
    return Line("two programs, one page", "at once", 2 * rounds, len(expected - there), seen)


def truncated(folder: Path, dice: random.Random, kills: int) -> Line:
    """Cut a file off somewhere; what can be read is read, and the file is not touched."""
    path = folder / "marks.pagelet"
    some_workspace(path, 1)
    whole = path.read_bytes()
    ends = {"as it was": 0, "open for reading": 0, "refused": 0}
    lost = 0
    for _ in range(kills):
        torn = whole[: dice.randrange(100, len(whole))]
        path.write_bytes(torn)
        try:
            workspace = Workspace.open(path)
        except PageletError:
            ends["refused"] += 1
        else:
            ends["open for reading" if workspace.damage else "as it was"] += 1
            workspace.pages()
            workspace.close()
        lost += path.read_bytes() != torn
    seen = ", ".join(f"{count} {name}" for name, count in ends.items() if count)
    return Line("opening", "truncated file", kills, lost, f"{seen}; the file is left as it is")


# -- what they work on


def some_workspace(path: Path, seed: int) -> None:
    """Write a workspace of thirty pages with marks."""
    nodes, chance = scribe.page(), random.Random(seed)
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key) for key in KEYS])
        for key in KEYS:
            gold = Gold()
            for _ in range(8):
                with suppress(PageletError):
                    gold = scribe.change(gold, nodes, chance)
            workspace.save_gold(key, gold, nodes, "mark")


def old_workspace(path: Path) -> None:
    """Write a workspace of the second format."""
    record = {"id": "", "level": 1, "type": "Header", "targets": [], "quote": "Harbour"}
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for number in (1, 2):
            db.executescript(resources.read_text(f"sql/{number:04}.sql"))
        db.execute("BEGIN")
        for page, key in enumerate(KEYS * 10, 1):
            db.execute(
                "INSERT INTO pages (id, key, place, url, revision) VALUES (?, ?, ?, ?, 1)",
                (page, f"{key}/{page}", page, key),
            )
            for number in range(25):
                text = json.dumps({**record, "id": f"{page}-{number}"})
                db.execute("INSERT INTO marks VALUES (?, ?, ?, ?)",
                           (page, f"{page}-{number}", number, text))  # fmt: skip
            db.execute(
                "INSERT INTO changes VALUES (?, 1, '2026', 'mark', 'edit', ?)",
                (page, '{"set":[],"drop":[]}'),
            )
        db.execute("COMMIT")


def people(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Return each annotator's marks, as the file has them."""
    with closing(workspace_file.read_only(path)) as db:
        result: dict[str, list[tuple[str, str]]] = {}
        for name, key, record in db.execute(
            "SELECT name, key, record FROM marks JOIN pages ON pages.id = marks.page"
            " JOIN annotators ON annotators.id = annotator ORDER BY name, key, marks.place"
        ):
            result.setdefault(name, []).append((key, record))
        return result


def marked_page(folder: Path) -> MarkedPage:
    """Return a page with marks of all levels."""
    made = page_of(scribe.BODY, url=scribe.KEY)
    html = made.source("dom").html
    file = folder / "links.html"
    file.write_text(html, encoding="utf-8")
    page = Page(made.url, Source.from_text(html), made.dom, made.nodes, title="Links")
    gold, chance = Gold(), random.Random(5)
    while len(gold.marks) < 30:
        with suppress(PageletError):
            gold = scribe.change(gold, page.rendered(), chance)
    (document,) = open_pages(file).documents
    return MarkedPage("links.html", document, page, gold)


def write_all(marked: MarkedPage, out: Path) -> None:
    """Write a page in all formats."""
    for entry in FORMATS:
        folder = out / entry.key
        folder.mkdir(parents=True)
        entry.write([marked], folder)


def files_in(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder."""
    return (path for path in folder.rglob("*") if path.is_file())


@contextmanager
def no_room() -> Iterator[None]:
    """The limit on file sizes stands for the disk: SQLite's write fails just so."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, old[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)


SCENES = (
    marking, adopting, importing, migrating, merging, exporting, backing_up,
    full_disk, read_only, two_programs, truncated,
)  # fmt: skip


SLOW_SCENES = (capturing,)
"""With a browser: each kill takes seconds, so that only the table has them."""


def table(kills: int, names: Collection[str] = (), seed: int = 1) -> Iterator[Line]:
    """Yield the lines of the table: of the scenes named, or of all."""
    for scene in (*SCENES, *SLOW_SCENES):
        if names and scene.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as position:
            folder = Path(position) / "work"
            folder.mkdir()
            yield scene(folder, random.Random(seed), kills)


def main() -> int:
    """Print the table."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{'what':<24}{'how':<18}{'times':>6}{'lost':>6}{'left':>6}  what the user sees")
    lost = 0
    for line in table(kills, sys.argv[2:]):
        lost += line.lost + line.left
        counts = f"{line.times:>6}{line.lost:>6}{line.left:>6}"
        print(f"{line.what:<24}{line.how:<18}{counts}  {line.seen}", flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
