"""``pagelet agreement``: how far annotators agree, page by page and in the mean."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from annotate.agreement import DIAL, Coefficients, PageAgreement, page_agreement
from annotate.annotators import Role
from annotate.control_pages import control_pages
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import page_name, page_names
from annotate.datasets.opening import open_pages
from annotate.datasets.readers import document_of
from annotate.gold import Gold
from annotate.store import is_workspace
from annotate.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import InputError, PageletError
from engine.page import Page

_EPILOG = """Example:
  pagelet agreement anna.pagelet ben.pagelet
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a workspace, or a folder with gold files, an annotator."""
    command.epilog = _EPILOG
    command.add_argument(
        "annotators",
        nargs="+",
        type=Path,
        metavar="MARKS",
        help="a workspace, or a folder of pages with gold files, of each annotator; or one "
        "workspace with the marks of several",
    )
    command.add_argument(
        "--controls", action="store_true",
        help="each annotator against the known gold of the control pages in a workspace",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON, page by page")
    command.add_argument(
        "--lines", action="store_true", help="print JSON, one line a page, as soon as it is done"
    )


def run(options: argparse.Namespace) -> int:
    """Print a table, or JSON."""
    pages = controls_of(options.annotators) if options.controls else pages_of(options.annotators)
    found: dict[str, PageAgreement] = {}
    from engine.web import noise  # Qt
    from engine.web.headless import Browser

    noise.install()
    with Browser(no_sandbox=options.no_sandbox) as browser:
        for number, each in enumerate(pages, 1):
            try:
                page = browser.capture(each.document)
                found[each.name] = page_agreement(page, each.golds(page))
            except PageletError as error:
                print(f"pagelet: {each.name}: {error}", file=sys.stderr)
                continue
            if options.lines:
                (line,) = as_json({each.name: found[each.name]})
                facts = {"key": each.key, "number": number, "of": len(pages)}
                print(json.dumps({**facts, **line}, ensure_ascii=False), flush=True)
    if not found:
        raise InputError("none of the pages that all annotators marked could be rendered")
    if options.json:
        print(json.dumps(as_json(found), indent=2, ensure_ascii=False))
    elif not options.lines:
        print(as_table(found))
    return 0


@dataclass(frozen=True)
class SharedPage:
    """A page that several annotators marked.

    Attributes:
        name: What to call it.
        key: In a workspace; its name elsewhere.
        document: What to render.
        golds: Returns annotator → marks, on the rendered page.
    """

    name: str
    key: str
    document: Document
    golds: Callable[[Page], Mapping[str, Gold]]


def controls_of(paths: Sequence[Path]) -> list[SharedPage]:
    """Return the control pages of one workspace, each with its known gold and what was marked."""
    if len(paths) != 1 or not paths[0].is_file() or not is_workspace(paths[0]):
        raise InputError("--controls takes one workspace: combine several with pagelet merge")
    return [
        SharedPage(each.name, each.key, each.files.document(), each.golds)
        for each in control_pages(paths[0])
    ]


def pages_of(paths: Sequence[Path]) -> list[SharedPage]:
    """Return what two or more marked: in one workspace, or in a file or folder each."""
    if len(paths) == 1 and paths[0].is_file() and is_workspace(paths[0]):
        return _pages_in(paths[0])
    if len(paths) < 2:
        raise InputError("agreement needs the marks of two annotators or more")
    names = _names(paths)
    shared = common_pages(dict(zip(names, paths, strict=True)))
    return [
        SharedPage(
            name,
            name,
            next(iter(files.values())).document(),
            partial(_golds_of, files),
        )
        for name, files in shared.items()
    ]


def _golds_of(files: Mapping[str, PageFiles], page: Page) -> Mapping[str, Gold]:
    return {who: each.marks(page) for who, each in files.items()}


def _pages_in(path: Path) -> list[SharedPage]:
    """Return the pages of one workspace that two annotators or more marked."""
    workspace = Workspace.reading(path)
    people = {who for who in workspace.annotators if who.role is Role.ANNOTATOR}

    def golds_on(key: str, page: Page) -> Mapping[str, Gold]:
        golds = workspace.golds(key, page.rendered())
        return {who.shown: gold for who, gold in golds.items() if who in people}

    entries = workspace.shared_pages()
    if not entries:
        raise InputError(f"no page in {path} is marked by two annotators")
    documents = [document_of(entry) for entry in entries]
    return [
        SharedPage(name, entry.key, document, partial(golds_on, entry.key))
        for name, entry, document in zip(page_names(documents), entries, documents, strict=True)
    ]


def common_pages(annotators: Mapping[str, Path]) -> dict[str, dict[str, PageFiles]]:
    """Return the pages that all annotators have, with what each marked on them.

    They are the same where their address is; where no two are, as in copies of a folder, where
    their name is.
    """
    opened = {name: open_pages(path) for name, path in annotators.items()}
    for name_of in (page_key, page_name):
        by_name = {
            annotator: {
                name_of(document): files
                for document, files in zip(pages.documents, pages.files, strict=True)
            }
            for annotator, pages in opened.items()
        }
        shared = set.intersection(*map(set, by_name.values()))
        if shared:
            first = next(iter(by_name.values()))
            keys = [key for key in first if key in shared]
            names = page_names([first[key].document() for key in keys])
            return {
                name: {a: pages[key] for a, pages in by_name.items()}
                for name, key in zip(names, keys, strict=True)
            }
    raise InputError(f"no page is marked in all of {', '.join(map(str, annotators.values()))}")


def as_table(found: Mapping[str, PageAgreement]) -> str:
    """Return agreement as a table, a page a line and the means below."""
    head = ("page", "main κ", "main α", "types α", "B³ F1", "max(P, R)")
    rows = {name: _numbers(each) for name, each in found.items()}
    rows[f"mean of {len(found)}"] = _means(list(rows.values()))
    width = max(map(len, rows))
    lines = [f"{head[0]:<{width}}  " + "  ".join(f"{name:>9}" for name in head[1:])]
    for name, values in rows.items():
        lines.append(f"{name:<{width}}  " + "  ".join(f"{_shown(v):>9}" for v in values))
    dial = _means([each.dial for each in found.values()])
    shown = "  ".join(
        f"{share:.1%}: {_shown(value)}" for share, value in zip(DIAL, dial, strict=True)
    )
    lines += ["", f"B³ F1 without blocks below a share of the page  {shown}"]
    return "\n".join(lines)


def as_json(found: Mapping[str, PageAgreement]) -> list[dict[str, Any]]:
    """Return agreement ready for JSON; what cannot be said is null."""
    return [
        {
            "page": name,
            "annotators": list(each.annotators),
            "main": {atoms: _coefficients(values) for atoms, values in each.main.items()},
            "blocks": {
                f"level {level}, {atoms}": _coefficients(values)
                for (level, atoms), values in each.blocks.items()
            },
            "types": {
                f"level {level}, {kind}": _coefficients(values)
                for (level, kind), values in each.types.items()
            },
            "b3_f1": {level: _known(value) for level, value in each.f1.items()},
            "b3_max": {level: _known(value) for level, value in each.maximum.items()},
            "dial": [
                {
                    "share": share,
                    "b3_f1": _known(each.dial[at]),
                    "level 1": _known(each.dials["1"][at]),
                    "level 2": _known(each.dials["2"][at]),
                }
                for at, share in enumerate(DIAL)
            ],
        }
        for name, each in found.items()
    ]


def _means(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return the mean of each column, of the pages where it can be said."""
    return tuple(
        float(np.nanmean(column)) if not np.isnan(column).all() else float("nan")
        for column in np.array(rows).T
    )


def _numbers(each: PageAgreement) -> tuple[float, ...]:
    types = [each.blocks[level, "chars"].alpha for level in (1, 2)]
    known = [value for value in types if not np.isnan(value)]
    return (
        each.main["chars"].cohen,
        each.main["chars"].alpha,
        float(np.mean(known)) if known else float("nan"),
        each.f1["all"],
        each.maximum["all"],
    )


def _coefficients(values: Coefficients) -> dict[str, float | None]:
    return {
        "cohen": _known(values.cohen),
        "fleiss": _known(values.fleiss),
        "alpha": _known(values.alpha),
    }


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def _names(paths: Sequence[Path]) -> list[str]:
    """Return a name an annotator: that of the file, the whole path where two are alike."""
    stems = [path.stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
