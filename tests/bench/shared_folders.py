"""A team in a folder that is really shared: ``python -m tests.bench.shared_folders FOLDER...``.

Each FOLDER is the same one as one machine sees it: a mount of a share, or a copy that a program
syncs.  Five annotators work at once, dealt to the folders in turn, and two are killed; how each is
played stands in `tests/plugins/team_folder`.  Printed are what was saved and killed, how long the
folders took until all saw the same, and how long a comment needs to reach all others.
Ends with status 1 where something is lost, or not there after `PATIENCE`.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from annotate.plugins.team_folder.sync import TeamFolder
from annotate.plugins.team_work import comments
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.plugins.team_folder.parts import KEYS, contents, member
from tests.plugins.team_folder.test_five_processes import NAMES, check, work_until_done

ROUNDS = 12
KILLS = 2
COMMENTS = 5
PATIENCE = 180.0
"""Seconds."""


def synced(paths: list[Path]) -> set[str]:
    """Bring each workspace and its folder together once; return what was said to be incomplete."""
    said = set()
    for path in paths:
        team = TeamFolder.opened(path)
        assert team is not None, path
        with team:
            try:
                said |= {*team.sync().notes}
            except PageletError as error:
                said.add(str(error))
    return said


def until_same(paths: list[Path]) -> tuple[float, set[str]]:
    """Return the seconds until all workspaces hold the same, and what was said on the way."""
    began, said = time.perf_counter(), set()
    while True:
        said |= synced(paths)
        first, *others = [contents(path) for path in paths]
        seconds = time.perf_counter() - began
        if all(other == first for other in others) or seconds > PATIENCE:
            return seconds, said
        time.sleep(0.1)


def main(folders: list[Path]) -> int:
    with tempfile.TemporaryDirectory() as name:
        paths = []
        for i, who in enumerate(NAMES):
            path = Path(name) / f"{who}.pagelet"
            paths.append(member(folders[i % len(folders)], path, who))
        synced(paths)
        began = time.perf_counter()
        saved, killed = work_until_done(paths, folders[:1], dict, 1, ROUNDS, KILLS)
        print(f"{len(saved)} saved, {killed} killed, in {time.perf_counter() - began:.1f} s")
        seconds, said = until_same(paths)
        there = check(paths, saved)
        changes = len(there["changes"])
        print(f"all see the same {seconds:.1f} s later: {changes} changes, nothing lost")
        reached = []
        for number in range(COMMENTS):
            with Workspace.open(paths[number % len(paths)]) as workspace:
                comments.add(workspace, KEYS[0], f"last {number}")
            seconds, more = until_same(paths)
            reached.append(seconds)
            said |= more
        median = statistics.median(reached)
        print(f"a comment reaches all after {median:.1f} s, at most {max(reached):.1f}")
        check(paths, saved)
    for note in sorted(said):
        print("said:", note)
    return int(max(reached) > PATIENCE)


if __name__ == "__main__":
    sys.exit(main([Path(word).absolute() for word in sys.argv[1:]]))
