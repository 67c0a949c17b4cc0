"""The guideline: what belongs to a type of block or to main content, and what does not.

Main content is a policy, not a fact: gold by one guideline does not tell much about another.  So a
project's own guideline is stored with the workspace and its gold, and reports note if gold follows
several guidelines.  It is Markdown, a page for each type: a heading, a sentence, then what belongs
and what does not.
"""

import hashlib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import resources
from annotate.marks.gold import TYPES
from engine import bounded_file
from engine.bounded_file import atomic_write
from engine.errors import InputError

MAIN_TITLE = "Main content"
"""Title of the page on main content; those by type of page begin with it and a colon."""

LARGEST = 200_000
"""Characters of all pages together."""

_FORMERLY = re.compile(r"^## Formerly: (.+?)\s*$", re.MULTILINE)
"""Heading, below the text on a type, that states a former name; what is below was said of that."""

_FIELDS = re.compile(r"^## Fields\s*$(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
"""Section of a page that lists the fields of its marks, one a line."""

_FIELD = re.compile(
    r"^[-*] +([^:\n]+?) *: *(text|yes-no|number|choice *\(([^()\n]+)\)) *$", re.MULTILINE
)

ALL_TITLE = "All marks"
"""Title of the page whose fields every mark has."""

_HEADING = re.compile(r"^# +(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class GuidelinePage:
    """Section of a guideline on a type, or on `MAIN_TITLE`: Markdown below the heading."""

    title: str
    text: str

    @property
    def sentence(self) -> str:
        """First paragraph, in one line."""
        return " ".join(self.text.strip().split("\n\n", 1)[0].split())


@dataclass(frozen=True)
class OwnField:
    """A value that annotators state of a mark, besides its type.

    Attributes:
        name: As it is shown and stored.
        kind: text, choice, yes-no or number.
        choices: Of a choice, and of yes-no; () else.
    """

    name: str
    kind: str
    choices: tuple[str, ...] = ()

    def checked(self, value: str) -> str:
        """Return a value as it is stored, "" for none; `InputError` if it is no such value."""
        text = " ".join(value.split())
        if not text or self.kind == "text":
            return text
        if self.choices:
            found = next((x for x in self.choices if x.casefold() == text.casefold()), None)
            if found is None:
                raise InputError(f"{self.name} is one of {', '.join(self.choices)}, not {text}")
            return found
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"{self.name} is a number such as 12.5, not {text}")
        return f"{number:.15g}"


@dataclass(frozen=True)
class GuidelineRef:
    """Name of the guideline of gold, as the project calls it, and SHA-256 of its pages."""

    name: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} ({self.digest[:8]})"


def mixture(refs: Iterable[GuidelineRef | None]) -> str:
    """Return a sentence where gold was made by several guidelines, "" where by one or none."""
    names = dict.fromkeys("no guideline named" if ref is None else str(ref) for ref in refs)
    if len(names) < 2:
        return ""
    return (
        f"gold was made by {len(names)} guidelines ({', '.join(names)}): a mean over all of it "
        "mixes them; score the pages of each apart"
    )


@dataclass(frozen=True)
class Guideline:
    """A guideline with its pages, in the order they are listed."""

    name: str
    pages: tuple[GuidelinePage, ...]

    def page(self, title: str) -> GuidelinePage | None:
        """Return the page of a type, in any case; None if there is none."""
        return next((p for p in self.pages if p.title.casefold() == title.casefold()), None)

    def fields(self, title: str) -> tuple[OwnField, ...]:
        """Return the fields of marks of a type, after those of all marks."""
        pages = filter(None, map(self.page, dict.fromkeys((ALL_TITLE, title))))
        lists = [text for page in pages for text in _FIELDS.findall(page.text)]
        found = {}
        for name, kind, choices in (row for text in lists for row in _FIELD.findall(text)):
            listed = tuple(x for each in choices.split(",") if (x := " ".join(each.split())))
            word = "choice" if listed else kind
            found[name] = OwnField(name, word, ("yes", "no") if kind == "yes-no" else listed)
        return tuple(found.values())

    @property
    def former(self) -> dict[str, str]:
        """Former name → name of the types that were renamed, or joined to others."""
        titles = {page.title for page in self.pages}
        pairs = ((old, page.title) for page in self.pages for old in _FORMERLY.findall(page.text))
        return {old: new for old, new in pairs if old not in titles}

    def renamed(self, old: str, new: str) -> "Guideline":
        """Return it with a type called otherwise, or joined to another one that has a page.

        The page states the former name, with the text on a joined type below it.  Other
        pages name the type as it is called now.  A type nobody knows leaves it as it is.
        """
        before, there = self.page(old), self.page(new)
        is_known = before is not None or old in (*TYPES[1], *TYPES[2])
        if not is_known or self.former.get(old) == new:
            return self
        said = "" if before is None or there in (None, before) else f"\n\n{before.text}"
        text = (there or before or GuidelinePage(new, "")).text
        kept = re.sub(rf"^## Formerly: {re.escape(new)}\s*$", "", text, flags=re.MULTILINE)
        page = GuidelinePage(new, f"{kept.strip()}\n\n## Formerly: {old}{said}".strip())
        word, pages = re.compile(rf"\b{re.escape(old)}\b"), []
        for each in self.pages:
            if each is (there or before):
                pages.append(page)
            elif each is not before:
                text = word.sub(lambda _: new, each.text)
                pages.append(GuidelinePage(each.title, text))
        return Guideline(self.name, tuple(pages if there or before else [*pages, page]))

    @property
    def ref(self) -> GuidelineRef:
        """Reference stored with gold; the same pages in any order have the same digest."""
        texts = sorted(f"# {page.title}\n\n{page.text.strip()}\n" for page in self.pages)
        return GuidelineRef(self.name, hashlib.sha256("".join(texts).encode()).hexdigest())

    @property
    def markdown(self) -> str:
        return "\n".join(f"# {page.title}\n\n{page.text.strip()}\n" for page in self.pages)


@cache
def default() -> Guideline:
    """Return the guideline that ships with Pagelet."""
    pages = _pages(x.read_text("utf-8") for x in sorted(resources.path("guideline").iterdir()))
    rank = {title: number for number, title in enumerate([MAIN_TITLE, *TYPES[1], *TYPES[2]])}
    pages = sorted(pages, key=lambda page: rank.get(page.title, len(rank)))
    return Guideline("Pagelet", tuple(pages))


def read(path: Path) -> Guideline:
    """Read a guideline: a Markdown file with a heading for each type, or a folder of such files.

    Raises `InputError` if it cannot be read, or has no pages, two on one type, or is too large.
    """
    try:
        files = sorted(path.glob("*.md")) if path.is_dir() else [path]
        pages = _pages(bounded_file.read_text(file) for file in files)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path} cannot be read as Markdown: {error}") from None
    if not pages:
        raise InputError(f"{path.name} has no pages: begin each with a heading, as in # Menu")
    titles = [page.title.casefold() for page in pages]
    twice = next((title for title in titles if titles.count(title) > 1), None)
    if twice is not None:
        raise InputError(f"{path.name} has two pages on {twice!r}")
    if (size := sum(len(page.text) for page in pages)) > LARGEST:
        raise InputError(f"{path.name} has {size} characters, the limit is {LARGEST}")
    return Guideline(path.stem, tuple(pages))


def write(guideline: Guideline, path: Path) -> None:
    """Write all pages as one Markdown file; `InputError` if it cannot be written."""
    with atomic_write(path) as beside:
        beside.write_text(guideline.markdown, encoding="utf-8", errors="backslashreplace")


def _pages(texts: Iterable[str]) -> list[GuidelinePage]:
    parts = [part for text in texts for part in _HEADING.split(text)[1:]]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [GuidelinePage(title, body.strip()) for title, body in pairs]
