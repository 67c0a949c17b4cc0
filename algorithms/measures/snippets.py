"""The snippet test: which phrases a text must hold, and which it must not.

Source: the evaluation scripts published with trafilatura (A. Barbaresi, ACL-IJCNLP 2021, system
demonstrations) and with the WCXB benchmark (M. Foley, 2025).  A snippet counts as found if it is in
the text as a whole, once white space is collapsed in both.  trafilatura's script minds letter case,
WCXB's does not (`ignore_case`; it does not collapse white space either, which is kept here).

A snippet of the content that is in the text is a true positive, one that is not a false negative;
another one that is in the text is a false positive, one that is not a true negative.

Departure: both scripts sum the four over all pages before anything is divided, so that a page with
more snippets counts more; Pagelet's tables have the mean over pages.

Corners: where there is nothing to divide by, a page's share is None.
"""

from dataclasses import dataclass

from algorithms.measures.prf import Score


@dataclass(frozen=True)
class Snippets:
    """Phrases known to belong to a page's main content, and not to belong to it.

    Attributes:
        required: Phrases of the main content.
        unwanted: Phrases of the page that are none of it.
    """

    required: tuple[str, ...]
    unwanted: tuple[str, ...]


@dataclass(frozen=True)
class SnippetCounts:
    """Counts of one page's snippets by whether they are where they belong.

    Attributes:
        present: Wanted and in the text (true positives).
        missed: Wanted and not in it (false negatives).
        leaked: Unwanted and in it (false positives).
        avoided: Unwanted and not in it (true negatives).
    """

    present: int = 0
    missed: int = 0
    leaked: int = 0
    avoided: int = 0

    @property
    def required_share(self) -> float | None:
        """Share of the content's snippets that are in the text; the recall."""
        return _share(self.present, self.missed)

    @property
    def precision(self) -> float | None:
        """Share of the snippets in the text that belong to the content."""
        return _share(self.present, self.leaked)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None where there is no snippet to find."""
        total = 2 * self.present + self.leaked + self.missed
        return 2 * self.present / total if total else None


def count_snippets(text: str, snippets: Snippets, ignore_case: bool = False) -> SnippetCounts:
    """Find a page's snippets in an extracted text. Blank snippets do not count."""
    seen = _seen(text, ignore_case)
    required = [_seen(each, ignore_case) for each in snippets.required if each.strip()]
    unwanted = [_seen(each, ignore_case) for each in snippets.unwanted if each.strip()]
    result = sum(each in seen for each in required)
    leaked = sum(each in seen for each in unwanted)
    return SnippetCounts(result, len(required) - result, leaked, len(unwanted) - leaked)


def score_page(text: str, snippets: Snippets | None) -> Score:
    """Return the score of one page; without a value where no snippets are known of it."""
    if snippets is None:
        return Score(None)
    result = count_snippets(text, snippets)
    return Score(result.f1, result.precision, result.required_share)


def _share(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None


def _seen(text: str, ignore_case: bool) -> str:
    collapsed = " ".join(text.split())
    return collapsed.casefold() if ignore_case else collapsed
