"""Makes a package of Debian and Ubuntu: Pagelet with a Python of its own, and its AppArmor profile.

    .venv/bin/python -m resources.deb          dist/pagelet_VERSION_amd64.deb

It holds what `resources.portable` makes, below /usr/lib/pagelet: nothing is downloaded or compiled
while it is installed, one package serves each Python of Debian and Ubuntu, and the right to make
user namespaces goes to a Python that runs Pagelet alone.  Needs dpkg-deb beside what that needs.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import metadata
from pathlib import Path

from resources import portable, read_text

_HOME = Path("usr/lib/pagelet")
_PROFILE = Path("usr/share/pagelet/apparmor")
"""Not in /etc: dpkg could not unpack it where that is read-only, and would keep it when removed."""

_FILES = {
    "desktop/pagelet.desktop": "usr/share/applications/pagelet.desktop",
    "desktop/pagelet.svg": "usr/share/icons/hicolor/scalable/apps/pagelet.svg",
    "desktop/pagelet.xml": "usr/share/mime/packages/pagelet.xml",
    "desktop/apparmor": str(_PROFILE),
}
_SCRIPTS = ("postinst", "prerm", "postrm")
_FONTS = ("fonts-liberation", "fonts-dejavu-core")


def main() -> None:
    """Make the package; print its path and what it weighs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=portable.ROOT / "dist", help="where it goes")
    parser.add_argument("--of", type=Path, help="a folder of resources.portable that is made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        _fill(root, options.of)
        options.to.mkdir(parents=True, exist_ok=True)
        package = _build(root, options.to)
    sys.stdout.write(f"{package}: {package.stat().st_size:,} bytes\n")


def _fill(root: Path, made: Path | None) -> None:
    """Lay out what the package holds below an empty folder."""
    home = root / _HOME
    if made is None:
        home.mkdir(parents=True)
        portable.make(home)
    else:
        shutil.copytree(made, home, symlinks=True)
    (home / "pagelet").unlink()  # for who unpacks an archive
    for source, target in _FILES.items():
        _write(root / target, read_text(source))
    _write(root / "usr/share/doc/pagelet/copyright", (portable.ROOT / "LICENSE").read_text("utf-8"))
    command = root / "usr/bin/pagelet"
    command.parent.mkdir()
    command.symlink_to("../lib/pagelet/bin/pagelet")
    _write(root / "DEBIAN/control", control(portable.weight(root)))
    for name in _SCRIPTS:
        _write(root / "DEBIAN" / name, read_text(f"desktop/{name}.sh"), 0o755)
    root.chmod(0o755)


def control(weight: int) -> str:
    """Return the package's control file; ``weight`` is what it takes installed, in bytes."""
    of_pagelet = metadata("pagelet")
    c_library = os.confstr("CS_GNU_LIBC_VERSION") or ""
    needed = [f"libc6 (>= {c_library.removeprefix('glibc ')})", *_FONTS]
    lines = read_text("libraries.txt").splitlines()  # soname, then packages, the newest name first
    needed += sorted({" | ".join(line.split()[1:]) for line in lines})
    fields = {
        "Package": "pagelet",
        "Version": of_pagelet["Version"],
        "Architecture": _output("dpkg", "--print-architecture").strip(),
        "Maintainer": "The makers of Pagelet <pagelet@localhost>",
        "Section": "science",
        "Priority": "optional",
        "Installed-Size": str(weight // 1024),
        "Depends": ", ".join(needed),
        "Description": of_pagelet["Summary"].removeprefix("A "),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def _build(root: Path, to: Path) -> Path:
    _output("dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(root), str(to))
    fields = (root / "DEBIAN/control").read_text("utf-8").splitlines()
    version, architecture = (line.partition(": ")[2] for line in fields[1:3])
    return to / f"pagelet_{version}_{architecture}.deb"


def _write(file: Path, text: str, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)


def _output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
