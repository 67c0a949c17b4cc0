"""A command as a method: HTML on its standard input, text or HTML on its standard output.

It gets the page in UTF-8 and answers in UTF-8; a status other than 0, an answer that is no text or
has no word of the page, and the time limit each make a failed outcome.  The seconds of a result are
those from start to end of the process.  See `declared` for how a user names one.

A command that reads the page's site is started with ``http_proxy`` set, as most HTTP clients want
it, and with the page's address in `ADDRESS`.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from algorithms.own.answers import AnswerKind, decoded, extraction
from algorithms.params import Params
from algorithms.plugins.external.site_server import SiteServer
from algorithms.results import Extraction
from algorithms.templates.site import Site
from engine.processes.commands import run_command
from engine.source import Source

ADDRESS = "PAGELET_ADDRESS"
"""The variable that has the address of the page."""


def run(
    words: tuple[str, ...], folder: Path, kind: AnswerKind, source: Source, params: Params
) -> Extraction:
    """Extract with a command; ``params`` has the time limit as ``seconds``."""
    return _run(words, folder, kind, source, params, None)


def run_on_site(
    words: tuple[str, ...], folder: Path, kind: AnswerKind, site: Site, params: Params
) -> Extraction:
    """Extract with a command that reads other pages of the site through Pagelet."""
    with SiteServer(site) as server:
        # One name for all, small letters: what curl, Python and wget agree on for http.
        own = {"http_proxy": server.proxy, "no_proxy": "", ADDRESS: server.address}
        return _run(words, folder, kind, site.source, params, {**os.environ, **own})


def _run(
    words: tuple[str, ...],
    folder: Path,
    kind: AnswerKind,
    source: Source,
    params: Params,
    environment: Mapping[str, str] | None,
) -> Extraction:
    limit = float(params.as_dict()["seconds"])
    data = source.html.encode("utf-8", "replace")
    start = time.perf_counter()
    answer = run_command(words, data, limit, folder, environment)
    seconds = time.perf_counter() - start
    return extraction(source, decoded(answer), kind, seconds)
