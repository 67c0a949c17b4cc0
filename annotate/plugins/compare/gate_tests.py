"""Tests of pytest: each file ``NAME.gate.json`` is a test of its mean and one of each page.

Nothing else of Pagelet is imported before the first baseline is run.
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.pytest_entry import TRUST

if TYPE_CHECKING:
    from annotate.plugins.compare.gate import GateResult

ENDING = ".gate.json"


class GateFailed(Exception):
    """A page, or the mean, is below its floor."""


class GateFile(pytest.File):
    """A baseline; its method runs once, with the first of its tests."""

    def collect(self) -> Iterable[pytest.Item]:
        """Yield a test of the mean, then one of each page of the baseline."""
        from annotate.plugins.compare.gate import read_baseline
        from engine.errors import InputError

        try:
            baseline = read_baseline(self.path)
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for name in ("", *baseline.pages):
            yield GateItem.from_parent(self, name=name or "mean", page=name)

    @cached_property
    def result(self) -> "GateResult":
        """Result of the method, computed on first access."""
        from annotate.evaluation.run.run_options import EvaluationOptions
        from annotate.library.progress import NullProgress
        from annotate.plugins.compare.gate import read_baseline, run_gate

        baseline, options = read_baseline(self.path), EvaluationOptions(jobs=1)
        trusts = bool(self.config.getoption(TRUST))
        return run_gate(baseline, self.path.parent, options, NullProgress(), trusts=trusts)


class GateItem(pytest.Item):
    """The test of a page; of the mean where its name is ""."""

    def __init__(self, *, page: str, **more: Any) -> None:  # noqa: ANN401  (pytest's own)
        super().__init__(**more)
        self._page = page

    def runtest(self) -> None:
        """Fail where the score fell too far."""
        assert isinstance(self.parent, GateFile)
        result = self.parent.result
        own = (each.failure for each in result.pages if each.name == self._page)
        if failure := next(own) if self._page else result.mean_failure:
            raise GateFailed(failure)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:  # noqa: ANN401
        """Return the sentence alone where it is a floor that failed, or cannot be held."""
        from engine.errors import PageletError

        if isinstance(excinfo.value, GateFailed | PageletError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"gate: {self.name}"


def collect_tests(file_path: Path, parent: pytest.Collector) -> GateFile | None:
    """Return the tests of a baseline; None for another file."""
    if file_path.name.endswith(ENDING):
        made: GateFile = GateFile.from_parent(parent, path=file_path)
        return made
    return None
