"""What hatchling calls for this wheel: it holds ``resources`` without the documentation's site."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ResourcesHook(BuildHookInterface[Any]):
    """Leaves out ``resources/site``, 3.5 MB that only Help in the window opens."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the rest one by one: hatchling excludes nothing below a forced folder."""
        for each in Path(self.root).resolve().parent.iterdir():
            if each.name not in ("site", "__pycache__"):
                build_data["force_include"][str(each)] = f"resources/{each.name}"
