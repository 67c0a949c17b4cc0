"""A page finds nothing that another has left, in any store, order, process or window.

The independent truth is another order: the same pages, each as it is where it comes first.
"""

import gzip
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

import resources
from engine.document import plain_document
from engine.errors import CaptureError
from engine.web import profile, view
from engine.web.headless import Browser
from tests.oracles.stores_of_browsers import IN_WORKERS, STORES, page_of

pytestmark = pytest.mark.web

NAMES = ("a", "b", "c")


def looks(browser: Browser, name: str) -> list[str]:
    """Return what a page says of each store; a page and its own workers share theirs."""
    html = page_of(name).encode()
    text = browser.capture(plain_document(html)).rendered().text_below(0)
    return re.findall(
        r"([\w’. ]+ holds: .*?) and more words", text.replace(f"left-by-{name}", "own")
    )


def found_in(order: Iterable[str]) -> tuple[int, set[str]]:
    """Return how often pages looked into stores, one after the other, and what others had left."""
    count, found = 0, set()
    with Browser() as browser:
        for name in order:
            said = looks(browser, name)
            count += len(said)
            found |= {each.strip() for each in said if "left-by" in each}
    return count, found


@pytest.mark.slow
def test_pages_find_nothing_that_others_left_in_any_order(qapp):
    orders = list(itertools.permutations(NAMES))
    counts, found = zip(*map(found_in, orders), strict=True)
    print(f"{sum(counts)} looks into stores; found: {sorted(set().union(*found))}")
    assert not set().union(*found)
    assert sum(counts) >= len(orders) * len(NAMES) * (len(STORES) + len(IN_WORKERS) - 1)


def test_a_page_after_one_that_hangs_finds_nothing(qapp):
    with Browser() as browser:
        with suppress(CaptureError):
            hung = plain_document(page_of("a", hangs=True).encode())
            browser.capture(hung, timeout_s=6)
        assert not [each for each in looks(browser, "b") if "left-by" in each]


@pytest.mark.slow
def test_a_page_of_the_spare_renderer_finds_nothing(qapp, qtbot):
    with Browser() as browser:
        for name in NAMES:
            browser.view.warm_up()
            qtbot.waitUntil(lambda: browser.view.is_warm)
            assert not [each for each in looks(browser, name) if "left-by" in each]


def test_the_oracle_finds_pages_that_share_a_profile(qapp, monkeypatch):
    shared = profile.make_profile()
    monkeypatch.setattr(view.profile, "make_profile", lambda: shared)
    monkeypatch.setattr(shared, "setParent", lambda _: None, raising=False)
    _, found = found_in(NAMES[:2])
    assert any("indexedDB holds: left-by-a" in each for each in found)


@pytest.mark.slow
def test_an_evaluation_has_the_same_rows_in_any_order_and_with_any_workers(tmp_path):
    """What methods kept of each page, to the byte, also after a page that hangs."""
    runs = []
    for number, (names, jobs) in enumerate([("abcd", 1), ("dcba", 1), ("abcd", 2), ("!abcd", 1)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for place, name in enumerate(names):
            page = folder / f"{place}.html"
            page.write_text(page_of(name, hangs=name == "!"), encoding="utf-8")
            page.with_suffix(".txt").write_text("Some honest words", encoding="utf-8")
        typed = f"evaluate {folder} --methods bte --input dom --jobs {jobs} --no-cache"
        typed += f" --predictions --report none --out {folder / 'ev'}"
        subprocess.run(
            [sys.executable, "-m", "gui.cli.main", *typed.split()],
            check=False, capture_output=True, timeout=300,
        )  # fmt: skip
        kept = {}
        for line in (folder / "ev" / "predictions" / "found.jsonl").read_text().splitlines():
            (_, page, _), found, *_ = json.loads(line)
            name = names[int(page)]
            # A page and its own worker share stores, and either may come first.
            text = re.sub(f"left-by-{name}(-worker)?", "nothing", str(found))
            kept[name] = sorted(re.findall(r"[\w’. ]+ holds: [\w-]*", text))
        kept.pop("!", None)
        runs.append(kept)
    assert "left-by" not in str(runs)
    assert sorted(runs[0]) == list("abcd")
    assert all(runs[0].values())
    assert runs == [runs[0]] * len(runs)


@pytest.mark.slow
def test_an_extraction_has_the_same_rows_in_any_order_and_with_any_workers(tmp_path):
    """To the byte, but for times and positions; also after pages that end or occupy a process."""
    pages = {
        f"{name}": (resources.path("corpus") / name / "index.html").read_bytes()
        for name in ("news", "forum", "docs", "shop")
    }
    hostile = {
        "deep": b"<div>" * 60_000 + b"deep words",
        "wide": b"<p>" + b"<b>word " * 20_000,
        "nul": b"\x00\xff\xfe" * 9_000,
    }
    runs = []
    for number, (names, jobs) in enumerate(
        [(list(pages), 1), (list(pages)[::-1], 1), (list(pages), 2), ([*hostile, *pages], 1)]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        for place, name in enumerate(names):
            (folder / f"{place}.html").write_bytes({**pages, **hostile}[name])
        typed = f"extract gleaner --in {folder} --out {folder}-rows --format jsonl --jobs {jobs}"
        typed += " --with markdown,html --predict"
        subprocess.run(
            [sys.executable, "-m", "gui.cli.main", *typed.split()],
            check=True, capture_output=True, timeout=300,
        )  # fmt: skip
        rows = {}
        for file in Path(f"{folder}-rows").rglob("*.jsonl*"):
            data = file.read_bytes()
            for line in (gzip.decompress(data) if file.suffix == ".gz" else data).splitlines():
                row = json.loads(line)
                name = names[int(Path(row["address"]).stem)]
                if name in pages:
                    of_run = ("archive", "record", "address", "offset", "date", "ms")
                    rows[name] = {k: v for k, v in row.items() if k not in of_run}
        runs.append(rows)
    assert sorted(runs[0]) == sorted(pages)
    assert all(row["text"] and row["markdown"] for row in runs[0].values())
    assert runs == [runs[0]] * len(runs)
    planted = runs[0] | {"news": runs[0]["news"] | {"predicted_f1": 0.5}}
    assert runs[1] != planted
