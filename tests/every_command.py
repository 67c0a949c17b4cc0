"""Every command as it is typed in the folder of a small data set, for tests of all commands alike.

`words_of` fails for a command that has no line here: whoever adds a command adds what the tests of
names, outputs, disks, planted modules and interrupts type for it.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from gui.cli.main import commands
from tests.typed_commands import ROOT, forked

WORDS = " ".join(f"word{i}" for i in range(60))
PAGE = (
    "<!doctype html><meta charset=utf-8><title>Sent</title>"
    f"<div id=a><h1>A heading</h1><p>{WORDS}</p></div><div id=b><p>Another block</p></div>"
)


PUBLISHED = """id = "mine"
title = "One page"
paper = "Nobody 2026"
cite = "Nobody, 2026"
columns = [{ label = "F1", measure = "ws" }]
rows = [{ label = "all", method = "plain", published = [0.5] }]
[data]
name = "one page"
where = "here"
"""


@dataclass(frozen=True)
class Typed:
    """A command line.

    Attributes:
        words: What is typed in the data set's folder; "OUT" stands for a folder elsewhere.
        renders: Whether a browser is started.
        needs: Commands that must have been run before.
        statuses: Exit statuses that mean it did what it should.
    """

    words: tuple[str, ...]
    renders: bool = False
    needs: tuple[str, ...] = ()
    statuses: tuple[int, ...] = (0,)


_EVERY = {
    "open": [Typed(("open", ".", "--workspace", "OUT/window.pagelet"), True, (), (130,))],
    "methods": [Typed(("methods",))],
    "extract": [
        Typed(("extract", "plain", "index.html")),
        Typed(("extract", "plain", "index.html", "--format", "markdown")),
        Typed(("extract", "bte", "--input", "dom", "index.html"), True),
        Typed(("extract", "bte", "--in", ".", "--out", "OUT/rows", "--format", "jsonl")),
    ],
    "segment": [Typed(("segment", "page-style", "index.html"), True)],
    "crawl": [Typed(("crawl", "http://127.0.0.1:9/", "--out", "OUT/site"), statuses=(3,))],
    "picture": [Typed(("picture", "index.html", "plain", "--out", "OUT/page.svg"), True)],
    "why": [Typed(("why", "bte", "index.html", "--text", "word1 word2"))],
    "diff": [Typed(("diff", "bte", "index.html"))],
    "invariance": [Typed(("invariance", "plain", "."), statuses=(2,))],
    "hidden": [Typed(("hidden", "plain", "."), True)],
    "records": [Typed(("records", "sheaf", "index.html"))],
    "board": [Typed(("board", ".", "--methods", "bte", "--out", "OUT/board"), True)],
    "schema": [Typed(("schema", "why"))],
    "skill": [Typed(("skill",))],
    "next": [Typed(("next", "plain", "."), True)],
    "reduce": [Typed(("reduce", "bte", "index.html", "--lost", "Another block"))],
    "freeze": [Typed(("freeze", "index.html", "--out", "OUT/page.wacz"), True, (), (0, 1))],
    "verify": [Typed(("verify", "OUT/page.wacz"), True, ("freeze",), (0, 1))],
    "export": [Typed(("export", "OUT/marks.pagelet", "--out", "OUT/gold"), True, ("import",))],
    "import": [
        Typed(
            (*"import boxes.json --format coco --onto . --workspace".split(), "OUT/marks.pagelet"),
            True,
        )
    ],
    "agreement": [Typed(("agreement", ".", "."), True)],
    "compare": [Typed(("compare", "bte", "dsc", ".", "--out", "OUT/compared"), True)],
    "bisect": [Typed(("bisect", "index.html", "."), statuses=(2,))],  # in no checkout
    "reproduce": [Typed(("reproduce",)), Typed(("reproduce", "table.toml", "."), True)],
    "gate": [
        Typed(("gate", "OUT/a.gate.json", "--update", "--new", "plain", "."), True),
        Typed(("gate", "OUT/a.gate.json"), True, ("gate",)),
    ],
    "loop": [
        Typed(("loop", "plain", ".", "--hypothesis", "a", "--log", "OUT/loop"), True),
    ],
    "triage": [Typed(("triage", ".", "--out", "OUT/triage"))],
    "audit": [Typed(("audit", "."), True)],
    "guidelines": [Typed(("guidelines", "."), True)],
    "score": [Typed(("score", "texts.json", ".", "--out", "OUT/scored"))],
    "evaluate": [
        Typed(tuple("evaluate . --methods plain --report tables --out OUT/run".split())),
    ],
    "bundle": [Typed(("bundle", "OUT/run", "--out", "OUT/bundle"), True, ("evaluate",))],
    # a page alone is too few to learn from, and LightGBM may not be installed: refused either way
    "train": [Typed(tuple("train gleaner . --out OUT/model.npz".split()), True, (), (2,))],
    "assign": [Typed(tuple("assign . --to Anna Ben --out OUT/work".split()))],
    "merge": [
        Typed(("merge", "OUT/marks.pagelet", "--out", "OUT/merged.pagelet"), False, ("import",))
    ],
    "team": [
        Typed(("team", "OUT", "--sync", "OUT/marks.pagelet", "--as", "Anna"), False, ("import",)),
    ],
    "demo": [Typed(("demo", ".", "--out", "OUT/demo"), True)],
    "new": [Typed(("new", "plugin", "shout-words"), statuses=(0, 2))],
    "docs": [Typed(("docs", "--check"))],
    "doctor": [Typed(("doctor",), True, (), (0, 1))],
}

_MARKS = "OUT/marks.pagelet"
_ODD = (0, 1, 2)
"""Of what is given a workspace in the stead of something else: refused or not."""

_WITH_WORKSPACE = {
    "open": [Typed(("open", ".", "--workspace", _MARKS), True, (), (130,))],
    "methods": [Typed(("methods", "--method-file", _MARKS), statuses=_ODD)],
    "extract": [
        Typed(("extract", "bte", "--in", _MARKS, "--out", "OUT/rows"), statuses=_ODD),
        Typed(("extract", "plain", _MARKS), statuses=_ODD),
    ],
    "segment": [Typed(("segment", "page-style", _MARKS), True, (), _ODD)],
    "crawl": [Typed(("crawl", "http://127.0.0.1:9/", "--out", _MARKS), statuses=(*_ODD, 3))],
    "picture": [Typed(("picture", _MARKS, "plain", "--out", "OUT/a.svg"), True, (), _ODD)],
    "why": [Typed(("why", "bte", _MARKS, "--text", "word1 word2"), statuses=_ODD)],
    "diff": [
        Typed(("diff", "bte", _MARKS), statuses=_ODD),
        Typed(("diff", "bte", "index.html", "--gold", _MARKS), statuses=_ODD),
    ],
    "invariance": [Typed(("invariance", "plain", _MARKS), statuses=_ODD)],
    "hidden": [Typed(("hidden", "plain", _MARKS), True, (), _ODD)],
    "records": [Typed(("records", "mdr", _MARKS), statuses=_ODD)],
    "board": [Typed(("board", _MARKS, "--out", "OUT/board"), True, (), _ODD)],
    "schema": [Typed(("schema", _MARKS), statuses=_ODD)],
    "skill": [Typed(("skill",))],
    "next": [Typed(("next", "plain", _MARKS), True, (), _ODD)],
    "reduce": [
        Typed(("reduce", "bte", _MARKS, "--lost", "Another block"), statuses=_ODD),
        Typed(("reduce", "bte", "index.html", "--against", "plain", "--least", "1", "--out",
               _MARKS), statuses=_ODD),
    ],
    "freeze": [Typed(("freeze", _MARKS, "--out", "OUT/frozen"), True, (), (0, 1))],
    "verify": [Typed(("verify", _MARKS), True, (), _ODD)],
    "export": [Typed(("export", _MARKS, "--out", "OUT/gold"), True)],
    "import": [
        Typed(("import", "boxes.json", "--format", "coco", "--onto", ".", "--workspace", _MARKS),
              True),
        Typed(("import", _MARKS, "--format", "coco", "--onto", ".", "--workspace", _MARKS), True,
              (), _ODD),
    ],
    "agreement": [Typed(("agreement", _MARKS, _MARKS), True)],
    "compare": [
        Typed(("compare", "bte", "dsc", _MARKS), True, (), _ODD),
        Typed(("compare", "bte", _MARKS, "."), True, (), _ODD),
    ],
    "bisect": [Typed(("bisect", _MARKS, _MARKS), statuses=_ODD)],
    "reproduce": [
        Typed(("reproduce", "table.toml", _MARKS), True, (), _ODD),
        Typed(("reproduce", _MARKS), statuses=_ODD),
    ],
    "gate": [
        Typed(("gate", _MARKS), statuses=_ODD),
        Typed(("gate", "OUT/marks.gate.json", "--new", "plain", _MARKS), True, (), _ODD),
        Typed(("gate", _MARKS, "--new", "plain", "."), statuses=_ODD),
    ],
    "loop": [
        Typed(("loop", "plain", _MARKS, "--hypothesis", "a", "--log", "OUT/odd"), True, (), _ODD),
    ],
    "triage": [Typed(("triage", _MARKS, "--out", "OUT/triage"), True)],
    "audit": [Typed(("audit", _MARKS), True, (), _ODD)],
    "guidelines": [Typed(("guidelines", _MARKS), True, (), _ODD)],
    "score": [Typed(("score", "texts.json", _MARKS, "--out", "OUT/scored"), True)],
    "evaluate": [
        Typed(("evaluate", _MARKS, "--methods", "plain", "--report", "tables", "--out", "OUT/run"),
              True),
    ],
    "bundle": [
        Typed(("bundle", "OUT/run", "--out", "OUT/bundle"), True),
        Typed(("bundle", _MARKS, "--out", "OUT/bundle2"), True, (), _ODD),
    ],
    "train": [
        Typed(("train", "gleaner", _MARKS, "--out", "OUT/model.npz"), True, statuses=_ODD),
        Typed(("train", "gleaner", ".", "--out", _MARKS), True, statuses=_ODD),
        Typed(("train", "terrain-learned", _MARKS, "--out", "OUT/m.npz"), True, statuses=_ODD),
    ],
    "assign": [Typed(("assign", _MARKS, "--to", "Anna", "Ben", "--out", "OUT/work"))],
    "merge": [
        Typed(("merge", _MARKS, "--out", "OUT/merged.pagelet")),
        Typed(("merge", "OUT/merged.pagelet", "--out", _MARKS)),
    ],
    "team": [
        Typed(("team", ".", "--sync", _MARKS, "--as", "Anna"), statuses=_ODD),
        Typed(("team", _MARKS), statuses=_ODD),
    ],
    "demo": [Typed(("demo", _MARKS, "--out", "OUT/demo"), True)],
    "new": [Typed(("new", "plugin", _MARKS), statuses=_ODD)],
    "docs": [Typed(("docs", "--check", "--method-file", _MARKS), statuses=_ODD)],
    "doctor": [Typed(("doctor", "--method-file", _MARKS), True, (), _ODD)],
}  # fmt: skip
"""The workspace that is open elsewhere, wherever a command can be given a path.  In this order each
has what it needs."""


def on_workspace(command: str) -> list[Typed]:
    """Return the lines that give a command the workspace OUT/marks.pagelet."""
    assert command in _WITH_WORKSPACE, f"give {command} a line with a workspace in {__name__}"
    return _WITH_WORKSPACE[command]


def words_of(command: str) -> list[Typed]:
    """Return the lines for a command."""
    assert command in _EVERY, f"give {command} a line in {__name__}"
    return _EVERY[command]


def every() -> list[Typed]:
    """Return the lines for all commands."""
    return [typed for command in commands() for typed in words_of(command)]


def name_of(typed: Typed) -> str:
    """Return what a test of it is called."""
    first, second, *_ = (*typed.words, "")
    return f"{first} {second}" if second.startswith("-") else " ".join(typed.words[:4])


def write_data_set(folder: Path) -> Path:
    """Write a data set of one page, its gold, boxes of another tool, and a table of a paper."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    target = {"path": "/html[1]/body[1]/div[1]/p[1]", "position": [10, 10 + len(WORDS)]}
    target |= {"quote": WORDS, "prefix": "A heading ", "suffix": " Another block"}
    gold = {
        "format": "pagelet-gold",
        "version": 1,
        "page": {"url": "index.html", "title": "", "digest": "", "viewport": [1366, 768]},
        "marks": [{"id": "one", "level": 0, "type": "", "targets": [target]}],
    }
    (folder / "index.gold.json").write_text(json.dumps(gold), encoding="utf-8")
    (folder / "texts.json").write_text(json.dumps({"index": WORDS}), encoding="utf-8")
    box = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1366, 200]}
    boxes = {
        "images": [{"id": 1, "file_name": "index.html", "width": 1366, "height": 768}],
        "categories": [{"id": 1, "name": "Content"}],
        "annotations": [box | {"iscrowd": 0, "area": 273200}],
    }
    (folder / "boxes.json").write_text(json.dumps(boxes), encoding="utf-8")
    (folder / "table.toml").write_text(PUBLISHED, encoding="utf-8")
    return folder


@dataclass
class Desk:
    """Where commands are typed: a data set, and a folder for what they write.

    Attributes:
        folder: The data set.
        out: What OUT stands for.
        variables: Those that Python must know as it starts.
        starts_anew: Whether each command is a Python started for it, which takes a second more.
        done: Commands that have been run.
    """

    folder: Path
    out: Path
    variables: dict[str, str] = field(default_factory=dict)
    starts_anew: bool = not hasattr(os, "fork")
    done: set[str] = field(default_factory=set)

    def start(self, typed: Typed, **options) -> subprocess.Popen:
        """Start a command as its script does, in a session of its own; after those it needs."""
        self.prepare(typed)
        command = [sys.executable, "-P", str(ROOT / "annotate" / "facade" / "pagelet_command.py")]
        streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [*command, *self._words(typed)],
            **{"stdin": subprocess.DEVNULL, **streams, "cwd": self.folder, **options},
            env=self._environment() | self.variables,
            start_new_session=True,
        )

    def _words(self, typed: Typed) -> list[str]:
        return [word.replace("OUT", str(self.out)) for word in typed.words]

    def _environment(self) -> dict[str, str]:
        home = self.out / "home"
        home.mkdir(parents=True, exist_ok=True)
        own = {"QT_QPA_PLATFORM": "offscreen", "HOME": str(home), "XDG_DATA_HOME": str(home)}
        return os.environ | own | {"XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home)}

    def prepare(self, typed: Typed) -> None:
        """Run what must have been run before."""
        for command in typed.needs:
            self.prepare_command(command)

    def prepare_command(self, command: str) -> None:
        """Run a command unless it has been run."""
        if command not in self.done:
            status, _, output = self.run(words_of(command)[0])
            assert status in words_of(command)[0].statuses, output

    def run(
        self, typed: Typed, seconds: int = 120, *, stdout: str = "", closed: tuple[int, ...] = ()
    ) -> tuple[int, str, str]:
        """Run a command to its end; return its status and what it printed.

        Args:
            typed: The command.
            seconds: When it is ended.
            stdout: A file to print to.
            closed: Standard streams that it has not.
        """
        if self.starts_anew:
            return self.run_anew(typed, seconds)
        self.prepare(typed)
        done = forked(
            self._words(typed), self._environment(), seconds=seconds, folder=self.folder,
            variables=self.variables, session=True, stdout=stdout, closed=closed,
        )  # fmt: skip
        self.done.add(typed.words[0])
        return done.returncode, done.stdout, done.stderr

    def run_anew(self, typed: Typed, seconds: float = 120, **options) -> tuple[int, str, str]:
        """Run a command with a Python of its own, as `run` does."""
        self.prepare(typed)
        with self.start(typed, **options) as process:
            try:
                out, stderr = process.communicate(timeout=seconds)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        self.done.add(typed.words[0])
        return process.returncode, (out or b"").decode(errors="replace"), stderr.decode()
