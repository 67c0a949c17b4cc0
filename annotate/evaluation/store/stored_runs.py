"""What the Evaluate view found, kept in the workspace: the last run of each method on each page.

A run is kept with when it was made, the method's version, and digests of document and gold, so that
a later look can tell whether its scores still hold.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from algorithms.core.batch import Counts, RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace
from engine.errors import WorkspaceError


@dataclass(frozen=True)
class StoredRun:
    """Run with its scores.

    Attributes:
        rows: One a measure; data set and page are called as the asker calls them.
        made: Time, POSIX seconds.
        gold: Digest of the gold it was scored by; "" if that is not known.
    """

    rows: tuple[ResultRow, ...]
    made: float
    gold: str = ""


def store_runs(
    workspace: Workspace, key: str, rows: Iterable[ResultRow], gold: str, made: float | None = None
) -> None:
    """Keep the runs of a page in place of those with the same methods, inputs and parameters.

    Args:
        workspace: Must know the page.
        key: The page's.
        rows: Those of one run stand together.
        gold: Digest of the gold.
        made: Time of the run; now by default.
    """
    when = time.time() if made is None else made
    with workspace.store.saving():
        page = workspace.page_id(key)
        for run, mine in groupby(rows, lambda row: row.run):
            _write(workspace.store, page, run, tuple(mine), gold, when)


def stored_runs(
    workspace: Workspace, names: Mapping[str, tuple[str, str]]
) -> tuple[StoredRun, ...]:
    """Return all runs kept of some pages.

    Args:
        workspace: The workspace that stores them.
        names: Key of a page → data set and name that its rows are to have.
    """
    return tuple(
        run
        for number, key in workspace.store.all(
            "SELECT id, key FROM pages WHERE annotator = ?", workspace.annotator.number
        )
        if key in names
        for run in _of_page(workspace.store, number, names[key])
    )


def _of_page(store: Store, page: int, name: tuple[str, str]) -> Iterator[StoredRun]:
    scores: dict[int, list[Sequence[Any]]] = {}
    for run, *columns in store.all(
        "SELECT run, measure, status, reason, value, precision, recall, retrieved, hits, relevant,"
        " if_empty FROM scores WHERE run IN (SELECT id FROM runs WHERE page = ?)"
        " ORDER BY run, place",
        page,
    ):
        scores.setdefault(run, []).append(columns)
    for number, made, gold, *facts in store.all(
        "SELECT id, made, gold, input, method, version, params, ms, unmapped, digest, bytes,"
        " renderer, viewport, gold_on_page, extract_on_page, word_unit, gold_seen FROM runs"
        " WHERE page = ? ORDER BY id",
        page,
    ):
        wide, _, high = facts[9].partition("x")
        try:
            facts[9] = (int(wide), int(high)) if wide else None
            *known, has_seen = facts
            run = replace(RunFacts(*name, *known), gold_seen=bool(has_seen))
            rows = tuple(_row(run, each) for each in scores.get(number, ()))
        except (ValueError, OverflowError, TypeError, LookupError, RecursionError) as error:
            raise WorkspaceError(f"a stored run of {facts[1]} is damaged: {error}") from None
        yield StoredRun(rows, made, gold)


def _write(
    store: Store, page: int, run: RunFacts, rows: Sequence[ResultRow], gold: str, made: float
) -> None:
    same = page, run.input, run.method, run.parameters
    store.run("DELETE FROM runs WHERE page = ? AND input = ? AND method = ? AND params = ?", *same)
    number = store.run(
        "INSERT INTO runs (page, input, method, params, made, gold, digest, bytes, renderer,"
        " viewport, version, ms, unmapped, gold_on_page, extract_on_page, word_unit, gold_seen)"
        f" VALUES ({', '.join('?' * 17)})",
        *same,
        *(made, gold, run.page_hash, run.size, run.renderer),
        *("x".join(map(str, run.viewport or ())), run.version, run.ms, run.unmapped_words),
        *(run.gold_on_page, run.extract_on_page, run.word_unit, run.gold_seen),
    )
    store.run_each(
        "INSERT INTO scores (run, place, measure, status, reason, value, precision, recall,"
        " retrieved, hits, relevant, if_empty) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, index, *_columns(row)) for index, row in enumerate(rows)],
    )


def _columns(row: ResultRow) -> tuple[object, ...]:
    score, counts, missing = row.score, row.counts, row.if_empty
    return (
        row.measure,
        str(row.status),
        row.reason.encode("utf-8", "replace").decode(),
        score.value,
        score.precision,
        score.recall,
        *((None,) * 3 if counts is None else (counts.retrieved, counts.hits, counts.relevant)),
        "" if missing is None else json.dumps([missing.precision, missing.recall, missing.value]),
    )


def _row(run: RunFacts, columns: Sequence[Any]) -> ResultRow:
    measure, status, reason, value, precision, recall, *counted, missing = columns
    counts = None if None in counted else Counts(*counted)
    nothing = json.loads(missing) if missing else None
    if nothing is not None:
        nothing = Score(nothing[2], nothing[0], nothing[1])
    score = Score(value, precision, recall)
    return ResultRow(run, measure, RunStatus(status), reason, score, counts, nothing)
