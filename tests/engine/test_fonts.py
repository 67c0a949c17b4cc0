"""Test the digest of this machine's fonts, which is part of the renderer's name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.fonts import DEFAULT_FAMILIES, fonts_digest
from engine.web.renderer import renderer_name

LIBERATION = next(Path("/usr/share/fonts").rglob("LiberationSans-Regular.ttf"), None)
pytestmark = pytest.mark.skipif(LIBERATION is None, reason="Liberation Sans is not installed here")


def settings(folder, fonts, rule=""):
    """Write a configuration of fontconfig with only these font files."""
    held = folder / "fonts"
    held.mkdir(parents=True)
    for font in fonts:
        (held / font.name).write_bytes(font.read_bytes())
    file = folder / "fonts.conf"
    file.write_text(
        f"<fontconfig><dir>{held}</dir><cachedir>{folder / 'cache'}</cachedir>{rule}</fontconfig>"
    )
    return file


def digest_with(file):
    return subprocess.run(
        [sys.executable, "-P", "-c", "from engine.fonts import fonts_digest as d; print(d())"],
        env=os.environ | {"FONTCONFIG_FILE": str(file)}, capture_output=True, text=True, check=True,
        cwd=Path(__file__).resolve().parents[2], timeout=60,
    ).stdout.strip()  # fmt: skip


def test_moving_a_font_file_keeps_the_digest(tmp_path):
    file = settings(tmp_path, [LIBERATION])
    before = digest_with(file)
    (tmp_path / "fonts" / "below").mkdir()
    font = tmp_path / "fonts" / LIBERATION.name
    font.rename(tmp_path / "fonts" / "below" / LIBERATION.name)
    assert len(before) == 8
    assert digest_with(file) == before


def test_an_added_font_and_a_changed_preference_change_the_digest(tmp_path):
    alias = "<alias><family>serif</family><prefer><family>X</family></prefer></alias>"
    bold = LIBERATION.with_name("LiberationSans-Bold.ttf")
    file = settings(tmp_path / "one", [LIBERATION])
    one = digest_with(file)
    (tmp_path / "one" / "fonts" / bold.name).write_bytes(bold.read_bytes())
    more = digest_with(file)
    file.write_text(file.read_text().replace("</fontconfig>", f"{alias}</fontconfig>"))
    assert len({one, more, digest_with(file)}) == 3


def test_the_renderer_name_includes_the_fonts_digest():
    assert renderer_name().endswith(f"with fonts {fonts_digest()}")


def test_a_changed_default_family_changes_the_digest(monkeypatch):
    before = fonts_digest()
    fonts_digest.cache_clear()
    monkeypatch.setitem(DEFAULT_FAMILIES, "StandardFont", "Arial")
    try:
        assert fonts_digest() != before
    finally:
        fonts_digest.cache_clear()
