"""``pagelet team``: contents of a team folder, and syncing a workspace with it."""

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import InputError, PageletError
from engine.options import Options, option
from engine.words import join_words, no_such
from gui.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from annotate.plugins.team_folder.held import Held
    from annotate.plugins.team_folder.state import TeamState
    from annotate.plugins.team_folder.sync import Synced, TeamFolder


@dataclass(frozen=True)
class TeamOptions(Options):
    """Work with a team folder."""

    sync: Path | None = option(
        None,
        "write what is new in this workspace to the folder, and receive what others did",
        metavar="WORKSPACE",
    )
    name: str = option(
        "", "the name you mark under, when a workspace joins", flag="as", metavar="NAME"
    )
    other_device: bool = option(
        False, "the one of this name who works there already is you, on another device"
    )
    accept: Sequence[str] = option(
        (),
        "have a log that is held count: here, or for all where it is of a device of yours",
        metavar="LOG",
    )
    refuse: Sequence[str] = option((), "stop asking about a held log", metavar="LOG")
    forget: Sequence[str] = option(
        (), "stop warning about a log that is missing, shorter or replaced", metavar="LOG"
    )
    watch: float | None = option(
        None, "go on, every so many seconds, until Ctrl+C", metavar="SECONDS"
    )
    json: bool = option(False, "print who is there as JSON")

    @property
    def needs_sync(self) -> bool:
        """Whether an option is given that needs a workspace."""
        return self.sync is None and replace(self, json=False) != TeamOptions()


def run(folder: Path, *, options: TeamOptions) -> int:
    """Sync the workspace, if one is named, and print its people.

    Args:
        folder: the team folder

    A team folder is any folder that all can reach: a network share, Nextcloud, Syncthing,
    a git checkout. Each writes only a log of his own there, and reads those of the others.

    Who works in it, how far each is, and what has not arrived:
      pagelet team /shared/corpus

    Join with a workspace, then sync the two (again at any time, or with --watch):
      pagelet team /shared/corpus --sync anna.pagelet --as Anna
      pagelet team /shared/corpus --sync anna.pagelet

    A log that writes in somebody's name counts once that person has accepted it as a device of
    theirs. What is held, and what it would change, is printed:
      pagelet team /shared/corpus --sync anna.pagelet --accept Anna-1f0c22ab.pagelet-log
    """
    from annotate.plugins.team_folder.member_progress import progress_in, progress_of

    held: tuple[Held, ...] = ()
    notes: Sequence[str]
    if options.needs_sync:
        flags = [f"--{spec.flag_of(name)}" for name, spec in TeamOptions.specs().items()]
        raise InputError(f"{join_words(flags[1:-1], 'and')} need --sync WORKSPACE")
    if options.sync is not None:
        _join(folder.absolute(), options.sync, options)
        state, result = _sync(options.sync, options)
        people, notes, held = progress_of(state), result.notes, result.held
    else:
        people, notes = progress_in(folder)
    if options.json:
        rows = [each.as_json() for each in held]
        answer = {"people": [each.as_json() for each in people], "incomplete": notes, "held": rows}
        print_json(answer, indent=1)
        return 0
    note(*notes)
    _print_held(["pagelet", "team", str(folder), "--sync", str(options.sync), "--accept"], held)
    if not people:
        print(f"{folder}: nobody works here yet")
    for each in people:
        print(each)
    return 0


_MOST_LINES = 10


def _print_held(words: Sequence[str], held: Sequence["Held"]) -> None:
    open_ = [each for each in held if not each.is_refused]
    for each in open_:
        note(f"held: {each.note}")
        rest = len(each.changes) - _MOST_LINES
        more = [f"and {rest} more"] if rest > 0 else []
        for line in [each.origin, *each.changes[:_MOST_LINES], *more]:
            progress(f"    {line}")
    if open_:
        note(f"to accept one: {shlex.join([*words, open_[0].file])}")


def _join(folder: Path, sync: Path, options: TeamOptions) -> None:
    from annotate.plugins.team_folder.membership import join, membership
    from annotate.workspace.workspace import Workspace

    with Workspace.open(sync, create=False) as workspace:
        if workspace.damage:
            raise InputError(workspace.damage)
        member = membership(workspace.store)
        if member is not None and Path(member.folder) != folder and not options.name:
            raise InputError(
                f"{sync} works in the team folder {member.folder}: to have it work in "
                f"{folder} from now on, add --as NAME"
            )
        if member is None or options.name or Path(member.folder) != folder:
            join(workspace, folder, options.name, is_me=options.other_device)


def _sync(path: Path, options: TeamOptions) -> "tuple[TeamState, Synced]":
    from annotate.plugins.team_folder.sync import TeamFolder

    team = TeamFolder.opened(path)
    if team is None:
        raise InputError(f"{path} works in no team folder")
    with team:
        _answer(options, team)
        while True:
            try:
                result = team.sync()
            except PageletError as error:
                if options.watch is None:
                    raise
                note(error)
            else:
                if result.is_busy and options.watch is None:
                    raise InputError(f"{path} is being synced by its window or another command")
                if result.summary or options.watch is None:
                    out = sys.stderr if options.json else sys.stdout
                    print(result.summary or "nothing new", file=out, flush=True)
                if options.watch is None:
                    return team.state, result
            time.sleep(max(options.watch, 0.1))


def _answer(options: TeamOptions, team: "TeamFolder") -> None:
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
