"""``pagelet team``: contents of a team folder, and syncing a workspace with it."""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import InputError, PageletError
from engine.words import listed, no_such

if TYPE_CHECKING:
    from annotate.plugins.team_folder.held import Held
    from annotate.plugins.team_folder.state import TeamState
    from annotate.plugins.team_folder.sync import Synced, TeamFolder

_EPILOG = """A team folder is any folder that all can reach: a network share, Nextcloud, Syncthing,
a git checkout. Each writes only a log of his own there, and reads those of the others.

Who works in it, how far each is, and what has not arrived:
  pagelet team /shared/corpus

Join with a workspace, then sync the two (again at any time, or with --watch):
  pagelet team /shared/corpus --sync anna.pagelet --as Anna
  pagelet team /shared/corpus --sync anna.pagelet

A log that writes in somebody's name counts once that person has accepted it as a device of theirs.
What is held, and what it would change, is printed:
  pagelet team /shared/corpus --sync anna.pagelet --accept Anna-1f0c22ab.pagelet-log
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for the folder and the workspace to sync."""
    command.epilog = _EPILOG
    command.add_argument("folder", type=Path, help="the team folder")
    command.add_argument(
        "--sync", type=Path, metavar="WORKSPACE",
        help="write what is new in this workspace to the folder, and receive what others did",
    )  # fmt: skip
    command.add_argument(
        "--as", dest="name", default="", metavar="NAME",
        help="the name you mark under, when a workspace joins",
    )  # fmt: skip
    command.add_argument(
        "--other-device", action="store_true",
        help="the one of this name who works there already is you, on another device",
    )  # fmt: skip
    for name, does in (
        (
            "accept",
            "have a log that is held count: here, or for all where it is of a device of yours",
        ),
        ("refuse", "ask no more about a log that is held"),
        ("forget", "say no more that a log which was read is gone, shorter or another"),
    ):
        command.add_argument(f"--{name}", metavar="LOG", action="append", default=[], help=does)
    command.add_argument(
        "--watch", type=float, metavar="SECONDS", help="go on, every so many seconds, until Ctrl+C"
    )
    command.add_argument("--json", action="store_true", help="print who is there as JSON")


def run(options: argparse.Namespace) -> int:
    """Sync the workspace, if one is named, and print its people."""
    from annotate.plugins.team_folder.progress import progress_in, progress_of

    held: tuple[Held, ...] = ()
    notes: Sequence[str]
    if options.sync is not None:
        _join(options)
        state, result = _sync(options)
        people, notes, held = progress_of(state), result.notes, result.held
    elif any(getattr(options, name) not in ("", [], False, None) for name in _NEED_SYNC):
        names = [f"--{name.replace('_', '-')}" for name in _NEED_SYNC.values()]
        raise InputError(f"{listed(names, 'and')} need --sync WORKSPACE")
    else:
        people, notes = progress_in(options.folder)
    if options.json:
        print(json.dumps({"people": [each.as_json() for each in people], "incomplete": notes,
                          "held": [each.as_json() for each in held]},
                         ensure_ascii=False, indent=1))  # fmt: skip
        return 0
    for note in notes:
        print(f"pagelet: {note}", file=sys.stderr)
    _print_held(options, held)
    if not people:
        print(f"{options.folder}: nobody works here yet")
    for each in people:
        print(each)
    return 0


_NEED_SYNC = {
    "name": "as", "other_device": "other-device", "watch": "watch", "accept": "accept",
    "refuse": "refuse", "forget": "forget",
}  # fmt: skip
"""Names on the command line of options that need a workspace."""

_MOST_LINES = 10


def _print_held(options: argparse.Namespace, held: Sequence["Held"]) -> None:
    open_ = [each for each in held if not each.is_refused]
    for each in open_:
        print(f"pagelet: held: {each.note}", file=sys.stderr)
        print(f"    {each.origin}", file=sys.stderr)
        rest = len(each.changes) - _MOST_LINES
        more = [f"and {rest} more"] if rest > 0 else []
        for line in [*each.changes[:_MOST_LINES], *more]:
            print(f"    {line}", file=sys.stderr)
    if open_:
        words = ["pagelet", "team", str(options.folder), "--sync", str(options.sync), "--accept"]
        print(f"pagelet: to accept one: {shlex.join([*words, open_[0].file])}", file=sys.stderr)


def _join(options: argparse.Namespace) -> None:
    from annotate.plugins.team_folder.membership import join, membership
    from annotate.workspace.workspace import Workspace

    folder = options.folder.absolute()
    with Workspace.open(options.sync, create=False) as workspace:
        if workspace.damage:
            raise InputError(workspace.damage)
        member = membership(workspace.store)
        if member is not None and Path(member.folder) != folder and not options.name:
            raise InputError(
                f"{options.sync} works in the team folder {member.folder}: to have it work in "
                f"{folder} from now on, add --as NAME"
            )
        if member is None or options.name or Path(member.folder) != folder:
            join(workspace, folder, options.name, is_me=options.other_device)


def _sync(options: argparse.Namespace) -> "tuple[TeamState, Synced]":
    from annotate.plugins.team_folder.sync import TeamFolder

    team = TeamFolder.opened(options.sync)
    if team is None:
        raise InputError(f"{options.sync} works in no team folder")
    with team:
        _answer(options, team)
        while True:
            try:
                result = team.sync()
            except PageletError as error:
                if options.watch is None:
                    raise
                print(f"pagelet: {error}", file=sys.stderr, flush=True)
            else:
                if result.is_busy and options.watch is None:
                    raise InputError(
                        f"{options.sync} is being synced by its window or another command"
                    )
                if result.summary or options.watch is None:
                    out = sys.stderr if options.json else sys.stdout
                    print(result.summary or "nothing new", file=out, flush=True)
                if options.watch is None:
                    return team.state, result
            time.sleep(max(options.watch, 0.1))


def _answer(options: argparse.Namespace, team: "TeamFolder") -> None:
    """Accept, refuse and forget the named logs; `InputError` for an unknown one."""
    if not (options.accept or options.refuse or options.forget):
        return
    held = team.sync().held
    for file in options.forget:
        if not team.forget(file):
            raise InputError(f"there is no note on {file}")
    for files, is_accepted in ((options.accept, True), (options.refuse, False)):
        for file in files:
            of_file = [each for each in held if each.file == file]
            if not of_file:
                raise InputError(no_such("log that is held", file, [each.file for each in held]))
            for each in [each for each in of_file if each.is_mine] or of_file:
                team.answer(each.voice, is_accepted=is_accepted)
