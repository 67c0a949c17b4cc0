"""Test external and broken plug-ins, and Pagelet without any."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from annotate.datasets.looking.inspection import look_into
from engine import plugin
from gui.cli.main import main
from gui.core.workbench import Requests
from gui.window.features import _CORE
from tests.annotate.datasets.layouts import warc_record
from tests.changed import of_core, of_plugin, plugins_needed
from tests.plugin_parts import NEEDS
from tests.removals import NAMES

TOP = Path(__file__).parent.parent
FLOORS = ("gui", "annotate", "algorithms")

_STRANGER = """
from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "stranger",
    feature="stranger.window:FEATURE",
    commands={"shout": Command("stranger.shout", "Print a page in capitals.")},
    options={"methods": "stranger.loud"},
    readers=("stranger.reader:READER",),
    methods=("stranger.method:METHOD",),
    formats=("stranger.formats:FORMAT",),
)
"""
_MODULES = {
    "shout": """
def run(page: str) -> int:
    '''Print a page in capitals.

    Args:
        page (PAGE): a file
    '''
    print(open(page).read().upper())
    return 0
""",
    "loud": """
def run(*, loud: bool = False) -> int | None:
    '''Print LOUD.

    Args:
        loud: in capitals
    '''
    if not loud:
        return None
    print("LOUD")
    return 3
""",
    "window": """
from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.main_area import MainArea

FEATURE = Feature(
    "stranger",
    after="pages",
    actions=(Action("stranger-hello", "Hello", "Help", MainArea.leave, order=990,
                    words=("greet",)),),
)
""",
    "reader": """
from annotate.datasets.cases import TEXT
from annotate.datasets.readers import Reader, text_pages
from annotate.datasets.texts import TextPage
from engine.document import Document

def pages(path, problems):
    for page in sorted(path.glob("*.page")):
        words = page.read_text()
        document = Document(page.name, path, page.name)
        yield TextPage(page.stem, document, words)

READER = Reader("strange pages", "a folder with strange.txt", frozenset({TEXT}),
                lambda path: (path / "strange.txt").is_file(), text_pages(pages))
""",
    "method": '''
from dataclasses import dataclass

from algorithms.extraction import plain
from algorithms.method import Method
from algorithms.params import Params

@dataclass(frozen=True)
class Nothing(Params):
    """None."""

def extract(source, params):
    return plain.extract(source, plain.METHOD.params())

METHOD = Method("strange", "Strange", Nothing, "extraction", "nobody", on_source=extract,
                summary="Everything.")
''',
    "formats": """
from annotate.plugins.exchange.formats import ExchangeFormat

def write(pages, out):
    return []

FORMAT = ExchangeFormat("strange", "Strange format", "nothing", "", write, "not read again")
""",
}


def installed(folder, name, package, modules):
    """Install a package with its entry point as pip does."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(package)
    for module, text in modules.items():
        (folder / name / f"{module}.py").write_text(text)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{plugin.GROUP}]\n{name} = {name}:PLUGIN\n")


@pytest.fixture
def run(tmp_path):
    """Run Python with packages of a folder, and with Pagelet of the repository or of a copy."""

    def ended(*words, top=TOP, more=(), timeout=120, within=tmp_path):
        paths = (*more, top, top / "annotate" / "facade")
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "QT_QPA_PLATFORM": "offscreen",
            "XDG_CONFIG_HOME": str(tmp_path / "settings"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
        }
        command = [sys.executable, *map(str, words)]
        return subprocess.run(
            command, env=environment, cwd=within, capture_output=True, text=True, timeout=timeout
        )

    return ended


@pytest.mark.slow
def test_an_external_plugin_adds_commands_methods_readers_and_formats(run, tmp_path):
    packages = tmp_path / "packages"
    installed(packages, "stranger", _STRANGER, _MODULES)
    pagelet = ("-m", "pagelet_command")
    page = tmp_path / "page.html"
    page.write_text("<p>quiet words</p>")

    shouted = run(*pagelet, "shout", page, more=[packages])
    assert "QUIET WORDS" in shouted.stdout, shouted.stderr
    assert "shout" in run(*pagelet, "--help", more=[packages]).stdout
    loud = run(*pagelet, "methods", "--loud", more=[packages])
    assert (loud.stdout, loud.returncode) == ("LOUD\n", 3)
    extracted = run(*pagelet, "extract", "strange", page, more=[packages])
    assert "quiet words" in extracted.stdout, extracted.stderr
    assert "Strange format" in run(*pagelet, "export", "--list", more=[packages]).stdout
    asked = """
from annotate.datasets.readers import readers
from engine.plugin import problems
from gui.window.actions import ACTIONS
from gui.window.features import FEATURES
import json
print(json.dumps([[r.name for r in readers()], [f.name for f in FEATURES][:2],
                  [a.name for a in ACTIONS if "stranger" in a.name], problems()]))
"""
    seen = run("-c", asked, more=[packages])
    names, features, actions, problems = json.loads(seen.stdout)
    assert "strange pages" in names
    assert names[-1] == "gold files"
    assert features == ["pages", "stranger"]
    assert actions == ["stranger-hello"]
    assert problems == []


def test_a_broken_plugin_is_named_and_does_not_affect_others(run, tmp_path):
    packages = tmp_path / "packages"
    installed(packages, "broken", "import a_package_that_nobody_has\n", {})
    installed(packages, "leaving", "raise SystemExit(3)\n", {})
    half = """from engine.plugin import Command, Plugin
def find():
    raise OSError("no disk")
PLUGIN = Plugin("half", methods=("half.gone:METHOD",), options={"extract": "half.gone"},
                finders=("half:find",),
                commands={"halve": Command("half.gone", "Halve a page.")})
"""
    installed(packages, "half", half, {})
    page = tmp_path / "page.html"
    page.write_text("<p>quiet words</p>")
    extracted = run("-m", "pagelet_command", "extract", "plain", page, more=[packages])
    assert "quiet words" in extracted.stdout, extracted.stderr
    halved = run("-m", "pagelet_command", "halve", page, more=[packages])
    assert halved.returncode == 1
    assert "halve: its plug-in cannot be used: No module named 'half.gone'" in halved.stderr
    assert len(halved.stderr.splitlines()) == 1
    asked = "from algorithms.core.catalogue import problems; print('\\n'.join(problems()))"
    lines = run("-c", asked, more=[packages]).stdout.splitlines()
    assert any("plug-in leaving cannot be used: SystemExit" in line for line in lines)
    assert any("plug-in broken cannot be used" in line for line in lines)
    assert any("plug-in half: half.gone:METHOD cannot be used" in line for line in lines)
    assert "half:find finds no methods: OSError: no disk" in lines


def test_every_plugin_is_registered_and_has_tests():
    files = [file for floor in FLOORS for file in TOP.glob(f"{floor}/plugins/*/__init__.py")]
    names = {file.parent.name for file in files}
    assert names <= {each.name for each in plugin.plugins()}
    for name in names:
        assert list((TOP / "tests" / "plugins" / name).glob("test_*.py")), name


def _texts(file):
    """Return the strings of a module, one a line, without the docstring of the module itself."""
    tree = ast.parse(file.read_text())
    own = ast.get_docstring(tree, clean=False)
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return "\n".join(each for each in strings if isinstance(each, str) and each != own)


def test_the_core_names_no_command_of_a_plugin_without_its_plugin():
    # "A model of pagelet train" tells where a file comes from; every other name is an offer.
    owners = {name: each.name for each in plugin.plugins() for name in each.commands}
    offered = re.compile(rf"(?<!of )pagelet ({'|'.join(owners)})(?=[ :])")
    files = [file for floor in (*FLOORS, "engine") for file in (TOP / floor).rglob("*.py")]
    texts = {file: _texts(file) for file in files if "plugins" not in file.parts}
    assert offered.findall(texts[TOP / "annotate/datasets/looking/json_forms.py"])
    assert [
        (file.name, command)
        for file, text in texts.items()
        for command in offered.findall(text)
        if f"\n{owners[command]}\n" not in f"\n{text}\n"
    ] == []


def test_actions_of_the_core_run_no_command_of_a_plugin():
    commands = {name for each in plugin.plugins() for name in each.commands}
    commands -= {"next"}  # a direction, too
    rows = [row for feature in _CORE for row in feature.actions]
    assert [row.name for row in rows if commands & {*map(str, row.arguments)}] == []


def test_a_misspelt_command_with_arguments_is_named(capsys):
    assert main(["reduse", "bte", "page.html"]) == 2
    assert "no command and no file 'reduse'; did you mean reduce?" in capsys.readouterr().err


def test_steps_for_a_file_leave_out_commands_of_missing_plugins(tmp_path, monkeypatch):
    baseline, addresses = tmp_path / "a.gate.json", tmp_path / "addresses.txt"
    baseline.write_text('{"format": "pagelet-gate", "pages": {"a": 1}}')
    addresses.write_text("https://example.org/a\nhttps://example.org/b\n")
    for path, needed in ((baseline, "compare"), (addresses, "crawl")):
        assert look_into(path).steps
        with monkeypatch.context() as patch:
            patch.setattr(plugin, "plugins", lambda: ())
            found = look_into(path)
        assert found.steps == ()
        assert found.refusal.endswith(f"t needs the plug-in {needed}, which is not installed")


_WITHOUT_ONE = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication, QMainWindow
from annotate.workspace.workspace import Workspace
from engine import plugin
from engine.web import profile
profile.prepare(headless=True)
application = QApplication(["pagelet"])
from engine.web.view import PageView
from gui.core.feature import Feature
from gui.core.workbench import Workbench
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.window import features
every, installed = features.FEATURES, plugin.plugins()
for left_out in installed:
    plugin.plugins = lambda: tuple(each for each in installed if each is not left_out)
    features.FEATURES = features._with_added(features._CORE, [*plugin.objects("feature", Feature)])
    window, session = QMainWindow(), Session()
    workspace = Workspace.open(Path(sys.argv[1]) / f"{left_out.name}.pagelet")
    workbench = Workbench(session, workspace, PageCanvas(PageView()))
    features.add_features(workbench)
    for feature in features.FEATURES:
        for panel in feature.panels:
            panel.make(workbench, window)
    print(left_out.name, len(every) - len(features.FEATURES))
    workbench.close()
"""


@pytest.mark.slow
def test_features_are_made_without_any_one_plugin(run, tmp_path):
    made = run("-c", _WITHOUT_ONE, tmp_path)
    assert made.returncode == 0, made.stderr[-2000:]
    lines = dict(line.split() for line in made.stdout.splitlines())
    assert {each.name for each in plugin.plugins()} <= lines.keys()
    assert (lines["team_work"], lines["reduce"], lines["archives"]) == ("3", "1", "0")


def test_a_plugin_can_be_switched_off(run, tmp_path):
    listed = run("-m", "pagelet_command", "--without", "tour,crawl", "methods").stdout
    assert "plain" in listed
    gone = run("-m", "pagelet_command", "crawl", "http://a.example", "--without=tour,crawl")
    assert (gone.returncode, "no command" in gone.stderr or "no such" in gone.stderr) == (2, True)
    (tmp_path / "settings" / "pagelet").mkdir(parents=True)
    (tmp_path / "settings" / "pagelet" / "without.txt").write_text("crawl\ntour\n")
    gone = run("-m", "pagelet_command", "crawl", "--help")
    assert gone.returncode == 2
    assert run("-m", "pagelet_command", "train", "--help").returncode == 0


def test_a_request_without_its_plugin_is_refused(qtbot, monkeypatch):
    said = []
    requests = Requests(said.append)
    for name, words in (("pair", (0, 1)), ("transfer", ([0], [1])), ("question", ("Why?",)),
                        ("compare", ("a", "b", None))):  # fmt: skip
        monkeypatch.setattr(plugin, "plugins", lambda: ())
        requests.ask(name, *words)
        assert re.fullmatch(r"[a-z ]+ needs a plug-in that is not installed", said[-1])
        monkeypatch.undo()
        requests.ask(name, *words)
        assert re.search(r" needs the plug-in [a-z_]+, which cannot be used$", said.pop())
        with qtbot.waitSignal(getattr(requests, name)):
            requests.ask(name, *words)
    assert len(said) == 4


def test_tests_outside_the_plugins_import_no_plugin():
    needed = {file: plugins_needed(file) for file in of_core()}
    assert {file: names for file, names in needed.items() if names} == {}
    used: dict[str, set[str]] = {}
    for file in TOP.glob("tests/plugins/**/*.py"):
        name = file.relative_to(TOP).as_posix()
        used.setdefault(of_plugin(name), set()).update(plugins_needed(name))
    assert {name: others for name, others in used.items() if others} == NEEDS


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_all_other_tests_are_collected_without_a_plugin(run, name):
    table = run("-m", "tests.removals", "tests", name, timeout=550)
    assert table.returncode == 0, table.stdout[-3000:]


_RUN_ALONE = (
    "tests/gui/window/test_by_keyboard.py", "tests/gui/window/test_dock_layout.py",
    "tests/gui/window/test_out_of_view.py", "tests/gui/state", "tests/gui/widgets",
    "tests/features/checks", "tests/features/pages", "tests/features/outline",
    "tests/features/layers", "tests/annotate/marks", "tests/annotate/workspace",
    "tests/algorithms/measures", "tests/algorithms/templates",
)  # fmt: skip
"""Of the core's tests, which are all collected in the copy, those that are run there."""

_WITHOUT = """
import sys
from pathlib import Path
from engine import plugin
assert plugin.plugins() == (), plugin.plugins()
assert plugin.problems() == ()
import pagelet
assert pagelet.open(b"<p>quiet words</p>").run("plain").text == "quiet words"
from PySide6.QtWidgets import QApplication
from engine.web import profile
profile.prepare(headless=True)
application = QApplication(["pagelet"])
from gui.window import app
window = app.build(Path(sys.argv[1]))
window.show()
window.session.open.page_changed.connect(application.quit)
window.workbench.navigation.open_path(sys.argv[2])
application.exec()
assert window.session.open.page is not None
window.close()
window.close_down()
print("shown")
"""


@pytest.mark.slow
def test_the_core_runs_and_passes_its_tests_without_any_plugin(run, tmp_path):
    copy = tmp_path / "core"
    for floor in (*FLOORS, "engine", "resources", "tests"):
        built = ("site",) if floor == "resources" else ()
        ignored = shutil.ignore_patterns("plugins", "__pycache__", *built)
        shutil.copytree(TOP / floor, copy / floor, ignore=ignored)
    shutil.copy(TOP / "pyproject.toml", copy)
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><title>Words</title><p>quiet words</p>")
    shown = run("-c", _WITHOUT, tmp_path / "a.pagelet", page, top=copy)
    assert "shown" in shown.stdout, shown.stderr[-2000:]
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(warc_record("response", b"HTTP/1.1 200 OK\r\n\r\n", compressed=False))
    for words in (("open", "--look", archive), ("extract", "plain", archive),
                  ("extract", "plain", "--in", archive, "--out", tmp_path / "rows")):  # fmt: skip
        named = run("-m", "pagelet_command", *words, top=copy)
        assert "plug-in archives, which" in named.stdout + named.stderr, words
        assert len((named.stdout + named.stderr).splitlines()) <= 3, words
    frozen = tmp_path / "page.wacz"
    made = run("-m", "pagelet_command", "freeze", page, "--out", frozen, top=copy)
    assert made.returncode == 0, made.stderr
    read = run("-m", "pagelet_command", "extract", "plain", frozen, top=copy)
    assert "quiet words" in read.stdout, read.stderr
    core = of_core()
    assert len(core) > 250
    pytest_words = (
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:pagelet"),  # of gates
        *("-m", "not slow and not long", "--rootdir", copy, "-c", copy / "pyproject.toml"),
    )
    listed = run(*pytest_words, "--co", *(copy / each for each in core), top=copy, timeout=550)
    assert listed.returncode == 0, listed.stdout[-3000:]
    chosen = [each for each in core if each.startswith(_RUN_ALONE)]
    tests = run(*pytest_words, *(copy / each for each in chosen), top=copy, timeout=550)
    assert tests.returncode == 0, tests.stdout[-3000:]
    if (TOP / ".mypy_cache").is_dir():
        shutil.copytree(TOP / ".mypy_cache", copy / ".mypy_cache")
    types = run("-m", "mypy", top=copy, timeout=550, within=copy)
    assert types.returncode == 0, types.stdout[-3000:]
