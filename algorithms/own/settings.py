"""The folder of the user's settings."""

import os
import sys
from pathlib import Path


def settings_folder() -> Path:
    """Return the folder of the user's settings; ``PAGELET_SETTINGS`` names another."""
    chosen = os.environ.get("PAGELET_SETTINGS")
    if chosen:
        try:
            return Path(chosen).expanduser()
        except RuntimeError:
            return Path(chosen)  # no such user: a folder with that name
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "Pagelet"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Pagelet"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "pagelet"
