"""The documentation: which pages there are, what can be pointed at in them, and the site of them.

Pages are Markdown files below ``resources/docs``, each with a name of its own: what the code cites
as ``formats.md#kreuzer`` is the heading "Kreuzer" of the one page of that name, wherever it lies.
Headings are named as code hosts name them.  Needs nothing but Python: a wheel is built with it.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent
SITE = ROOT / "site"
"""The built site: in a wheel from the start, in a clone once ``pagelet docs --site`` was run."""

PAGES = {file.name: file for file in sorted((ROOT / "docs").rglob("*.md"))}
"""Name → file."""

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


def read_page(page: str) -> str:
    """Return the Markdown of a page, by its name."""
    return PAGES[page].read_text(encoding="utf-8")


def address_of(file: Path) -> str:
    """Return where the site has a page, as in ``reference/formats.html``."""
    return file.relative_to(ROOT / "docs").with_suffix(".html").as_posix()


def build_site(to: Path) -> str:
    """Make the site in a folder, in place of what is there; return what is wrong, "" for nothing.

    Dead links and headings, and pages that no table of contents names, are wrong.  The folder is
    replaced only by a site without faults.
    """
    to = to.absolute()
    made = to.with_name(f"{to.name}.new") if to.name else to
    try:
        if to.is_dir():
            if any(to.iterdir()) and not (to / "_static").is_dir():
                return f"{to} holds something else than a site: name a new folder"
        elif to.exists():
            return f"{to} is not a folder"
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        return _built(made, to)
    except (OSError, ValueError) as error:
        return f"cannot write {to}: {getattr(error, 'strerror', '') or error}"


def _built(made: Path, to: Path) -> str:
    command = [sys.executable, "-P", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(made / ".doctrees"), str(ROOT / "docs"), str(made)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        shutil.rmtree(made, ignore_errors=True)
        return done.stderr.strip() or f"Sphinx ended with status {done.returncode}"
    for left_over in (".doctrees", ".buildinfo", "objects.inv"):
        path = made / left_over
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for file in made.glob("_static/*/*.map"):  # of scripts and styles: they are read by nobody
        file.unlink()
    shutil.rmtree(to, ignore_errors=True)
    made.rename(to)
    return ""


def anchor_of(title: str) -> str:
    """Return what links call a heading: small letters, hyphens for blanks, no other signs."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def sections(markdown: str) -> Iterator[Section]:
    """Yield the headings of a text with what is below each; code is no heading."""
    result: tuple[int, str] | None = None
    lines: list[str] = []
    is_fenced = False
    for line in [*markdown.splitlines(), "# "]:
        if line.startswith("```"):
            is_fenced = not is_fenced
        heading = None if is_fenced or line == "# " else _HEADING.fullmatch(line)
        if heading is None and line != "# ":
            lines.append(line)
            continue
        if result is not None:
            level, title = result
            yield Section(level, title, anchor_of(title), "\n".join(lines).strip())
        lines = []
        if heading is not None:
            result = len(heading[1]), _MARKUP.sub(lambda m: m[1] or "", heading[2])
