"""What hatchling calls for a wheel: it makes the site and has the wheel hold it."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SiteHook(BuildHookInterface[Any]):
    """Puts ``resources/site`` into a wheel; an editable installation has none (``./run``)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the site; `RuntimeError` names its dead links."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from resources.documentation import build_site

        self._folder = tempfile.TemporaryDirectory()
        site = Path(self._folder.name) / "site"
        if problem := build_site(site):
            raise RuntimeError(f"the documentation cannot be built: {problem}")
        build_data["force_include"][str(site)] = "resources/site"
