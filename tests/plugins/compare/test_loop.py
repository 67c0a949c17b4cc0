"""The loop: a change is accepted or rejected, the log keeps both, and nothing names the vault."""

import gzip

import pytest

from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.triage import pages_of
from annotate.library.progress import NullProgress
from annotate.plugins.compare.loop import Hypothesis, in_vault, part_of, run_cycle
from annotate.plugins.compare.loop_files import (
    LOG,
    SHOWN,
    AcceptedPage,
    Cycle,
    CycleVerdict,
    MovedPage,
    add_to_log,
    read_accepted,
    read_log,
    write_accepted,
)
from annotate.plugins.compare.runs import plan_for
from annotate.plugins.external.sides import chosen_side
from engine.errors import InputError
from tests.typed_commands import typed

PAGE = "<nav>home about</nav><p>The ferry {n} leaves at noon, and returns at four.</p><footer>a b"
METHOD = """
from dataclasses import dataclass
import numpy as np
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words
from algorithms.trace import Rule, Trace, step

RULE = Rule("words of some elements")

def flags(source):
    tree, result = source.tree, np.zeros(source.tokens.words.size, bool)
    for row in np.flatnonzero(tree.has_tag({names})):
        result[slice(*tree.words[row])] = True
    return result

def trace(source, params):
    is_kept = flags(source)
    places = np.stack([np.arange(is_kept.size), np.arange(is_kept.size) + 1], axis=1)
    return Trace((step(RULE, places, is_kept),), is_kept.size)

METHOD = Method("own", "Own", Params, "extraction", "me",
                on_source=lambda source, params: keep_words(source, flags(source)),
                trace_source=trace)
"""


@pytest.fixture
def work(tmp_path):
    """Return a folder with twelve pages and a method that keeps what the names say."""
    (tmp_path / "pages").mkdir()
    for n in range(12):
        (tmp_path / "pages" / f"{n}.html").write_text(PAGE.format(n=n))
        gold = f"The ferry {n} leaves at noon, and returns at four."
        (tmp_path / "pages" / f"{n}.txt").write_text(gold)
    return tmp_path


def cycle(work, names, before, *, vault=False, **explained):
    """Run one cycle with a method that keeps the elements of these names."""
    (work / "own.py").write_text(METHOD.replace("{names}", names))
    side = chosen_side(str(work / "own.py"))
    data = part_of(pages_of(str(work / "pages")), vault=vault)
    plan = plan_for([data], (side,), "bow", EvaluationOptions(jobs=1))
    tried = Hypothesis("because", "", explained.get("explained", {}), "2026-01-02")
    return run_cycle(plan, before, tried, NullProgress(), vault=vault)


@pytest.mark.slow
def test_a_change_is_accepted_if_the_mean_rises_and_no_page_falls(work):
    first, accepted = cycle(work, '"p", "nav"', {})
    assert first.verdict is CycleVerdict.FIRST
    assert not first.moved
    better, results = cycle(work, '"p"', accepted)
    assert better.verdict is CycleVerdict.ACCEPTED
    assert better.after == 1 > better.before
    page = better.moved[0]
    assert (page.lost, page.words_lost, page.gained) == ("home about", 2, "")
    assert page.why[0].startswith("kept: ")
    assert page.why[1].startswith("dropped: ")
    again, _ = cycle(work, '"p"', results)
    assert again.verdict is CycleVerdict.REJECTED  # nothing rose


@pytest.mark.slow
def test_a_page_that_falls_rejects_a_change_until_it_is_explained(work):
    _, accepted = cycle(work, '"p", "footer"', {})
    low = dict.fromkeys(list(accepted)[1:], 0.1)  # the others rise, so that the mean does
    held = {
        name: type(page)(low.get(name, 1.0), page.text, page.decisions)
        for name, page in accepted.items()
    }
    fell, _ = cycle(work, '"p", "nav"', held)
    assert (fell.verdict, fell.moved[0].difference < -0.05) == (CycleVerdict.REJECTED, True)
    name = fell.moved[0].page
    told, _ = cycle(work, '"p", "nav"', held, explained={name: "its gold lacks the menu"})
    assert told.verdict is CycleVerdict.ACCEPTED
    assert told.moved[0].explanation == "its gold lacks the menu"
    with pytest.raises(InputError, match="is no page of this cycle"):
        cycle(work, '"p"', held, explained={"pages/none": "why"})


@pytest.mark.slow
def test_no_cycle_runs_a_page_of_the_vault_and_the_vault_names_none(work):
    secret = {f"pages/{n}.html" for n in range(12) if in_vault("pages", f"{n}.html")}
    assert 0 < len(secret) < 12
    _, accepted = cycle(work, '"p"', {})
    assert not secret & accepted.keys()
    assert len(accepted) + len(secret) == 12
    opened, results = cycle(work, '"p"', {}, vault=True)
    assert (opened.verdict, opened.moved, results.keys()) == (CycleVerdict.VAULT, (), secret)


def test_log_and_results_are_read_as_they_were_written(tmp_path):
    accepted = {"a/b": AcceptedPage(0.5, "x", ((0, 1, "kept: y"),)), "a/c": AcceptedPage(0, None)}
    write_accepted(tmp_path, accepted)
    assert read_accepted(tmp_path) == accepted
    moved = MovedPage("a/b|c", "forum", 0.5, 0.25, 3, 0, "x", "", ("kept: y", "dropped: z"))
    one = Cycle(
        "2026-01-02", "own", "bow", "short", "", 3, 0.5, 0.4, 1.5, CycleVerdict.REJECTED, (moved,)
    )
    two = Cycle("2026-01-02", "own", "bow", "open", "", 3, None, 0.4, None, CycleVerdict.VAULT)
    for each in (one, two):
        add_to_log(tmp_path, each)
    assert read_log(tmp_path) == [one, two]
    shown = (tmp_path / SHOWN).read_text()
    assert "2 cycles; the vault was opened 1 time." in shown
    assert "kept: y → dropped: z" in shown
    (tmp_path / LOG).write_text("[]\n")
    with pytest.raises(InputError, match="is not a log that pagelet loop wrote"):
        read_log(tmp_path)


@pytest.mark.slow
def test_the_command_keeps_the_log_and_fails_where_it_rejects(work):
    def loop(names, *words):
        (work / "own.py").write_text(METHOD.replace("{names}", names))
        log = ("--log", work / "log", "--measure", "bow", "--jobs", "1")
        return typed("loop", work / "own.py", work / "pages", "--hypothesis", "as", *log, *words)

    assert loop('"p", "nav"').returncode == 0
    done = loop('"p"')
    assert (done.returncode, "cycle 2 accepted" in done.stdout) == (0, True), done.stderr
    done = loop('"nav"')
    assert (done.returncode, "cycle 3 rejected" in done.stdout) == (1, True), done.stderr
    assert "kept: " in done.stdout
    done = loop('"p"', "--vault")
    assert "cycle 4 vault opened" in done.stdout
    assert [each.verdict for each in read_log(work / "log")] == [
        CycleVerdict.FIRST, CycleVerdict.ACCEPTED, CycleVerdict.REJECTED, CycleVerdict.VAULT,
    ]  # fmt: skip
    accepted = work / "log/accepted.json.gz"
    for planted in (gzip.compress(b"{}"), None):  # an easier baseline, none at all
        kept = accepted.read_bytes()
        accepted.unlink() if planted is None else accepted.write_bytes(planted)
        done = loop('"p"')
        assert (done.returncode, done.stdout) == (2, "")
        assert "not what the last cycle left" in done.stderr
        accepted.write_bytes(kept)
    gold = next(work.joinpath("pages", f"{n}.txt") for n in range(12)
                if not in_vault("pages", f"{n}.html"))  # fmt: skip
    right = gold.read_text()
    for easier in ("gold", "measure", "pages"):
        gold.write_text("a b" if easier == "gold" else right)
        more = {"gold": (), "measure": ("--measure", "ws"), "pages": ("--limit", "6")}[easier]
        done = loop('"p"', *more)
        said = {"gold": "1 page or gold changed", "measure": "add --measure bow",
                "pages": "of the accepted method left out"}[easier]  # fmt: skip
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert loop('"p"').returncode == 1
