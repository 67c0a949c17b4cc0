"""What a workspace remembers of the team folder it works in, and joining one."""

import platform
import re
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from annotate.marks.records import BROKEN, read_json
from annotate.plugins.team_folder.logs import Logs
from annotate.plugins.team_folder.record import ENDING, FORMAT, LogLine, is_valid, one_line, read
from annotate.plugins.team_folder.state import TeamState, Voice
from annotate.workspace import annotators
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import put_setting
from annotate.workspace.workspace import Workspace
from engine.errors import InputError

People = dict[str, tuple[str, list[str]]]
"""Uid → name, and the machines somebody works on; none: he was only assigned pages."""

SETTING = "team folder"
_LEFT = "team folder that was left"
_KNOWN = re.compile("[0-9a-f]{32} [0-9]{1,12} [0-9a-f]{32}")


@dataclass(frozen=True)
class Membership:
    """That a workspace works in a team folder.

    Attributes:
        folder: Its path on this machine.
        device: Distinguishes the logs of two devices; created again if the workspace is a copy, on
            another machine or under another name, so that no two write to one log.
        host: Name of the machine.
        path: Of the workspace.
        own: Uids of those who worked here: their changes are written.
        known: The last records of each log that are in the workspace: hash of its first record,
            number, and hash.
        writing: Hashes of records that were about to be written.
        head: The first line of the own log, "" before there is one: its name never comes from the
            folder.
        voices: Which logs were accepted as devices of whom; None of a workspace of 1.0, which
            accepts those it has read.
        refused: Logs that were not.
        read: Of each log, how far it was read: hash of its first record, number and hash of the
            last, and its name.  Kept for missing logs, so that they are reported.
    """

    folder: str
    device: str
    host: str
    path: str
    own: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    writing: tuple[str, ...] = ()
    head: str = ""
    voices: tuple[Voice, ...] | None = None
    refused: tuple[Voice, ...] = ()
    read: tuple[tuple[str, int, str, str], ...] = ()

    @property
    def log(self) -> LogLine | None:
        """The first record of the own log; None before there is one."""
        record = read(self.head.encode())
        if record is None or record.kind != "log" or record.body.get("device") != self.device:
            return None
        return record if is_valid(record) else None

    def named(self, name: str, clock: int) -> "Membership":
        """Return it with its own log, named after its annotator, that starts at a clock."""
        body = {
            "format": FORMAT, "uid": self.own[0] if self.own else "", "device": self.device,
            "host": one_line(self.host)[:255], "name": log_name(name, self.device),
        }  # fmt: skip
        return self.begun(LogLine.made(0, clock, "", "log", body))

    def begun(self, head: LogLine) -> "Membership":
        """Return it with a log that begins so; it counts for all who work here."""
        voices = dict.fromkeys([*(self.voices or ()), *((uid, head.hash) for uid in self.own)])
        return replace(self, head=head.line.decode().rstrip("\n"), voices=tuple(voices))

    def anew(self) -> "Membership":
        """Return it as another device."""
        return replace(self, device=new_device(), head="", writing=())

    def at(self, path: Path) -> "Membership":
        """Return its state for a workspace at a path, on this machine."""
        if (self.host, self.path) == (platform.node(), str(path)):
            return self
        return replace(self.anew(), host=platform.node(), path=str(path))


def new_device() -> str:
    return uuid.uuid4().hex[:8]


def log_name(name: str, device: str) -> str:
    """Return what a new log is called: after its annotator, as every file system takes it."""
    plain = re.sub(r'[\\/:*?"<>|\x00-\x1f.~]+', " ", name).strip() or "annotator"
    return f"{plain[:60].strip()}-{device}{ENDING}"


def membership(store: Store, setting: str = SETTING) -> Membership | None:
    """Return what a workspace remembers; None where it works in no team folder."""
    row = store.one("SELECT value FROM settings WHERE key = ?", setting)
    return None if row is None else parse_membership(row[0])


def parse_membership(text: str) -> Membership | None:
    """Return the membership in a setting; None for anything else."""
    try:
        match read_json(text):
            case {
                "folder": str(folder), "device": str(device), "host": str(host),
                "path": str(path), "own": [*own], "known": [*known], "writing": [*writing],
            } as stored if re.fullmatch("[0-9a-f]{8}", device):  # fmt: skip
                known = [each for each in map(str, known) if _KNOWN.fullmatch(each)]
                voices = stored.get("voices")  # these and what follows 1.0 did not remember
                positions = tuple(
                    (str(head), int(number), str(last), str(name))
                    for head, number, last, name in stored.get("read", ())
                )
                return Membership(
                    folder, device, host, path, tuple(map(str, own)), tuple(known),
                    tuple(map(str, writing)), str(stored.get("head", "")),
                    None if voices is None else _voices(voices),
                    _voices(stored.get("refused") or ()), positions,
                )  # fmt: skip
    except BROKEN:
        pass
    return None


def _voices(stored: Iterable[tuple[object, object]]) -> tuple[Voice, ...]:
    return tuple((str(uid), str(log)) for uid, log in stored)


def put_membership(store: Store, value: Membership | None, setting: str = SETTING) -> None:
    """Remember it, or forget it; inside `Store.saving`."""
    if value is None:
        store.run("DELETE FROM settings WHERE key = ?", setting)
    else:
        put_setting(store, setting, asdict(value))


def state_of(folder: Path) -> tuple[TeamState, list[str]]:
    """Return the state of a team for a stranger to it, and the incomplete parts."""
    logs, state = Logs(folder), TeamState()
    logs.poll()
    for log in logs.by_head.values():
        state.add(log.head, log.records.values())
    state.trust_first()
    return state, logs.notes


def people_in(folder: Path) -> People:
    """Return who is in a team folder."""
    return _people(state_of(folder)[0])


def _people(state: TeamState) -> People:
    return {
        body["uid"]: (body["name"], sorted(state.devices.get(body["uid"], {}).values()))
        for body in state.people()
    }


def join(workspace: Workspace, folder: Path, name: str = "", *, is_me: bool = False) -> None:
    """Join a workspace to a team folder.

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
    state, _ = state_of(folder)
    people = _people(state)
    namesakes = {each: hosts for each, (known, hosts) in people.items() if known == name}
    uid = me.uid
    if namesakes and me.uid not in namesakes:
        uid, hosts = min(namesakes.items())
        if hosts and not is_me:
            raise InputError(
                f"{name} works in this team folder already, on {hosts[0]}: say that it is you, on "
                "another device, or take another name"
            )
    _set_identity(workspace, name, uid)
    present = membership(workspace.store) or membership(workspace.store, _LEFT)
    value = Membership(
        str(folder), new_device(), platform.node(), str(workspace.path.absolute()), voices=()
    )
    if present is not None and Path(present.folder) == folder:
        value = present.at(workspace.path.absolute())
    value = replace(value, own=tuple(dict.fromkeys([*value.own, workspace.annotator.uid])))
    if is_me and value.voices is not None:
        mine = sorted(each for each in state.voices if each[0] == uid)
        value = replace(value, voices=tuple(dict.fromkeys([*value.voices, *mine])))
    with workspace.store.saving():
        put_membership(workspace.store, value)
        put_membership(workspace.store, None, _LEFT)


def _set_identity(workspace: Workspace, name: str, uid: str) -> None:
    store, me = workspace.store, workspace.annotator
    if uid != me.uid:
        if all(each.uid != uid for each in workspace.annotators):
            with store.saving():
                store.run("UPDATE annotators SET uid = ? WHERE id = ?", uid, me.number)
        me = next(each for each in workspace.annotators if each.uid == uid)
        workspace.work_as(me)  # also where the work of the other device was merged here
    if me.name != name:
        annotators.take_name(store, me, name, me.role)


def leave(workspace: Workspace) -> None:
    """Leave the team folder; what came from there stays."""
    with workspace.store.saving():
        put_membership(
            workspace.store, membership(workspace.store), _LEFT
        )  # to come back as the same device
        put_membership(workspace.store, None)
