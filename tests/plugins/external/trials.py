"""Trials of the fuzzer: declarations of programs that are methods."""

from collections.abc import Callable
from pathlib import Path

from algorithms.core.attempt import attempt
from algorithms.plugins.external.declared import read_declared
from engine.page import Page
from engine.source import Source
from tests.fuzz import files


def settings(seed: int, folder: Path) -> str:
    """Read declared methods and kept layers, and run the former."""
    from gui.state.layers import from_records

    remaining = files.layers(seed)
    if isinstance(remaining, list):
        for layer in from_records(remaining):
            assert layer.dash
    methods, problems = read_declared(files.settings(seed, folder))
    for problem in problems:
        assert "\n" not in problem.replace(str(folder), "")
    page = Page("page", Source.from_text("<p>harbour <b>ferry</b>"))
    for entry in methods:
        limit = min(entry.params().as_dict()["seconds"], 0.5)
        outcome = attempt(entry, page, entry.params(seconds=limit), "original")
        assert "the method crashed" not in outcome.error, outcome.error
    return "read" if methods else "refused"


def run_declared(sample: Path) -> str:
    """Run the methods that a file declares; return how many there are, failed, were refused."""
    methods, problems = read_declared(sample)
    page = Page("page", Source.from_text("<p>harbour <b>ferry</b>"))
    failed = 0
    for entry in methods:
        params = entry.params(**{**entry.params().as_dict(), "seconds": 1.0})
        failed += bool(attempt(entry, page, params, "original").error)
    return f"{len(methods)} methods, {failed} failed, {len(problems)} refused"


FILES: dict[str, Callable[[int, Path], str]] = {"settings": settings}
