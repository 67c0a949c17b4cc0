"""Test the memory limit set by the environment and the command line."""

import os

import pytest

from engine import memory
from engine.errors import InputError


def test_the_memory_limit_is_1_5_gb_unless_the_environment_sets_another(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert memory.limit() == 1_500_000_000
    monkeypatch.setenv(memory.VARIABLE, "4")
    assert memory.limit() == 4_000_000_000
    monkeypatch.setenv(memory.VARIABLE, "a lot")
    assert memory.limit() == 1_500_000_000


def test_set_limit_sets_the_environment_variable_of_later_processes(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "1")  # put back afterwards
    memory.set_limit("2.5")
    assert os.environ[memory.VARIABLE] == "2.5"
    assert memory.too_much() == "took more than 2.5 GB of memory (allow more with --memory)"


@pytest.mark.parametrize("given", ["", "much", "0", "-1", "0.1", "nan", "inf", "1e400", "1 GB"])
def test_invalid_memory_limits_are_refused(given):
    with pytest.raises(InputError, match=r"--memory must be a number of GB, at least 0\.5, got"):
        memory.check_limit(given)


def test_memory_use_is_measured_and_zero_for_a_process_that_has_ended():
    assert 10_000_000 < memory.measure_used(os.getpid()) < 100_000_000_000
    assert memory.measure_used(2**22 + 1) == 0
