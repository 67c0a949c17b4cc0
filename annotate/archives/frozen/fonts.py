"""Which fonts of this machine a page is drawn with, and what tells them from others of that name.

Fonts that the page brings itself lie among its files.  Of a machine's fonts the file's name and its
SHA-256 are kept, as fontconfig finds them: they are seldom free to pass on.
"""

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

from engine.fonts import DEFAULT_FAMILIES
from engine.interpreter import environment
from engine.nodes import STYLE_PROPERTIES
from engine.page import Page
from engine.words import join_words

_FAMILY = STYLE_PROPERTIES.index("font-family")
_MOST = 40
_GENERIC = {
    "serif": "SerifFont",
    "sans-serif": "SansSerifFont",
    "monospace": "FixedFont",
    "cursive": "CursiveFont",
    "fantasy": "FantasyFont",
}
"""What CSS calls the families that a browser chooses, and what Qt calls them."""

Fonts = dict[str, dict[str, str]]
"""By family as the page names it: the ``file`` that is taken, and its ``sha256``."""


def fonts_of(page: Page) -> Fonts:
    """Return this machine's fonts for the families of visible texts; empty without ``fc-match``."""
    nodes = page.nodes
    if nodes is None or shutil.which("fc-match") is None:
        return {}
    shown = nodes.visible & nodes.has_tag("#text")
    lists = dict.fromkeys(nodes.styles[style][_FAMILY] for style in nodes.style[shown].tolist())
    families = dict.fromkeys(
        name.strip().strip("\"'") for each in lists for name in each.split(",")
    )
    return {family: _match(family) for family in list(families)[:_MOST] if family}


@cache
def _match(family: str) -> dict[str, str]:
    family = DEFAULT_FAMILIES.get(_GENERIC.get(family, ""), family)
    asked = ["fc-match", "--format", "%{file}", family.replace("\\", "").replace(":", "")]
    try:
        answer = subprocess.run(
            asked, capture_output=True, timeout=20, check=True, env=environment()
        )
        file = Path(answer.stdout.decode())
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return {"file": "", "sha256": ""}
    return {"file": file.name, "sha256": digest}


def font_changes(before: Fonts, now: Fonts) -> str:
    """Return the fonts that differ from the other machine or version, in words; "" for none.

    Elements that name no font use the browser's default, so a family that only one of the two has
    means that the default differs.
    """
    changed = [
        family
        for family, font in before.items()
        if family in now and font.get("sha256") != now[family]["sha256"]
    ]
    gone = [family for family in before if family not in now]
    new = [family for family in now if family not in before]
    changes = [f"{join_words(changed)} differ on this machine"] if changed else []
    if gone or new:
        changes.append(
            f"the default font was {join_words(gone) or 'none'}, now {join_words(new) or 'none'}"
        )
    return "; ".join(changes)
