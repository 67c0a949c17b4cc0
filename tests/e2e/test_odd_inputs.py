"""Test every command with unexpected names, files and outputs."""

import os
import sys

import pytest

from tests.every_command import PAGE, WORDS, Desk, Typed, every, name_of, write_data_set
from tests.typed_commands import typed as run_typed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and devices of Unix")

SECONDS = 60

READERS = [
    "extract plain IN",
    "why bte IN --text word1",
    "diff bte IN",
    "diff bte index.html --gold IN",
    "verify IN",
    "export IN --out OUT/gold",
    "import IN --format coco --onto . --workspace OUT/a.pagelet",
    "import IN --format label-studio --onto . --workspace OUT/a.pagelet",
    "import IN --format labelme --onto . --workspace OUT/a.pagelet",
    "import IN --format webannotation --onto . --workspace OUT/a.pagelet",
    "import boxes.json --format coco --onto IN --workspace OUT/a.pagelet",
    "import IN --out OUT/pages",
    "agreement IN IN",
    "evaluate IN --methods plain --report none --out OUT/run",
    "bundle IN --out OUT/bundle",
    "assign IN --to Anna --out OUT/work",
    "merge IN --out OUT/merged.pagelet",
    "extract bte --in IN --out OUT/rows --format jsonl",
    "extract bte --in . --addresses IN --out OUT/rows2 --format jsonl",
    "extract plain index.html --site IN",
    "methods --method-file IN",
    "crawl IN --out OUT/site",
]
"""What reads a file or folder, without a browser where that is bad."""

ODD = {
    "a name of 5,000 letters": lambda folder: "x" * 5_000,
    "a missing name that is no UTF-8": lambda folder: os.fsdecode(b"no\xff\xfefile"),
    "a pipe that nobody writes to": lambda folder: folder / "pipe.json",
    "a device that never ends": lambda folder: "/dev/zero",
    "a file of 5 GB": lambda folder: folder / "huge.json",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = write_data_set(tmp_path_factory.mktemp("odd") / "data")
    beside = made.parent
    os.mkfifo(beside / "pipe.json")
    with (beside / "huge.json").open("wb") as file:
        file.truncate(5 * 2**30)
    return made


def run(folder, line, odd):
    known = {"IN": str(odd), ".": str(folder)}
    known |= {path.name: str(path) for path in folder.iterdir()}
    words = [
        known.get(word, word.replace("OUT", str(folder.parent / "out"))) for word in line.split()
    ]
    return run_typed(*words, seconds=SECONDS, QT_QPA_PLATFORM="offscreen")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        pytest.param(
            line, kind, marks=[] if "--format coco --onto ." in line else [pytest.mark.slow]
        )
        for line in READERS
        for kind in ODD
    ],
)
def test_unreadable_inputs_are_reported_in_one_sentence(folder, line, kind):
    done = run(folder, line, ODD[kind](folder.parent))
    assert done.returncode in (0, 1, 2), done.stderr  # not -14: the time was up
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert done.stderr.splitlines()[-1].startswith("pagelet: ")
        assert len(done.stderr) < 3_000


@pytest.mark.parametrize("other", ["page.html", "link.html", "here/../page.html"])
@pytest.mark.parametrize("command", ["picture PAGE bte", "reduce bte PAGE --lost Tea"])
def test_a_command_refuses_to_overwrite_the_page_it_reads(tmp_path, command, other):
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    (tmp_path / "here").mkdir()
    (tmp_path / "link.html").symlink_to(page)
    done = run_typed(*command.replace("PAGE", str(page)).split(), "--out", str(tmp_path / other))
    assert (done.returncode, "is the page itself" in done.stderr) == (2, True)
    assert page.read_text() == PAGE


def test_a_page_with_a_file_name_outside_utf8_is_read(folder):
    path = folder.parent / os.fsdecode(b"\xff\xfe.html")
    path.write_text(PAGE, encoding="utf-8")
    done = run(folder, "extract plain IN", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert WORDS in done.stdout


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    base = tmp_path_factory.mktemp("outputs")
    return Desk(write_data_set(base / "data"), base / "out")


def lines(all_lines):
    return [
        pytest.param(each, id=name_of(each), marks=[pytest.mark.slow] if number > 0 else [])
        for number, each in enumerate(all_lines)
    ]


PRINTING = [
    each for each in every() if each.words[0] not in ("open", "docs") and each.statuses != (2,)
]


ANSWERING = [each for each in PRINTING if each.words[0] != "picture" and 0 in each.statuses]


@pytest.mark.parametrize("line", lines(ANSWERING))
def test_output_to_a_full_disk_is_reported_in_one_sentence(desk, line):
    status, _, stderr = desk.run(line, stdout="/dev/full")
    assert status == 1
    assert "Traceback" not in stderr
    assert stderr.endswith("pagelet: cannot write to standard output: No space left on device\n")


def closed_ones():
    """Yield each line with all streams closed, and lines without child processes with one closed.

    The others, of which each takes seconds, differ from these in what they compute alone.
    """
    for line in PRINTING:
        is_small = not line.renders and line.words[0] not in ("evaluate", "score")
        for closed in ((0, 1, 2), (1,), (2,)):
            mark = pytest.mark.slow if is_small or len(closed) == 3 else pytest.mark.long
            is_first = line is PRINTING[0]
            yield pytest.param(
                line, closed, id=f"{name_of(line)}-{closed}", marks=[] if is_first else [mark]
            )


@pytest.mark.parametrize(("line", "closed"), list(closed_ones()))
def test_commands_exit_normally_with_closed_streams(desk, line, closed):
    status, _, stderr = desk.run(line, closed=closed)
    assert status in line.statuses, stderr
    assert "Traceback" not in stderr


@pytest.fixture(scope="module")
def ascii_desk(tmp_path_factory):
    """Return a desk whose outputs are ASCII and whose page is not."""
    base = tmp_path_factory.mktemp("ascii")
    desk = Desk(write_data_set(base / "data"), base / "out")
    desk.variables = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    desk.variables |= {"PYTHONCOERCECLOCALE": "0"}
    text = PAGE.replace("A heading", "Überschrift → 漢字 \N{GRINNING FACE}")
    (desk.folder / "index.html").write_text(text, encoding="utf-8")
    return desk


@pytest.mark.parametrize("line", lines(PRINTING))
def test_every_command_prints_to_an_ascii_output(ascii_desk, line):
    status, out, stderr = ascii_desk.run(line)
    assert status in line.statuses, stderr
    assert "Traceback" not in stderr
    assert (out + stderr).isascii()


def test_too_few_open_files_are_reported_before_the_browser_starts(desk):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    status, _, stderr = desk.run_anew(
        Typed(("segment", "page-style", "index.html"), True), preexec_fn=limit
    )
    assert status == 2
    assert stderr.startswith("pagelet: rendering a page takes ")
    assert "ulimit -n" in stderr


def test_a_closed_pipe_is_not_an_error(desk):
    with desk.start(Typed(("methods", "--json"))) as process:
        process.stdout.close()
        stderr = process.stderr.read()
        process.wait(SECONDS)
    assert (process.returncode, stderr) == (0, b"")
