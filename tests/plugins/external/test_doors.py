"""External extractors: command, HTTP proxy and Python entry point."""

import dataclasses
import http.client
import http.server
import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from algorithms.core import catalogue
from algorithms.core.attempt import OutcomeStatus, attempt
from algorithms.own.settings import settings_folder
from algorithms.plugins.external.declared import read_declared
from algorithms.plugins.external.entry_points import plugins
from engine.errors import MethodError
from engine.page import Page
from engine.processes.foreign import close_workers
from engine.source import Source
from tests.tables import table

EXAMPLES = Path(__file__).with_name("examples")
LONG = "The ferry came back this morning after nine long years away, and the whole town stood on "
LONG += "the quay to watch it."
PAGE = f"<ul><li>Home<li>News</ul><p>{LONG}</p><p>Advertisement</p><p>caf&eacute; — 猫</p>"


@pytest.fixture(autouse=True)
def _end_workers():
    yield
    close_workers()


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Return a function that writes methods.toml and returns its methods by key and problems."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path))

    def write(text):
        (tmp_path / "methods.toml").write_text(text, "utf-8")
        methods, problems = read_declared()
        return {entry.key: entry for entry in methods}, problems

    return write


def run(entry, html=PAGE, **values):
    page = Page("page", Source.from_text(html))
    return attempt(entry, page, entry.params(**values), "original")


def command(code, **more):
    words = [sys.executable, "-c", code]
    lines = "".join(f"{name} = {value!r}\n" for name, value in more.items())
    return f"[command.mine]\nrun = {words!r}\n{lines}"


# commands


def test_the_example_command_extracts_long_paragraphs(settings):
    script = EXAMPLES / "long_paragraphs.py"
    methods, problems = settings(
        f"[command.long-paragraphs]\nname = 'Long paragraphs'\n"
        f"run = [{sys.executable!r}, {str(script)!r}]\n"
    )
    assert not problems
    entry = methods["long-paragraphs"]
    assert entry.name == "Long paragraphs"
    outcome = run(entry)
    assert outcome.status is OutcomeStatus.OK
    assert outcome.result.text == LONG
    assert outcome.result.source.text_of(outcome.result.spans) == LONG
    assert outcome.result.unmapped == 0


def test_a_command_reads_and_writes_utf_8(settings):
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[-19:])"
    entry = settings(command(code, answer="html"))[0]["mine"]
    assert run(entry).result.text.endswith("— 猫")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('no model')", "ended with status 1: no model"),
        ("import sys; sys.stdout.buffer.write(bytes(range(128, 256)))", "not UTF-8 (byte 0)"),
        ("print('a' + chr(0) + 'b')", "not text: it has the character 0x00"),
        ("print('lorem ipsum')", "none of the 2 words it answered is in the document"),
        ("print('lorem')", "the one word it answered is not in the document"),
        ("print('word ' * 1000000)", "characters, and the document has"),
    ],
)
def test_invalid_output_of_a_command_is_a_failure_with_a_reason(settings, code, reason):
    outcome = run(settings(command(code))[0]["mine"])
    assert outcome.status is OutcomeStatus.FAILED
    assert reason in outcome.error
    assert not outcome.timed_out


def test_a_command_that_hangs_times_out(settings):
    entry = settings(command("import time; time.sleep(60)", seconds=0.5))[0]["mine"]
    outcome = run(entry)
    assert (outcome.status, outcome.timed_out) == (OutcomeStatus.FAILED, True)
    assert run(entry, seconds=0.2).error == "took longer than 0.2 s"


def test_a_command_without_output_gives_an_empty_result(settings):
    assert run(settings(command("pass"))[0]["mine"]).status is OutcomeStatus.EMPTY


def test_a_command_may_be_one_string_and_runs_beside_its_file(settings, tmp_path):
    (tmp_path / "mine.py").write_text("print('Home News')")
    line = f"{shlex.quote(sys.executable)} mine.py"
    assert run(settings(f'[command.mine]\nrun = "{line}"\n')[0]["mine"]).result.text == "Home News"


# proxies


@pytest.fixture
def proxy():
    """Return a function that starts a proxy with an answer function and returns its address."""
    servers = []

    def start(answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answer(self)

            def log_message(self, *_values):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def reply(handler, body, kind="text/plain; charset=utf-8", status=200):
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.end_headers()
    handler.wfile.write(body)


def fetched(handler):
    """Fetch from Pagelet the page that the proxy is asked for."""
    import urllib.request

    with urllib.request.urlopen(handler.path) as answer:
        return answer.read()


def through(settings, address, more=""):
    methods, problems = settings(f"[proxy.mine]\naddress = '{address}'\n{more}")
    assert not problems
    return methods["mine"]


def test_the_example_proxy_extracts_paragraphs(settings):
    server = subprocess.Popen(
        [sys.executable, EXAMPLES / "proxy.py", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        entry = through(settings, f"http://127.0.0.1:{server.stdout.readline().strip()}")
        outcome = run(entry)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    assert outcome.status is OutcomeStatus.OK, outcome.error
    assert outcome.result.text == f"{LONG}\nAdvertisement\ncafé — 猫"
    assert "Home" not in outcome.result.source.text_of(outcome.result.spans)


def test_a_proxy_receives_the_original_bytes_and_answers_in_any_charset(settings, proxy):
    seen = []

    def answer(handler):
        seen.append(fetched(handler))
        reply(handler, "café".encode("latin-1"), "text/plain; charset=iso-8859-1")

    entry = through(settings, proxy(answer))
    data = "<p>ein café in Köln".encode("latin-1")
    page = Page("page", Source.from_bytes(data, "iso-8859-1"))
    assert attempt(entry, page, entry.params(), "original").result.text == "café"
    assert seen == [data]


def test_the_page_is_served_only_to_the_proxy_at_its_address(settings, proxy):
    seen = []

    def ask(address, host):
        server = http.client.HTTPConnection(address.netloc, timeout=10)
        server.request("GET", address.path, headers={"Host": host})
        answer = server.getresponse()
        seen.append((answer.status, answer.read()))
        server.close()

    def answer(handler):
        address = urlsplit(handler.path)
        ask(address, address.netloc)
        ask(address, "evil.example")  # a name that was made to point here
        ask(address._replace(path="/page.html"), address.netloc)  # a guess
        fetched(handler)
        reply(handler, b"Home News")

    entry = through(settings, proxy(answer))
    assert run(entry).status is OutcomeStatus.OK
    assert [status for status, _ in seen] == [200, 404, 404]
    assert seen[1][1] == seen[2][1] == b"There is no such page.\n"
    assert run(entry).status is OutcomeStatus.OK
    assert seen[0] == seen[3]


def test_the_time_of_a_proxy_starts_after_the_page_is_served(settings, proxy):
    asked, served, replied = [], [], []

    def answer(handler):
        time.sleep(0.4)  # before the request: not part of the extraction
        asked.append(time.perf_counter())
        fetched(handler)
        served.append(time.perf_counter())
        time.sleep(0.1)
        replied.append(time.perf_counter())
        reply(handler, b"Home News")

    outcome = run(through(settings, proxy(answer)))
    assert replied[0] - served[0] <= outcome.seconds <= time.perf_counter() - asked[0]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda h: (fetched(h), reply(h, b"", status=502)), "the proxy answered 502"),
        (lambda h: reply(h, b"Home"), "the proxy answered without asking for the page"),
        (lambda h: h.connection.close(), "no answer from the proxy at"),
        (lambda h: (fetched(h), reply(h, b"lorem ipsum")), "none of the 2 words"),
    ],
)
def test_a_failing_proxy_is_a_failure_with_a_reason(settings, proxy, answer, reason):
    outcome = run(through(settings, proxy(answer)))
    assert outcome.status is OutcomeStatus.FAILED
    assert reason in outcome.error


def test_an_unreachable_proxy_is_a_failure(settings):
    outcome = run(through(settings, "127.0.0.1:9"))
    assert outcome.error.startswith("no answer from the proxy at 127.0.0.1:9: ")


@pytest.mark.parametrize("drips", [False, True])
def test_a_proxy_that_hangs_times_out(settings, proxy, drips):
    ended = threading.Event()

    def answer(handler):
        fetched(handler)
        handler.send_response(200)
        handler.end_headers()
        while not ended.wait(0.05):
            if drips:
                handler.wfile.write(b"x")  # each byte in time, but without an end

    outcome = run(through(settings, proxy(answer), "seconds = 2"))
    ended.set()
    assert (outcome.status, outcome.timed_out) == (OutcomeStatus.FAILED, True)


# the file of declarations


def test_no_methods_are_declared_without_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "nowhere"))
    assert read_declared() == ((), ())
    assert settings_folder() == tmp_path / "nowhere"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("[command.x]", "command x: run is missing"),
        ("[command.x]\nrun = []", "command x: run is missing"),
        ('[command.x]\nrun = "a \'b"', "command x: run is"),
        ("[command.x]\nrun = ['a']\nanswer = 'pdf'", "answer must be text or html, got 'pdf'"),
        ("[command.x]\nrun = ['a']\nseconds = -1", "seconds must be a number up to 3600, got -1"),
        ("[command.x]\nrun = ['a']\nseconds = true", "got True"),
        (
            "[command.x]\nrun = ['a']\ntimeout = 3",
            "timeout is not known; expected run, serve, name",
        ),
        ("[command.x]\nrun = ['a']\nname = 3", "name must be a text, got 3"),
        ("[command.'x y']\nrun = ['a']", "command x y: the key may have small letters"),
        ("[proxy.x]", "proxy x: address is missing"),
        ("[proxy.x]\naddress = 'localhost'", "address is 'localhost'; expected one as in"),
        ("[proxy.x]\naddress = 'https://localhost:1'", "expected one as in"),
        ("[proxy.x]\naddress = 'localhost:port'", "expected one as in"),
        ("[comand.x]\nrun = ['a']", "[comand] is not known; expected [command.KEY] or [proxy.KEY]"),
        ("command = 3", "[command] is not known"),
    ],
)
def test_an_invalid_entry_is_reported_and_the_others_are_kept(settings, entry, said):
    good = "[proxy.good]\naddress = '127.0.0.1:1'\n"
    text = f"{entry}\n{good}" if entry.startswith("command") else f"{good}{entry}\n"
    methods, problems = settings(text)
    assert list(methods) == ["good"]
    assert len(problems) == 1
    assert said in problems[0]
    assert "methods.toml" in problems[0]


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "[" * 400 + "]" * 400,
        "a = " + "{b = " * 2_000,
        "[command." + ".".join("a" * 3_000) + "]",
        "a = " + "9" * 10_000,
        "[proxy.x]\naddress = '\\u0000:1'",
        "# " + "x" * 2_000_000,
        "[command.x]\nrun = ['~no-such-user/extract']",
        "[readability-js]\npackage = '~no-such-user/readability'",
    ],
    ids=lambda text: text[:20],
)
def test_odd_and_deeply_nested_values_are_reported_as_one_problem(settings, text):
    methods, problems = settings(text)
    assert not methods
    assert len(problems) == 1
    assert "methods.toml" in problems[0]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")
def test_a_pipe_is_refused_without_waiting_for_it(settings, tmp_path):
    os.mkfifo(tmp_path / "methods.toml")
    assert read_declared() == (
        (),
        (f"{tmp_path / 'methods.toml'} cannot be read: it is not a file",),
    )


def test_settings_of_an_unknown_user_declare_no_methods(monkeypatch):
    monkeypatch.setenv("PAGELET_SETTINGS", "~no-such-user/settings")
    assert read_declared() == ((), ())


@pytest.mark.parametrize("host", ["exa mple", "a" * 70, "x..y", "[::1%25"])
def test_a_proxy_at_an_invalid_host_fails_with_a_reason(settings, host):
    methods, problems = settings(f"[proxy.mine]\naddress = '{host}:4001'\n")
    assert len(methods) + len(problems) == 1
    if methods:
        assert "no answer from the proxy at" in run(methods["mine"]).error


def test_a_file_that_is_not_toml_is_reported(settings):
    methods, problems = settings("[command.x")
    assert not methods
    assert len(problems) == 1
    assert "is not TOML" in problems[0]


def test_an_entry_with_a_used_key_is_left_out_and_reported(settings, monkeypatch):
    settings("[proxy.bte]\naddress = '127.0.0.1:1'\n[proxy.mine]\naddress = '127.0.0.1:1'\n")
    catalogue._others.cache_clear()
    try:
        keys = [entry.key for entry in catalogue.available()]
        assert keys.count("bte") == 1
        assert "mine" in keys
        assert catalogue.method("mine").version == "the proxy at 127.0.0.1:1"
        assert any("there is a method 'bte'" in problem for problem in catalogue.problems())
    finally:
        catalogue._others.cache_clear()


# entry points

PLUGIN = """
import os, sys, time
from dataclasses import dataclass
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Extraction, Segmentation

@dataclass(frozen=True)
class HalfParams(Params):
    do: str = param("halve", "what to do")
    seconds: float = param(20.0, "time limit", low=0.1)

def extract(source, params):
    print("rubbish")
    if params.do == "hang":
        time.sleep(60)
    if params.do == "raise":
        raise RuntimeError("out of\\nideas")
    if params.do == "exit":
        os._exit(3)
    if params.do == "lie":
        return source.text
    if params.do == "beyond":
        return Extraction(source, [[0, 10**6]])
    return Extraction(source, [[0, len(source.html) // 2]])

def segment(page, params):
    return Segmentation(page.rendered(), (Block((1,), 1, "Content", "it is the body"),))

HALF = Method("half", "Half", HalfParams, "extraction", "me", on_source=extract)
BODY = Method("body", "Body", Params, "segmentation", "me", on_page=segment)
NOTHING = 3
"""


@pytest.fixture
def packaged(tmp_path, monkeypatch):
    """Return a function that installs a package with entry points for this test."""

    def install(code=PLUGIN, points="half = pagelet_mine:HALF\nbody = pagelet_mine:BODY\n"):
        about = tmp_path / "pagelet_mine-1.2.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pagelet-mine\nVersion: 1.2\n")
        (about / "entry_points.txt").write_text(f"[pagelet.methods]\n{points}")
        (tmp_path / "pagelet_mine.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "pagelet_mine", raising=False)
        methods, problems = plugins()
        return {entry.key: entry for entry in methods}, problems

    yield install
    sys.modules.pop("pagelet_mine", None)


def test_the_example_entry_point_extracts_the_first_half(packaged):
    code = (EXAMPLES / "first_half.py").read_text("utf-8")
    methods, problems = packaged(code, "first-half = pagelet_mine:METHOD\n")
    assert not problems
    assert methods["first-half"].version == "pagelet-mine 1.2"
    outcome = run(methods["first-half"])
    assert outcome.status is OutcomeStatus.OK
    assert outcome.result.text.startswith("Home\nNews\nThe ferry")
    assert not outcome.result.text.endswith("猫")


def test_a_plugin_runs_in_a_worker_process_that_survives_its_failures(packaged):
    half = packaged()[0]["half"]
    assert run(half).result.text.startswith("Home")
    assert run(half, do="raise").error == "RuntimeError: out of ideas"
    assert run(half, do="exit").error.startswith("ended with status 3")
    late = run(half, do="hang", seconds=0.3)
    assert (late.timed_out, late.error) == (True, "took longer than 0.3 s")
    assert "expected an Extraction" in run(half, do="lie").error
    assert "outside the page" in run(half, do="beyond").error
    assert run(half).status is OutcomeStatus.OK


TRACED = """
import os
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import everything
from algorithms.trace import Rule, Trace, step

def why(source, params):
    size = source.tokens.words.size
    return Trace((step(Rule(f"in process {os.getpid()}"), [[0, size]], True),), size)

ALL = Method("all", "All", Params, "extraction", "me", on_source=lambda s, p: everything(s),
             trace_source=why)
LIAR = Method("liar", "Liar", Params, "extraction", "me", on_source=lambda s, p: everything(s),
              trace_source=lambda s, p: "because")
"""


def test_the_trace_of_a_plugin_is_computed_in_its_worker_process(packaged):
    methods, problems = packaged(TRACED, "all = pagelet_mine:ALL\nliar = pagelet_mine:LIAR\n")
    assert not problems
    source = Source.from_text("<p>some words")
    trace = methods["all"].trace_source(source, methods["all"].params())
    (decision,) = trace.decisions(1)
    assert decision.sentence.startswith("kept: in process ")
    assert str(os.getpid()) not in decision.sentence
    assert trace.kept.all()
    with pytest.raises(MethodError, match="its trace is a str; expected a Trace"):
        methods["liar"].trace_source(source, methods["liar"].params())


def test_a_plugin_can_segment_the_rendered_page(packaged):
    body = packaged()[0]["body"]
    nodes = table(("body", (0, 0, 1000, 800), [("p", (0, 0, 1000, 20), "words")]))
    views = tuple(MappingProxyType(dict(each)) for each in nodes.attributes)  # as captured
    nodes = dataclasses.replace(nodes, attributes=views)
    page = Page("page", Source.from_text("<p>words"), Source.from_text("<p>words"), nodes)
    outcome = attempt(body, page, body.params(), "rendered")
    assert outcome.status is OutcomeStatus.OK, outcome.error
    block = outcome.result.blocks[0]
    assert (block.rows, block.level, block.type, block.reason) == (
        (1,), 1, "Content", "it is the body",
    )  # fmt: skip
    assert outcome.result.nodes is page.nodes


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
        ("HALF = 3", "is of type int; expected a Method"),
        ("raise SystemError('no')", "SystemError: no"),
        (PLUGIN.replace(", on_source=extract", ""), "has neither on_source nor on_page"),
        (PLUGIN.replace('"extraction", "me"', '"texts", "me"'), "got 'texts'"),
    ],
)
def test_a_package_that_cannot_be_used_is_reported(packaged, code, said):
    methods, problems = packaged(code, "half = pagelet_mine:HALF\n")
    assert not methods
    assert len(problems) == 1
    assert said in problems[0]
    assert problems[0].startswith("pagelet-mine 1.2: method half cannot be used: ")
