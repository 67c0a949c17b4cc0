"""``pagelet team``: what is in a team folder, and syncing a workspace with it."""

import argparse
import json
import sys
import time
from pathlib import Path

from engine.errors import InputError, PageletError

_EPILOG = """A team folder is any folder that all can reach: a network share, Nextcloud, Syncthing,
a git checkout. Each writes only a log of his own there, and reads those of the others.

Who works in it, how far each is, and what has not arrived:
  pagelet team /shared/corpus

Join with a workspace, then sync the two (again at any time, or with --watch):
  pagelet team /shared/corpus --sync anna.pagelet --as Anna
  pagelet team /shared/corpus --sync anna.pagelet
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take the folder, and which workspace to sync with it."""
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
    command.add_argument(
        "--watch", type=float, metavar="SECONDS", help="go on, every so many seconds, until Ctrl+C"
    )
    command.add_argument("--json", action="store_true", help="print who is there as JSON")


def run(options: argparse.Namespace) -> int:
    """Sync the workspace, if one is named, and say who is there."""
    from annotate.team.folder.progress import progress_of

    if options.sync is not None:
        _join(options)
        _sync(options)
    elif options.name or options.other_device or options.watch is not None:
        raise InputError("--as, --other-device and --watch need --sync WORKSPACE")
    people, notes = progress_of(options.folder)
    if options.json:
        print(json.dumps({"people": [each.as_json() for each in people], "incomplete": notes},
                         ensure_ascii=False, indent=1))  # fmt: skip
        return 0
    for note in notes:
        print(f"pagelet: {note}", file=sys.stderr)
    if not people:
        print(f"{options.folder}: nobody works here yet")
    for each in people:
        print(each)
    return 0


def _join(options: argparse.Namespace) -> None:
    from annotate.team.folder.membership import join, membership
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


def _sync(options: argparse.Namespace) -> None:
    from annotate.team.folder.sync import TeamFolder

    team = TeamFolder.opened(options.sync)
    if team is None:
        raise InputError(f"{options.sync} works in no team folder")
    with team:
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
                    print(result.summary or "nothing new", flush=True)
            if options.watch is None:
                return
            time.sleep(max(options.watch, 0.1))
