"""Gate: neither a page nor the mean may fall below the reviewed baseline."""

import importlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from algorithms.own.trusted_code import trust
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.library.progress import NullProgress
from annotate.plugins.compare.gate import (
    GateBaseline,
    GatePage,
    GateResult,
    gate_junit,
    read_baseline,
    run_gate,
)
from engine.errors import InputError
from resources import path
from tests.method_packages import KEEPS_ALL, LOSES_LISTS, pages
from tests.typed_commands import ROOT, typed

WORKFLOW = path("gate") / "workflow.yml"


def repository(folder: Path) -> Path:
    """Write the repository of an extractor: its code, pages with gold, and a baseline."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(KEEPS_ALL)
    pages(folder / "tests" / "pages")
    done = gate(folder, "--new", "mine:extract", folder / "tests" / "pages", "--measure", "bow")
    assert done.returncode == 0, done.stderr
    return folder


def gate(folder, *words):
    """Run the gate in a separate process with the package on its path, as if installed."""
    command = [sys.executable, "-P", ROOT / "annotate" / "facade" / "pagelet_command.py"]
    return subprocess.run(
        [*command, "gate", folder / "extractor.gate.json", *words, "--jobs", "1"],
        capture_output=True, text=True, cwd=folder, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))},
    )  # fmt: skip


def with_pytest(folder, *words):
    """Run pytest with the plugin in a separate process."""
    plugin = ["-p", "engine.pytest_entry", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *plugin, "-c", os.devnull]
    return subprocess.run(
        [*command, "--rootdir", folder, *words, folder],
        capture_output=True, text=True, cwd=folder, check=False,
        env=os.environ | {
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder))),
            # named above: an installation older than the entry point does not have it
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
    )  # fmt: skip


@pytest.fixture(autouse=True)
def settings(tmp_path_factory, monkeypatch):
    """Keep trusted code apart from the settings of the user."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path_factory.mktemp("settings")))


def test_a_baseline_is_read_as_it_was_written(tmp_path):
    baseline = GateBaseline("mine:run", ("pages",), "bow", 0.01, 0.1, "1", {"b": 0.5, "a": 1.0})
    baseline.write(tmp_path / "x.gate.json")
    assert read_baseline(tmp_path / "x.gate.json") == baseline
    lines = (tmp_path / "x.gate.json").read_text().splitlines()
    assert '    "a": 1.0,' in lines  # one line for each page, in order


@pytest.mark.slow
def test_a_page_that_is_not_scored_is_named_with_its_reason(tmp_path):
    (tmp_path / "pages").mkdir()
    for name, text in (("marked.html", "<p>one two three"), ("marked.txt", "one two three"),
                       ("bare.html", "<p>a page that nobody has marked")):  # fmt: skip
        (tmp_path / "pages" / name).write_text(text)
    done = gate(tmp_path, "--new", "bte", tmp_path / "pages")
    assert "not scored: pages/bare.html (the page has no gold text)" in done.stdout
    done = gate(tmp_path, "--junit", tmp_path / "gate.xml")
    assert done.returncode == 0, done.stderr
    assert "not scored: pages/bare.html (the page has no gold text)" in done.stdout
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()[0]
    (case,) = (each for each in suite if each.find("skipped") is not None)
    assert (case.get("name"), suite.get("skipped")) == ("pages/bare.html", "1")
    done = gate(tmp_path, "--update")
    assert "not scored: pages/bare.html" in done.stdout


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "pagelet-gate"}', "\x00", "[" * 9999])
def test_a_file_that_is_no_baseline_is_refused(tmp_path, text):
    (tmp_path / "x.gate.json").write_text(text)
    with pytest.raises(InputError, match=r"is not a baseline that pagelet gate wrote"):
        read_baseline(tmp_path / "x.gate.json")


@pytest.mark.parametrize(
    "floors", [(1.0, 1.0), (1e9, 2.0), (float("nan"), 1.0), (-1.0, float("inf"))]
)
def test_a_baseline_of_which_no_floor_can_fail_is_refused_and_can_be_mended(tmp_path, floors):
    path = tmp_path / "x.gate.json"
    GateBaseline("mine:run", ("pages",), "bow", *floors, "1", {"a": 1.0}).write(path)
    with pytest.raises(InputError, match="cannot fail: the mean may fall by"):
        read_baseline(path)
    assert read_baseline(path, may_fall={"mean": 0.005, "page": 0.05}).page == 0.05
    with pytest.raises(InputError, match="cannot fail: the mean may fall by"):
        read_baseline(path, may_fall={"page": 1.0})


@pytest.mark.slow
def test_one_floor_may_be_switched_off_and_both_may_not(tmp_path):
    data = pages(tmp_path / "pages")
    done = gate(tmp_path, "--new", "bte", data, "--mean", "1", "--each", "1")
    assert (done.returncode, "cannot fail" in done.stderr) == (2, True)
    assert gate(tmp_path, "--new", "bte", data, "--each", "1").returncode == 0
    done = gate(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "a page may fall by 1 (usual: 0.05)" in done.stdout
    done = gate(tmp_path, "--update", "--mean", "1")
    assert (done.returncode, "cannot fail" in done.stderr) == (2, True)
    GateBaseline("bte", ("pages",), "bow", 1.0, 1.0).write(tmp_path / "extractor.gate.json")
    done = gate(tmp_path)
    advised = "--update --mean 0.005 --each 0.05"
    assert (done.returncode, advised in done.stderr) == (2, True)
    assert gate(tmp_path, *advised.split()).returncode == 0
    assert gate(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [('"a": 1.0', '"a": 0.2'), ('    "a": 1.0,\n', ""), ('"page": 0.1', '"page": 0.9'),
     ('"mean": 0.01', '"mean": 0.5'), ('["pages"]', '["few"]'), ('"bow"', '"ws"')],
)  # fmt: skip
def test_a_baseline_that_was_changed_by_hand_is_refused(tmp_path, old, new):
    path = tmp_path / "x.gate.json"
    GateBaseline("mine:run", ("pages",), "bow", 0.01, 0.1, "1", {"a": 1.0, "b": 0.5}).write(path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match="was changed since pagelet gate wrote it"):
        read_baseline(path)
    path.write_text(text)
    without_seal(path)
    assert read_baseline(path).pages == {"a": 1.0, "b": 0.5}  # one of an earlier Pagelet


def without_seal(path):
    """Take the seal out of a baseline, as earlier Pagelets wrote none."""
    lines = path.read_text().split("\n")
    path.write_text("\n".join(each for each in lines if '"seal"' not in each))


@pytest.mark.slow
def test_the_verdict_names_a_missing_seal_until_update_writes_it(tmp_path):
    baseline, data = tmp_path / "extractor.gate.json", pages(tmp_path / "pages")
    assert gate(tmp_path, "--new", "bte", data).returncode == 0
    assert "no seal" not in gate(tmp_path).stdout
    without_seal(baseline)
    done = gate(tmp_path, "--markdown", tmp_path / "comment.md")
    said = "the baseline has no seal: a change by hand is not noticed (--update writes one)"
    assert (done.returncode, said in done.stdout) == (0, True)
    assert said in (tmp_path / "comment.md").read_text()
    answer = json.loads(gate(tmp_path, "--json").stdout)
    assert said in answer["lines"][0]
    assert said in gate(tmp_path, "--update").stdout
    assert '"seal": "' in baseline.read_text()
    assert "no seal" not in gate(tmp_path).stdout


@pytest.mark.slow
def test_pages_that_are_dropped_and_looser_floors_are_named(tmp_path):
    data = pages(tmp_path / "pages")
    assert gate(tmp_path, "--new", "bte", data).returncode == 0
    (data / "html" / "2.html").unlink()
    done = gate(tmp_path)
    assert (done.returncode, "pages/2 scored" in done.stdout) == (1, False)
    assert "fails" in done.stdout
    done = gate(tmp_path, "--update", "--each", "0.9")
    assert "1 page left out, such as pages/2" in done.stdout
    assert "a page may fall by 0.9 (usual: 0.05)" in gate(tmp_path).stdout


@pytest.mark.slow
def test_a_method_that_has_the_gold_by_heart_fails_the_gate(tmp_path):
    (tmp_path / "pages").mkdir()
    for n in range(4):
        text = f"The ferry number {n} leaves the harbour at noon, and comes back at four."
        (tmp_path / "pages" / f"{n}.html").write_text(f"<title>{n} of four</title><p>{text}")
        (tmp_path / "pages" / f"{n}.txt").write_text(text)
    known = "{n: open(f'" + str(tmp_path / "pages") + "/{n}.txt').read() for n in range(4)}"
    code = "import re\nGOLD = {known}\ndef run(html):\n    return {answer}\n"
    honest = "re.sub('<[^>]+>', ' ', html.split('</title>')[1])"
    cheat = "GOLD[int(re.search('title>(.)', html)[1])]"
    for answer, status in ((honest, 0), (cheat, 1)):
        (tmp_path / "mine.py").write_text(code.format(known=known, answer=answer))
        new = gate(tmp_path, "--new", "mine:run", tmp_path / "pages", "--update")
        assert new.returncode == 0, new.stderr
        done = gate(tmp_path, "--trust")
        assert done.returncode == status, (done.stdout, done.stderr)
        assert f"known by heart: {4 * status} of 4 pages tried" in done.stdout


@pytest.mark.slow
def test_pages_without_gold_are_refused_before_any_is_run(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.html").write_text("<p>a page that nobody has marked")
    ran = "open(__file__ + '.RAN', 'w').close()\n"
    (tmp_path / "mine.py").write_text(f"def run(html):\n    {ran}    return html\n")
    words = ("--new", "mine:run", tmp_path / "pages")
    done = gate(tmp_path, *words)
    assert (done.returncode, "none of these pages has gold text" in done.stderr) == (2, True)
    assert not (tmp_path / "mine.py.RAN").exists()
    (tmp_path / "pages" / "one.txt").write_text("a page that nobody has marked")
    done = gate(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.py.RAN").exists()


def test_a_page_fails_below_its_floor_or_when_it_is_gone():
    assert not GatePage("p", 0.9, 0.85).failure
    assert "fell from 0.9000 to 0.8499, by more than 0.05" in GatePage("p", 0.9, 0.8499).failure
    assert "is gone" in GatePage("p", 0.9, None).failure
    assert not GatePage("p", None, 0.1).failure
    assert "(took longer than 20 s)" in GatePage("p", 0.9, 0.0, "took longer than 20 s").failure


def test_a_junit_report_is_valid_xml_for_any_page_name():
    pages = (GatePage("a\x00\ud800 & <b>", 0.9, 0.1), GatePage("b", 0.5, 0.6))
    baseline = GateBaseline("mine:run", ("pages",), "bow", pages={"b": 0.5})
    report = gate_junit(GateResult(baseline, baseline, pages, None, ()))
    suite = ElementTree.fromstring(report.encode())[0]
    assert [len(case) for case in suite] == [1, 1, 0]
    assert "& <b>" in suite[1].get("name")


@pytest.mark.slow
def test_the_gate_passes_fails_and_passes_again_once_it_is_updated(tmp_path):
    here = repository(tmp_path)
    written = read_baseline(here / "extractor.gate.json")
    assert written.data == ("tests/pages",)
    assert set(written.pages.values()) == {1.0}
    done = gate(here)
    assert (done.returncode, done.stdout.splitlines()[0][:15]) == (0, "The gate passes")
    (here / "mine.py").write_text(LOSES_LISTS)
    report = here / "out"
    words = ("--junit", report / "junit.xml", "--markdown", report / "comment.md")
    done = gate(here)
    assert (done.returncode, "1 line added, 1 removed" in done.stderr) == (2, True)
    done = gate(here, "--trust", *words, "--bundle", report / "bundle")
    assert done.returncode == 1, done.stderr
    assert "The gate fails: 2 floors" in done.stdout
    suite = ElementTree.parse(report / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    assert suite[0].get("name") == "mean"
    failed = [case.get("name") for case in suite if len(case)]
    assert failed == ["mean", "pages/2"]
    comment = (report / "comment.md").read_text("utf-8")
    assert comment.startswith("❌ The gate fails: 2 floors")
    assert "| pages/2 | 1.0000 |" in comment
    shown = [*(report / "bundle" / "pages").glob("*.html")]
    assert len(shown) == 1
    assert "Another thing" in shown[0].read_text("utf-8")
    done = gate(here, "--new", "mine:extract", here / "tests" / "pages")
    assert (done.returncode, "--update writes it anew" in done.stderr) == (2, True)
    assert gate(here, "--update").returncode == 0
    assert gate(here).returncode == 0


@pytest.mark.slow
def test_a_mean_over_two_data_sets_warns_that_it_mixes_guidelines(tmp_path):
    data = pages(tmp_path / "one"), pages(tmp_path / "two")
    said = "; the mean mixes gold of 2 guidelines: that of one, that of two"
    for words in (("--new", "bte", *data), ()):
        done = typed("gate", tmp_path / "x.gate.json", *words, "--jobs", "1")
        assert said in done.stdout
    done = typed("gate", tmp_path / "y.gate.json", "--new", "bte", data[0], "--jobs", "1")
    assert "guidelines" not in done.stdout


@pytest.mark.slow
def test_the_pytest_plugin_runs_one_test_for_each_page(tmp_path):
    here = repository(tmp_path)
    (here / "mine.py").write_text(LOSES_LISTS)
    done = with_pytest(here, "--pagelet-trust")
    assert done.returncode == 1, done.stdout
    assert "2 failed, 2 passed" in done.stdout
    assert "pages/2 fell from 1.0000 to" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_pytest_plugin_is_declared_as_an_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [module] = project["entry-points"]["pytest11"].values()
    assert hasattr(importlib.import_module(module), "pytest_collect_file")


@pytest.mark.slow
def test_the_example_workflow_runs_unchanged_in_a_repository(tmp_path):
    here = repository(tmp_path / "repository")
    steps = {
        step.get("name"): step
        for step in yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]
    }
    (here / "mine.py").write_text(LOSES_LISTS)
    tools = tmp_path / "tools"
    tools.mkdir()
    command = ROOT / "annotate" / "facade" / "pagelet_command.py"
    (tools / "pagelet").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{command}" "$@"\n')
    (tools / "gh").write_text('#!/bin/sh\necho "$@" > gh.txt\n')
    for each in tools.iterdir():
        each.chmod(0o755)
    variables = os.environ | {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "PULL": "7",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(here))),
    }

    def run(name):
        script = ["bash", "-e", "-c", steps[name]["run"]]
        return subprocess.run(script, cwd=here, env=variables, check=False).returncode

    assert run("Gate") == 1
    assert "❌ The gate fails" in (tmp_path / "summary.md").read_text("utf-8")
    attached = here / steps["Attach"]["with"]["path"]
    assert (attached / "junit.xml").is_file()
    assert (attached / "bundle" / "index.html").is_file()
    assert run("Comment") == 0
    assert (here / "gh.txt").read_text().startswith("pr comment 7 ")
    assert (here / (here / "gh.txt").read_text().split()[-1]).is_file()
    (here / "mine.py").write_text(KEEPS_ALL)
    assert run("Gate") == 0


def test_the_documentation_shows_the_example_workflow_unchanged():
    shown = (path("docs") / "plugins" / "gate.md").read_text("utf-8")
    assert WORKFLOW.read_text("utf-8") in shown


@pytest.mark.slow
def test_floors_are_changed_only_with_update(tmp_path):
    (tmp_path / "x.gate.json").write_text(GateBaseline("plain", ("x",), "bow").as_text())
    done = typed("gate", tmp_path / "x.gate.json", "--each", "0.2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "add --update" in done.stderr
    assert json.loads((tmp_path / "x.gate.json").read_text())["may_fall"]["page"] == 0.05


EVIL = "import pathlib; pathlib.Path({!r}).touch()\n"


def forged(folder: Path, method: str) -> Path:
    """Write a baseline, pages and code, as received from somebody else."""
    pages(folder / "pages")
    (folder / "evil.py").write_text(EVIL.format(str(folder / "ran")))
    baseline = GateBaseline(method, ("pages",), "bow", pages={"pages/1": 1.0})
    baseline.write(folder / "extractor.gate.json")
    return folder / "extractor.gate.json"


@pytest.mark.parametrize(
    "method", ["evil.py", "evil:run", "evil.py@HEAD", "evil==1.0", "@HEAD evil:run", "os:system"]
)
def test_code_named_in_a_baseline_does_not_run_before_it_is_trusted(tmp_path, method):
    baseline = read_baseline(forged(tmp_path, method))
    with pytest.raises(InputError, match=r"names code, .* which nobody has let run yet"):
        run_gate(baseline, tmp_path, EvaluationOptions(jobs=1), NullProgress())
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_code_named_in_a_baseline_runs_if_trusted_or_given_as_method_file(tmp_path):
    forged(tmp_path, "evil.py")
    done = gate(tmp_path, "--method-file", tmp_path / "evil.py")
    assert "evil.py has no METHOD" in done.stderr
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    done = gate(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nobody has let run yet" in done.stderr
    done = with_pytest(tmp_path)
    assert "nobody has let run yet" in done.stdout
    assert "Traceback" not in done.stdout
    assert not (tmp_path / "ran").exists()
    with_pytest(tmp_path, "--pagelet-trust")
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    gate(tmp_path)  # trusted once, for this folder
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("changed", ["evil.py", "beside.py"])
def test_code_that_has_changed_is_asked_for_again_and_the_change_is_told(tmp_path, changed):
    baseline = read_baseline(forged(tmp_path, "evil.py"))
    (tmp_path / "beside.py").write_text("")
    (tmp_path / "evil.py").write_text("import beside\n")
    trust(tmp_path, "evil.py")
    (tmp_path / changed).write_text((tmp_path / changed).read_text() + "a = 1\n")
    told = rf"has changed since it was let run \({changed}: 1 line added, 0 removed\)"
    with pytest.raises(InputError, match=told):
        run_gate(baseline, tmp_path, EvaluationOptions(jobs=1), NullProgress())
