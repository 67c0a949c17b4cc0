"""A model that ships, with a card that says it learned from other pages."""

import hashlib
import os
import unicodedata
from dataclasses import replace
from pathlib import Path

import pagelet
import pytest

import resources
from algorithms.extraction.gleaner.gleaner_model import of_bytes
from algorithms.own import method_files

KEY = "gleaner-mine"
PAGES = ("blog", "news")
OTHER = "a text of some forty letters and more, which is gold of no page whatever"


def own_fingerprint(text: str) -> str:
    """Return a text's fingerprint as the documentation has it: letters and digits, 12 digits."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return hashlib.sha256("".join(filter(str.isalnum, folded)).encode()).hexdigest()[:12]


def write_model(path: Path, *texts: str) -> Path:
    """Write a model of gleaner whose card says that it has seen some texts, and no other."""
    model = of_bytes(resources.path("gleaner/model.npz").read_bytes(), "model.npz")
    seen = " ".join(map(own_fingerprint, texts))
    path.write_bytes(replace(model, card={**model.card, "seen": seen}).data)
    return path


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "pages"
    made.mkdir()
    for name in PAGES:
        for ending in ("html", "gold.json"):
            file = resources.path("corpus") / name / f"index.{ending}"
            (made / f"{name}.{ending}").write_bytes(file.read_bytes())
    return made


@pytest.fixture(params=[True, False], ids=["seen", "unseen"])
def is_seen(request, folder, tmp_path, monkeypatch):
    """Offer the model as a method; return whether it has seen the page blog."""
    gold = pagelet.dataset(folder)["blog.html"].gold.text if request.param else OTHER
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    method_files.name(write_model(tmp_path / "mine.npz", gold))
    method_files.refresh()
    yield request.param
    os.environ.pop(method_files.NAMED, None)
    method_files.refresh()
