"""All workspaces end with the same contents, however logs are copied between machines."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.plugins.team_folder.logs import Logs
from annotate.plugins.team_folder.membership import join
from annotate.plugins.team_folder.state import TeamState
from annotate.plugins.team_work import comments
from annotate.workspace.workspace import PageStatus, Workspace
from tests.plugins.team_folder.parts import (
    KEYS,
    accept,
    contents,
    logs,
    mark,
    member,
    replace_with,
    sync,
)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> dict[str, bytes]:
    """Return the contents by name of the logs of three annotators, one with two devices."""
    base = tmp_path_factory.mktemp("written")
    folder = base / "team"
    folder.mkdir()
    paths = [member(folder, base / f"{name}.pagelet", name) for name in ("Anna", "Ben", "Carla")]
    for round_, key in enumerate(KEYS):
        for path, where in zip(paths, ("h1", "a", "b"), strict=True):
            mark(path, key, where, f"Type {round_}")
            with Workspace.open(path) as workspace:
                comments.add(workspace, key, f"round {round_}", kind=comments.CommentKind.QUESTION)
                workspace.set_status(key, PageStatus.DONE if round_ else PageStatus.QUESTION)
            sync(path)
    for path in paths:
        sync(path)
        with Workspace.open(path) as workspace:
            for (first, *_), _ in zip(comments.threads(workspace), range(2), strict=False):
                comments.settle(workspace, first.id)
    laptop = base / "laptop.pagelet"
    shutil.copy(paths[0], laptop)
    mark(paths[0], KEYS[0], "a", "Desk")
    mark(laptop, KEYS[0], "a", "Lap")
    for path in (*paths, laptop):
        sync(path)
    accept(paths[0])
    return {path.name: path.read_bytes() for path in logs(folder)}


DELIVERIES = st.lists(
    st.tuples(
        st.integers(0, 3),  # the number of the log
        st.sampled_from(["whole", "begin", "hole", "cut line", "conflict", "gone"]),
        st.floats(0, 1),
        st.booleans(),  # whether the folder is read afterwards
    ),
    max_size=12,
)


def deliver(folder: Path, name: str, data: bytes, how: str, share: float) -> None:
    """Write a log as complete as a copying program may have left it."""
    size = round(share * len(data))
    path = folder / name
    if how == "gone":
        path.unlink(missing_ok=True)
    elif how == "conflict":
        stem = name.removesuffix(".pagelet-log")
        other = folder / f"{stem} (conflicted copy {size}).pagelet-log"
        replace_with(other, data[: data.rfind(b"\n", 0, size) + 1])
    elif how == "hole":
        replace_with(path, data[: size // 2] + b"\0" * (size - size // 2) + data[size:])
    elif how == "cut line":
        replace_with(path, data[:size])
    else:
        cut = len(data) if how == "whole" else data.rfind(b"\n", 0, size) + 1
        replace_with(path, data[:cut])


def state_of(state: TeamState) -> tuple:
    return (
        {which: sheet.chains() for which, sheet in state.sheets.items()},
        {kind: {what: r.hash for what, r in of.items()} for kind, of in state.settings.items()},
        {key: record.body for key, record in state.comments.items()},
        state.removed,
        state.decisions,
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries=DELIVERIES, order=st.permutations(range(4)))
def test_the_state_is_independent_of_order_and_completeness_of_deliveries(
    written, tmp_path_factory, deliveries, order
):
    folder = tmp_path_factory.mktemp("came")
    there, names = Logs(folder), sorted(written)
    for which, how, share, is_read in deliveries:
        deliver(folder, names[which], written[names[which]], how, share)
        if is_read:
            there.poll()
    for which in order:
        deliver(folder, names[which], written[names[which]], "whole", 1)
        there.poll()
    grown, all_at_once = TeamState(), TeamState()
    for log in there.by_head.values():
        records = list(log.records.values())
        grown.add(log.head, [*reversed(records), *records])
        grown.accept(
            (uid, log.head.hash) for uid in {record.speaker(log.head) for record in records}
        )
    clean = tmp_path_factory.mktemp("clean")
    for name, data in written.items():
        (clean / name).write_bytes(data)
    whole = Logs(clean)
    whole.poll()
    for log in whole.by_head.values():
        all_at_once.add(log.head, log.records.values())
        all_at_once.accept(
            (record.speaker(log.head), log.head.hash) for record in log.records.values()
        )
    assert state_of(grown) == state_of(all_at_once)
    assert len(grown.sheets) == 9
    assert max(len(sheet.chains()) for sheet in grown.sheets.values()) == 2
    assert [note for note in there.notes if "conflicted copy" not in note] == []


@pytest.fixture(scope="module")
def reference(written, tmp_path_factory) -> dict:
    return read_at_once(written, tmp_path_factory.mktemp("reference"))


def read_at_once(written, base: Path) -> dict:
    folder = base / "team"
    folder.mkdir()
    for name, data in written.items():
        (folder / name).write_bytes(data)
    path = base / "reader.pagelet"
    with Workspace.open(path) as workspace:
        join(workspace, folder, "Reader")
    sync(path)
    return {key: rows for key, rows in contents(path).items() if key != "people"}


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries=DELIVERIES, order=st.permutations(range(4)))
def test_a_workspace_is_independent_of_order_and_completeness_of_deliveries(
    written, reference, tmp_path_factory, deliveries, order
):
    base = tmp_path_factory.mktemp("came")
    folder, names, path = base / "team", sorted(written), base / "reader.pagelet"
    folder.mkdir()
    with Workspace.open(path) as workspace:
        join(workspace, folder, "Reader")
    for which, how, share, is_read in deliveries:
        deliver(folder, names[which], written[names[which]], how, share)
        if is_read:
            sync(path)
    for which in order:
        deliver(folder, names[which], written[names[which]], "whole", 1)
        if which % 2:
            sync(path)
    sync(path)
    there = contents(path)
    assert {key: rows for key, rows in there.items() if key != "people"} == reference
    result = sync(path)
    assert (result.written, result.summary) == (0, "")
    assert contents(path) == there


def test_a_workspace_reads_logs_arriving_in_parts_in_reverse_order(written, reference, tmp_path):
    folder, path = tmp_path / "team", tmp_path / "reader.pagelet"
    folder.mkdir()
    with Workspace.open(path) as workspace:
        join(workspace, folder, "Reader")
    for name, data in sorted(written.items(), reverse=True):
        lines = data.splitlines(keepends=True)
        for count in (1, 3, len(lines) // 2, len(lines)):
            (folder / name).write_bytes(b"".join(lines[:count]))
            sync(path)
    assert {key: rows for key, rows in contents(path).items() if key != "people"} == reference
