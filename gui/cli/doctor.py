"""Doctor: checks the parts that Pagelet needs and names the remedy for missing ones."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import resources
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error
from engine.interpreter import environment, python
from engine.page_cache import MOST_BYTES, MOST_DAYS, default_folder, room
from engine.processes.isolation import isolation_problem
from engine.shared_libraries import complaint
from engine.web.sandbox import sandbox_problem
from engine.words import join_words, sentence
from gui.cli.signatures import Argument

_FILES = {
    "applications/pagelet.desktop": "desktop/pagelet.desktop",
    "icons/hicolor/scalable/apps/pagelet.svg": "desktop/pagelet.svg",
    "mime/packages/pagelet.xml": "desktop/pagelet.xml",
}
"""Where each goes below the folder of data (XDG Base Directory), and what it is."""

_UPDATES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""Programs that have the desktop notice, each with the folder it is told; not needed by all."""


def data_folder() -> Path:
    """Return the user's folder of data, as desktops look it up."""
    given = os.environ.get("XDG_DATA_HOME")
    return Path(given) if given else Path.home() / ".local" / "share"


def install(folder: Path, command: str) -> Iterator[Path]:
    """Write entry, icon and MIME types, yield each; raises `InputError`.

    Args:
        folder: See `data_folder`.
        command: The whole path of what the entry starts.
    """
    for target, name in _FILES.items():
        path = folder / target
        text = resources.read_text(name)
        if name.endswith(".desktop"):
            text = text.replace("Exec=pagelet ", f"Exec={quote_path(command)} ", 1)
        with convert_os_error(f"write to {path.parent}"):
            path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as beside:
            beside.write_text(text, encoding="utf-8")
        yield path
    _update(folder)


def remove(folder: Path) -> Iterator[Path]:
    """Take away what `install` wrote, yield each; raises `InputError`."""
    for target in _FILES:
        path = folder / target
        with convert_os_error(f"remove {path}"), suppress(FileNotFoundError):
            path.unlink()
            yield path
    _update(folder)


def command_path() -> str:
    """Return the whole path of the pagelet command that runs; raises `InputError`."""
    own = Path(sys.argv[0])
    if own.stem == "pagelet" and own.is_file():
        return str(own.absolute())
    beside = shutil.which("pagelet", path=str(Path(sys.executable).parent))
    result = beside or shutil.which("pagelet")
    if result is None:
        raise InputError("the pagelet command is missing: install Pagelet first")
    return str(Path(result).absolute())


def quote_path(command: str) -> str:
    """Return a path as ``Exec`` takes it (Desktop Entry Specification, "The Exec key")."""
    for sign in ("\\", '"', "`", "$"):
        command = command.replace(sign, f"\\{sign}")
    # The value is a string of a desktop file, too, where each backslash is written twice.
    written = command.replace("\\", "\\\\").replace("%", "%%")
    return f'"{written}"'


def _update(folder: Path) -> None:
    for program, below in _UPDATES:
        path = shutil.which(program)
        if path is not None and (folder / below).is_dir():
            subprocess.run([path, str(folder / below)], capture_output=True, check=False)


_SWITCHES = ("QTWEBENGINE_CHROMIUM_FLAGS", "QTWEBENGINE_DISABLE_SANDBOX")
_AFTERWARDS = "See the lines above; then pagelet doctor again."


@dataclass(frozen=True)
class CheckResult:
    """Result of a check.

    Attributes:
        what: Its name.
        summary: What was found, in a few words.
        fix: What to do; "" where all is well.
    """

    what: str
    summary: str
    fix: str = ""

    @property
    def is_ok(self) -> bool:
        """Whether nothing is to be done."""
        return not self.fix


def examine() -> list[CheckResult]:
    """Check everything; a check that breaks down is a finding too."""
    _rendered.cache_clear()
    result = []
    for check in _CHECKS:
        try:
            result.append(check())
        except Exception as error:  # noqa: BLE001  (the doctor must not fall ill)
            name = check.__name__.strip("_")
            fix = _AFTERWARDS if complaint(str(error)) else "Run ./run again."
            result.append(CheckResult(name, f"could not be checked ({error})", fix))
    return result


def _run(
    command: Sequence[str], seconds: float, env: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, capture_output=True, text=True, timeout=seconds, check=False, env=env
    )


def _python() -> CheckResult:
    # An older Python does not get this far: ./run looks for 3.11 or newer.
    return CheckResult("Python", ".".join(map(str, sys.version_info[:3])))


def _neighbours() -> CheckResult:
    """Look for third-party packages under the names of Pagelet's own."""
    try:
        from pagelet.neighbours import home
    except ImportError as error:
        return CheckResult("Packages", "not all are Pagelet's own", f"{sentence(str(error))}.")
    return CheckResult("Packages", f"Pagelet's own, in {home()}")


def _libraries() -> CheckResult:
    """Import Qt in a separate process: a missing library must not end the doctor."""
    code = "import PySide6.QtWebEngineWidgets as w, PySide6; print(PySide6.__version__)"
    done = _run(python("-c", code), 60, environment())
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["Qt cannot be loaded"]
        fix = complaint(last[0]) or "Install Pagelet again: a part of Qt is missing."
        return CheckResult("Qt and its libraries", last[0], f"{fix.removesuffix('.')}.")
    return CheckResult("Qt and its libraries", f"PySide6 {done.stdout.strip()}")


@functools.cache  # until the next `examine`
def _rendered() -> "subprocess.CompletedProcess[str]":
    """Render a page of each encoding, in a separate process.

    Its last line is JSON: how many, those that failed with the reason, notes on a lost sandbox.
    """
    code = (
        "import json\n"
        "from engine.web.headless import Browser\n"
        "from engine.web.legacy_encodings import encodings, problems\n"
        "with Browser() as browser:\n"
        "    failed = problems(browser)\n"
        "    off = [note for note in browser.notes if 'sandbox' in note]\n"
        "    print(json.dumps([len(encodings()), failed, off]))\n"
    )
    offscreen = environment(os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    return _run(python("-c", code), 180, offscreen)


def _rendering() -> CheckResult:
    done = _rendered()
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no page could be rendered"]
        return CheckResult("Rendering", last[0], _AFTERWARDS)
    count, failed, _ = json.loads(done.stdout.splitlines()[-1])
    if len(failed) == count:
        return CheckResult("Rendering", next(iter(failed.values())), "Run pagelet doctor again.")
    if failed:
        fix = "Install the PySide6 that Pagelet names in its pyproject.toml."
        return CheckResult("Rendering", f"pages in {join_words(failed)} do not come up", fix)
    return CheckResult("Rendering", f"pages in {count} encodings were rendered")


def _sandbox() -> CheckResult:
    problem = sandbox_problem()
    if problem:
        off = f"off, because {problem}: local pages work, live ones need --no-sandbox"
        return CheckResult("Sandbox", off)
    if (done := _rendered()).returncode:
        return CheckResult("Sandbox", "it can run here; no page could be rendered to prove it")
    if off := json.loads(done.stdout.splitlines()[-1])[2]:
        given = [name for name in _SWITCHES if os.environ.get(name)] or _SWITCHES
        fix = f"Remove what switches it off, in {join_words(given)}."
        return CheckResult("Sandbox", off[0], fix)
    return CheckResult("Sandbox", "on, as the process of a page that was rendered shows")


def _packages() -> CheckResult:
    if problem := isolation_problem():
        return CheckResult("npm packages", f"native modules are not isolated, because {problem}")
    return CheckResult("npm packages", "run without network and home folder")


def _screen() -> CheckResult:
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        if os.environ.get(name):
            return CheckResult("Screen", f"{name}={os.environ[name]}")
    if sys.platform in ("win32", "darwin"):
        return CheckResult("Screen", "the desktop's")
    return CheckResult("Screen", "none: extract, segment and demo work, the window does not")


def _fonts() -> CheckResult:
    if not shutil.which("fc-list"):
        return CheckResult("Fonts", "not listed (no fc-list): whatever the system has is used")
    listed = _run(["fc-list", ":", "family"], 20, environment()).stdout
    families = {line.split(",")[0].strip() for line in listed.splitlines() if line.strip()}
    if not families:
        return CheckResult("Fonts", "none", "Install fonts-liberation and fonts-dejavu-core.")
    if "Liberation Sans" not in families:
        fix = "Install fonts-liberation, so that pages are laid out as their authors saw them."
        return CheckResult("Fonts", f"{len(families)} families, but none as wide as Arial", fix)
    return CheckResult("Fonts", f"{len(families)} families, Liberation among them")


def _graphics() -> CheckResult:
    devices = sorted(map(str, Path("/dev/dri").glob("render*")))
    none = "no graphics device: pages are drawn by the processor"
    return CheckResult("Graphics", devices[0] if devices else none)


def _shared_memory() -> CheckResult:
    folder = Path("/dev/shm")
    if sys.platform.startswith("linux") and not os.access(folder, os.W_OK):
        return CheckResult("Shared memory", "/dev/shm cannot be written", "chmod 1777 /dev/shm")
    return CheckResult("Shared memory", "writable")


def _folders() -> CheckResult:
    from gui.window.open_dialogs import default_workspace

    folder = default_workspace().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        what = f"{folder} cannot be written ({error.strerror})"
        fix = "Make it writable, or name a file with --workspace."
        return CheckResult("Folder of marks", what, fix)
    return CheckResult("Folder of marks", f"{folder}")


def snapshots() -> CheckResult:
    """Return the folder and size of the cache of rendered pages."""
    folder = default_folder()
    taken = room(folder)
    if not taken.files:
        return CheckResult("Kept pages", f"none yet; evaluations keep what they render in {folder}")
    return CheckResult(
        "Kept pages",
        f"{folder}: {taken.size / 2**20:,.0f} MB of at most {MOST_BYTES / 2**30:.0f} GB; "
        f"what was not used for {MOST_DAYS} days goes by itself",
    )


_CHECKS: tuple[Callable[[], CheckResult], ...] = (
    _python,
    _neighbours,
    _libraries,
    _rendering,
    _sandbox,
    _packages,
    _screen,
    _fonts,
    _graphics,
    _shared_memory,
    _folders,
    snapshots,
)


def run(
    *,
    install_desktop: Annotated[bool, Argument(one_of="menu")] = False,
    remove_desktop: Annotated[bool, Argument(one_of="menu")] = False,
) -> int:
    """Print the results, with a fix for each problem.

    Args:
        install_desktop: add Pagelet to this user's desktop menu, with its icon and file types
        remove_desktop: remove it from the menu
    """
    if install_desktop or remove_desktop:
        return _change_menu(is_in=install_desktop)
    findings = examine()
    for finding in findings:
        print(f"{'ok  ' if finding.is_ok else 'FIX '}  {finding.what}: {finding.summary}")
        if not finding.is_ok:
            print(f"      {finding.fix}")
    return 0 if all(finding.is_ok for finding in findings) else 1


def _change_menu(*, is_in: bool) -> int:
    """Add Pagelet to the desktop's menu or remove it, and print the changed files."""
    if sys.platform in ("win32", "darwin"):
        raise InputError("desktop entries are for Linux only: pin the pagelet command itself")
    folder = data_folder()
    changed = list(install(folder, command_path()) if is_in else remove(folder))
    for path in changed:
        print(f"{'wrote' if is_in else 'removed'} {path}")
    if not changed:
        print("there was nothing to remove")
    return 0
