"""Try some damaged archives; ``python -m tests.fuzz.archives 500`` tries more."""

from tests.fuzz.archives import FORMS, HARMS, table, trial


def test_damaged_archives_give_the_pages_of_a_plain_reader(tmp_path):
    trials = [trial(seed, tmp_path) for seed in range(2 * len(FORMS) * len(HARMS))]
    findings = [
        f"seed {seed}: {each.findings}" for seed, each in enumerate(trials) if each.findings
    ]
    assert not findings, "\n".join([*findings, table(trials)])
    assert sum(each.read for each in trials) > 300
    assert sum(each.failed for each in trials) > 20
