"""Commands on a full disk: one sentence, exit status 1, and a later run goes on.

The independent truth: what is written where the disk has room again.  A browser in this
process ends by the limit set here, so `freeze` is not among the commands.
"""

import contextlib
import re
import sys

import pytest

from gui.cli.main import main
from tests.every_command import WORDS

resource = pytest.importorskip("resource", reason="POSIX only")
pytestmark = pytest.mark.slow

LINES = {
    "extract": ["extract", "bte", "--in", "set", "--format", "jsonl", "--out"],
    "evaluate": "evaluate set --methods bte --jobs 1 --report tables --out".split(),
    "merge": ["merge", "work/Anna.pagelet", "work/Ben.pagelet", "--out"],
}
RESUMED = ("extract", "evaluate")


@contextlib.contextmanager
def full_disk(room):
    """Keep files from growing beyond some bytes, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("command", LINES)
def test_a_command_on_a_full_disk_says_so_and_goes_on_later(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    for number in range(6):
        (tmp_path / f"set/p{number}.html").write_text(f"<!doctype html><h1>Head</h1><p>{WORDS}")
        (tmp_path / f"set/p{number}.txt").write_text(WORDS)
    if command == "merge":
        assert main("assign set --to Anna Ben --out work".split()) == 0
    out = "m.pagelet" if command == "merge" else "out"
    capsys.readouterr()
    with full_disk(300):
        status = main([*LINES[command], out])
    told = capsys.readouterr().err
    assert is_told(status, told), (status, told)

    again = ["--resume"] if command in RESUMED else []
    assert main([*LINES[command], out, *again]) == 0, capsys.readouterr().err
    assert (tmp_path / out).exists()


def is_told(status, told):
    """Return whether a command ended with 1 and a sentence, after whatever progress it told."""
    said = [line for line in told.splitlines() if line.startswith("pagelet: ")]
    return status == 1 and len(said) == 1 and not re.search("Traceback|damaged", told)


def test_the_oracle_finds_a_command_that_goes_on_or_is_silent(capsys):
    print("pagelet: cannot write out: File too large", file=sys.stderr)
    told = capsys.readouterr().err
    assert is_told(1, told)
    assert not is_told(0, told)
    assert not is_told(1, "")
    assert not is_told(1, f"Traceback (most recent call last):\n{told}")
