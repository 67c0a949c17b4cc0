"""Tests of plug-ins that need another plug-in are skipped where that is not installed."""

import pytest

from engine import plugin
from tests.changed import TOP, of_plugin
from tests.plugin_parts import NEEDS


class OfPlugin(pytest.Module):
    """A test file of a plug-in."""

    def collect(self):
        """Return its tests; skip them where a plug-in is missing that they may need."""
        try:
            return super().collect()
        except self.CollectError as error:
            named = getattr(error.__cause__, "name", None) or ""
            missing = of_plugin(named.replace(".", "/") + "/")
            own = of_plugin(str(self.path.relative_to(TOP)))
            if missing in NEEDS.get(own, set()) and not plugin.has(missing):
                pytest.skip(f"needs the plug-in {missing}", allow_module_level=True)
            raise


def pytest_pycollect_makemodule(module_path, parent):
    return OfPlugin.from_parent(parent, path=module_path)
