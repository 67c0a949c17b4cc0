"""Readability.js, of Firefox' reader view, and Defuddle, where the user has their packages.

They run in a browser in a worker process: in the isolated world, on a copy of the document, with
the page's own scripts off (`engine.web.reader`).  The seconds of a result are those of ``parse``.
Their log of removals and candidates is their trace.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.external.libraries import answered, ask
from algorithms.plugins.external.reader_trace import trace_of
from algorithms.results import Extraction
from algorithms.trace import Trace
from engine.errors import InputError
from engine.processes.foreign import worker_for
from engine.source import Source

KEY = "readability-js"
SCRIPT = "Readability.js"

DEFUDDLE = "defuddle"
DEFUDDLE_SCRIPT = "dist/index.js"

_MODULE = "engine.web.reader"
"""Named, not imported: this process needs no browser."""


@dataclass(frozen=True)
class ReadabilityJsParams(Params):
    """Parameters of Readability.js."""

    characters: int = param(500, "fewest characters of an article", low=0, high=100_000)
    candidates: int = param(5, "best candidates that are compared", low=1, high=100)
    seconds: float = param(30.0, "time limit for one page, in seconds", low=0.1, high=600.0)


@dataclass(frozen=True)
class DefuddleParams(Params):
    """Parameters of Defuddle."""

    hidden: bool = param(True, "remove what is hidden")
    low_scoring: bool = param(True, "remove blocks of a low score")
    patterns: bool = param(True, "remove by patterns: reading times, cards, boilerplate")
    seconds: float = param(30.0, "time limit for one page, in seconds", low=0.1, high=600.0)


def readability_js(package: Path) -> Method:
    """Return the method for a folder of the package; `InputError` if it is none."""
    script = _script(package, SCRIPT)
    return Method(
        key=KEY,
        name="Readability.js",
        params=ReadabilityJsParams,
        output="extraction",
        cite="Arc90 2009; Mozilla",
        on_source=_runner("readability", script, _readability_options),
        summary="What the reader view of Firefox keeps.",
        version=f"@mozilla/readability {_version(package)}",
        trace_source=_tracer("readability", script, _readability_options),
    )


def defuddle(package: Path) -> Method:
    """Return the method for a folder of the package; `InputError` if it is none."""
    script = _script(package, DEFUDDLE_SCRIPT)
    return Method(
        key=DEFUDDLE,
        name="Defuddle",
        params=DefuddleParams,
        output="extraction",
        cite="Ango 2025",
        on_source=_runner("defuddle", script, _defuddle_options),
        summary="What Obsidian's web clipper keeps.",
        version=f"defuddle {_version(package)}",
        trace_source=_tracer("defuddle", script, _defuddle_options),
    )


def _script(package: Path, name: str) -> Path:
    script = package / name
    if not script.is_file():
        raise InputError(f"package must be the folder that holds {name}, got {package}")
    return script


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return "(version unknown)"


def _readability_options(params: ReadabilityJsParams) -> dict[str, object]:
    return {
        "charThreshold": params.characters,
        "nbTopCandidates": params.candidates,
        "seconds": params.seconds,
    }


def _defuddle_options(params: DefuddleParams) -> dict[str, object]:
    return {
        "removeHiddenElements": params.hidden,
        "removeLowScoring": params.low_scoring,
        "removeContentPatterns": params.patterns,
        "seconds": params.seconds,
    }


def _runner(
    kind: str, script: Path, options: Callable[[Any], Mapping[str, object]]
) -> Callable[[Source, Params], Extraction]:
    def extract(source: Source, params: Params) -> Extraction:
        return ask(worker_for(_MODULE, f"{kind}:{script}"), source, options(params), "html")

    return extract


def _tracer(
    kind: str, script: Path, options: Callable[[Any], Mapping[str, object]]
) -> Callable[[Source, Params], Trace]:
    def trace(source: Source, params: Params) -> Trace:
        worker = worker_for(_MODULE, f"{kind}:{script}")
        result = ask(worker, source, options(params), "html")  # as it is: talking may change it
        answer = answered(worker, source, {**options(params), "traces": True})
        return trace_of(source, result, answer["words"], answer["said"])

    return trace
