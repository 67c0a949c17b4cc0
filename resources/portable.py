"""Makes Pagelet with a Python of its own: one folder that runs where it is unpacked.

    .venv/bin/python -m resources.portable          dist/pagelet-VERSION-linux-x86_64.tar.xz

CPython finds its library from where its program lies, so a copy of an installed one runs anywhere,
once the loader finds its shared libraries from there as well (patchelf).  pip puts the wheel beside
it, with all it needs in the versions that are locked.  Of Qt remains what Pagelet imports, and what
that needs.  Why so: decisions.md#a-python-in-a-folder-for-those-without-one.

Linux only.  Needs a clone in which ./run was typed, and a package index.
"""

import argparse
import compileall
import os
import platform
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Collection, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_EVERYWHERE = re.compile(r"(ld-linux|lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+)\.so)")
"""Libraries of any Linux; glibc's cannot be mixed with another's."""

_NOT_NEEDED = (
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "turtle.py",
    "lib2to3",
    "__pycache__",
)
"""Parts of the standard library, by name; what remains is for methods that users write."""

_NO_MODULES = ("_tkinter.", "nis.", "_test", "_ctypes_test.", "xxlimited")
"""Beginnings of compiled modules that go with them, or need what few machines have."""

_WITH_TESTS = ("numpy", "scipy", "matplotlib", "pyqtgraph")
"""Packages whose wheels hold their tests."""

_DRAWS_FIGURES = ("QtTest", "QtOpenGL", "QtOpenGLWidgets")
"""What pyqtgraph imports of Qt beyond Pagelet's own."""

_PLUGINS = (
    "egldeviceintegrations",
    "generic",
    "iconengines",
    "imageformats",
    "networkinformation",
    "platforminputcontexts",
    "platforms",
    "platformthemes",
    "printsupport",
    "tls",
    "wayland-decoration-client",
    "wayland-graphics-integration-client",
    "wayland-shell-integration",
    "xcbglintegrations",
)
"""Kinds of Qt's plugins that a window and pages use."""

_START = """\
#!/bin/sh
'''exec' "$(dirname -- "$(readlink -f -- "$0")")/python3" -P "$0" "$@"
' '''
import sys

from pagelet_command import main

sys.exit(main())
"""
"""A shell runs the second line, Python reads it as a text: so uv writes commands to be moved."""

_ALONE = "include-system-site-packages = false\n"
"""In ``pyvenv.cfg``: packages in the user's home folder, for another Python, are none of ours."""


def main() -> None:
    """Make folder and archive; print the archive's path and what both weigh."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="where the archive goes")
    parser.add_argument("--folder-only", action="store_true", help="pack nothing: leave the folder")
    options = parser.parse_args()
    name = f"pagelet-{version('pagelet')}-linux-{platform.machine()}"
    folder = options.to / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder)
    sys.stdout.write(f"{folder}: {weight(folder):,} bytes\n")
    if options.folder_only:
        return
    archive = pack(folder)
    shutil.rmtree(folder)
    sys.stdout.write(f"{archive}: {archive.stat().st_size:,} bytes\n")


def make(folder: Path) -> None:
    """Fill an empty folder: ``bin/pagelet``, ``pagelet`` that points to it, and all it needs."""
    with tempfile.TemporaryDirectory() as scratch:
        patchelf = _patchelf(Path(scratch))
        _copy_python(folder, patchelf)
        _install(folder, _wheel(Path(scratch)))
        packages = _packages(folder)
        _thin_out_qt(packages / "PySide6", _qt_modules(packages), patchelf)
    for package in _WITH_TESTS:
        for tests in sorted((packages / package).rglob("tests")):
            shutil.rmtree(tests)
    _write_commands(folder)
    compileall.compile_dir(  # by users who may not write here nothing could be kept
        folder / "lib", quiet=2, stripdir=str(folder), workers=1,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )  # fmt: skip


def weight(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if not file.is_symlink())


def pack(folder: Path) -> Path:
    """Write the folder into an archive beside it, without owners."""
    archive = folder.with_name(f"{folder.name}.tar.xz")
    with tarfile.open(archive, "w:xz", preset=2) as packed:
        packed.add(folder, folder.name, filter=_ownerless)
    return archive


def _ownerless(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _copy_python(folder: Path, patchelf: Path) -> None:
    """Copy the Python that runs, without what is installed for it, and the libraries it needs."""
    library = Path(sysconfig.get_path("stdlib"))
    copied = folder / "lib" / library.name
    shutil.copytree(library, copied, ignore=_left_out)
    program = folder / "bin" / f"python{library.name.removeprefix('python')}"
    program.parent.mkdir()
    shutil.copy2(Path(sys._base_executable).resolve(), program)  # type: ignore[attr-defined]
    program.with_name("python3").symlink_to(program.name)
    modules = sorted(copied.rglob("*.so"))
    own = _libraries_of((Path(sys._base_executable).resolve(), *library.rglob("*.so")))  # type: ignore[attr-defined]
    needed = {name for each in (program, *modules) for name in _needed(each, patchelf)}
    while needed:
        name = needed.pop()
        beside = folder / "lib" / name
        if name in own and not _EVERYWHERE.match(name) and not beside.exists():
            shutil.copy2(own[name].resolve(), beside)
            _find_libraries_in(folder / "lib", beside, patchelf)
            needed |= set(_needed(beside, patchelf))
    for each in (program, *modules):
        _find_libraries_in(folder / "lib", each, patchelf)
    (folder / "pyvenv.cfg").write_text(_ALONE, encoding="utf-8")


def _left_out(where: str, names: list[str]) -> Collection[str]:
    """Return what is not copied of a folder of the standard library."""
    return [
        name
        for name in names
        if name in (*_NOT_NEEDED, "site-packages", "dist-packages", "EXTERNALLY-MANAGED")
        or name.startswith("config-")  # what programs that hold a Python are linked with
        or (Path(where).name == "lib-dynload" and name.startswith(_NO_MODULES))
    ]


def _libraries_of(files: Iterable[Path]) -> dict[str, Path]:
    """Return where this machine's loader finds the libraries of some files, by their names."""
    found: dict[str, Path] = {}
    for file in files:
        listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.MULTILINE):
            found.setdefault(name, Path(path))
    return found


def _needed(file: Path, patchelf: Path) -> list[str]:
    """Return the names of the libraries that a file says it needs."""
    return _output(patchelf, "--print-needed", file).split()


def _find_libraries_in(folder: Path, file: Path, patchelf: Path) -> None:
    """Have the loader look for a file's libraries in a folder, wherever both are moved to."""
    _output(patchelf, "--set-rpath", f"$ORIGIN/{os.path.relpath(folder, file.parent)}", file)


def _patchelf(scratch: Path) -> Path:
    """Get patchelf, which writes into programs where their libraries are; return its path."""
    _pip("install", "--no-deps", "--target", scratch / "patchelf", "patchelf")
    return scratch / "patchelf" / "bin" / "patchelf"


def _wheel(scratch: Path) -> Path:
    """Build Pagelet's wheel, with the site of its documentation."""
    _pip("wheel", "--no-deps", "--wheel-dir", scratch / "wheel", ROOT)
    (wheel,) = (scratch / "wheel").iterdir()
    return wheel


def _install(folder: Path, wheel: Path) -> None:
    """Install Pagelet and what it needs for the Python of the folder, and pip for what is added."""
    _pip("--python", folder / "bin" / "python3", "install", "--no-compile", wheel, "pip")


def _packages(folder: Path) -> Path:
    """Return where the Python of the folder has its packages: Debian's has them elsewhere."""
    (pagelet,) = folder.rglob("pagelet_command.py")
    return pagelet.parent


def _qt_modules(packages: Path) -> set[str]:
    """Return the modules of PySide6 that Pagelet and its figures import."""
    found = {"QtCore", "QtGui", "QtWidgets", *_DRAWS_FIGURES}
    for name in ("gui", "engine"):
        for file in (packages / name).rglob("*.py"):
            found |= set(re.findall(r"PySide6\.(Qt\w+)", file.read_text("utf-8")))
            for names in re.findall(r"from PySide6 import (.+)", file.read_text("utf-8")):
                found |= set(re.findall(r"\bQt\w+", names))
    return found


def _thin_out_qt(pyside: Path, modules: set[str], patchelf: Path) -> None:
    """Leave some modules of PySide6, a window's plugins, the browser, and what these need."""
    qt = pyside / "Qt"
    for kind in _folders(qt / "plugins", but=_PLUGINS):
        shutil.rmtree(kind)
    for folder in (*_folders(qt, but=("lib", "libexec", "plugins", "resources", "translations")),
                   *_folders(pyside, but=("Qt", "support"))):  # fmt: skip
        shutil.rmtree(folder)
    for tool in (qt / "libexec").iterdir():
        if tool.name != "QtWebEngineProcess":
            tool.unlink()
    libraries = {file.name: file for file in (qt / "lib").iterdir()}
    own = [pyside / f"{module}.abi3.so" for module in modules]
    kept = set()
    ahead = [*own, qt / "libexec" / "QtWebEngineProcess", *(qt / "plugins").rglob("*.so")]
    ahead += pyside.glob("libpyside6*")
    while ahead:
        for name in _needed(ahead.pop(), patchelf):
            if name in libraries and name not in kept:
                kept.add(name)
                ahead.append(libraries[name])
                beside = pyside / f"Qt{name.removeprefix('libQt6').partition('.')[0]}.abi3.so"
                if beside.exists() and beside not in own:  # a module loads those of what it needs
                    own.append(beside)
                    ahead.append(beside)
    for name, file in libraries.items():
        if name not in kept:
            file.unlink()
    for file in pyside.iterdir():
        is_module = file.name.endswith(".abi3.so") and file.name.startswith("Qt")
        is_tool = "." not in file.name and file.is_file()
        if (is_module and file not in own) or is_tool or file.suffix == ".pyi":
            file.unlink()


def _folders(where: Path, but: Collection[str]) -> Iterator[Path]:
    """Yield the folders in a folder, but for some."""
    yield from (each for each in where.iterdir() if each.is_dir() and each.name not in but)


def _write_commands(folder: Path) -> None:
    """Put the command in place of what pip wrote, which names the folder it was made in."""
    for script in (folder / "bin").iterdir():
        if not script.name.startswith("python"):
            script.unlink()
    start = folder / "bin" / "pagelet"
    start.write_text(_START, encoding="utf-8")
    start.chmod(0o755)
    (folder / "pagelet").symlink_to("bin/pagelet")


def _pip(*words: str | Path) -> None:
    """Have pip do something, with the versions that are locked."""
    general = ["--quiet", "--disable-pip-version-check"]
    _output(sys.executable, "-m", "pip", *general, *words, "--constraint", ROOT / ".locked")


def _output(*words: str | Path) -> str:
    """Run a command and return what it prints; raises `RuntimeError` with what it says."""
    done = subprocess.run(
        [str(word) for word in words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{words[0]} failed: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    main()
