"""``pagelet freeze``: pages frozen into files, each brought back in a fresh process."""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from annotate.archives.frozen.capturing import check_writable, write_verified
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.package import SUFFIX
from annotate.datasets.cases import page_names
from engine.document import with_options
from engine.errors import InputError, PageletError
from engine.words import plural
from gui.cli.arguments import add_all, pages_in, viewport_of

DIFFERENT = 3
"""Exit status: the file is written, and the page does not come back just as it was."""

_EPILOG = """Examples:
  pagelet freeze page.html --out story.wacz
  pagelet freeze https://example.org/ --out example.wacz

Exit status: 0 every page comes back identical, 3 one comes back different (its file says where),
1 a page could not be frozen or does not come back, 2 bad input.
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take what to freeze, and where to write it."""
    command.epilog = _EPILOG
    command.add_argument("page", metavar="PAGE", help="address, file, or folder of pages")
    command.add_argument(
        "--out", type=Path, required=True, metavar="FILE",
        help="the .wacz file to write; of several pages the folder for one file each",
    )  # fmt: skip
    add_all(command)
    command.add_argument("--viewport", metavar="WxH", help="layout size in px")
    command.add_argument(
        "--no-scripts", action="store_true", help="do not let the page's own scripts run"
    )
    command.add_argument(
        "--click", action="append", default=[], metavar="SELECTOR",
        help="click this element first, to close a banner or open what is folded: a CSS selector "
        "or an XPath (again for more); the certificate lists the clicks",
    )  # fmt: skip
    command.add_argument(
        "--timeout", type=float, default=20.0, metavar="S",
        help="how long a page may load, in seconds (default: 20)",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print the certificates as JSON")


def run(options: argparse.Namespace) -> int:
    """Freeze each page; print what came of it."""
    opened = pages_in(options, options.page)
    viewport = viewport_of(options.viewport)
    scripts = False if options.no_scripts else None
    documents = [with_options(d, viewport=viewport, scripts=scripts) for d in opened.documents]
    names = page_names(documents)
    files = dict(zip(documents, files_for(names, options.out), strict=True))
    outcomes: dict[Path, Certificate | str] = {}
    from engine.web.freezing import freeze
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt
    from engine.web.renderer import renderer_name

    silence_qt_log()
    first = documents[0]
    with Browser(
        online=first.is_live, near=first.is_near, no_sandbox=options.no_sandbox
    ) as browser:
        for note in browser.notes if first.is_live else ():
            print(f"pagelet: {note}", file=sys.stderr)
        for document, out in files.items():
            try:
                frozen = freeze(browser, document, timeout_s=options.timeout, clicks=options.click)
                outcomes[out] = write_verified(frozen, out, renderer_name())
            except InputError:
                raise
            except PageletError as error:
                outcomes[out] = str(error)
            if not options.json:
                tell(out, outcomes[out], is_only=len(files) == 1)
    if options.json:
        print(json.dumps([certificate_json(out, each) for out, each in outcomes.items()], indent=1))
    return status_of(outcomes.values())


def status_of(outcomes: Iterable[Certificate | str]) -> int:
    """Return the exit status for these certificates, or reasons why there is none."""
    verdicts = {"failed" if isinstance(each, str) else each.verdict for each in outcomes}
    return 1 if "failed" in verdicts else DIFFERENT if "different" in verdicts else 0


def files_for(names: Sequence[str], out: Path) -> list[Path]:
    """Return the file for each page of these names; raises `InputError` where none can be written.

    ``out`` is the file of a single one, or the folder of all.
    """
    if len(names) == 1 and not out.is_dir() and out.suffix not in ("", ".pages"):
        if out.suffix.lower() != SUFFIX:
            raise InputError(f"{out} does not end in {SUFFIX}, as a frozen page's file does")
        check_writable(out)
        return [out]
    if out.suffix.lower() == SUFFIX:
        raise InputError(f"{plural(len(names), 'page')} need a folder: name one with --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}") from error
    result: list[Path] = []
    taken: set[str] = set()
    for each in names:
        name = base = _file_name(each)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name.lower())
        result.append(out / f"{name}{SUFFIX}")
    check_writable(out / f"page{SUFFIX}")
    return result


def _file_name(name: str) -> str:
    for end in (".html", ".htm", "/index"):
        name = name.removesuffix(end)
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "page"


def tell(out: Path, outcome: Certificate | str, *, is_only: bool) -> None:
    """Print the result of a page."""
    if isinstance(outcome, str):
        print(f"pagelet: {outcome}", file=sys.stderr)
        return
    size = out.stat().st_size / 2**20
    print(f"{out}: {outcome.summary} ({size:.1f} MB)")
    if is_only:
        for line in outcome.lines():
            print(f"  {line}")


def certificate_json(out: Path, outcome: Certificate | str) -> dict[str, object]:
    """Return the result of a page for JSON."""
    if isinstance(outcome, str):
        return {"file": str(out), "error": outcome}
    return {"file": str(out), "bytes": out.stat().st_size, **outcome.as_json()}
