"""Try some journals and logs.

``python -m tests.plugins.team_work.fuzzed_journals 200`` tries more.
"""

import sys

import pytest

from tests.plugins.team_work.fuzzed_journals import trial


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="makes pipes and links")
def test_files_beside_a_workspace_cost_no_mark_and_no_other_file(tmp_path):
    ended = {trial(seed, tmp_path / str(seed)).partition(":")[0] for seed in range(24)}
    assert len(ended) > 8
