"""Test that the wheel and the source distribution are complete and run."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from packaging.metadata import Metadata

from resources.documentation import PAGES, address_of

pytest.importorskip("hatchling", reason="hatchling builds the wheel")
pytest.importorskip("furo", reason="Sphinx builds the documentation in it")

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("gui", "annotate", "algorithms", "engine", "resources")
FACADE = "annotate/facade/"

pytestmark = pytest.mark.slow  # a wheel is built first


def tracked(*folders):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: nothing says which files belong to Pagelet")
    output = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {name for name in output.split("\0") if name and (ROOT / name).exists()}


def built(kind, folder):
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    (result,) = folder.iterdir()
    return result


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Return a folder with the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(built("wheel", folder)) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def run(unpacked, *words, before=(), cwd=None):
    """Run the command from there; `before` are folders that come first on the path."""
    path = os.pathsep.join(map(str, (*before, unpacked)))
    return subprocess.run(
        [sys.executable, "-P", "-m", "pagelet_command", *map(str, words)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=cwd or unpacked.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(unpacked):
    result = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")}
    result = {n for n in result if (unpacked / n).is_file() and ".dist-info" not in n}
    expected = {name.removeprefix(FACADE) for name in tracked(*PACKAGES)}
    site = {name for name in result if name.startswith("resources/site/")}
    assert result - site == expected
    pages = {address_of(page) for page in PAGES.values()}
    assert {f"resources/site/{page}" for page in (*pages, "search.html", "searchindex.js")} <= site
    assert {PurePosixPath(name).parts[0] for name in result} == {
        *PACKAGES, "pagelet", "pagelet_command.py"
    }  # fmt: skip


def test_the_metadata_is_what_a_package_index_takes(unpacked):
    (folder,) = unpacked.glob("*.dist-info")
    result = Metadata.from_email((folder / "METADATA").read_bytes())  # raises what an index refuses
    assert result.license_expression == "MIT"
    assert result.summary
    assert result.keywords
    assert result.description_content_type == "text/markdown"
    assert result.description == (ROOT / "README.md").read_text("utf-8")
    assert not any(each.url for each in result.requires_dist)
    assert all(version in " ".join(result.classifiers) for version in ("3.11", "3.14"))
    assert (folder / "licenses" / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text(
        "utf-8"
    )


def test_the_documented_size_of_the_wheel_is_current(unpacked):
    """Compare to within 3 percent; measure and document the size again if this fails."""
    (wheel,) = unpacked.parent.glob("*.whl")
    table = (ROOT / "resources" / "docs" / "install.md").read_text("utf-8")
    said = re.search(r"^\| the wheel \(`uv build --wheel`\) \| ([0-9 ]+) \|$", table, re.MULTILINE)
    assert said is not None
    assert wheel.stat().st_size == pytest.approx(int(said[1].replace(" ", "")), rel=0.03)


def test_an_editable_install_copies_nothing(tmp_path):
    code = f"import hatchling.build as b; b.build_editable({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.iterdir())) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info" not in name]
        assert names == ["_pagelet.pth"]
        folders = wheel.read("_pagelet.pth").decode().split()
    assert [Path(folder) for folder in folders] == [ROOT, ROOT / FACADE]


def test_the_source_distribution_has_the_files_of_a_clone(tmp_path):
    with tarfile.open(built("sdist", tmp_path)) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    expected = tracked(*PACKAGES, "tests", "README.md", "LICENSE", "run", "test", ".setup")
    assert expected <= files
    assert files - expected <= {"PKG-INFO", "pyproject.toml", ".gitignore"}


def test_the_installed_command_extracts_a_sample_page(unpacked, tmp_path):
    page = unpacked / "resources" / "corpus" / "news" / "index.html"
    done = run(unpacked, "extract", "bte", page, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) > 100


@pytest.mark.web
def test_the_doctor_ignores_modules_of_the_current_folder(unpacked, tmp_path):
    (tmp_path / "engine.py").write_text("raise SystemExit('foreign')")
    (tmp_path / "PySide6.py").write_text("raise SystemExit('foreign')")
    done = run(unpacked, "doctor", cwd=tmp_path)
    assert f"ok    Packages: Pagelet's own, in {unpacked}" in done.stdout
    assert re.search(r"ok    Rendering: pages in \d+ encodings were rendered", done.stdout)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_foreign_package_is_reported_and_commands_are_refused(unpacked, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    done = run(unpacked, "doctor", before=[tmp_path])
    assert done.returncode == 1
    assert done.stdout.startswith("FIX   Packages: not all are Pagelet's own\n")
    assert f"{name} ({tmp_path / name / '__init__.py'})" in done.stdout
    assert done.stderr == ""
    done = run(unpacked, "methods", before=[tmp_path])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("pagelet: another module stands where Pagelet needs its own")
    assert "Traceback" not in done.stderr


def test_an_overwritten_package_is_named_by_the_doctor(unpacked):
    own = unpacked / "gui" / "__init__.py"
    before = own.read_text()
    own.write_text('"""A toolkit of buttons."""\n')
    try:
        done = run(unpacked, "doctor")
    finally:
        own.write_text(before)
    assert done.returncode == 1
    assert f"gui ({own}, which another package has written over)" in done.stdout
