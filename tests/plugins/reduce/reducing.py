"""What a seed brought to light, cut down by `annotate.plugins.reduce` to the least such page.

    python -m tests.plugins.reduce.reducing METHOD page.html

does to one page what a seed of kind "source" does to its document, with one method, a key or a
module (`methods.method_of`): it says that this went well, or fails as the seed did.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from algorithms.method import Method
from annotate.plugins.reduce.question import ShownProperty, beginning
from annotate.plugins.reduce.reduce import reduce_page
from annotate.plugins.reduce.report import issue_text
from engine.processes.worker_process import Handler, ProcessLost, Send, WorkerProcess
from engine.source import Source
from tests.fuzz import methods
from tests.fuzz.documents import document
from tests.fuzz.supervisor import Finding

HANG_S = 5.0
"""Seconds after which a method counts as hanging on a page; most take milliseconds."""
REDUCE_S = 60.0
_MOST = 5  # kinds of findings that are cut down, since that may take a minute each
_MOST_LOOKED_AT = 50
_OF_METHODS = {"crash", "hang", "traceback"}


@dataclass(frozen=True)
class TrialQuestion(ShownProperty):
    """Whether a method still fails, hangs or crashes as it did on a fuzzed page.

    More than what is raised is a failure: spans in disorder, a trace that says something else.
    """

    def is_shown(self, html: str) -> bool:
        error = failure(self.entry, html)  # runs it, to hang or crash where it does
        return self.shows == "fails" and error == self.error


def failure(entry: Method, html: str) -> str:
    """Return the first words of how a method fails on a page; "" where all is well."""
    try:
        methods.check_method(entry, Source.from_text(html))
    except Exception as error:  # noqa: BLE001  (whatever it is, it is told)
        return f"{type(error).__name__}: {beginning(str(error))}".strip()
    return ""


@contextmanager
def failure_worker(_send: Send) -> Iterator[Handler]:
    """Say how methods fail on pages."""

    def answer(order: tuple[TrialQuestion, str]) -> str:
        question, html = order
        return failure(question.entry, html)

    yield answer


def failing_method(html: str, entries: Iterable[Method]) -> TrialQuestion | None:
    """Return what the first method that fails, hangs or crashes on a page does there."""
    with WorkerProcess[tuple[TrialQuestion, str], str](failure_worker) as process:
        for entry in entries:
            asked = TrialQuestion("fails", entry.key, {}, seconds=HANG_S, recipe=entry.recipe)
            try:
                process.ask((asked, "<p>word"), methods.MOST_SECONDS)  # loading is no hang
                error = process.ask((asked, html), HANG_S)
            except ProcessLost as end:
                hangs = replace(asked, shows="hangs")
                return hangs if hangs.is_shown_by(end) else replace(asked, shows="crashes")
            if error:
                return replace(asked, error=error)
    return None


def asked_of(finding: Finding) -> tuple[str, TrialQuestion] | None:
    """Return the page of a finding and what one method does there; None where none is at fault."""
    if finding.what not in _OF_METHODS or not _is_source(finding):
        return None
    html = Source.from_bytes(document(finding.seed).data).html
    question = failing_method(html, methods.extractors())
    return None if question is None else (html, question)


def reduced(html: str, question: ShownProperty) -> str:
    """Return the least page that shows it, with how to see it."""
    small = reduce_page(html, question, jobs=2, seconds=REDUCE_S)
    return issue_text(
        question, small, f"python -m tests.plugins.reduce.reducing {_word(question)} page.html"
    )


def _is_source(finding: Finding) -> bool:
    """Return whether a method that reads the source of a document failed."""
    from tests.fuzz.trials import FILES  # loads much, and processes that crash load this module

    kinds = tuple(FILES)
    kind = kinds[finding.seed % len(kinds)] if finding.kind == "mixed" else finding.kind
    return kind == "source"


def _word(question: ShownProperty) -> str:
    recipe = question.recipe
    return getattr(recipe, "module", question.method)


def reports(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield findings in words; the first of each kind with the least page that shows it."""
    known: set[str] = set()
    for looked_at, finding in enumerate(findings):
        report = ""
        if looked_at < _MOST_LOOKED_AT and (asked := asked_of(finding)) is not None:
            words = asked[1].in_words()
            report = f"As above: {words}"
            if words not in known and len(known) < _MOST:
                known.add(words)
                report = reduced(*asked)
        yield f"{finding}\n{report}".rstrip()


def main(word: str, page: Path) -> None:
    """Try one method on one page."""
    entry = methods.method_of(word)
    began = time.monotonic()
    methods.check_method(entry, Source.from_bytes(page.read_bytes()))
    sys.stdout.write(f"{entry.name}: all is well, {time.monotonic() - began:.2f} s\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
