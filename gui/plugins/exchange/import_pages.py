"""``pagelet import`` of pages saved by other programs: they become frozen files.

Each is loaded once, only from the saved file, then frozen, restored and certified; found and
missing resources are its fidelity report.
"""

from pathlib import Path

from annotate.archives.frozen.capturing import write_verified
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.datasets.cases import page_name
from annotate.datasets.saved_pages import HoldsNoPage, SavedPage, read_saved
from annotate.workspace.workspace import Workspace
from engine.account import Account
from engine.errors import InputError, PageletError
from engine.saved import key_of
from engine.words import plural
from gui.cli.arguments import browser_for
from gui.cli.freeze import certificate_json, files_for, status_of, tell
from gui.cli.terminal import note, print_json, progress

_MOST_NAMED = 5
"""Number of pages named if the requested one is missing."""


def import_saved(
    source: Path, workspace: Path | None, out: Path | None, record: str | None, *, is_json: bool
) -> int:
    """Freeze each page; print the results, and list the files in the workspace."""
    try:
        saved = read_saved(source)
    except HoldsNoPage as error:
        if is_json:
            print_json([{"account": error.account.as_json()}], indent=1, is_ascii=True)
        note(error)
        return 1
    pages = list(saved.pages)
    if record:
        pages = [page for page in pages if _same(page.document.home, record)]
        if not pages:
            there = ", ".join(page.document.home for page in saved.pages[:_MOST_NAMED])
            raise InputError(f"{source} holds no page {record}; it holds {there}")
    if not is_json:
        progress(f"{source.name}: {saved.account.sentence()}")
        note(*saved.problems)
    files = files_for([page.name for page in pages], out or _folder_of(workspace))
    from engine.web.freezing import freeze
    from engine.web.renderer import renderer_name

    outcomes: dict[Path, Certificate | str] = {}
    reports: dict[Path, SavedPage] = dict(zip(files, pages, strict=True))
    with browser_for(no_sandbox=False) as browser:
        for file, page in reports.items():
            try:
                frozen = freeze(browser, page.document)
                outcomes[file] = write_verified(frozen, file, renderer_name())
            except InputError:
                raise
            except PageletError as error:
                outcomes[file] = str(error)
            if not is_json:
                _report(page, outcomes[file], saved.account)
                tell(file, outcomes[file], is_only=len(files) == 1)
    if is_json:
        account = {"account": saved.account.as_json()}
        answer = [_as_json(reports[f], f, each) | account for f, each in outcomes.items()]
        print_json(answer, indent=1, is_ascii=True)
    if workspace is not None:
        done = [file for file, each in outcomes.items() if isinstance(each, Certificate)]
        with Workspace.open(workspace) as opened:
            opened.add_pages([FrozenFile(file.absolute()).document() for file in done])
        for file in done:
            progress(f"{page_name(FrozenFile(file).document())} added to {workspace}")
    return status_of(outcomes.values())


def _folder_of(workspace: Path | None) -> Path:
    if workspace is None:
        raise InputError("name the output: --out FILE.wacz, --out FOLDER, or --workspace FILE")
    return workspace.with_name(f"{workspace.stem}.pages")


def _same(address: str, other: str) -> bool:
    try:
        return address == other or key_of(address) == key_of(other)
    except ValueError:
        return False


def _report(page: SavedPage, outcome: Certificate | str, account: Account) -> None:
    missing = len(outcome.lost) if isinstance(outcome, Certificate) else 0
    left = account.passed.total() if account.unit in ("part", "request") else 0
    needs = "all it needs" if not left else f"{plural(left, account.unit)} left out"
    parts = [page.kind, page.summary, f"{missing} asked for in vain" if missing else needs]
    print(f"{page.document.home or page.document.address}: {', '.join(p for p in parts if p)}")


def _as_json(page: SavedPage, file: Path, outcome: Certificate | str) -> dict[str, object]:
    about = {"kind": page.kind, "address": page.document.home, "found": page.summary}
    return {**about, "problems": page.problems, **certificate_json(file, outcome)}
