"""``pagelet freeze``: pages frozen into files, each brought back in a fresh process."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from annotate.archives.frozen.capturing import check_writable, write_verified
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.wacz import SUFFIX
from annotate.datasets.cases import page_names
from engine.document import with_options
from engine.errors import InputError, PageletError, convert_os_error
from engine.words import plural
from gui.cli.arguments import TakesAll, browser_for, pages_in, viewport_of
from gui.cli.terminal import note, print_json


def run(
    page: str,
    *,
    out: Path,
    takes_all: TakesAll = False,
    viewport: str | None = None,
    no_scripts: bool = False,
    click: Sequence[str] = (),
    timeout: float = 20.0,
    json: bool = False,
    no_sandbox: bool,
) -> int:
    """Freeze each page; print its certificate.

    Args:
        page (PAGE): address, file, or folder of pages
        out (FILE): the .wacz file to write; of several pages the folder for one file each
        viewport (WxH): layout size in px
        no_scripts: do not let the page's own scripts run
        click (SELECTOR): click this element first, to close a banner or open a folded part: a CSS
            selector or an XPath (again for more); the certificate lists the clicks
        timeout (S): how long a page may load, in seconds (default: 20)
        json: print the certificates as JSON

    Examples:
      pagelet freeze page.html --out story.wacz
      pagelet freeze https://example.org/ --out example.wacz

    Exit status: 0 every page comes back identical, 1 one comes back different (its file says
    where), could not be frozen or does not come back, 2 bad input.
    """
    opened = pages_in(page, takes_all=takes_all)
    size = viewport_of(viewport)
    scripts = False if no_scripts else None
    documents = [with_options(each, viewport=size, scripts=scripts) for each in opened.documents]
    files = dict(zip(documents, files_for(page_names(documents), out), strict=True))
    outcomes: dict[Path, Certificate | str] = {}
    from engine.web.freezing import freeze
    from engine.web.renderer import renderer_name

    with browser_for(documents[0], no_sandbox=no_sandbox) as browser:
        if documents[0].is_live:
            note(*browser.notes)
        for document, file in files.items():
            try:
                frozen = freeze(browser, document, timeout_s=timeout, clicks=click)
                outcomes[file] = write_verified(frozen, file, renderer_name())
            except InputError:
                raise
            except PageletError as error:
                outcomes[file] = str(error)
            if not json:
                tell(file, outcomes[file], is_only=len(files) == 1)
    if json:
        every = [certificate_json(file, each) for file, each in outcomes.items()]
        print_json(every, indent=1, is_ascii=True)
    return status_of(outcomes.values())


def status_of(outcomes: Iterable[Certificate | str]) -> int:
    """Return the exit status for these certificates, or reasons why there is none."""
    return int(any(isinstance(each, str) or each.verdict != "identical" for each in outcomes))


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
    with convert_os_error(f"write to {out}"):
        out.mkdir(parents=True, exist_ok=True)
    taken: dict[str, Path] = {}
    for each in names:
        name = base = _file_name(each)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{base}-{number}"
        taken[name.lower()] = out / f"{name}{SUFFIX}"
    check_writable(out / f"page{SUFFIX}")
    return list(taken.values())


def _file_name(name: str) -> str:
    for end in (".html", ".htm", "/index"):
        name = name.removesuffix(end)
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "page"


def tell(out: Path, outcome: Certificate | str, *, is_only: bool) -> None:
    """Print the result of a page."""
    if isinstance(outcome, str):
        note(outcome)
        return
    size = out.stat().st_size / 2**20
    lines = outcome.lines() if is_only else ()
    print(f"{out}: {outcome.summary} ({size:.1f} MB)", *lines, sep="\n  ")


def certificate_json(out: Path, outcome: Certificate | str) -> dict[str, object]:
    """Return the result of a page for JSON."""
    if isinstance(outcome, str):
        return {"file": str(out), "error": outcome}
    return {"file": str(out), "bytes": out.stat().st_size, **outcome.as_json()}
