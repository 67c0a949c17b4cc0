"""Parts of README and documentation that are made from catalogues and code; the built site.

They stand between ``<!-- table: NAME -->`` and ``<!-- end -->``; all else is written by hand.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FunctionType

from algorithms.core.catalogue import METHODS, SITE_METHODS
from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES, UNMARKED_MEASURES
from algorithms.measures.measure import Measure
from annotate.datasets.cases import BLOCKS, TEXT
from annotate.datasets.readers import readers
from engine import plugin
from engine.errors import InputError
from engine.words import no_such
from gui.cli.reference import actions, commands, python, right_clicks, table
from resources import path
from resources.documentation import PAGES, SITE, anchor_of, build_site

README = path("").parent / "README.md"

_GOLDS = {
    frozenset({TEXT}): "text",
    frozenset({BLOCKS}): "blocks",
    frozenset({TEXT, BLOCKS}): "both",
}
_BOOTSTRAPPED = "-boot"
"""End of keys of methods that are others on a part of a site, which one paragraph describes."""

_TABLE = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def tables() -> Mapping[str, str]:
    return {
        "methods": table(
            ("key", "method", "source", "reads"),
            [(f"`{e.key}`", e.name, e.cite, ", ".join(e.inputs)) for e in METHODS],
        ),
        "methods on sites": table(
            ("key", "method", "source", "keeps"),
            [
                (f"`{e.key}`", e.name, e.cite, e.summary)
                for e in SITE_METHODS
                if not e.key.endswith(_BOOTSTRAPPED)
            ],
        ),
        "measures of text": measure_table(TEXT_MEASURES),
        "measures without gold": measure_table(UNMARKED_MEASURES),
        "measures of blocks": measure_table(m for m in BLOCK_MEASURES if not m.has_one_level),
        "data sets": table(
            ("data set", "recognised by", "gold"),
            [(f"[{e.name}](#{anchor_of(e.name)})", e.layout, _GOLDS[e.golds]) for e in readers()],
        ),
        "commands": commands(),
        "actions": actions(),
        "right clicks": right_clicks(),
        "python": python(),
        "plug-ins": table(("plug-in", "purpose", "commands", "lines"), plugin_rows()),
    } | {
        name: text
        for tables_of in plugin.objects("tables", FunctionType)
        for name, text in tables_of().items()
    }


def plugin_rows() -> list[tuple[str, str, str, str]]:
    """Return a row for each plug-in that ships with Pagelet: name, purpose, commands, lines."""
    result = []
    floors = [path("").parent / floor / "plugins" for floor in ("gui", "annotate", "algorithms")]
    for each in plugin.plugins():
        files = [file for floor in floors for file in sorted((floor / each.name).rglob("*.py"))]
        if not files:
            continue  # another maker's
        lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
        what = ast.get_docstring(ast.parse(files[0].read_text(encoding="utf-8"))) or ""
        names = ", ".join(f"`{name}`" for name in each.commands)
        result.append((f"`{each.name}`", what.rstrip("."), names, f"{round(lines, -2)}"))
    return result


def measure_table(measures: Iterable[Measure]) -> str:
    rows = []
    for m in measures:
        groups = ", ".join(f"`{group}`" for group in m.groups)
        pages = "pooled" if m.is_pooled else "mean"
        rows.append((f"`{m.key}`", m.label, m.definition, pages, groups))
    return table(("key", "measure", "meaning", "of many pages", "group"), rows)


def renew_tables(text: str, made: Mapping[str, str]) -> str:
    """Return a text with its tables updated; `InputError` for a table nobody makes."""

    def fill(match: re.Match[str]) -> str:
        begin, name, end = match.groups()
        if name not in made:
            raise InputError(no_such("table", name, made))
        return f"{begin}{made[name]}{end}"

    return _TABLE.sub(fill, text)


def find_outdated() -> dict[Path, str]:
    """Return the files whose tables are out of date, each with what it should hold."""
    if not README.is_file():
        raise InputError(f"{README} is missing: the tables are made in a clone of the repository")
    made = tables()
    files = (README, *PAGES.values())
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    updated = {file: renew_tables(text, made) for file, text in texts.items()}
    return {file: text for file, text in updated.items() if text != texts[file]}


def run(*, check: bool = False, site: Path | bool | None = None) -> int:
    """Write the outdated files, or list them; build the site where that is asked for.

    Args:
        check: write nothing; exit status 1 if a table is out of date
        site ([FOLDER]): build the site, too: into FOLDER, else where Help opens it
    """
    result = find_outdated()
    for page, text in result.items():
        if not check:
            page.write_text(text, encoding="utf-8")
        print(f"{page.name}: {'out of date' if check else 'written'}")
    if site is not None and (problem := build_site(site if isinstance(site, Path) else SITE)):
        raise InputError(f"the site cannot be built: {problem}")
    return int(check and bool(result))
