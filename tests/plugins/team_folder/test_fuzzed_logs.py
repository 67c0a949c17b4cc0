"""Try some forged logs of a team folder.

``python -m tests.plugins.team_folder.fuzzed_logs 500`` tries more.
"""

import os

import pytest

from tests.plugins.team_folder.fuzzed_logs import HARMS, table, trial


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="makes links, which take rights there")
def test_forged_team_logs_do_not_change_the_work_of_others(tmp_path):
    trials = [trial(seed, tmp_path) for seed in range(len(HARMS))]
    findings = [
        f"seed {seed}, {each.harm}: {each.findings}"
        for seed, each in enumerate(trials)
        if each.findings
    ]
    assert not findings, "\n".join([*findings, table(trials)])
    assert sum(each.said > 0 for each in trials) > len(HARMS) // 2
