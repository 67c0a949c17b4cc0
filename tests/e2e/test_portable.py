"""Test that the portable build runs on a Debian without Python once it has Qt's libraries."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import psutil
import pytest

from tests.typed_commands import ROOT, typed

pytestmark = [
    pytest.mark.long,
    pytest.mark.web,
    pytest.mark.skipif(
        not sys.platform.startswith("linux")
        or os.geteuid() != 0
        or not shutil.which("debootstrap"),
        reason="makes a bare system: needs root and debootstrap",
    ),
]

METHODS = "bte,accb,gleaner,terrain,vips"
WRITTEN = ("--methods", METHODS, "--report", "none")
BARE = ("--variant=minbase", "--include=ca-certificates")


class System:
    """A bare Debian in a folder, with the unpacked archive and the host's devices."""

    def __init__(self, folder: Path, archive: Path) -> None:
        self.folder = folder
        subprocess.run(["debootstrap", *BARE, "bookworm", folder], check=True, capture_output=True)
        assert not list((folder / "usr" / "bin").glob("python*"))
        self.home = folder / "srv"
        if archive.is_dir():
            shutil.copytree(archive, self.home / archive.name, symlinks=True)
        else:
            with tarfile.open(archive) as packed:
                packed.extractall(self.home, filter="tar")
        (made,) = self.home.iterdir()
        self.pagelet = f"/srv/{made.name}/pagelet"
        (self.corpus,) = made.rglob("resources/corpus")
        for name in ("dev", "proc"):
            subprocess.run(["mount", "--rbind", f"/{name}", folder / name], check=True)
            subprocess.run(["mount", "--make-rslave", folder / name], check=True)

    def close(self) -> None:
        for name in ("dev", "proc"):
            subprocess.run(["umount", "-R", "-l", self.folder / name], check=True)

    def inside(self, path: Path) -> str:
        return f"/{path.relative_to(self.folder)}"

    def start(self, *words: str) -> "subprocess.Popen[str]":
        environment = ["HOME=/srv", "LANG=C.UTF-8", "QT_QPA_PLATFORM=offscreen"]
        environment += ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "DEBIAN_FRONTEND=noninteractive"]
        return subprocess.Popen(
            ["chroot", self.folder, "env", "-i", *environment, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
        )  # fmt: skip

    def run(self, *words: str) -> tuple[int, str, str]:
        with self.start(*words) as process:
            output, errors = process.communicate(timeout=1200)
        return process.returncode, output, errors


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Return the archive or folder that PAGELET_PORTABLE names, else a new archive."""
    if given := os.environ.get("PAGELET_PORTABLE"):
        return Path(given)
    folder = tmp_path_factory.mktemp("portable")
    command = [sys.executable, "-m", "resources.portable", "--to", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    (made,) = folder.glob("*.tar.xz")
    return made


@pytest.fixture(scope="module")
def system(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bare")
    result = System(folder, archive)
    yield result
    result.close()
    shutil.rmtree(folder)


def scores(file):
    with file.open(newline="") as lines:
        return [
            {
                name: row[name]
                for name in ("page", "page_hash", "method", "measure", "status", "value")
            }
            for row in csv.DictReader(lines)
        ]


@pytest.mark.timeout(7200)
def test_the_portable_build_names_missing_libraries_then_works_completely(system, tmp_path):
    page = system.inside(system.corpus / "news" / "index.html")
    status, output, errors = system.run(system.pagelet, "extract", "bte", page)
    assert (status, errors) == (0, ""), "reading a source needs nothing of the system"
    assert len(output.split()) > 100

    status, output, errors = system.run(system.pagelet, "segment", "terrain", page)
    assert (status, output) == (1, "")
    (sentence,) = errors.splitlines()
    assert sentence.startswith("pagelet: Qt needs libraries that are missing; type: sudo apt-get ")
    packages = sentence.partition(" install ")[2].split()
    assert {"libnss3", "libgl1", "libxcb-cursor0"} <= set(packages)
    assert f"      {sentence.removeprefix('pagelet: ')}." in system.run(system.pagelet, "doctor")[1]

    fonts = ("fonts-liberation", "fonts-dejavu-core")
    install = ("apt-get", "install", "--yes", "--no-install-recommends", *packages, *fonts)
    assert system.run(*install)[0] == 0
    status, output, _ = system.run(system.pagelet, "doctor")
    assert status == 0, output
    assert "FIX" not in output

    status, _, errors = system.run(
        system.pagelet, "evaluate", system.inside(system.corpus), *WRITTEN, "--out", "/srv/out"
    )
    assert status == 0, errors
    done = typed("evaluate", ROOT / "resources" / "corpus", *WRITTEN, "--out", tmp_path / "out")
    assert done.returncode == 0
    expected = scores(tmp_path / "out" / "scores.csv")
    assert {row["method"] for row in expected} == set(METHODS.split(","))
    on_source = [row for row in expected if row["method"] in ("bte", "accb", "gleaner")]
    result = scores(system.home / "out" / "scores.csv")
    assert [row for row in result if row["method"] in ("bte", "accb", "gleaner")] == on_source
    assert [{**row, "value": ""} for row in result] == [{**row, "value": ""} for row in expected]

    status, _, errors = system.run(
        system.pagelet, "picture", page, "terrain", "--out", "/srv/page.png"
    )
    assert status == 0, errors
    assert (system.home / "page.png").read_bytes().startswith(b"\x89PNG")
    assert_window_opens_and_closes(system, page)


def assert_window_opens_and_closes(system, page):
    process = system.start(system.pagelet, "open", page, "--workspace", "/srv/marks.pagelet")
    try:
        end = time.monotonic() + 120
        while not runs_the_browser(process.pid) or not (system.home / "marks.pagelet").exists():
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < end, "no page came up"
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, errors.splitlines()[-1:]) == (143, ["pagelet: stopped"])
    assert "Traceback" not in errors


def runs_the_browser(pid):
    """Return whether a process has started renderers, which it does with the first page."""
    for each in psutil.Process(pid).children(recursive=True):
        try:
            if "QtWebEngineProcess" in " ".join(each.cmdline()):
                return True
        except psutil.NoSuchProcess:
            continue
    return False
