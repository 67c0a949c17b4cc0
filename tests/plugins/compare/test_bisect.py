"""Bisection: the version at which a result became worse, found by trying few of many."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.plugins.compare.bisect import (
    TriedVersion,
    VersionName,
    bisect,
    position_of,
    versions_of,
)
from engine.errors import InputError
from tests.method_packages import KEEPS_ALL, LOSES_LISTS, checkout, index, pages
from tests.typed_commands import typed


def named(scores):
    return [VersionName(f"v{k}", f"v{k}") for k in range(len(scores))]


def tried_in(scores, log):
    def tried(version):
        log.append(version.name)
        score = scores[int(version.name[1:])]
        return TriedVersion(version.name, score, "" if score is not None else "too old")

    return tried


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_bisect_finds_the_change_and_lists_versions_that_do_not_run(good, bad, data):
    scores = [0.9] * good + [0.5] * bad
    for k in data.draw(st.sets(st.integers(1, len(scores) - 2), max_size=5)) if bad > 1 else ():
        scores[k] = None
    log = []
    result = bisect(named(scores), tried_in(scores, log), threshold=0.1, good=0)
    low, high = int(result.before.name[1:]), int(result.after.name[1:])
    assert (result.before.score, result.after.score) == (0.9, 0.5)
    assert all(scores[k] is None for k in range(low + 1, high))
    assert result.between == tuple(f"v{k}" for k in range(low + 1, high))
    assert len(log) == len(set(log))


def test_bisect_tries_at_most_21_of_1024_versions():
    scores = [0.9] * 700 + [0.5] * 324
    log = []
    result = bisect(named(scores), tried_in(scores, log), threshold=0.1)
    assert (result.before.name, result.after.name) == ("v699", "v700")
    assert len(log) <= 2 * 10 + 1


def test_a_package_that_was_always_bad_is_refused():
    log = []
    with pytest.raises(InputError, match=r"no earlier version is better than v4 \(0.500\)"):
        bisect(named([0.5] * 5), tried_in([0.5] * 5, log), threshold=0.1)
    assert len(log) == 5
    with pytest.raises(InputError, match=r"v1 is not better than v4 \(0.500\) by more than 0.1"):
        bisect(named([0.5] * 5), tried_in([0.5] * 5, log), threshold=0.1, good=1)


def test_a_good_version_between_bad_ones_is_found():
    scores = [0.5, 0.5, 0.9, 0.5, 0.5, 0.5]
    log = []
    result = bisect(named(scores), tried_in(scores, log), threshold=0.1)
    assert (result.before.name, result.after.name) == ("v2", "v3")
    assert len(log) == len(set(log))
    with pytest.raises(InputError, match="none of 24 tried versions is better"):
        bisect(named([0.5] * 100), tried_in([0.5] * 100, []), threshold=0.1)


def test_versions_that_all_fail_are_refused_with_the_reason():
    with pytest.raises(InputError, match="too old"):
        bisect(named([None] * 3), tried_in([None] * 3, []), threshold=0.1)


def test_a_commit_is_found_by_its_abbreviated_name(tmp_path):
    here = checkout(tmp_path / "checkout", KEEPS_ALL, LOSES_LISTS)
    commits = versions_of(f"{here} mine:extract")
    assert [each.name.partition(" ")[2] for each in commits] == ["Version 0", "Version 1"]
    assert position_of(commits, commits[1].name.partition(" ")[0]) == 1
    with pytest.raises(InputError, match="there is no version v9"):
        position_of(commits, "v9")


@pytest.mark.slow
def test_the_command_names_the_version_of_a_package_that_is_worse(tmp_path):
    versions = {"9.1": KEEPS_ALL, "9.2": KEEPS_ALL, "9.3": LOSES_LISTS, "9.4": LOSES_LISTS}
    variables = index(tmp_path, versions)
    data = pages(tmp_path / "pages")
    done = typed("bisect", "trafilatura", data, "--page", "2", "--json", **variables)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["before"]["name"], result["after"]["name"]) == ("9.2", "9.3")
    words = ("--lost", "Another thing", "--good", "9.1")
    done = typed("bisect", "trafilatura", data / "html" / "2.html", *words, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("9.3 changed it for the worse: 1.0000 with 9.2, 0.0000 with 9.3")


@pytest.mark.slow
def test_the_command_names_the_commit_of_a_checkout_that_is_worse(tmp_path):
    here = checkout(tmp_path / "checkout", KEEPS_ALL, KEEPS_ALL + "\n", LOSES_LISTS)
    variables = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1"}
    done = typed("bisect", f"{here} mine:extract", pages(tmp_path / "pages"), **variables)
    assert done.returncode == 0, done.stderr
    assert "Version 2 changed it for the worse: 1.0000 with" in done.stdout
