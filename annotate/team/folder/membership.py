"""What a workspace remembers of the team folder it works in, and joining one."""

import platform
import re
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from annotate.marks.journal import dump
from annotate.marks.records import BROKEN, read_json
from annotate.team.folder.logs import ENDING, Logs
from annotate.team.folder.state import TeamState
from annotate.workspace import annotators
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace
from engine.errors import InputError

People = dict[str, tuple[str, list[str]]]
"""Uid → name, and the machines somebody works on; none: he was only assigned pages."""

SETTING = "team folder"
_KNOWN = re.compile("[0-9a-f]{32} [0-9]{1,12} [0-9a-f]{32}")


@dataclass(frozen=True)
class Membership:
    """That a workspace works in a team folder.

    Attributes:
        folder: Its path on this machine.
        device: Tells the logs of two devices apart; made anew where the workspace is a copy, on
            another machine or under another name, so that no two write to one log.
        host: Name of the machine.
        path: Of the workspace.
        own: Uids of those who worked here: their changes are written.
        known: The last records of each log that are in the workspace: hash of its first record,
            number, and hash.
        writing: Hashes of records that were about to be written.
    """

    folder: str
    device: str
    host: str
    path: str
    own: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    writing: tuple[str, ...] = ()

    def at(self, path: Path) -> "Membership":
        """Return it as it is for a workspace at a path, on this machine."""
        if (self.host, self.path) == (platform.node(), str(path)):
            return self
        return replace(self, device=new_device(), host=platform.node(), path=str(path), writing=())


def new_device() -> str:
    return uuid.uuid4().hex[:8]


def log_name(name: str, device: str) -> str:
    """Return what a new log is called: after its annotator, as every file system takes it."""
    plain = re.sub(r'[\\/:*?"<>|\x00-\x1f.~]+', " ", name).strip() or "annotator"
    return f"{plain[:60].strip()}-{device}{ENDING}"


def membership(store: Store) -> Membership | None:
    """Return what a workspace remembers; None where it works in no team folder."""
    row = store.one("SELECT value FROM settings WHERE key = ?", SETTING)
    return None if row is None else parsed(row[0])


def parsed(text: str) -> Membership | None:
    """Return what a setting says; None for anything else."""
    try:
        match read_json(text):
            case {
                "folder": str(folder), "device": str(device), "host": str(host),
                "path": str(path), "own": [*own], "known": [*known], "writing": [*writing],
            }:  # fmt: skip
                known = [each for each in map(str, known) if _KNOWN.fullmatch(each)]
                if re.fullmatch("[0-9a-f]{8}", device):
                    return Membership(
                        folder, device, host, path, *(tuple(map(str, e)) for e in
                        (own, known, writing))
                    )  # fmt: skip
    except BROKEN:
        pass
    return None


def put(store: Store, value: Membership | None) -> None:
    """Remember it, or forget it; inside `Store.saving`."""
    if value is None:
        store.run("DELETE FROM settings WHERE key = ?", SETTING)
        return
    store.run(
        "INSERT INTO settings (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        *(SETTING, dump(asdict(value))),
    )


def people_in(folder: Path) -> People:
    """Return who is in a team folder."""
    logs, state = Logs(folder), TeamState()
    logs.poll()
    for log in logs.by_head.values():
        state.add(log.head.hash, log.records.values())
    return {
        body["uid"]: (body["name"], sorted(state.devices.get(body["uid"], {}).values()))
        for body in state.of_kind("person")
    }


def join(workspace: Workspace, folder: Path, name: str = "", *, is_me: bool = False) -> None:
    """Have a workspace work in a team folder from now on.

    Args:
        workspace: Its annotator joins.
        folder: Is there, and can be written to.
        name: His; needed where he has none yet.
        is_me: Whether one of this name who works there already is he, on another device.

    Raises:
        InputError: There is no such folder, no name, or another one of the name.
        WorkspaceError: The workspace cannot be written to.
    """
    folder = folder.absolute()
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: make it first, where the team can reach it")
    me = workspace.annotator
    name = name.strip() or me.name
    if not name:
        raise InputError("give the name you mark under: others see your marks by it")
    namesakes = {uid: hosts for uid, (each, hosts) in people_in(folder).items() if each == name}
    uid = me.uid
    if namesakes and me.uid not in namesakes:
        uid, hosts = next(iter(sorted(namesakes.items())))
        if hosts and not is_me:
            raise InputError(
                f"{name} works in this team folder already, on {hosts[0]}: say that it is you, on "
                "another device, or take another name"
            )
    _become(workspace, name, uid)
    present = membership(workspace.store)
    value = Membership(str(folder), new_device(), platform.node(), str(workspace.path.absolute()))
    if present is not None and Path(present.folder) == folder:
        value = present.at(workspace.path.absolute())
    own = tuple(dict.fromkeys([*value.own, workspace.annotator.uid]))
    with workspace.store.saving():
        put(workspace.store, replace(value, own=own))


def _become(workspace: Workspace, name: str, uid: str) -> None:
    """Have who works here be called so, and known by a uid."""
    store, me = workspace.store, workspace.annotator
    if uid != me.uid:
        there = next((each for each in workspace.annotators if each.uid == uid), None)
        if there is not None:  # his work of the other device was merged here
            workspace.work_as(there)
            me = there
        else:
            with store.saving():
                store.run("UPDATE annotators SET uid = ? WHERE id = ?", uid, me.number)
            workspace.work_as(next(e for e in workspace.annotators if e.number == me.number))
            me = workspace.annotator
    if me.name != name:
        annotators.take_name(store, me, name, me.role)


def leave(workspace: Workspace) -> None:
    """Work in no team folder any more; what came from there stays."""
    with workspace.store.saving():
        put(workspace.store, None)


def hosts_of(people: People, name: str) -> Sequence[str]:
    """Return the machines on which one of a name works, none where nobody of the name does."""
    return next((hosts for each, hosts in people.values() if each == name and hosts), [])
