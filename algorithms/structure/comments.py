"""Comments of a thread (author, date and text), and tables that are numbered lists, as of threads.

Such a table has a rank in the first cell of each entry, and further rows below it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from algorithms.signals.memo import shared
from algorithms.structure.rows import PageRows, page_rows
from engine.nodes import NodeTable
from engine.source import Source


class CommentSite(NamedTuple):
    """How one kind of site calls the parts of its comments: names parted by blanks.

    Attributes:
        source: The kind of site.
        hints: Words, one of which is in the start tag of each box.
        boxes: Of the elements that hold a comment each.
        authors: Of those that name an author.
        bodies: Of those that hold the text.
        dates: Of those that give the date.
        scores: Of those that give a score.
    """

    source: str
    hints: tuple[str, ...]
    boxes: str = ""
    authors: str = ""
    bodies: str = ""
    dates: str = ""
    scores: str = ""


SITES = (
    CommentSite("Hacker News", ("comtr",), "comtr", "hnuser", "commtext", "age", "score"),
    CommentSite("blogs, as of WordPress", ("comment",), "comment comment-item comment-box Comment",
        "comment-author comment__author comment-author-link commenter commentMeta fn",
        "comment-body comment-content comment__body comment-text comment_text comment__text",
        "comment-date comment-meta date created", "points votes upvotes karma"),
    CommentSite("GitHub", ("comment",), "js-comment review-comment timeline-comment", "author",
        "markdown-body", "timestamp relative-date"),
    CommentSite("Mastodon", ("status",), "status", "display-name", "status__content"),
    CommentSite("Discourse", ("topic-post", "crawler-post"), "topic-post crawler-post",
        "username creator", "cooked post-content"),
    CommentSite("forums, as of phpBB", ("reply", "has-profile"), "post-reply has-profile",
        "user-name poster", "message-body"),
    CommentSite("Reddit", ("thing ",), "thing", "tagline-author", "usertext-body slot-comment "
        "slot-text-body"),
    CommentSite("Gmail", ("message-id",), "adn", "gD", "a3s", "g3"),
    CommentSite("Stack Exchange", ("comment",), bodies="comment-copy"),
    CommentSite("Twitter", ('"tweet"',), "tweet", "User-Name", "tweetText"),
    CommentSite("schema.org and microformats", ("feeditem",), "h-cite u-comment", "p-author",
        "itemprop-text e-content"),
)  # fmt: skip
"""Kinds of sites with comments; a new one is one row."""


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of any of these names in classes between blanks."""
    return re.compile(f" (?:{'|'.join(map(re.escape, ' '.join(names).split()))}) ")


_HINTS = sorted({hint for site in SITES for hint in site.hints})
_BOX = _any_of(site.boxes for site in SITES)
_AUTHOR = _any_of(site.authors for site in SITES)
_BODY = _any_of(site.bodies for site in SITES)
_DATE = _any_of(site.dates for site in SITES)
_SCORE = _any_of(site.scores for site in SITES)
_BODY_OF_POST = re.compile(r" (?:content|postbody|post_body) ")
_NAMING = frozenset(["data-testid", "slot", "itemprop"])
_TIMES = frozenset(["time", "relative-time", "time-ago"])
_QUOTED = re.compile(r" (?:gmail_quote|gmail_attr|gmail_extra|email-quoted-reply) ")
_QUOTES = re.compile(r">\s*\S.*\b(?:\d{4}|wrote)\b")
_ATTACHED = re.compile(r" (?:status-card|media-gallery|attachment-list|link-preview) ")
_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]|$)")


class PageComment(NamedTuple):
    """A comment.

    Attributes:
        author: As it is written.
        date: The day, as a date of ISO 8601 where the page has one; "" where it has none.
        address: What the date links to; "" where it is no link.
        score: Such as ``25 points``; "" for none.
        head: Rows of everything in it but the text of the comment.
        body: Row of the text of the comment.
    """

    author: str
    date: str
    address: str
    score: str
    head: tuple[int, ...]
    body: int


@shared
def thread_of(page: Source | NodeTable) -> tuple[PageComment | None, dict[int, PageComment]]:
    """Return the post that a page's comments answer, if built as they are, and the comments by row.

    These are elements called so, with an author and a text.  The page keeps the answer.
    """
    rows = page_rows(page)
    boxes = [row for row in rows.mentioning(*_HINTS) if _is_box(rows, row)]
    found: dict[int, PageComment] = {}
    for row in reversed(boxes):
        inner = min((at for at in found if row < at < rows.end[row]), default=rows.end[row])
        if comment := _comment(rows, row, inner):
            found[row] = comment
    if not found:
        return None, {}
    first, *others = sorted(found)
    is_post = bool(others) and all(rows.classes(at) != rows.classes(first) for at in others)
    if is_post or not others:  # the post that the others answer
        return found.pop(first) if is_post else None, {at: found[at] for at in others}
    return None, found


def _called(rows: PageRows, row: int) -> str:
    """Return the names of an element: its classes, and those for tests and scripts."""
    given = rows.attributes(row)
    if _NAMING.isdisjoint(given):
        return rows.classes(row)
    names = [given.get("data-testid"), given.get("slot")]
    names += [f"{name}-{given[name]}" for name in ("itemprop", "slot") if name in given]
    more = " ".join(filter(None, names))
    return f"{rows.classes(row)}{more} " if more else rows.classes(row)


def _is_box(rows: PageRows, row: int) -> bool:
    given = rows.attributes(row)
    return (
        _BOX.search(_called(rows, row)) is not None
        or rows.names[row] in ("shreddit-comment", "shreddit-post")
        or given.get("itemtype", "").endswith("schema.org/Comment")
    )


def _comment(rows: PageRows, row: int, past: int) -> PageComment | None:
    """Return the comment in an element; ``past`` is where the next one in it begins."""
    elements = [at for at in range(row + 1, past) if rows.names[at] != "#text"]
    given = rows.get(row, "author")
    author = row if given else next((at for at in elements if is_author(rows, at)), None)
    body = _body(rows, row, elements)
    if author is None or body is None or not author < body or not rows.text(author):
        return None
    if not rows.has_text(body, rows.end[body]) or rows.end[body] > past:
        return None
    date, address = _dated(rows, [at for at in elements if not body <= at < rows.end[body]])
    score = next((rows.text(at) for at in elements if _SCORE.search(rows.classes(at))), "")
    head = (*_around(rows, row, body, past), *_quoted(rows, body))
    return PageComment(given or _name(rows, author), date, address, score, head, body)


def _body(rows: PageRows, row: int, elements: Sequence[int]) -> int | None:
    """Return the element of a comment that holds its text."""
    body = next((at for at in elements if _BODY.search(_called(rows, at))), None)
    if body is None and " post " in rows.classes(row):
        boxes = [at for at in elements if _BODY_OF_POST.search(rows.classes(at))]
        body = boxes[-1] if boxes else None
    return body


def _dated(rows: PageRows, elements: Sequence[int]) -> tuple[str, str]:
    """Return the first date that elements give, and what it links to; "" for none."""
    for at in elements:
        if is_date(rows, at) and (date := _date(rows, at)):
            hrefs = (rows.get(up, "href") for up in (at, *rows.elements(at), rows.parent[at]))
            return date, next(filter(None, hrefs), "")
    return "", ""


def _around(rows: PageRows, row: int, body: int, past: int) -> list[int]:
    """Return the rows of a comment beside its text, without cards and pictures."""
    path = {body, *rows.above(body)}
    return [
        at for up in path if row <= up and up != body for at in rows.children(up)
        if at not in path and rows.end[at] <= past and not _is_attached(rows, at)
    ]  # fmt: skip


def _quoted(rows: PageRows, body: int) -> list[int]:
    """Return what a comment repeats of the one it answers, as mail programs add it."""
    inside = range(body + 1, rows.end[body])
    found = [at for at in inside if rows.names[at] != "#text" and _is_history(rows, at)]
    quoted = next((at for at in inside if _QUOTES.match(rows.own(at))), None)
    if quoted is not None:  # a mail in plain text: all that follows is quoted
        found += [at for at in range(quoted, rows.end[body]) if rows.names[at] == "#text"]
    return found


def _is_attached(rows: PageRows, row: int) -> bool:
    """Return whether an element beside the text of a comment is a card or a picture of it."""
    return any(
        _ATTACHED.search(rows.classes(at)) for at in range(row, rows.end[row])
        if rows.names[at] != "#text"
    )  # fmt: skip


def _is_history(rows: PageRows, row: int) -> bool:
    """Return whether an element of a message is the one it answers, as mail programs add it."""
    if _QUOTED.search(rows.classes(row)):
        return True
    if rows.names[row] != "blockquote":
        return False
    return rows.get(row, "type").lower() == "cite" or ".8ex" in rows.get(row, "style")


def is_date(rows: PageRows, row: int) -> bool:
    """Return whether an element gives the date of a text."""
    return rows.names[row] in _TIMES or _DATE.search(rows.classes(row)) is not None


def is_author(rows: PageRows, row: int) -> bool:
    """Return whether an element names the author of a text."""
    given = rows.attributes(row)
    return (
        _AUTHOR.search(_called(rows, row)) is not None
        or given.get("rel") == "author"
        or given.get("itemprop") == "author"
        or (rows.names[row] == "a" and " byline " in rows.classes(rows.parent[row]))
    )


def _name(rows: PageRows, author: int) -> str:
    name = " ".join(" ".join(piece.split()) for piece in rows.pieces(author))
    return name.removesuffix(":").removesuffix(" says")


def _date(rows: PageRows, row: int) -> str:
    given = rows.attributes(row)
    for name in ("datetime", "title"):
        match = _ISO.match(given.get(name, ""))
        if match:
            return match[1]
    return given.get("title", "") or rows.text(row)


_RANK = re.compile(r"(\d{1,4})\.")
_FEWEST = 3
"""Entries of a numbered list."""


class Ranked(NamedTuple):
    """The numbered lists of a page that are tables.

    Attributes:
        tables: Rows of the tables.
        entries: Row of the first ``tr`` of each entry, and those of all its ``tr``, that included.
        ranks: Rows of the cells that hold the numbers.
        bylines: Rows of links from the author and from the date of an entry: no links in a list.
    """

    tables: Sequence[int]
    entries: Mapping[int, tuple[int, ...]]
    ranks: Sequence[int]
    bylines: Sequence[int]


def ranked_tables(rows: PageRows) -> Ranked:
    """Return the tables whose rows are numbered one after the other, without header cells."""
    by_group: dict[int, list[int]] = {}
    for line in rows.named("tr"):
        by_group.setdefault(rows.parent[line], []).append(line)
    tables, entries, cells = [], {}, []
    for group, lines in by_group.items():
        first = [next(iter(rows.elements(line)), -1) for line in lines]
        ranks = [_RANK.fullmatch(rows.text(cell)) if cell >= 0 else None for cell in first]
        numbers = [int(match[1]) for match in ranks if match]
        if len(numbers) < _FEWEST or numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
            continue
        if any(rows.names[at] == "th" for at in range(group, rows.end[group])):
            continue
        is_table = rows.names[group] == "table"
        tables.append(group if is_table else rows.parent[group])
        starts = [at for at, match in enumerate(ranks) if match]
        for start, past in zip(starts, [*starts[1:], len(lines)], strict=True):
            entry = takewhile(lambda at: rows.has_text(at, rows.end[at]), lines[start:past])
            entries[lines[start]] = tuple(entry)
            cells.append(first[start])
    inside = (range(lines[0], rows.end[lines[-1]]) for lines in entries.values())
    bylines = [link for each in inside for link in each if _is_byline(rows, link)]
    return Ranked(tables, entries, cells, bylines)


def _is_byline(rows: PageRows, row: int) -> bool:
    """Return whether an element is a link from an author or a date."""
    near = (row, rows.parent[row])
    return rows.names[row] == "a" and any(is_author(rows, at) or is_date(rows, at) for at in near)
