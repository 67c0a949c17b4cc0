"""The statuses that commands end with: each is reached, and the documentation lists them."""

import json
import re

import pytest

from tests.every_command import ROOT
from tests.method_packages import pages
from tests.plugins.agents.shapes import METHOD, is_error, write_twelve
from tests.typed_commands import typed

REFUSES = "http://127.0.0.1:9/"
SILENT = "http://127.0.0.1:59999/ --no-sandbox"  # for a browser: it asks nothing of port 9
BROKEN = METHOD.replace('"linked"', '"broken"').replace(
    "return keep", "raise KeyError('x') or keep"
)
GATE = {
    "format": "pagelet-gate", "version": 1, "method": "plain", "data": ["pages"], "measure": "bow",
    "may_fall": {"mean": 0.005, "page": 0.05}, "method_version": "", "pages": {"pages/gone": 1.0},
}  # fmt: skip

ENDS = {
    "extract": {
        1: "extract broken --method-file AT/broken.py --in AT/pages/html --out AT/rows",
        3: f"extract plain {REFUSES}",
    },
    "why": {3: f"why bte {REFUSES} --text word"},
    "diff": {3: f"diff bte {REFUSES}"},
    "segment": {3: f"segment page-style {SILENT}"},
    "picture": {3: f"picture {SILENT} bte --out AT/picture.png"},
    "freeze": {1: f"freeze {SILENT} --out AT/silent.wacz"},
    "verify": {1: "verify AT/run"},
    "evaluate": {
        1: "evaluate AT/pages --methods broken --method-file AT/broken.py --out AT/broken"
    },
    "invariance": {1: "invariance AT/linked.py AT/Twelve"},
    "reduce": {3: f"reduce bte {REFUSES} --lost word"},
    "bisect": {3: f"bisect trafilatura {REFUSES} --lost word"},
    "compare": {1: "compare plain AT/broken.py AT/pages"},
    "gate": {1: "gate AT/gone.gate.json"},
    "loop": {1: "loop plain AT/Twelve --hypothesis again --log AT/log"},
    "crawl": {1: "crawl AT/list.txt --out AT/sites", 3: f"crawl {REFUSES} --out AT/site"},
    "records": {3: f"records sheaf {REFUSES}"},
}
"""By command, a line for each status but 0, which `tests.every_command` has, and 2."""

BEFORE = (
    "evaluate AT/pages --methods plain --out AT/run",
    "loop plain AT/Twelve --hypothesis first --log AT/log",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with what the lines name."""
    at = tmp_path_factory.mktemp("ends")
    write_twelve(at / "Twelve")
    pages(at / "pages")
    (at / "linked.py").write_text(METHOD)
    (at / "broken.py").write_text(BROKEN)
    (at / "list.txt").write_text(f"{REFUSES}\n{REFUSES}a.html\n")
    (at / "gone.gate.json").write_text(json.dumps(GATE))
    for line in BEFORE:
        done = ended(line, at)
        assert done.returncode == 0, done.stderr
    rows = next((at / "run").glob("*.csv"))
    rows.write_text(rows.read_text().replace("plain", "plane"))  # a damaged run
    return at


def ended(line, folder):
    words = (word.replace("AT", str(folder)) for word in line.split())
    return typed(*words, "--json")


def documented():
    """Return the statuses of each command in the table of the page for agents."""
    text = (ROOT / "resources/docs/plugins/agents.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", text, re.M)
    return {name: {k for k, cell in ((1, one), (3, three)) if cell} for name, one, three in rows}


def test_the_documentation_lists_the_statuses():
    assert documented() == {name: set(by) for name, by in ENDS.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "line"), [(k, line) for by in ENDS.values() for k, line in by.items()]
)
def test_a_finding_ends_with_1_and_what_may_pass_with_3(status, line, folder):
    done = ended(line, folder)
    assert done.returncode == status, (done.stdout, done.stderr)
    answer = json.loads(done.stdout)
    assert is_error(answer) == (status == 3)
    if status == 3:
        assert (answer["exit"], answer["fix"]) == (3, "run it again")
