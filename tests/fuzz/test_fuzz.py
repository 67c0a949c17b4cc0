"""Fuzz pages, packages, workspaces and settings.

Without arguments a few seeds of each kind; ``./test tests/fuzz --minutes 20`` goes on for so long,
and writes a table.  Each finding names the arguments that try its seed again; where a method fails
on a document it comes with the least page on which it does.  ``--kind source --method KEY`` tries
one method alone; in place of its key, a module that has it as ``METHOD``.
"""

import sys
from pathlib import Path

import pytest

from tests.fuzz.documents import document
from tests.fuzz.methods import METHOD
from tests.fuzz.supervisor import fuzz, table
from tests.fuzz.trials import KINDS
from tests.plugin_parts import modules

pytestmark = [
    pytest.mark.web,
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]

SHORT = {"mixed": 75, "rendered": 9}
SHARES = {
    "source": 0.3,
    "package": 0.06,
    "workspace": 0.05,
    "schema": 0.06,
    "records": 0.06,
    "settings": 0.05,
    "gold": 0.03,
    "frozen": 0.06,
    "archive": 0.04,
}
"""Of the time that `--minutes` gives; pages in a browser have the rest."""


def test_a_seed_gives_the_same_document_twice():
    assert [document(seed) for seed in range(50)] == [document(seed) for seed in range(50)]
    assert len({document(seed).data for seed in range(50)}) > 45


def test_fuzzed_inputs_give_no_findings(request, monkeypatch):
    option = request.config.getoption
    if option("--method"):
        monkeypatch.setenv(METHOD, option("--method"))
    minutes, kind = option("--minutes"), option("--kind")
    tallies = []
    for each in [kind] if kind else KINDS if minutes or option("--count") else SHORT:
        seconds, count = 1e9, option("--count") or SHORT.get(each, 50)
        if minutes:
            rest = 1.0 - sum(SHARES.values())
            seconds = 60.0 * minutes * (1.0 if kind else SHARES.get(each, rest))
            count = option("--count") or 10**9
        tallies.append(fuzz(each, option("--seed"), count, seconds))
        print(f"\n{table(tallies[-1:])}", flush=True)
    findings = [finding for tally in tallies for finding in tally.findings]
    least = modules("reducing")  # the plug-in that cuts pages down
    reports = least[0].reports(findings) if least else map(str, findings)
    text = "\n\n".join([table(tallies), *reports])
    if minutes or option("--count"):
        path = Path(request.config.cache.mkdir("fuzz")) / "table.md"
        path.write_text(text, "utf-8")
        print(f"\n{path}")
    assert all(tally.tried for tally in tallies)
    assert not findings, text
