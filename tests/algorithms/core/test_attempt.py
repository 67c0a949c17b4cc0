"""Attempts of runs: the time of a run, or its error instead of a result."""

import time
from dataclasses import replace

from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.core.catalogue import method
from engine.errors import InputError
from engine.page import Page
from engine.source import Source

PAGE = Page("about:blank", Source.from_text("<p>The ferry returned to the harbour."))
PLAIN = method("plain")


def test_the_time_of_a_run_excludes_its_preparation():
    read = []

    def prepare(params):
        read.append(params)
        time.sleep(0.3)

    slow = replace(PLAIN, prepare=prepare)
    outcome = attempt(slow, PAGE, slow.params(), "original")
    assert read == [slow.params()]
    assert outcome.result.text.startswith("The ferry")
    assert outcome.seconds < 0.3


def test_an_error_in_preparation_is_a_failed_run_with_its_reason():
    def prepare(_params):
        raise InputError("cannot read model.npz")

    broken = replace(PLAIN, prepare=prepare)
    outcome = attempt(broken, PAGE, broken.params(), "original")
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.error == "cannot read model.npz"


def test_methods_that_are_trained_read_their_model_before_they_are_timed():
    for key in ("gleaner", "terrain-learned"):
        assert method(key).prepare is not None
