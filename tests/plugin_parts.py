"""Plug-ins that tests of a plug-in need, and parts that they add to tables of the core's tests."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from engine import plugin

FOLDER = Path(__file__).parent / "plugins"

NEEDS = {
    "": {
        "audit",
        "baselines",
        "compare",
        "disagreement",
        "exchange",
        "external",
        "figure",
        "guidelines",
        "method_editor",
        "page_diff",
        "presentation",
        "side_by_side",
        "site",
        "suggestions",
        "team_folder",
        "team_work",
        "training",
        "view_3d",
    },
    "agents": {"external", "reduce"},
    "audit": {"team_work", "training"},
    "boards": {"guidelines", "training"},
    "checks": {"compare", "external"},
    "compare": {"external"},
    "exchange": {"team_work"},
    "external": {"compare"},
    "figure": {"baselines"},
    "guidelines": {"exchange", "team_work", "training"},
    "method_editor": {"compare"},
    "page_diff": {"side_by_side", "site"},
    "presentation": {"team_work"},
    "published_data": {"exchange"},
    "records": {"training"},
    "reduce": {"external"},
    "review_pages": {"team_work"},
    "side_by_side": {"site", "team_work"},
    "team_folder": {"team_work"},
    "team_work": {"baselines", "figure"},
}
"""Folder of `tests/plugins` ("" for files beside the folders) → other plug-ins that its tests may
import.  Where one is not installed the files that do are skipped."""


def modules(name: str) -> list[ModuleType]:
    """Return the modules ``tests/plugins/*/NAME.py`` of the plug-ins whose tests can run."""
    folders = (file.parent.name for file in sorted(FOLDER.glob(f"*/{name}.py")))
    able = (each for each in folders if all(map(plugin.has, {each} | NEEDS.get(each, set()))))
    return [import_module(f"tests.plugins.{each}.{name}") for each in able]
