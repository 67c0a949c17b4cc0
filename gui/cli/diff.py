"""``pagelet diff``: what a method misses, and what it has too much."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from algorithms.core.mapping import Unlocated, find_unlocated, map_text
from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.measures.text import score_words
from algorithms.measures.text_comparison import LEAST_ON_PAGE, share_on_page
from algorithms.measures.text_words import Words
from algorithms.results import Extraction
from annotate.evaluation.robustness.perturbed import OF_SOURCE, after_change
from annotate.evaluation.tables.run_outcomes import percent
from engine.errors import InputError
from engine.words import join_words, plural, shorten
from gui.cli.arguments import PageOptions
from gui.cli.questions import GoldOptions, PageQuestion, read_question
from gui.cli.terminal import print_json

CHANGES = ", ".join(each.key for each in OF_SOURCE)


def run(
    method: str, page: str, *, how: PageOptions, more: GoldOptions, perturb: str | None = None
) -> int:
    """Print the errors.

    Args:
        method (METHOD): a key; see pagelet methods
        page (PAGE): file, URL, or - for standard input
        perturb (CHANGE): compare with what the method gives after a harmless change of the page,
            in place of gold: %(CHANGES)s
    """
    of = read_question(method, page, how, more)
    if perturb is not None:
        return _after_change(of, perturb, is_json=more.json)
    if of.gold is None:
        raise InputError(f"no main content is known of {page}: name a text file with --gold FILE")
    result = of.entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    results = differences(result, of.gold)
    if more.json:
        print_json(errors_as_json(results))
    else:
        print(errors_as_text(results))
    return 0


def _after_change(of: PageQuestion, key: str, *, is_json: bool) -> int:
    """Print what a method keeps and drops otherwise after a change that leaves the content."""
    change = next((each for each in OF_SOURCE if each.key == key), None)
    if change is None or of.source == "rendered":
        known = join_words([each.key for each in OF_SOURCE])
        raise InputError(f"--perturb of diff must be one of {known}, and the input HTML, got {key}")
    result = of.entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    errors = text_errors(after_change(of.entry, of.params, result.source, change), result)
    print_differences(errors, "change", change.key, change.name, is_json=is_json)
    return 0


def print_differences(
    errors: Sequence[TextError], what: str, key: str, title: str, *, is_json: bool
) -> None:
    """Print what one result has less and more than another."""
    if is_json:
        rows = [{"kind": str(e.kind), "words": e.words, "text": e.text} for e in errors]
        print_json({what: key, "differences": rows})
        return
    for line in _lines(errors):
        print(line)
    lost, more = (sum(e.words for e in errors if e.kind is kind) for kind in ErrorKind)
    print(f"{title}: {plural(lost, 'word')} less, {plural(more, 'word')} more")


@dataclass(frozen=True)
class Differences:
    """Differences between an extraction and its gold text.

    Attributes:
        errors: On the page, in document order.
        absent: Words of the gold that are not on the page.
        added: Words of the extract that are not on the page.
        gold_on_page: Share of the gold's words that are.
        f1: Of words in sequence.
    """

    errors: tuple[TextError, ...]
    absent: tuple[Unlocated, ...]
    added: tuple[Unlocated, ...]
    gold_on_page: float
    f1: float


def differences(extraction: Extraction, gold: str) -> Differences:
    """Compare an extraction with a gold text."""
    source = extraction.source
    mapped = map_text(source, gold)
    reference = Extraction(source, mapped.spans, gold, mapped.unmapped)
    return Differences(
        text_errors(extraction, reference),
        find_unlocated(source, gold) if mapped.unmapped else (),
        find_unlocated(source, extraction.text) if extraction.unmapped else (),
        share_on_page(reference),
        score_words(Words(extraction.text), Words(gold)).ws.f1,
    )


def errors_as_text(differences: Differences) -> str:
    """Return errors as lines to read, one an error: on the page in its order, then the others."""
    lines = _lines(differences.errors)
    counts = [
        f"{plural(sum(e.words for e in differences.errors if e.kind is kind), 'word')} {kind}"
        for kind in ErrorKind
    ]
    others = ("-", "gold", differences.absent), ("+", "extract", differences.added)
    for sign, whose, runs in others:
        if runs:
            lines.append(f"Not on the page, of the {whose}:")
            lines += [f"{sign} {run.words:>5}  {shorten(run.text, 90)}" for run in runs]
            words = plural(sum(run.words for run in runs), "word")
            counts.append(f"{words} of the {whose} not on the page")
    number = len(differences.errors) + len(differences.absent) + len(differences.added)
    lines.append(f"{plural(number, 'error')}: {', '.join(counts)}; F1 {differences.f1:.3f}")
    if differences.gold_on_page < LEAST_ON_PAGE:
        lines.append(
            f"only {percent(differences.gold_on_page)} of the gold is on the page: "
            "what is missing and superfluous there says little"
        )
    return "\n".join(lines)


def errors_as_json(differences: Differences) -> dict[str, Any]:
    """Return errors ready for JSON; those outside the page have a place in the source, no words."""
    return {
        "f1": differences.f1,
        "gold_on_page": differences.gold_on_page,
        "errors": [{**asdict(error), "words": error.words} for error in differences.errors],
        "gold_not_on_page": [asdict(run) for run in differences.absent],
        "extract_not_on_page": [asdict(run) for run in differences.added],
    }


def _lines(errors: Sequence[TextError]) -> list[str]:
    signs = {ErrorKind.MISSING: "-", ErrorKind.SUPERFLUOUS: "+"}
    return [f"{signs[e.kind]} {e.words:>5}  {shorten(e.text, 90)}" for e in errors]
