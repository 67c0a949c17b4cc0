"""What belongs to the blocks that are kept: the rest of code and tables, headings, last lines.

The trees see blocks one by one, and not those without words.  Text between kept blocks that makes
no sense without them is kept, too.  On 250 of WCXB's development pages the text scores the same as
without it, to the third digit.
"""

import re
from collections.abc import Sequence

import numpy as np

from algorithms.extraction.gleaner.expected_f1 import KeptBlocks
from algorithms.extraction.gleaner.flow import captions, flowing, innermost, table_rows
from algorithms.extraction.gleaner.text_runs import TextRuns, text_runs
from algorithms.structure import PageComment, is_layout, page_rows, ranked_tables, thread_of
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Doubles, Longs
from engine.word_units import words_in

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_DOUBTED, _UNLIKELY = 0.35, 0.3
"""Shares of the chance that a block must exceed: a heading, and a table, code or a last line, less
probable than that does not belong to the blocks beside it."""

_LEAST = 0.1
"""Chance of a heading that belongs to the text below it: where all is doubtful none does."""

_TEXTS, _MOSTLY = ("article", "documentation", "forum"), 0.5
"""Types of pages that are texts, and how probable they must be together: on other pages tables and
lists are often left out by gold beside what it has."""

_LONGEST_LAST_LINE = 15
"""Words."""

_BETWEEN, _BETWEEN_ALONE, _LONGEST_BETWEEN = 0.6, 0.8, 5
"""Shares of the limit that the chance of blocks between two of an article must exceed, several and
one alone, and how many blocks at most."""

_PARAGRAPHS, _SECTION = 3, 0.15
"""Paragraphs kept beside a list that is a section, and the share of the limit it must exceed."""

_SECTION_TITLES = re.compile(
    r"\W*(?:see also|external links|further reading|siehe auch|weblinks|voir aussi|liens externes"
    r"|véase también|enlaces externos)\b",
    re.IGNORECASE,
)
"""Titles of lists in encyclopaedias; lists of sources or of other posts are no content of WCXB."""

_FEW_CELLS = 0.35
"""Least share of a table's words that makes it a table."""

_SENTENCE_END = re.compile(r"""[.!?…。]["'”’»)\]]*\Z""")


def complete_blocks(
    source: Source, choice: KeptBlocks, chance: Doubles, types: Sequence[tuple[str, float]] = ()
) -> Bools:
    """Return the kept blocks, bool (b,), with the blocks that belong to them.

    Args:
        source: The page.
        choice: Its blocks that are kept.
        chance: Which share of each block is expected to be content, float64 (b,).
        types: The probability of each type of page; none where they are not known.
    """
    runs = text_runs(source)
    kept = choice.is_kept.copy()
    if not kept.any() or not runs.words.any():
        return kept
    kept |= _signs(runs, kept)
    likely = chance > _UNLIKELY * choice.limit
    is_text = sum(share for name, share in types if name in _TEXTS) >= _MOSTLY
    if is_text:
        kept |= table_rows(source, runs, kept, likely, _innermost_data_table(source))
    for names in (("pre",), ("table",)):
        kept |= _rest(source, runs, kept, chance, names, choice.limit)
    if is_text:
        kept |= flowing(source, runs, kept, np.where(choice.is_again, 0, chance), choice.limit)
    kept |= _last_lines(source, runs, kept, likely)
    kept |= _details(source, runs, kept) | _entries(source, runs, kept)
    kept |= _comments(source, runs, kept)
    if is_text:
        kept |= captions(source, runs, kept)
    return kept | _headings(source, runs, kept, chance > max(_DOUBTED * choice.limit, _LEAST))


def _signs(runs: TextRuns, kept: Bools) -> Bools:
    """Return blocks without words between two that are kept: signs in cells and in code."""
    worded = np.flatnonzero(runs.words > 0)
    place = np.searchsorted(worded, np.arange(len(runs)))
    before, after = worded[np.maximum(place - 1, 0)], worded[np.minimum(place, worded.size - 1)]
    is_between = (place > 0) & (place < worded.size) & kept[before] & kept[after]
    return np.asarray(is_between & (runs.words == 0), dtype=bool)


def _rest(
    source: Source,
    runs: TextRuns,
    kept: Bools,
    chance: Doubles,
    names: tuple[str, ...],
    limit: float,
) -> Bools:
    """Return the missing blocks of elements that are half kept, or that lie between kept blocks.

    Code is whole or none; tables that only arrange are none.
    """
    box = innermost(source.tree, names)[runs.row]
    is_code = names == ("pre",)
    added = np.zeros(len(runs), dtype=bool)
    starts = np.flatnonzero(np.diff(box, prepend=-2) != 0)
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(runs)], strict=True):
        row, part = int(box[start]), slice(start, end)
        if row < 0 or kept[part].all() or (not is_code and _arranges(source, row)):
            continue
        words = np.maximum(runs.words[part], 1)
        share = float((words * kept[part]).sum() / words.sum())
        is_between = start > 0 and end < len(runs) and bool(kept[start - 1] and kept[end])
        missing = words * ~kept[part]
        is_likely = float((missing * chance[part]).sum() / missing.sum()) > _UNLIKELY * limit
        if (is_likely and (share >= 0.5 or is_between)) or (is_code and share):
            added[part] = True
    return added


def between_kept(source: Source, choice: KeptBlocks, chance: Doubles, kept: Bools) -> Bools:
    """Return blocks of an article that are between kept ones and nearly as probable.

    Such as the rest of a list, or a heading that is a link.  No block in a table or of the page's
    frame, and none that the page repeats.  On 117 articles of WCXB's development pages the text
    scores .0001 less with them.
    """
    runs, tree = text_runs(source), source.tree
    worded = np.flatnonzero(runs.words > 0)
    row = runs.row[worded]
    is_barred = (_innermost_data_table(source)[row] >= 0) | choice.is_again[worded]
    is_barred |= tree.within("button", "nav", "footer", "form")[row]
    added = np.zeros(len(runs), dtype=bool)
    starts, ends = runs_of(~kept[worded])
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if start == 0 or end == worded.size or end - start > _LONGEST_BETWEEN:
            continue
        if is_barred[start:end].any():
            continue
        part = worded[start:end]
        likely = float(np.average(chance[part], weights=runs.words[part]))
        if likely > choice.limit * (_BETWEEN if part.size > 1 else _BETWEEN_ALONE):
            added[part] = True
    return added


def list_sections(source: Source, choice: KeptBlocks, chance: Doubles, kept: Bools) -> Bools:
    """Return lists of which nothing is kept, with the headings above them, in the text's element.

    They are beside kept paragraphs and have names of further reading or links, which alone are
    seldom probable.
    """
    runs, tree = text_runs(source), source.tree
    added = np.zeros(len(runs), dtype=bool)
    beside = _kept_paragraphs(source, runs, kept)
    is_heading = tree.within(*_HEADINGS)[runs.row]
    is_list = tree.has_tag("ul", "ol") & ~tree.within("button", "nav", "footer", "form", "aside")
    is_list &= (beside >= _PARAGRAPHS)[np.maximum(tree.parent, 0)]
    worded = np.flatnonzero(runs.words > 0)
    for row in np.flatnonzero(is_list).tolist():
        first, past = runs.row[worded].searchsorted([row, int(tree.end[row])])
        part = worded[first:past]
        if first == 0 or first == past or kept[part].any():
            continue
        above = worded[first - 1]
        likely = float(np.average(chance[part], weights=runs.words[part]))
        is_headed = is_heading[above] and _SECTION_TITLES.match(runs.texts[above])
        is_headed = is_headed and runs.row[above] > tree.parent[row]
        if is_headed and likely > _SECTION * choice.limit:
            added[part] = added[above] = True
    return added


def in_scraps(source: Source, kept: Bools) -> Bools:
    """Return the kept blocks of tables with few kept cells; they are no evidence."""
    runs, size = text_runs(source), len(source.tree)
    table = _innermost_data_table(source)[runs.row]
    own = np.maximum(table, 0)
    words = np.bincount(own, runs.words, size)
    left = np.bincount(own, runs.words * kept, size)
    return np.asarray(kept & (table >= 0) & (left < _FEW_CELLS * words)[own], dtype=bool)


def _innermost_data_table(source: Source) -> Longs:
    """Return the innermost table around each row; -1 for none and for a layout table."""
    table = innermost(source.tree, ("table",))
    is_none = np.zeros(len(table), dtype=bool)
    for row in np.unique(table[table >= 0]).tolist():
        is_none[row] = _arranges(source, row)
    return np.where((table >= 0) & is_none[np.maximum(table, 0)], -1, table)


def _arranges(source: Source, table: int) -> bool:
    return is_layout(source.tree, table, source.attributes(table))


def _details(source: Source, runs: TextRuns, kept: Bools) -> Bools:
    """Return blocks of ``details`` elements of which nothing is kept, beside kept paragraphs."""
    tree = source.tree
    if not tree.has_tag("details").any():
        return np.zeros(len(runs), dtype=bool)
    beside = _kept_paragraphs(source, runs, kept)
    found = tree.has_tag("details") & ~tree.within("nav", "footer", "form", "aside")
    found &= (beside >= _PARAGRAPHS)[np.maximum(tree.parent, 0)]
    is_opened = tree.below(found)[runs.row]
    box = innermost(source.tree, ("details",))[runs.row]
    return is_opened & ~np.isin(box, box[kept])


def _entries(source: Source, runs: TextRuns, kept: Bools) -> Bools:
    """Return the rest of the entries of a numbered list in a table of which something is kept."""
    added = np.zeros(len(runs), dtype=bool)
    for lines in ranked_tables(page_rows(source)).entries.values():
        ends = runs.row.searchsorted([lines[0], int(source.tree.end[lines[-1]])])
        part = slice(*ends.tolist())
        added[part] = kept[part].any()
    return added


def _comments(source: Source, runs: TextRuns, kept: Bools) -> Bools:
    """Return comments of a thread that is kept: all of one, or its paragraphs.

    It is kept if its first post is, or where none is known, most words of the comments.
    """
    tree, added = source.tree, np.zeros(len(runs), dtype=bool)
    post, comments = thread_of(source)

    def part(comment: PageComment) -> slice:
        body = comment.body
        return slice(*runs.row.searchsorted([body, int(tree.end[body])]).tolist())

    parts = [part(comment) for comment in comments.values()]
    if post is not None:
        is_whole = bool(kept[part(post)].any())
    else:
        words = np.concatenate([runs.words[own] for own in parts] or [added])
        left = np.concatenate([(runs.words * kept)[own] for own in parts] or [added])
        is_whole = 2 * int(left.sum()) >= int(words.sum()) > 0
    is_written = tree.within("p", "li", "pre")[runs.row] & (post is not None)
    for own in parts if is_whole else ():
        added[own] = is_written[own] | ~kept[own].any()
    return added


def _kept_paragraphs(source: Source, runs: TextRuns, kept: Bools) -> Longs:
    """Return how many paragraphs of which something is kept each element holds directly."""
    paragraphs = np.unique(innermost(source.tree, ("p",))[runs.row[kept]])
    parents = source.tree.parent[paragraphs[paragraphs >= 0]]
    return np.bincount(parents, minlength=len(source.tree)).astype(np.int64)


def _last_lines(source: Source, runs: TextRuns, kept: Bools, likely: Bools) -> Bools:
    """Return short sentences that end the kept text before them: a paragraph of no link."""
    tree = source.tree
    added = np.zeros(len(runs), dtype=bool)
    is_short = (runs.words > 0) & (runs.words <= _LONGEST_LAST_LINE)
    candidates = is_short & likely & ~kept
    candidates[1:] &= kept[:-1]
    candidates[:1] = False
    for number in np.flatnonzero(candidates).tolist():
        paragraph = int(tree.parent[runs.row[number]])
        inside = slice(paragraph, int(tree.end[paragraph]))
        if tree.name_of(paragraph) == "p" and not tree.has_tag("a", rows=inside).any():
            added[number] = _SENTENCE_END.search(runs.texts[number]) is not None
    return added


def is_title(source: Source) -> Bools:
    """Return the first-level headings whose words are in the page's title, bool (b,).

    Gold of articles seldom has it: 7 of 93 such pages of WCXB.
    """
    runs = text_runs(source)
    title = " ".join(words_in(source.title.lower()))
    found = source.tree.within("h1")[runs.row]
    for number in np.flatnonzero(found).tolist():
        words = " ".join(words_in(runs.texts[number].lower()))
        found[number] = bool(words) and f" {words} " in f" {title} "
    return found


def _headings(source: Source, runs: TextRuns, kept: Bools, likely: Bools) -> Bools:
    """Add headings directly above kept blocks, except links: those head text elsewhere."""
    tree = source.tree
    is_heading = tree.within(*_HEADINGS)[runs.row] & ~tree.within("a")[runs.row]
    is_heading &= likely & ~is_title(source)
    result = kept.copy()
    for number in np.flatnonzero(is_heading & ~kept)[::-1].tolist():
        result[number] = number + 1 < len(runs) and bool(result[number + 1])
    return result
