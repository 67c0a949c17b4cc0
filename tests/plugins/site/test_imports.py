"""Test rules of imports that the contracts of pyproject.toml cannot check."""

import tomllib

from algorithms.plugins.site.methods import DETECTORS
from tests.typed_commands import ROOT


def test_the_import_contract_of_detectors_lists_all_of_them():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (alone,) = (each for each in contracts if each["name"].startswith("Detectors of templates"))
    made_by = (getattr(entry.on_site, "func", entry.on_site) for entry in DETECTORS)
    assert sorted(alone["modules"]) == sorted({extract.__module__ for extract in made_by})
