"""Test that pages without a font family are laid out as in plain Chromium."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.every_command import ROOT

FAMILIES = ("Liberation", "DejaVu")
FONTS = {
    font.name: font for family in FAMILIES for font in Path("/usr/share/fonts").rglob(f"{family}*")
}
NEEDED = {"LiberationSans-Regular.ttf", "LiberationSerif-Bold.ttf", "DejaVuSansMono.ttf"}
pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(
        not FONTS.keys() >= NEEDED,
        reason="the fonts that the boxes were recorded with are not installed here",
    ),
]

PAGE = """<!doctype html><meta charset=utf-8><h1 id=heading>Ferries of the lower river</h1>
<p><span id=none>no family at all</span> <code id=code>in a row</code>
<button id=button>Push</button></p>
<p><span id=missing style="font-family: NoSuchFont">no such family</span></p>
""" + "\n".join(
    f'<p><span id={family} style="font-family: {family}">some words in {family}</span></p>'
    for family in ("serif", "sans-serif", "monospace", "cursive", "fantasy")
)

CHROMIUM = {
    "heading": (8, 21.4375, 1350, 37),
    "none": (8, 81.875, 97.3125, 17),
    "code": (109.3125, 83.875, 62.625, 15),
    "button": (175.9375, 79.875, 46.390625, 21),
    "missing": (8, 116.875, 95.09375, 17),
    "serif": (8, 150.875, 125.765625, 17),
    "sans-serif": (8, 184.875, 176.953125, 17),
    "monospace": (8, 220.875, 180.015625, 15),
    "cursive": (8, 252.875, 143.53125, 17),
    "fantasy": (8, 286.875, 143.53125, 17),
}
"""Left, top, width and height, px, by Debian's Chromium 156 in a viewport as wide: ``chromium
--headless --hide-scrollbars --disable-font-subpixel-positioning --dump-dom``."""


PROGRAM = """
import json, sys
from annotate.datasets.opening import open_document
from engine.web.headless import Browser

with Browser() as browser:
    nodes = browser.capture(open_document(sys.argv[1])).rendered()
rows = {attributes.get("id"): row for row, attributes in enumerate(nodes.attributes)}
print(json.dumps({name: nodes.rect[row].tolist() for name, row in rows.items() if name}))
"""


@pytest.fixture
def fonts(tmp_path):
    """Return a configuration of fontconfig with the system's rules and only these fonts."""
    held = tmp_path / "fonts"
    held.mkdir()
    for name, font in FONTS.items():
        (held / name).symlink_to(font)
    conf = tmp_path / "fonts.conf"
    conf.write_text(
        f"<fontconfig><dir>{held}</dir><cachedir>{tmp_path / 'cache'}</cachedir>"
        '<include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>'
    )
    return conf


def test_boxes_without_a_font_family_equal_those_of_chromium(tmp_path, fonts):
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, str(page)],
        cwd=ROOT,
        env=os.environ | {"FONTCONFIG_FILE": str(fonts), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert answer.returncode == 0, answer.stderr[-2000:]
    boxes = json.loads(answer.stdout.splitlines()[-1])
    differ = {
        name: boxes[name]
        for name, box in CHROMIUM.items()
        if boxes[name] != pytest.approx(box, abs=0.02)
    }
    assert not differ
