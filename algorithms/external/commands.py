"""A command as a method: HTML on its standard input, text or HTML on its standard output.

It gets the page in UTF-8 and answers in UTF-8; a status other than 0, an answer that is no text or
has no word of the page, and the time limit each make a failed outcome.  The seconds of a result are
those from start to end of the process.  See `declared` for how a user names one.
"""

import time
from pathlib import Path

from algorithms.external.answers import Kind, decoded, extraction
from algorithms.external.processes import run_command
from algorithms.params import Params
from algorithms.results import Extraction
from engine.source import Source


def run(
    words: tuple[str, ...], folder: Path, kind: Kind, source: Source, params: Params
) -> Extraction:
    """Hand a source to a command; ``params`` has the time limit as ``seconds``."""
    limit = float(params.as_dict()["seconds"])
    data = source.html.encode("utf-8", "replace")
    start = time.perf_counter()
    answer = run_command(words, data, limit, folder)
    seconds = time.perf_counter() - start
    return extraction(source, decoded(answer), kind, seconds)
