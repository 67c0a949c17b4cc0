"""A command as a method: HTML on its standard input, text or HTML on its standard output.

It gets the page in UTF-8 and answers in UTF-8; a status other than 0, an answer that is no text or
has no word of the page, and the time limit each make a failed outcome.  The seconds of a result are
those from start to end of the process.  See `declared` for how a user names one.

A command that reads the page's site is started with ``http_proxy`` set, as most HTTP clients want
it, and with the page's address in `ADDRESS`.

A command that serves is started once and answers page after page, a line of JSON each: it reads
``{"html": …}`` and writes ``{"text": …}``, or ``{"error": …}`` for a page that it cannot do; a
member ``seconds`` gives the time for the page, where it measures that itself.  One that hangs, dies
or writes something else makes a failed outcome, and is started again for the next page.
"""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from algorithms.own.answers import AnswerKind, decode_answer, extraction
from algorithms.params import Params
from algorithms.plugins.external.page_servers import SiteServer
from algorithms.results import Extraction
from algorithms.templates.site import Site
from engine.errors import MethodError
from engine.processes.commands import MOST_BYTES, run_command, start_command
from engine.processes.foreign import START_SECONDS, Answer, ForeignWorker, shared_worker, with_text
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
        # One name, in lower case, on which curl, Python and wget agree for http.
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
    return extraction(source, decode_answer(answer), kind, seconds)


class LineWorker(ForeignWorker):
    """A command that answers lines by lines."""

    def __init__(
        self,
        words: tuple[str, ...],
        folder: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__("", "")
        self._words, self._folder, self._environment = words, folder, environment

    def _launch(self, errors: BinaryIO) -> None:
        self._process = start_command(self._words, self._folder, self._environment, errors)

    def _send(self, request: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        line = json.dumps(with_text(request), ensure_ascii=False)
        self._process.stdin.write(line.encode("utf-8", "replace") + b"\n")
        self._process.stdin.flush()

    def _receive(self) -> Answer | None:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline(MOST_BYTES)
        return (line, None) if line.endswith(b"\n") else None

    def answer(self, request: object, seconds: float) -> Mapping[str, Any]:
        """Return its answer; raises `MethodError` or `MethodTimeout`, then starts a new process.

        The first page may take `START_SECONDS` more: it may have a model to load.
        """
        extra = 0.0 if self.process_id is not None else START_SECONDS
        line, _ = self.exchange(request, seconds + extra)
        try:
            reply = json.loads(decode_answer(line))
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            self.close()
            raise MethodError("its answer is not a line of JSON with a member text")
        return reply


def serve(
    words: tuple[str, ...], folder: Path, kind: AnswerKind, source: Source, params: Params
) -> Extraction:
    """Extract with a running command; ``params`` has the time limit as ``seconds``."""
    limit = float(params.as_dict()["seconds"])
    worker = shared_worker(("serve", str(folder), *words), lambda: LineWorker(words, folder))
    start = time.perf_counter()
    reply = worker.answer({"html": source.html}, limit)
    seconds = time.perf_counter() - start
    if isinstance(error := reply.get("error"), str):
        raise MethodError(" ".join(error.split())[:300] or "it said that it failed")
    text, own = reply.get("text"), reply.get("seconds")
    if not isinstance(text, str):
        raise MethodError("its answer has no member text that is a text")
    if isinstance(own, int | float) and not isinstance(own, bool) and 0 <= own <= seconds:
        seconds = float(own)
    return extraction(source, text, kind, seconds)
