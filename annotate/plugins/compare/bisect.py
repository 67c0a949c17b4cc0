"""At which of many versions a result changed for the worse: a few of them are tried, not all."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from algorithms.measures.text_words import normalise, words_of
from algorithms.plugins.external import environments
from algorithms.plugins.external.libraries import LIBRARIES
from algorithms.plugins.external.npm_packages import PREFIX, npm_versions
from annotate.datasets.cases import DataSet
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.runner import Watcher
from annotate.plugins.compare.runs import plan_for, run_versions
from annotate.plugins.external.sides import chosen_side
from engine.errors import InputError, PageletError


@dataclass(frozen=True)
class VersionName:
    """Version among many.

    Attributes:
        name: As it is shown: a version, or a commit with its subject.
        text: Text for `chosen_side`.
    """

    name: str
    text: str


@dataclass(frozen=True)
class TriedVersion:
    """A version that was tried.

    Attributes:
        name: Its name.
        score: Its score; None if it cannot be run.
        trouble: Why it cannot be run.
    """

    name: str
    score: float | None
    trouble: str = ""


@dataclass(frozen=True)
class Bisected:
    """Versions between which a result changed.

    Attributes:
        before, after: The last version that is as good as the good one, the first that is not.
        between: Versions between these that cannot be run.
        tried: The tested versions, in order.
    """

    before: TriedVersion
    after: TriedVersion
    between: tuple[str, ...]
    tried: tuple[TriedVersion, ...]


_MOST_PASSED = 16
"""Versions that are tried though the steps back passed them over: each may have to be installed."""

Try = Callable[[VersionName], TriedVersion]


def versions_of(subject: str) -> tuple[VersionName, ...]:
    """Return the versions of a package, or the commits of a checkout, the oldest first.

    Args:
        subject: A package or method, a checkout, or a method file in one; with a function and
            parameters behind it, as `chosen_side` takes them.

    Raises `InputError`.
    """
    try:
        first, *rest = shlex.split(subject)
    except ValueError:
        raise InputError(f"{subject!r} names no package and no checkout") from None
    more = shlex.join(rest)
    path = Path(first).expanduser()
    if path.exists():
        listed = environments.git(path, "log", "--first-parent", "--reverse", "--format=%h %s")
        commits = (line.partition(" ") for line in listed.splitlines())
        quoted = shlex.quote(str(path.resolve()))
        return tuple(
            VersionName(f"{sha} {words}".strip(), f"{quoted}@{sha} {more}")
            for sha, _, words in commits
        )
    if first.startswith(PREFIX):
        found = npm_versions(first)
        return tuple(VersionName(each, f"{first}=={each} {more}") for each in found)
    name = next((each.distribution for each in LIBRARIES if each.key == first), first)
    return tuple(
        VersionName(version, f"{first}=={version} {more}")
        for version in environments.versions(name)
    )


def position_of(versions: Sequence[VersionName], name: str) -> int:
    """Return where a version, or the beginning of a commit's name, stands; raises `InputError`."""
    exact = [k for k, each in enumerate(versions) if each.name.partition(" ")[0] == name]
    near = [k for k, each in enumerate(versions) if len(name) >= 4 and each.name.startswith(name)]
    chosen = exact or near
    if len(chosen) != 1:
        last = ", ".join(each.name.partition(" ")[0] for each in versions[-5:])
        raise InputError(f"there is no version {name}; the last are {last}")
    return chosen[0]


def trier(
    datasets: Sequence[DataSet],
    measure: str | None,
    options: EvaluationOptions,
    watcher: Watcher,
    lost: str = "",
) -> Try:
    """Return what tries a version on all pages.

    Its score is the mean of the measure; with words in ``lost`` the share of pages whose text has
    them in this order.  Where no page has a score, or none can be read, it raises `InputError`.
    """
    words = words_of(normalise(lost))
    if words:
        _read_one(datasets)  # before a version is installed

    def tried(version: VersionName) -> TriedVersion:
        try:
            side = chosen_side(version.text, version.name)
        except PageletError as error:
            return TriedVersion(version.name, None, str(error))
        plan = plan_for(datasets, (side,), measure, options)
        pages = run_versions(plan, watcher)
        key, by = side.entry.key, plan.measures.text[0]
        if words:
            texts = (" ".join(words_of(normalise(page.runs[key].text or ""))) for page in pages)
            values = [float(f" {' '.join(words)} " in f" {text} ") for text in texts]
        else:
            values = [v for page in pages if (v := page.value(key, by)) is not None]
        if not values:
            raise InputError("no page has gold: say with --lost WORDS what a good version keeps")
        return TriedVersion(version.name, float(np.mean(values)))

    return tried


def _read_one(datasets: Sequence[DataSet]) -> None:
    """Raise the error of the first page where no page can be read."""
    first: PageletError | None = None
    for dataset in datasets:
        for _, forms in dataset.pages:
            try:
                next(iter(forms.values())).document().receive()
                return
            except PageletError as error:
                first = first or error
    if first is not None:
        raise first


def bisect(
    versions: Sequence[VersionName],
    tried: Try,
    *,
    threshold: float,
    good: int | None = None,
    bad: int | None = None,
) -> Bisected:
    """Return between which two versions the score fell by more than half of all it fell.

    Args:
        versions: The oldest first.
        tried: Tries one; each is tried once at most.
        threshold: The good version must be better by more than this.
        good: The good version; None goes back 1, 2, 4, … versions until one is, then over the
            nearest ones that these steps passed, as a course may rise and fall.
        bad: The bad version; None is the last that can be run.

    Raises `InputError` where no version is better, or none can be run.
    """
    known: dict[int, TriedVersion] = {}

    def score(k: int) -> float | None:
        if k not in known:
            known[k] = tried(versions[k])
        return known[k].score

    def usable(positions: Sequence[int]) -> int | None:
        return next((k for k in positions if score(k) is not None), None)

    last = len(versions) - 1 if bad is None else bad
    high = usable(range(last, -1, -1) if bad is None else [last])
    if high is None:
        raise InputError(known[last].trouble if known else "there is no version to try")
    worst = known[high].score
    assert worst is not None
    low = _better(usable, known, high, worst + threshold) if good is None else usable([good])
    best = None if low is None else known[low].score
    if low is None or best is None or not low < high or best <= worst + threshold:
        tries = sum(k < high for k in known)
        which = "no earlier version is" if tries == high else f"none of {tries} tried versions is"
        which = which if good is None else f"{versions[good].name} is not"
        raise InputError(
            f"{which} better than {versions[high].name} ({worst:.3f}) by more than "
            f"{threshold:g}: name a good one with --good, or another bad one with --bad"
        )
    middle = (best + worst) / 2
    while high - low > 1:
        centre = (low + high) // 2
        at = usable(sorted(range(low + 1, high), key=lambda k: abs(k - centre)))
        if at is None:
            break
        value = known[at].score
        assert value is not None
        low, high = (low, at) if value <= middle else (at, high)
    between = tuple(each.name for each in versions[low + 1 : high])
    return Bisected(known[low], known[high], between, tuple(known.values()))


def _better(
    usable: Callable[[Sequence[int]], int | None],
    known: dict[int, TriedVersion],
    high: int,
    least: float,
) -> int | None:
    """Return the first version that is better, going back 1, 2, 4, … versions; None for none."""

    def is_better(at: int | None) -> bool:
        value = None if at is None else known[at].score
        return value is not None and value > least

    steps = [1 << k for k in range(high.bit_length()) if 1 << k < high]
    for back in (*steps, high):
        at = usable(range(high - back, -1, -1))
        if is_better(at):
            return at
    passed = [k for k in range(high - 1, -1, -1) if k not in known][:_MOST_PASSED]
    return next((k for k in passed if is_better(usable([k]))), None)
