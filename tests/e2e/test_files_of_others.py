"""Test commands that score and crawl on untrusted files and sites."""

import json
import shutil
from pathlib import Path

import pytest

from tests.annotate.foreign import SCHEMAS, changed, made
from tests.annotate.pages import nodes_of
from tests.every_command import PAGE, WORDS, Desk, Typed, write_data_set
from tests.town import Town

SECONDS = 60

QUICK = "a huge view"
SENT = ["a trigger that deletes", "an endless view", "endless pages", QUICK]

GREEDY = (
    "<script>const kept = []; for (let i = 0; i < 200; i++) {"
    "const m = new WebAssembly.Memory({initial: 1024});"
    "new Uint8Array(m.buffer).fill(1); kept.push(m) }</script>"
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Return a data set, one with a lone surrogate as id, and texts of both."""
    base = tmp_path_factory.mktemp("sent")
    folder = write_data_set(base / "data")
    gold = json.loads((folder / "index.gold.json").read_text())
    gold["marks"][0]["id"] = "\ud800"
    half = write_data_set(base / "out" / "half")
    (half / "index.gold.json").write_text(json.dumps(gold))
    (base / "out" / "pages").mkdir()
    (base / "out" / "pages" / "index.html").write_text(PAGE)
    made(base / "out" / "web.pagelet", nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes</p>"))
    return Desk(folder, base / "out")


@pytest.fixture
def town():
    """Return a site with a page that takes all memory and a harmless one."""
    site = Town()
    site.pages = {"/memory.html": (PAGE + GREEDY).encode(), "/half/": PAGE.encode()}
    yield site
    site.end()


def files(folder: Path) -> dict[Path, bytes]:
    """Return the files in a folder, without those that commands write."""
    return {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {"home", "scored", "site"} & set(path.parts)
    }


def run(desk: Desk, *words: str) -> tuple[int, str, str]:
    """Run a command; assert that it changes no existing file and prints no traceback."""
    shutil.rmtree(desk.out / "scored", ignore_errors=True)
    before = files(desk.folder.parent)
    status, out, stderr = desk.run(Typed(words), seconds=SECONDS)
    assert files(desk.folder.parent) == before
    assert "Traceback" not in stderr
    return status, out, stderr


def score(desk: Desk, texts: str, *sets: str) -> tuple[int, str, str]:
    return run(desk, "score", texts, *sets, "--report", "none", "--out", "OUT/scored")


@pytest.mark.parametrize(
    "what", [each if each == QUICK else pytest.param(each, marks=pytest.mark.slow) for each in SENT]
)
def test_scoring_a_tampered_workspace_without_matching_pages_is_refused(desk, what):
    theirs = changed(desk.out / "web.pagelet", desk.out / "theirs.pagelet", SCHEMAS[what])
    status, _, stderr = score(desk, "texts.json", str(theirs))
    assert status == (1 if what == "endless pages" else 2)
    last = stderr.splitlines()[-1]
    assert last.startswith("pagelet: ")
    assert last.count("theirs.pagelet is") == 1
    assert "no page in it can be read" in last or "without what another program put" in last


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("what", SENT)
def test_scoring_reads_pages_of_a_tampered_workspace_or_reports_the_reason(desk, what):
    desk.prepare_command("import")
    theirs = changed(desk.out / "marks.pagelet", desk.out / "theirs.pagelet", SCHEMAS[what])
    status, out, stderr = score(desk, "texts.json", str(theirs))
    if what == "endless pages":
        assert status == 1
        assert "no page in it can be read" in stderr.splitlines()[-1]
    else:
        assert status == 0
        assert stderr.count("is open for reading only, without what another program put") == 1
        assert "theirs: 1 page" in out + stderr


@pytest.mark.parametrize(
    ("texts", "dataset", "sentence"),
    [
        ("index.gold.json", ".", "index.gold.json: the value of 'version' must be a string"),
        (".", "OUT/pages", "holds no texts: a page's text is a file NAME.txt"),
        ("OUT/pages", ".", "pages holds no texts: a page's text is a file NAME.txt"),
        ("texts.json", "OUT/pages", "pages is not a data set with gold"),
        ("texts.json", "index.gold.json", "index.gold.json is not a data set with gold"),
        ("OUT/web.pagelet", ".", "web.pagelet is not JSON in UTF-8"),
    ],
    ids=["gold for texts", "gold for both", "pages for texts", "pages for gold", "gold alone",
         "workspace for texts"],
)  # fmt: skip
@pytest.mark.slow
def test_mistaken_gold_pages_and_texts_are_refused_in_one_sentence(desk, texts, dataset, sentence):
    status, out, stderr = score(desk, texts, dataset)
    assert (status in (1, 2), out) == (True, "")
    assert stderr.startswith("pagelet: ")
    assert stderr.count("\n") == 1
    assert sentence in stderr


def test_gold_with_a_lone_surrogate_as_id_is_scored(desk):
    status, out, stderr = score(desk, "texts.json", "OUT/half")
    assert status == 0, stderr
    assert "1.000" in out


@pytest.mark.parametrize("page", ["memory.html", "half/"])
def test_a_crawl_stores_pages_without_running_their_scripts(desk, town, page):
    shutil.rmtree(desk.out / "site", ignore_errors=True)
    words = ["crawl", f"{town.address}/{page}", "--out", "OUT/site", "--delay", "0"]
    status, out, stderr = run(desk, *words, "--limit", "1", "--memory", "0.5")
    assert status == 0, stderr
    assert out.startswith("1 page in ")
    (stored,) = (desk.out / "site" / "pages").rglob("*.html")
    assert WORDS.encode() in stored.read_bytes()


@pytest.mark.parametrize("address", ["SITE/half/", "OUT/half", "memory.html"])
def test_a_crawl_that_cannot_start_is_reported_in_one_sentence(desk, town, address):
    workspace = str(desk.out / "web.pagelet")
    address = address.replace("SITE", town.address)
    status, out, stderr = run(desk, "crawl", address, "--out", workspace, "--delay", "0")
    assert (status, out) == (2, "")
    assert stderr.startswith("pagelet: ")
    assert stderr.count("\n") == 1
