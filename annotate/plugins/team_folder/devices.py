"""Logs of this device, logs read before, and logs that have changed since.

The workspace stores this (`Membership`); statements of a log about itself are not used.
"""

import os
from dataclasses import replace
from pathlib import Path

from annotate.plugins.team_folder.logs import Log, Logs
from annotate.plugins.team_folder.membership import Membership
from annotate.plugins.team_folder.record import ENDING, SHAPES, LogLine, is_valid
from annotate.plugins.team_folder.state import Voice, clock_after
from engine.words import plural


def with_log(member: Membership, logs: Logs, name: str) -> Membership:
    """Return a membership with the log that this device writes; a new one is called by ``name``."""
    if member.log is not None:
        return member.begun(member.log)
    if (head := _log_of_1_0(member, logs)) is not None:
        return member.begun(head)
    records = (each for log in logs.by_head.values() for each in log.records.values())
    clock = clock_after(0, records) + 1
    result = member.named(name, clock)
    if os.path.lexists(path_of(result, logs.folder)):
        result = member.anew().named(name, clock)  # made by a program that knew the name
    return result


def path_of(member: Membership, folder: Path) -> Path:
    """Return where the log of this device is written."""
    assert member.log is not None
    return folder / str(member.log.body["name"])


def _log_of_1_0(member: Membership, logs: Logs) -> LogLine | None:
    """Return the first record of the log that a workspace of 1.0 has written on this device."""
    known = {*member.writing, *(entry.split(" ")[0] for entry in member.known)}
    heads = [
        log.head
        for log in logs.by_head.values()
        if log.head.body["device"] == member.device
        and log.uid in member.own
        and log.head.hash in known
        and log.name.endswith(f"-{member.device}{ENDING}")
        and any(file.path.name == log.name for file in log.files)
    ]
    return heads[0] if len(heads) == 1 else None


def known_in(member: Membership, logs: Logs) -> list[str]:
    """Return the hashes of the records that, with all before them, are in the workspace."""
    result = []
    for entry in member.known:
        head, number, last = entry.split(" ")
        log = logs.by_head.get(head)
        if log is None or last in log.records:
            result.append(last)
        elif log.last.number < int(number):
            result += [each.hash for each in log.ends]  # set back: its remaining entries were known
    return result


def upgrade_membership(member: Membership, logs: Logs) -> Membership:
    """Return the membership of a 1.0 workspace with the logs it has read accepted."""
    if member.voices is not None:
        return member
    voices: dict[Voice, None] = {}
    known = [*known_in(member, logs), *member.writing]
    for log in logs.by_head.values():
        for record in log.closure(known):
            spoken = record.kind in SHAPES and record.kind not in ("removed", "person")
            if spoken and is_valid(record):
                voices[record.speaker(log.head), log.head.hash] = None
    own = {voice for voice in voices if logs.by_head[voice[1]].uid == voice[0]}
    speakers = {uid for uid, _ in own}  # any log of the others counts
    heard = tuple(each for each in voices if each in own or each[0] not in speakers)
    return replace(member, voices=heard)


def watch_logs(
    member: Membership, read: Membership, logs: Logs
) -> tuple[Membership, tuple[tuple[str, str], ...]]:
    """Compare logs with their position in ``read``; return their positions now, and the losses.

    A loss is the name of the log and a clause; it is reported until the log is as before, or the
    note is dismissed.
    """
    kept, said = {}, []
    for head, number, last, name in read.read:
        log = logs.by_head.get(head)
        if log is None and logs.is_unreadable(name):
            kept[head] = (head, number, last, name)  # reported
        elif log is not None and member.log is not None and head == member.log.hash:
            if log.last.number < number and last not in log.records:
                said.append((name, f"{_gone(log, number)}; it was written again from here"))
        elif log is None or not (last in log.records or log.waits_for(last)):
            kept[head] = (head, number, last, name)
            said.append((name, f"{_gone(log, number)}; what came of it stays here"))
    for key, log in logs.by_head.items():
        kept.setdefault(key, (key, log.last.number, log.last.hash, log.shown))
    return replace(member, read=tuple(sorted(kept.values()))), tuple(said)


def _gone(log: Log | None, number: int) -> str:
    if log is None:
        return "this log, which was read before, is gone"
    if log.last.number < number:
        count = number - log.last.number
        return f"this log was shortened: {plural(count, 'line')} that were read are gone"
    return "this log was rewritten: what was read of it is not in it any more"
