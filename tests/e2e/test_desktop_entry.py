"""Test that the desktop entry is installed and removed."""

import shutil
import subprocess
import sys
from configparser import ConfigParser

import pytest
from lxml import etree

from gui.cli import doctor
from gui.cli.main import main

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="desktop entries are for Linux"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def entry_in(folder):
    result = ConfigParser(interpolation=None, delimiters=("=",))
    result.optionxform = str
    result.read(folder / "applications" / "pagelet.desktop", encoding="utf-8")
    return result["Desktop Entry"]


def test_the_desktop_entry_is_installed_and_removed(folder, capsys):
    assert main(["doctor", "--install-desktop"]) == 0
    written = capsys.readouterr().out.splitlines()
    assert len(written) == 3
    entry = entry_in(folder)
    command = entry["Exec"].removesuffix(" %f").strip('"')
    assert subprocess.run([command, "--version"], check=False, capture_output=True).returncode == 0
    assert (folder / f"icons/hicolor/scalable/apps/{entry['Icon']}.svg").is_file()
    assert main(["doctor", "--remove-desktop"]) == 0
    assert [line.split(" ", 1)[1] for line in capsys.readouterr().out.splitlines()] == [
        line.split(" ", 1)[1] for line in written
    ]
    assert not (folder / "applications" / "pagelet.desktop").exists()
    assert main(["doctor", "--remove-desktop"]) == 0
    assert capsys.readouterr().out == "there was nothing to remove\n"


def test_the_entry_is_valid_and_its_media_types_are_declared(folder):
    list(doctor.install(folder, "/opt/page let/bin/pagelet"))
    path = folder / "applications" / "pagelet.desktop"
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", path], check=True)
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    root = etree.parse(folder / "mime" / "packages" / "pagelet.xml").getroot()
    declared = {kind.get("type") for kind in root.iter(f"{space}mime-type")}
    named = set(entry_in(folder)["MimeType"].rstrip(";").split(";"))
    assert declared == {kind for kind in named if "pagelet" in kind}
    if shutil.which("update-mime-database"):
        globs = (folder / "mime" / "globs2").read_text("utf-8")
        assert "application/vnd.pagelet.workspace:*.pagelet" in globs


def test_paths_with_special_characters_are_quoted():
    assert doctor.quote_path("/a b/pagelet") == '"/a b/pagelet"'
    assert doctor.quote_path('/a"$`%/p') == '"/a\\\\"\\\\$\\\\`%%/p"'


def test_an_unwritable_folder_is_reported_in_one_sentence(folder, capsys):
    folder.write_text("a file")
    assert main(["doctor", "--install-desktop"]) == 2
    assert capsys.readouterr().err.startswith("pagelet: cannot write to ")
