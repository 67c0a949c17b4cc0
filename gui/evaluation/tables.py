"""What an evaluation writes down: rows and summaries for CSV, and a table for the reader."""

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from algorithms.batch import Case, Run, RunStatus, Setup
from algorithms.catalogue import method
from algorithms.measures.named import TextMeasure
from algorithms.measures.named_blocks import BlockMeasure
from algorithms.measures.prf import Score
from algorithms.measures.summary import PageScore, Summary
from algorithms.method import Method
from engine.errors import InputError
from engine.page import Input

RENDERED_INPUTS = ("dom", "rendered")

ROW_COLUMNS = (
    "dataset", "page", "page_hash", "bytes", "input", "renderer", "viewport", "method", "version",
    "parameters", "status", "reason", "ms", "unmapped_words", "measure", "precision", "recall",
    "value",
)  # fmt: skip
SUMMARY_COLUMNS = (
    "dataset", "method", "input", "version", "parameters", "measure", "pages", *RunStatus, "value",
    "value_failed_as_empty", "precision", "recall", "mean", "median", "quartile_1", "quartile_3",
    "deviation", "zeros", "ms_median", "mb_per_s",
)  # fmt: skip


@dataclass
class Group:
    """What is known so far of one setup on one data set."""

    setup: Setup
    pages: dict[str, list[PageScore]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def add(self, run: Run, size: int, measures: Sequence[TextMeasure]) -> None:
        """Take in a run that read ``size`` bytes."""
        for measure in measures:
            page = PageScore(
                run.status, run.scores.get(measure.key), run.if_missing.get(measure.key)
            )
            self.pages.setdefault(measure.key, []).append(page)
        if run.text is not None and run.seconds is not None:
            self.seconds.append(run.seconds)
            self.sizes.append(size)

    @property
    def ms_median(self) -> float | None:
        """Milliseconds of the median run that gave a result."""
        return 1000 * statistics.median(self.seconds) if self.seconds else None

    @property
    def mb_per_s(self) -> float | None:
        """Megabytes read by those runs a second."""
        total = sum(self.seconds)
        return sum(self.sizes) / 1e6 / total if total else None


def size_of(case: Case, name: Input) -> int:
    """Return the bytes of what a run read."""
    if name == "original" or case.page is None or case.page.dom is None:
        return case.size
    return len(case.page.dom.html.encode("utf-8", "replace"))


def rows_of(
    case: Case, run: Run, size: int, measures: Sequence[str]
) -> Iterator[Mapping[str, object]]:
    """Yield the rows of one run, one a measure, for `ROW_COLUMNS`."""
    setup = run.setup
    is_rendered = setup.input in RENDERED_INPUTS
    shared: dict[str, object] = {
        "dataset": case.dataset,
        "page": case.name,
        "page_hash": "" if case.page is None else case.page.digest,
        "bytes": size,
        "input": setup.input,
        "renderer": case.renderer if is_rendered else "",
        "viewport": "x".join(map(str, case.page.viewport)) if case.page and is_rendered else "",
        **setup_columns(setup),
        "status": run.status,
        "reason": run.reason,
        "ms": "" if run.seconds is None else round(1000 * run.seconds, 4),
        "unmapped_words": run.unmapped if run.text is not None else "",
    }
    for key in measures:
        score = run.scores.get(key, Score(None))
        yield {
            **shared,
            "measure": key,
            "precision": number(score.precision),
            "recall": number(score.recall),
            "value": number(score.value),
        }


def own_version() -> str:
    """Return what Pagelet's own methods have for a version."""
    try:
        return f"pagelet {metadata.version('pagelet')}"
    except metadata.PackageNotFoundError:
        return "pagelet (not installed)"


def renderer_name() -> str:
    """Return what renders pages, with its version."""
    from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion

    # The stubs say bytes where there are texts.
    qt, chromium = str(qWebEngineVersion()), str(qWebEngineChromiumVersion())
    return f"QtWebEngine {qt} (Chromium {chromium})"


def settings_of(
    entries: Mapping[str, Method], settings: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return parameters by method, of words ``METHOD.name=value``; raises `InputError`."""
    texts: dict[str, dict[str, str]] = {}
    for setting in settings:
        place, sign, value = setting.partition("=")
        key, dot, name = place.strip().partition(".")
        if not (sign and dot):
            raise InputError(f"--set {setting}: want METHOD.name=value")
        if key not in entries:
            raise InputError(f"--set {setting}: {method(key).name} is not among the methods")
        texts.setdefault(key, {})[name] = value.strip()
    return texts


def setup_columns(setup: Setup) -> dict[str, object]:
    """Return what rows and summaries say of a setup, its input apart."""
    return {
        "method": setup.method,
        "version": setup.entry.version or own_version(),
        "parameters": json.dumps(setup.params.as_dict()),
    }


def summary_row(
    dataset: str, group: Group, measure: TextMeasure | BlockMeasure, found: Summary
) -> Mapping[str, object]:
    """Return the row of one group and measure, for `SUMMARY_COLUMNS`."""
    return {
        "dataset": dataset,
        "input": group.setup.input,
        **setup_columns(group.setup),
        "measure": measure.key,
        "pages": sum(found.statuses.values()),
        **{status: found.statuses.get(status, 0) for status in RunStatus},
        "value": number(found.value),
        "value_failed_as_empty": number(found.value_of_all),
        "precision": number(found.precision),
        "recall": number(found.recall),
        "mean": number(found.values.mean),
        "median": number(found.values.median),
        "quartile_1": number(found.values.low),
        "quartile_3": number(found.values.high),
        "deviation": number(found.values.deviation),
        "zeros": found.values.zeros,
        "ms_median": number(group.ms_median),
        "mb_per_s": number(group.mb_per_s),
    }


def number(value: float | None) -> str:
    """Return all digits: what is recomputed elsewhere is compared to the ninth."""
    return "" if value is None else repr(value)


def table(
    name: str,
    groups: Sequence[Group],
    measures: Sequence[TextMeasure],
    found: Mapping[tuple[Setup, str], Summary],
) -> str:
    """Return the table of one data set, best first by word sequences or the first measure."""
    main = next((m for m in measures if m.key == "ws"), measures[0])
    groups = sorted(groups, key=lambda g: -(found[g.setup, main.key].value or 0.0))
    inputs = {group.setup.input for group in groups}
    title = f"{name}: {max((len(g.pages[main.key]) for g in groups), default=0)} pages"
    has_skipped = any("skipped" in found[g.setup, main.key].statuses for g in groups)
    head = ["method", *(["input"] if len(inputs) > 1 else []), "scored", "empty", "failed"]
    head += ["skipped"] if has_skipped else []
    head += [measure.name for measure in measures]
    head += [f"{main.name} P", f"{main.name} R", "σ", "ms", "MB/s"]
    lines = []
    for group in groups:
        mine = found[group.setup, main.key]
        line: list[Any] = [group.setup.method]
        line += [group.setup.input] if len(inputs) > 1 else []
        line += [mine.values.count, mine.statuses.get("empty", 0), mine.unscored]
        line += [mine.statuses.get("skipped", 0)] if has_skipped else []
        line += [digits(found[group.setup, measure.key].value) for measure in measures]
        line += [digits(mine.precision), digits(mine.recall), digits(mine.values.deviation)]
        line += [digits(group.ms_median, 2), digits(group.mb_per_s, 2)]
        lines.append([str(cell) for cell in line])
    return f"{title}\n{aligned([head, *lines])}"


def digits(value: float | None, places: int = 3) -> str:
    """Return a number for a reader; a dash where there is none."""
    return "-" if value is None else f"{value:.{places}f}"


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells as text, the first column to the left, the others to the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
