"""A method in a file: it runs again when the file is saved, and errors name the line."""

import os
import shutil
from pathlib import Path

import pytest

import resources
from algorithms.core.attempt import OutcomeStatus
from algorithms.own import method_files

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen"


@pytest.fixture
def file(tmp_path, monkeypatch):
    made = Path(shutil.copy(resources.path("plugins/template.py"), tmp_path / "long_texts.py"))
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    method_files.name(made)
    method_files.refresh()
    yield made
    os.environ.pop(method_files.NAMED, None)
    method_files.refresh()


def save(file, before, after):
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def text_of(hand):
    outcome = hand.session.layers.outcomes.get("long-texts")
    return outcome.result.text if outcome is not None and outcome.result is not None else None


@pytest.mark.slow
@pytest.mark.web
def test_a_saved_method_runs_again_with_its_parameters_and_reports_errors(file, hand, qtbot):
    hand.open(f"<p>{LONG}</p><a href=x>short link</a>")
    hand.session.layers.add_method("long-texts")
    qtbot.waitUntil(lambda: text_of(hand) == LONG, timeout=9000)
    hand.session.layers.change_layer(
        "long-texts", params=hand.session.layers.layer("long-texts").params.__class__(words=13)
    )
    save(file, "length >= params.words", "length > params.words")
    save(file, "last - first >= params.words", "last - first > params.words")
    qtbot.waitUntil(
        lambda: text_of(hand) == "" and not hand.workbench.runner.is_running, timeout=9000
    )
    assert hand.session.layers.layer("long-texts").params.words == 13

    save(file, "np.zeros", "np.zros")
    qtbot.waitUntil(
        lambda: hand.session.layers.outcomes["long-texts"].status is OutcomeStatus.FAILED,
        timeout=9000,
    )
    assert "long_texts.py, line" in hand.session.layers.outcomes["long-texts"].error
    save(file, "@dataclass(frozen=True)", "@dataclass(frozen=True")
    qtbot.waitUntil(
        lambda: "SyntaxError" in hand.session.layers.outcomes["long-texts"].error, timeout=9000
    )
    assert "SyntaxError" in hand.session.messages.message
    save(file, "@dataclass(frozen=True", "@dataclass(frozen=True)")
    save(file, "np.zros", "np.zeros")
    save(file, "param(12,", "param(3,")
    qtbot.waitUntil(
        lambda: hand.session.layers.outcomes["long-texts"].status is OutcomeStatus.EMPTY,
        timeout=9000,
    )
    assert type(hand.session.layers.layer("long-texts").params).defaults() == {"words": 3}
    assert hand.session.layers.layer("long-texts").params.words == 13
