"""The gate: scores of each page may not fall below a baseline that is reviewed with the code.

A baseline is a JSON file beside the pages or the code: method, pages and measure, tolerances for
pages and their mean, and the score of each page when it was written.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zlib import crc32

from algorithms.own.trusted_code import change_of, is_trusted, trust
from annotate.datasets.readers import mixed_gold
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.runner import Watcher
from annotate.evaluation.run.triage import pages_of
from annotate.evaluation.tables.summaries import align_cells
from annotate.plugins.compare.memorised import known_by_heart, tried_in_words, why_untried
from annotate.plugins.compare.runs import (
    ComparedPage,
    check_gold,
    guidelines_of,
    input_of,
    mixes_guidelines,
    plan_for,
    run_versions,
)
from annotate.plugins.compare.tables import as_cell, markdown_table
from annotate.plugins.external.sides import chosen_side, code_in
from engine.bounded_file import atomic_write, read_bytes
from engine.errors import InputError, convert_os_error
from engine.words import plural

FORMAT = "pagelet-gate"
ENDING = ".gate.json"
"""Of a baseline's name, by which pytest knows it."""

MEAN, PAGE = 0.005, 0.05
"""How far the mean may fall, and any one page."""

_TRIED = 20
"""Number of pages tried with changed words: of those that rose, and again of all others."""

_DIGITS = 4
_MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class GateBaseline:
    """Scores of a method, and the tolerances.

    Attributes:
        method: As `chosen_side` takes it; a path is from the baseline's folder.
        data: Paths of the pages, from the baseline's folder.
        measure: Measure for the scores.
        mean, page: Largest allowed loss of the mean, and of each page.
        version: Of the method when it was written.
        pages: Score by data set and page, to four digits.
        is_sealed: Whether the file it was read from has a seal, so that a change would be noticed.
    """

    method: str
    data: tuple[str, ...]
    measure: str
    mean: float = MEAN
    page: float = PAGE
    version: str = ""
    pages: Mapping[str, float] = field(default_factory=dict)
    is_sealed: bool = field(default=True, compare=False)

    @property
    def mean_score(self) -> float | None:
        return sum(self.pages.values()) / len(self.pages) if self.pages else None

    def as_text(self) -> str:
        """Return it as the file has it: a line a page, so that a review shows which changed."""
        about = {
            "format": FORMAT, "version": 1, "method": self.method, "data": list(self.data),
            "measure": self.measure, "may_fall": {"mean": self.mean, "page": self.page},
            "method_version": self.version,
        }  # fmt: skip
        lines = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in about.items()]
        lines.append(f'  "seal": "{_seal(self)}"')
        pages = [f"    {json.dumps(k)}: {v}" for k, v in sorted(self.pages.items())]
        inner = "{\n" + ",\n".join(pages) + "\n  }" if pages else "{}"
        return "{\n" + ",\n".join((*lines, f'  "pages": {inner}')) + "\n}\n"

    def write(self, path: Path) -> None:
        """Write the file; raises `InputError`."""
        with atomic_write(path) as beside:
            beside.write_text(self.as_text(), "utf-8", "backslashreplace")


def read_baseline(path: Path, *, may_fall: Mapping[str, Any] | None = None) -> GateBaseline:
    """Return the baseline in a file, with other tolerances where they are given.

    Raises `InputError`, also where neither the mean nor a page can fail.
    """
    try:
        with convert_os_error(f"read {path}"):
            read = json.loads(read_bytes(path, _MOST_BYTES).decode("utf-8"))
        if read["format"] != FORMAT or read["version"] != 1:
            raise ValueError
        result = GateBaseline(
            str(read["method"]),
            tuple(map(str, read["data"])),
            str(read["measure"]),
            float(read["may_fall"]["mean"]),
            float(read["may_fall"]["page"]),
            str(read["method_version"]),
            {str(name): float(value) for name, value in read["pages"].items()},
            is_sealed="seal" in read,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(f"{path} is not a baseline that pagelet gate wrote") from None
    if read.get("seal", _seal(result)) != _seal(result):
        raise InputError(
            f"{path} was changed since pagelet gate wrote it: restore it, or write it anew with "
            "--new METHOD DATA --update"
        )
    return check_floors(path, replace(result, **(may_fall or {})))


def check_floors(path: Path, baseline: GateBaseline) -> GateBaseline:
    """Return a baseline; raises `InputError` where neither the mean nor a page can fail."""
    if not any(0 <= may < 1 for may in (baseline.mean, baseline.page)):
        raise InputError(
            f"{path} cannot fail: the mean may fall by {baseline.mean:g} and a page by "
            f"{baseline.page:g}; write one of them below 1, as by --update --mean {MEAN:g} "
            f"--each {PAGE:g}"
        )
    return baseline


def _seal(baseline: GateBaseline) -> str:
    """Return the SHA-256 of the values of a baseline."""
    values = {name: value for name, value in asdict(baseline).items() if name != "is_sealed"}
    return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class GatePage:
    """Scores of a page, before and now.

    Attributes:
        name: Data set and page.
        before: Its score in the baseline; None of a page that is not in it.
        after: Its score now; None where there is none.
        reason: Why the method gave nothing, or the page has no score; "" where neither is so, and
            of a page that is gone.
        may_fall: Largest allowed loss of its score.
    """

    name: str
    before: float | None
    after: float | None
    reason: str = ""
    may_fall: float = PAGE

    @property
    def difference(self) -> float:
        """Gain in score; 0 of a new or removed page."""
        return 0.0 if self.before is None or self.after is None else self.after - self.before

    @property
    def failure(self) -> str:
        """Reason why the page fails, in a sentence; "" where it passes."""
        if self.before is None:
            return ""
        if self.after is None:
            now = f"has no score now: {self.reason}" if self.reason else "is gone"
            return f"{self.name} scored {self.before:.4f} and {now}"
        if not _falls(self.difference, self.may_fall):
            return ""
        why = f" ({self.reason})" if self.reason else ""
        return (
            f"{self.name} fell from {self.before:.4f} to {self.after:.4f}, by more than "
            f"{self.may_fall:g}{why}"
        )

    @property
    def is_unscored(self) -> bool:
        """Whether it has no score, neither in the baseline nor now."""
        return self.before is None and self.after is None


def _falls(difference: float, may: float) -> bool:
    return round(difference, 6) < -may


@dataclass(frozen=True)
class GateResult:
    """A method held against a baseline.

    Attributes:
        baseline: The baseline.
        now: The same as it would be written now.
        pages: Worst first.
        plan: The plan that was run.
        compared: The pages with their runs.
        by_heart: Names of pages that the method knows by heart (`memorised`), of those tried.
        tried, untried: Number of pages tried, and of those that could not be.
    """

    baseline: GateBaseline
    now: GateBaseline
    pages: tuple[GatePage, ...]
    plan: Plan
    compared: Sequence[ComparedPage]
    by_heart: tuple[str, ...] = ()
    tried: int = 0
    untried: int = 0

    @property
    def means(self) -> tuple[float, float] | None:
        """The means over the pages that both have; None where there are none."""
        both = [each for each in self.pages if each.before is not None and each.after is not None]
        if not both:
            return None
        before = sum(each.before or 0.0 for each in both) / len(both)
        return before, sum(each.after or 0.0 for each in both) / len(both)

    @property
    def mean_failure(self) -> str:
        """Reason why the mean fails; "" where nothing is."""
        if self.means is None:
            return "no page of the baseline was scored" if self.baseline.pages else ""
        (before, after), may = self.means, self.baseline.mean
        if not _falls(after - before, may):
            return ""
        return f"the mean fell from {before:.4f} to {after:.4f}, by more than {may:g}"

    @property
    def mixture(self) -> str:
        """A sentence where the mean is over gold of several guidelines; "" else."""
        scored = (p for p in self.compared if f"{p.dataset}/{p.name}" in self.now.pages)
        merged = filter(None, map(mixed_gold, self.plan.datasets))
        return mixes_guidelines(guidelines_of(scored)) or "; ".join(merged)

    @property
    def failures(self) -> tuple[str, ...]:
        """Reasons for failure, one sentence each; the mean first."""
        known = [
            f"{name} is known by heart: its score is not the method's" for name in self.by_heart
        ]
        every = (self.mean_failure, *(page.failure for page in self.pages), *known)
        return tuple(filter(None, every))

    @property
    def has_passed(self) -> bool:
        return not self.failures


def run_gate(
    baseline: GateBaseline,
    folder: Path,
    options: EvaluationOptions,
    watcher: Watcher,
    *,
    trusts: bool = False,
) -> GateResult:
    """Run a baseline's method on its pages and compare the scores with the baseline's.

    Paths in the baseline are from ``folder``.  Raises `InputError`, also where the baseline names
    code that the user has not let run for this folder; ``trusts`` lets it run from now on.
    """
    named = _from(folder, baseline.method)
    if code_in(named):
        _check_trust(folder, baseline.method, trusts=trusts)
    side = chosen_side(named, "gate")
    datasets = [pages_of(str(folder / each)) for each in baseline.data]
    check_gold(datasets)
    plan = plan_for(datasets, (side,), baseline.measure, options)
    pages = run_versions(plan, watcher)
    key, measure = side.entry.key, plan.measures.text[0]
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for page in pages:
        name, run = f"{page.dataset}/{page.name}", page.runs[key]
        reasons[name] = run.reason
        if (value := page.value(key, measure)) is not None:
            scores[name] = round(value, _DIGITS)
        else:
            reasons[name] = run.unscored.get(measure.key) or run.reason or "its score is undefined"
    if not scores:
        raise InputError("none of these pages has gold text: the gate has nothing to score by")
    now = replace(baseline, pages=scores, version=side.entry.version)
    listed = [
        GatePage(
            name, baseline.pages.get(name), scores.get(name), reasons.get(name, ""), baseline.page
        )
        for name in dict.fromkeys((*baseline.pages, *reasons))
    ]
    listed.sort(key=lambda e: (e.is_unscored, e.after is not None, e.difference, e.name))
    rose = [each.name for each in reversed(listed) if each.difference > 0][:_TRIED]
    others = sorted(scores.keys() - {*rose}, key=lambda name: crc32(_encoded(name)))
    by_name = {f"{page.dataset}/{page.name}": page for page in pages}
    tried = (*rose, *others[:_TRIED])
    known = known_by_heart(plan, [by_name[name] for name in tried], PAGE, watcher)
    by_heart = tuple(name for name, is_known in zip(tried, known, strict=True) if is_known)
    untried = known.count(None)
    return GateResult(
        baseline, now, tuple(listed), plan, pages, by_heart, len(known) - untried, untried
    )


def _encoded(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _check_trust(folder: Path, code: str, *, trusts: bool) -> None:
    """Raise `InputError` unless the user lets code of a baseline in a folder run."""
    if trusts:
        with convert_os_error("keep that it is trusted"):
            trust(folder, code)
    elif not is_trusted(folder, code):
        change = change_of(folder, code)
        why = f"has changed since it was let run ({change})" if change else "nobody has let run yet"
        raise InputError(
            f"the baseline names code, {code!r}, which {why} for {folder}: look "
            "at it, then add --trust (in pytest --pagelet-trust), or give a method file with "
            "--method-file"
        )


def _from(folder: Path, method: str) -> str:
    """Return what a method is called with its path, if it begins with one, from a folder."""
    first, blank, rest = method.partition(" ")
    before = first.rpartition("@")[0] or first
    return f"{folder / first}{blank}{rest}" if (folder / before).exists() else method


def verdict(result: GateResult) -> str:
    """Return whether it passed, in a sentence."""
    count = len(result.failures)
    passed = "The gate passes" if result.has_passed else f"The gate fails: {plural(count, 'floor')}"
    means = result.means
    changed = [each for each in result.pages if each.difference]
    better = sum(each.difference > 0 for each in changed)
    scored = sum(not each.is_unscored for each in result.pages)
    (key,) = {side.entry.key for side in result.plan.methods}
    if means is None:
        shown = ""
    else:
        read = input_of(result.compared, key)
        shown = f"; mean {means[0]:.4f} → {means[1]:.4f} (input: {read})"
    seen = sum(page.has_seen(key) for page in result.compared)
    heart = len(result.by_heart), result.tried, result.untried, why_untried(result.plan)
    shown += f"; {tried_in_words(*heart)}"
    shown += f" ({', '.join(result.by_heart)})" if result.by_heart else ""
    loose = [
        f"{what} may fall by {value:g} (usual: {usual:g})"
        for what, value, usual in (
            ("the mean", result.baseline.mean, MEAN), ("a page", result.baseline.page, PAGE)
        ) if value > usual
    ]  # fmt: skip
    shown += "".join(f"; {each}" for each in loose)
    if not result.baseline.is_sealed:
        shown += "; the baseline has no seal: a change by hand is not noticed (--update writes one)"
    shown += f"; it has seen the gold of {plural(seen, 'page')}" if seen else ""
    return (
        f"{passed}{shown}; of {plural(scored, 'page')} better: {better}, "
        f"worse: {len(changed) - better}" + (f"; {result.mixture}" if result.mixture else "")
    )


def gate_lines(result: GateResult, most: int) -> list[list[str]]:
    """Return a table of the pages that changed, worst first."""
    rows = [["page", "baseline", "now", "difference", ""]]
    for each in result.pages:
        if each.is_unscored:
            continue
        is_news = each.before is None or each.after is None
        if (each.difference or is_news or each.failure) and len(rows) <= most:
            shown = ["" if v is None else f"{v:.4f}" for v in (each.before, each.after)]
            difference = "" if is_news else f"{each.difference:+.4f}"
            state = "fails" if each.failure else ("new" if each.before is None else "")
            rows.append([each.name, *shown, difference, state])
    return rows


def unscored_pages(result: GateResult, most: int) -> str:
    """Return which pages have no score and why, the first of many; "" where all have one."""
    named = [f"{each.name} ({each.reason})" for each in result.pages if each.is_unscored]
    rest = len(named) - most
    more = f" and {plural(rest, 'page')} more" if rest > 0 else ""
    return f"not scored: {', '.join(named[:most])}{more}" if named else ""


def gate_text(result: GateResult, most: int) -> str:
    """Return verdict and table for the reader."""
    lines, unscored = gate_lines(result, most), unscored_pages(result, most)
    table = align_cells(lines) if len(lines) > 1 else ""
    return "\n\n".join(filter(None, (verdict(result), result.mean_failure, table, unscored)))


def gate_markdown(result: GateResult, most: int) -> str:
    """Return verdict and table for a comment on a pull request."""
    lines, unscored = gate_lines(result, most), as_cell(unscored_pages(result, most))
    passed = f"{'✅' if result.has_passed else '❌'} {verdict(result)}"
    mean = f"**{result.mean_failure}**" if result.mean_failure else ""
    table = markdown_table(lines) if len(lines) > 1 else ""
    return "\n\n".join(filter(None, (passed, mean, table, unscored))) + "\n"


def gate_junit(result: GateResult) -> str:
    """Return a test suite as build servers read it: a case a page, and one of the mean."""
    failed = len(result.failures)
    skipped = sum(each.is_unscored for each in result.pages)
    pages = ((each.name, each.failure) for each in result.pages if not each.is_unscored)
    cases = [tuple(map(_printable, case)) for case in (("mean", result.mean_failure), *pages)]
    suite = ElementTree.Element(
        "testsuite", name="pagelet gate", tests=str(len(cases) + skipped), failures=str(failed),
        errors="0", skipped=str(skipped),
    )  # fmt: skip
    for name, failure in cases:
        case = ElementTree.SubElement(suite, "testcase", classname="pagelet.gate", name=name)
        if failure:
            ElementTree.SubElement(case, "failure", message=failure).text = failure
    for each in result.pages:
        if each.is_unscored:
            name, why = _printable(each.name), _printable(each.reason)
            case = ElementTree.SubElement(suite, "testcase", classname="pagelet.gate", name=name)
            ElementTree.SubElement(case, "skipped", message=why)
    written: str = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>{written}</testsuites>\n'


def _printable(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
