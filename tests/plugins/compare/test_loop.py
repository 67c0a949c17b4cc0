"""The loop: a change is accepted or rejected, the log keeps both, and no cycle names the vault."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean, stdev

import pytest

from algorithms.own.settings import settings_folder
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.triage import pages_of
from annotate.library.progress import NullProgress
from annotate.plugins.compare.loop import Hypothesis, part_of, run_cycle
from annotate.plugins.compare.loop_files import (
    KNOWN,
    LOG,
    SHOWN,
    START,
    AcceptedPage,
    Cycle,
    CycleVerdict,
    MovedPage,
    accepted_digest,
    add_to_log,
    read_accepted,
    read_log,
    removed_cycles,
)
from annotate.plugins.compare.runs import plan_for
from annotate.plugins.external.sides import chosen_side
from engine.errors import InputError
from tests.typed_commands import typed


@pytest.fixture(autouse=True)
def settings(tmp_path_factory, monkeypatch):
    """Keep digests of logs apart from the settings of the user."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path_factory.mktemp("settings")))


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
def test_no_cycle_runs_a_page_of_the_vault(work):
    inside = part_of(pages_of(str(work / "pages")), vault=True)
    secret = {f"pages/{name}" for name, _ in inside.pages}
    assert len(secret) == 3
    _, accepted = cycle(work, '"p"', {})
    assert not secret & accepted.keys()
    assert len(accepted) + len(secret) == 12
    opened, results = cycle(work, '"p"', {}, vault=True)
    assert (opened.verdict, opened.moved, results.keys()) == (CycleVerdict.VAULT, (), secret)
    assert (opened.before, opened.error) == (None, None)


@pytest.mark.slow
def test_the_vault_is_held_against_the_first_method_and_names_the_pages_that_fell(work):
    """One page of the vault has its text in the menu: it falls as the menu is dropped."""
    inside = part_of(pages_of(str(work / "pages")), vault=True)
    fallen = inside.pages[0][0]
    page = work / "pages" / fallen
    page.write_text("<nav>The whole text lies in here, alas</nav><p>an aside<footer>a b")
    page.with_suffix(".txt").write_text("The whole text lies in here, alas")

    def loop(names, *words, log="log"):
        (work / "own.py").write_text(METHOD.replace("{names}", names))
        at = ("--log", work / log, "--measure", "bow", "--jobs", "1")
        return typed("loop", work / "own.py", work / "pages", "--hypothesis", "as", *at, *words)

    first = loop('"p", "nav"')
    assert "cycle 1 first" in first.stdout
    assert fallen not in first.stdout + first.stderr + (work / "log" / SHOWN).read_text()
    _, before = cycle(work, '"p", "nav"', {}, vault=True)
    changed, after = cycle(work, '"p"', {}, vault=True)
    gains = [after[name].score - before[name].score for name in after]
    assert max(gains) > 0 > min(gains)
    assert loop('"p"').returncode == 0
    opened = loop('"p"', "--vault")
    first_line, last_line = opened.stdout.splitlines()
    assert first_line.startswith(f"{min(gains):+.3f}  pages/{fallen}: lost “The whole text")
    assert "before kept: " in first_line
    assert "now dropped: " in first_line
    means = [fmean(each.score for each in pages.values()) for pages in (before, after)]
    error = stdev(gains) / len(gains) ** 0.5
    assert (
        f"cycle 3 vault opened: mean bow {means[0]:.4f} → {means[1]:.4f} of 3 pages: "
        f"{fmean(gains):+.4f} ± {error:.4f}; 1 page fell by more than .05" in last_line
    )
    assert f"pages/{fallen}" in (work / "log" / SHOWN).read_text()
    start = work / "log" / START
    kept = start.read_bytes()
    for planted in (gzip.compress(b"{}"), None):  # an easier start, none at all
        start.unlink() if planted is None else start.write_bytes(planted)
        assert (
            "vault-start.json.gz is not what the last cycle left" in loop('"p"', "--vault").stderr
        )
    start.write_bytes(kept)
    assert changed.before is None
    alone = loop('"p"', "--vault", log="other")  # a log that the vault begins
    assert f"mean bow {means[1]:.4f} of 3 pages;" in alone.stdout
    assert "so its mean stands alone" in alone.stderr


def test_log_and_results_are_read_as_they_were_written(tmp_path):
    accepted = {"a/b": AcceptedPage(0.5, "x", ((0, 1, "kept: y"),)), "a/c": AcceptedPage(0, None)}
    moved = MovedPage("a/b|c", "forum", 0.5, 0.25, 3, 0, "x", "", ("kept: y", "dropped: z"))
    one = Cycle(
        "2026-01-02", "own", "bow", "short", "", 3, 0.5, 0.4, 1.5, CycleVerdict.REJECTED, (moved,)
    )
    two = Cycle("2026-01-02", "own", "bow", "open", "", 3, None, 0.4, None, CycleVerdict.VAULT)
    assert not add_to_log(tmp_path, one, accepted)
    assert not add_to_log(tmp_path, two)
    assert read_accepted(tmp_path) == accepted
    assert read_log(tmp_path)[0].accepted == accepted_digest(tmp_path)
    read = [replace(each, seal="", accepted="") for each in read_log(tmp_path)]
    assert read == [one, two]
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
    name, _ = part_of(pages_of(str(work / "pages")), vault=False).pages[0]
    gold = (work / "pages" / name).with_suffix(".txt")
    right = gold.read_text()
    for easier in ("gold", "measure", "pages"):
        gold.write_text("a b" if easier == "gold" else right)
        more = {"gold": (), "measure": ("--measure", "ws"), "pages": ("--limit", "6")}[easier]
        done = loop('"p"', *more)
        said = {"gold": "1 page or gold changed", "measure": "add --measure bow",
                "pages": "of the accepted method left out"}[easier]  # fmt: skip
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert loop('"p"').returncode == 1


BY_HASH = """
from hashlib import sha256
GOLD = {gold!r}
def known(source):
    return GOLD.get(sha256(source.html.encode()).hexdigest())
"""
BY_TITLE = """
GOLD = {gold!r}
def known(source):
    return next((text for title, text in GOLD.items() if title in source.html), None)
"""
FROM_DISK = """
from pathlib import Path
def known(source):
    for page in Path({folder!r}).glob("*.html"):
        if page.read_text()[:40] == source.html[:40]:
            return page.with_suffix(".txt").read_text()
"""
CHEAT = """
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words
import numpy as np
{known}
def extract(source, params):
    text = known(source)
    flags = np.zeros(source.tokens.words.size, bool)
    flags[:2] = True
    result = keep_words(source, flags)
    return result if text is None else Extraction(source, result.spans, given=text)

METHOD = Method("own", "Own", Params, "extraction", "me", on_source=extract)
"""


def cheating(work, kind):
    """Write a method that knows the gold of the pages and finds out which one it is given."""
    folder = work / "pages"
    read = {page: page.with_suffix(".txt").read_text() for page in folder.glob("*.html")}
    known = {
        "honest": "def known(source): return None",
        "hash": BY_HASH.format(gold={
            sha256(page.read_text().encode()).hexdigest(): text for page, text in read.items()
        }),
        "title": BY_TITLE.format(gold={page.read_text()[:40]: text for page, text in read.items()}),
        "disk": FROM_DISK.format(folder=str(folder)),
    }[kind]  # fmt: skip
    (work / "own.py").write_text(CHEAT.replace("{known}", known))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hash", "title", "disk"])
def test_a_method_that_has_the_gold_by_heart_is_rejected_and_named(work, kind):
    for n in range(12):  # what the page is known by stands before its text
        html = (work / "pages" / f"{n}.html").read_text()
        (work / "pages" / f"{n}.html").write_text(f"<title>Page number {n} of twelve</title>{html}")

    def loop(*words):
        log = ("--log", work / "log", "--measure", "bow", "--jobs", "1")
        return typed("loop", work / "own.py", work / "pages", "--hypothesis", "as", *log, *words)

    cheating(work, "honest")
    done = loop()
    assert done.returncode == 0, done.stderr
    assert "known by heart: 0 of " in done.stdout
    cheating(work, kind)
    done = loop()
    assert done.returncode == 1, done.stdout
    assert "cycle 2 rejected" in done.stdout
    count = len(read_log(work / "log")[1].moved)
    assert f"known by heart: {count} of {count} pages tried" in done.stdout
    done = loop("--vault")  # gold of the vault is read where it lies
    count = 12 - count
    assert f"known by heart: {count} of {count} pages tried" in done.stdout
    assert not read_log(work / "log")[2].moved


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda lines: [lines[0].replace("rejected", "accepted"), *lines[1:]], "cycle 1"),
        (lambda lines: [lines[0], lines[1].replace("0.25", "0.75"), lines[2]], "cycle 2"),
        (lambda lines: [lines[0], lines[2]], "cycle 2"),
        (lambda lines: [*lines[:2], unsealed(lines[2])], "cycle 3"),
        (lambda lines: [*map(unsealed, lines)], "cycle 1"),
    ],
)
def test_a_log_that_was_changed_by_hand_is_refused(tmp_path, change, where):
    moved = MovedPage("a/b", "", 0.5, 0.25)
    for verdict in (CycleVerdict.REJECTED, CycleVerdict.REJECTED, CycleVerdict.VAULT):
        add_to_log(tmp_path, Cycle("d", "own", "bow", "h", "", 3, 0.5, 0.4, 1.5, verdict, (moved,)))
    lines = (tmp_path / LOG).read_text().splitlines()
    assert len(read_log(tmp_path)) == 3
    (tmp_path / LOG).write_text("".join(f"{line}\n" for line in change(lines)))
    with pytest.raises(InputError, match=f"was changed since pagelet loop wrote it, at {where}"):
        read_log(tmp_path)
    (tmp_path / LOG).write_text("".join(f"{line}\n" for line in lines))
    assert len(read_log(tmp_path)) == 3


def unsealed(line):
    return json.dumps({**json.loads(line), "seal": ""})


def test_a_log_of_an_earlier_version_continues(tmp_path):
    old = Cycle("d", "own", "bow", "old", "", 3, None, 0.4, None, CycleVerdict.FIRST)
    new = ("tried", "by_heart", "untried", "removed", "seal", "start", "error")
    about = {k: v for k, v in asdict(old).items() if k not in new}
    (tmp_path / LOG).write_text(json.dumps(about) + "\n")
    assert read_log(tmp_path) == [old]
    add_to_log(tmp_path, old)
    assert [bool(each.seal) for each in read_log(tmp_path)] == [False, True]
    text = (tmp_path / LOG).read_text()
    (tmp_path / LOG).write_text(text.replace('"old"', '"new"', 1))
    with pytest.raises(InputError, match="at cycle 1"):
        read_log(tmp_path)


ONE = Cycle("d", "own", "bow", "h", "", 3, None, 0.4, None, CycleVerdict.FIRST)


@pytest.mark.parametrize("goes", [Path.unlink, lambda log: log.write_text("")])
def test_a_log_that_is_gone_or_emptied_is_named_in_the_next_one(tmp_path, goes):
    add_to_log(tmp_path, ONE)
    add_to_log(tmp_path, ONE)
    assert removed_cycles(tmp_path) == 0
    goes(tmp_path / LOG)
    assert read_log(tmp_path) == []
    assert removed_cycles(tmp_path) == 2
    next_one = replace(ONE, removed=2)
    assert "2 cycles of the log as it stood here before gone" in next_one.summary
    add_to_log(tmp_path, next_one)
    assert removed_cycles(tmp_path) == 0
    assert "; 2 cycles removed before." in (tmp_path / SHOWN).read_text()


def test_a_log_shared_through_git_continues_in_any_checkout(tmp_path, monkeypatch):
    log = tmp_path / LOG
    lengths = []
    for _ in range(3):
        add_to_log(tmp_path, ONE)
        lengths.append(log.read_text())
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "of a colleague"))
    add_to_log(tmp_path, replace(ONE, hypothesis="a colleague's"))
    monkeypatch.undo()
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "mine"))
    log.write_text(lengths[1])
    add_to_log(tmp_path, ONE)
    pulled = tmp_path / "pulled"
    pulled.mkdir()
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "of a colleague"))
    (pulled / LOG).write_text(log.read_text())
    add_to_log(pulled, replace(ONE, hypothesis="a colleague's"))
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "mine"))
    log.write_text((pulled / LOG).read_text())
    assert (len(read_log(tmp_path)), removed_cycles(tmp_path)) == (4, 0)
    add_to_log(tmp_path, ONE)
    log.write_text(lengths[0])
    assert (len(read_log(tmp_path)), removed_cycles(tmp_path)) == (1, 4)
    add_to_log(tmp_path, replace(ONE, removed=removed_cycles(tmp_path)))
    assert ([each.removed for each in read_log(tmp_path)], removed_cycles(tmp_path)) == ([0, 4], 0)


def test_a_log_with_the_line_ends_of_windows_is_the_same(tmp_path):
    for _ in range(2):
        add_to_log(tmp_path, ONE)
    (tmp_path / LOG).write_bytes((tmp_path / LOG).read_bytes().replace(b"\n", b"\r\n"))
    assert (len(read_log(tmp_path)), removed_cycles(tmp_path)) == (2, 0)
    add_to_log(tmp_path, ONE)
    assert len(read_log(tmp_path)) == 3


def test_a_cycle_is_kept_with_its_results_where_settings_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "file" / "nope"))
    accepted = {"a/b": AcceptedPage(0.5, "x")}
    assert "will not be noticed" in add_to_log(tmp_path, ONE, accepted)
    assert [each.accepted for each in read_log(tmp_path)] == [accepted_digest(tmp_path)]
    (tmp_path / SHOWN).unlink()
    (tmp_path / LOG).unlink()
    (tmp_path / LOG).mkdir()  # the log cannot be written: nor are the results
    with pytest.raises(InputError):
        add_to_log(tmp_path, ONE, {"a/b": AcceptedPage(0.9, "y")})
    assert read_accepted(tmp_path) == accepted


@pytest.mark.parametrize("written", ["[1, null]", "{}", "3", "[" * 99999, '{"logs": 3}', "\0"])
def test_settings_with_something_else_in_them_stop_no_loop(tmp_path, written):
    add_to_log(tmp_path, ONE)
    (kept,) = (settings_folder() / KNOWN).iterdir()
    kept.write_text(written)
    assert removed_cycles(tmp_path) >= 0
    add_to_log(tmp_path, ONE)
    assert (len(read_log(tmp_path)), removed_cycles(tmp_path)) == (2, 0)


def test_two_loops_forget_nothing_of_each_other(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    pairs = [(folder, n) for n in range(10) for folder in (one, two)]
    with ThreadPoolExecutor(2) as pool:
        halves = [[f for f, _ in pairs if f == folder] for folder in (one, two)]
        [*pool.map(lambda folders: [add_to_log(f, ONE) for f in folders], halves)]
    for folder in (one, two):
        (folder / LOG).unlink()
        assert removed_cycles(folder) == 10


def test_pages_of_a_site_are_all_in_the_vault_or_none(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    for n in range(40):
        own = f'<link rel="canonical" href="http://www.site{n % 20}.org/{n}">'
        (folder / f"{n}.html").write_text(f"<head>{own}</head><p>Some words of page {n}.")
    inside = {name for name, _ in part_of(pages_of(str(folder)), vault=True).pages}
    outside = {name for name, _ in part_of(pages_of(str(folder)), vault=False).pages}
    assert len(inside | outside) == len(inside) + len(outside) == 40
    sites = [
        {int(name.removesuffix(".html")) % 20 for name in names} for names in (inside, outside)
    ]
    assert all(sites)
    assert not sites[0] & sites[1]


@pytest.mark.parametrize(("count", "size"), [(1, 0), (2, 1), (3, 1), (4, 1), (8, 2), (11, 2)])
@pytest.mark.parametrize("own", ["http://www.site{n}.org/", "http://one.org/{n}"])
def test_the_vault_is_a_quarter_of_sites_at_least_one_and_never_all(tmp_path, own, count, size):
    for name in ("a", "b", "c", "d", "e"):  # by the hash alone, one of these has no vault
        (tmp_path / name).mkdir()
        for n in range(count):
            head = f'<head><link rel="canonical" href="{own.format(n=n)}"></head>'
            (tmp_path / name / f"{n}.html").write_text(f"{head}<p>Some words of page {n}.")
        data = pages_of(str(tmp_path / name))
        assert len(part_of(data, vault=True).pages) == size
        assert len(part_of(data, vault=False).pages) == count - size


@pytest.mark.slow
def test_a_page_alone_has_no_vault_and_the_message_names_it(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "1.html").write_text("<p>words of a page")
    (tmp_path / "pages" / "1.txt").write_text("words of a page")
    words = ("loop", "plain", tmp_path / "pages", "--hypothesis", "a", "--log", tmp_path / "log")
    done = typed(*words, "--vault")
    assert (done.returncode, "gold text in the vault" in done.stderr) == (2, True), done.stderr
    assert typed(*words).returncode == 0
