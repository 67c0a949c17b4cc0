"""The documentation: which pages there are, and what can be pointed at in them.

Pages are Markdown files in ``resources/docs``.  ``formats.md#kreuzer`` is the heading "Kreuzer" of
one of them; headings are named as code hosts name them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from resources import path, read_text

PAGES = {
    "guide.md": "Guide",
    "glossary.md": "Glossary",
    "systems.md": "Methods",
    "figures.md": "Figures",
    "measures.md": "Measures",
    "formats.md": "Formats",
    "rendering.md": "Rendering",
    "contributing.md": "Contributing",
    "changelog.md": "Changelog",
    "licence.md": "Licence",
}
"""File and title, in the order of the table of contents."""

_HEADING = re.compile(r"(#{1,6}) (.+)")
_MARKUP = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Section:
    """A heading with the lines below it, up to the next heading.

    Attributes:
        level: 1 for the title of the page.
        title: Without markup.
        anchor: What links call it.
        text: What stands below, as Markdown.
    """

    level: int
    title: str
    anchor: str
    text: str


def location(page: str) -> Path:
    """Return where a page lies on disk."""
    return path(f"docs/{page}")


def read_page(page: str) -> str:
    """Return the Markdown of a page."""
    return read_text(f"docs/{page}")


def anchor_of(title: str) -> str:
    """Return what links call a heading: small letters, hyphens for blanks, no other signs."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def sections(markdown: str) -> Iterator[Section]:
    """Yield the headings of a text with what is below each; code is no heading."""
    found: tuple[int, str] | None = None
    lines: list[str] = []
    is_fenced = False
    for line in [*markdown.splitlines(), "# "]:
        if line.startswith("```"):
            is_fenced = not is_fenced
        heading = None if is_fenced or line == "# " else _HEADING.fullmatch(line)
        if heading is None and line != "# ":
            lines.append(line)
            continue
        if found is not None:
            level, title = found
            yield Section(level, title, anchor_of(title), "\n".join(lines).strip())
        lines = []
        if heading is not None:
            found = len(heading[1]), _MARKUP.sub(lambda m: m[1] or "", heading[2])
