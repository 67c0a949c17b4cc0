"""Readability.js, of Firefox' reader view, as a method, where the user has its package.

It runs in a browser in a worker process: in the isolated world, on a copy of the document, with the
page's own scripts off (`engine.web.reader`).  The seconds of a result are those of its ``parse``.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from algorithms.external.libraries import ask
from algorithms.external.processes import worker_for
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from engine.errors import InputError
from engine.source import Source

KEY = "readability-js"
SCRIPT = "Readability.js"

_MODULE = "engine.web.reader"
"""Named, not imported: this process needs no browser."""


@dataclass(frozen=True)
class ReadabilityJsParams(Params):
    """Parameters of Readability.js."""

    characters: int = param(500, "fewest characters of an article", low=0, high=100_000)
    candidates: int = param(5, "best candidates that are compared", low=1, high=100)
    seconds: float = param(30.0, "time limit for one page, in seconds", low=0.1, high=600.0)


def readability_js(package: Path) -> Method:
    """Return the method for a folder of the package; `InputError` if it is none."""
    script = package / SCRIPT
    if not script.is_file():
        raise InputError(f"package is {package}, want the folder that holds {SCRIPT}")
    return Method(
        key=KEY,
        name="Readability.js",
        params=ReadabilityJsParams,
        output="extraction",
        cite="Arc90 2009; Mozilla",
        on_source=_runner(script),
        summary="What the reader view of Firefox keeps.",
        version=f"@mozilla/readability {_version(package)}",
    )


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return "(version unknown)"


def _runner(script: Path) -> Callable[[Source, ReadabilityJsParams], Extraction]:
    def extract(source: Source, params: ReadabilityJsParams) -> Extraction:
        options = {
            "charThreshold": params.characters,
            "nbTopCandidates": params.candidates,
            "seconds": params.seconds,
        }
        return ask(worker_for(_MODULE, str(script)), source, options, "html")

    return extract
