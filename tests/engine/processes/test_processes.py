"""Test commands and workers that hang, crash or print too much."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from engine import memory
from engine.errors import MethodError, MethodTimeout
from engine.processes import commands
from engine.processes.commands import run_command
from engine.processes.descendants import IS_POSSIBLE
from engine.processes.foreign import ForeignWorker, Utf8

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def python(code):
    return [sys.executable, "-c", textwrap.dedent(code)]


def is_running(process_id):
    try:
        with open(f"/proc/{process_id}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# commands


def test_run_command_returns_what_the_command_prints():
    code = "import sys; sys.stdout.write(sys.stdin.read().upper())"
    assert run_command(python(code), b"page", 20) == b"PAGE"


def test_a_command_may_ignore_its_input():
    assert run_command(python("print('done')"), b"x" * 5_000_000, 20) == b"done\n"


def test_input_and_output_larger_than_a_pipe_are_transferred():
    code = "import sys; sys.stdout.write(sys.stdin.read() * 3)"
    assert len(run_command(python(code), b"x" * 1_000_000, 20)) == 3_000_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-program-here"], "no-such-program-here cannot be started"),
        (["/"], "cannot be started"),
        (python("import sys; sys.exit(3)"), "ended with status 3"),
        (python("import sys; sys.exit('no model')"), "ended with status 1: no model"),
        (python("raise ValueError('odd page')"), "ended with status 1: ValueError: odd page"),
        (python("import os; os.kill(os.getpid(), 11)"), "was ended by SIGSEGV"),
    ],
)
def test_a_failing_command_raises_the_reason(words, said):
    with pytest.raises(MethodError, match=said):
        run_command(words, b"page", 20)


def test_a_hanging_command_is_ended_with_its_children(tmp_path):
    note = tmp_path / "child"
    code = f"""
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(note)!r}, "w").write(str(child.pid))
        time.sleep(600)
    """
    with pytest.raises(MethodTimeout, match=r"took longer than 1\.5 s"):
        run_command(python(code), b"page", 1.5)
    child = int(note.read_text())
    until = time.monotonic() + 10
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(child)


LEAVES = """
(setsid sh -c "echo $$ >> {0}; sleep 631" &)
setsid sh -c 'setsid sh -c "echo \\$\\$ >> {0}; sleep 632" &' &
(sh -c 'echo $$ >> {0}; sleep 633' &)
while [ "$(wc -l < {0})" -lt 3 ]; do sleep .02; done
"""


def test_a_worker_interrupted_by_ctrl_c_is_restarted_for_the_next_request(made):
    worker = made()
    worker.ask("one", 20)
    first = worker.process_id

    def interrupt(*_arguments):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            worker.ask("hang", 20)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not is_running(first)
    assert worker.ask("two", 20) == {"text": "w: two"}


def test_a_text_sent_with_a_request_reaches_the_worker_unchanged(made):
    worker = made()
    for text in ("", "zwölf", "\0 \ud800 漢字", "long " * 999_999):
        data = text.encode("utf-8", "surrogatepass")
        assert worker.ask((1, Utf8(data)), 20) == {"text": f"w: {(1, text)}"}


def test_answers_keep_any_members_and_errors_any_letters(made):
    worker = made()
    assert worker.ask("odd", 20) == {"text": 7, "more": "\ud800"}
    with pytest.raises(MethodError, match="ValueError: no page \ud800 like this"):
        worker.ask("error", 20)


@pytest.mark.skipif(not IS_POSSIBLE, reason="only on Linux can a process adopt orphans")
@pytest.mark.parametrize("ending", ["sleep 630", "echo done", "kill -SEGV $$", "kill -STOP $$"])
def test_children_in_new_sessions_end_with_the_command(tmp_path, ending):
    note = tmp_path / "children"
    note.touch()
    script = f"{LEAVES.format(note)}{ending}"
    if ending == "echo done":
        assert run_command(["sh", "-c", script], b"", 10) == b"done\n"
    else:
        with pytest.raises(MethodError):
            run_command(["sh", "-c", script], b"", 2)
    children = [int(line) for line in note.read_text().split()]
    assert len(children) == 3
    assert not any(map(is_running, children))


@pytest.mark.skipif(not IS_POSSIBLE, reason="only Linux reports the end of a parent")
def test_a_command_ends_when_pagelet_is_killed(tmp_path):
    note = tmp_path / "child"
    code = f"""
        from engine.processes.commands import run_command
        run_command(["sh", "-c", "setsid sh -c 'echo $$ > {note}; sleep 634'"], b"", 100)
    """
    with subprocess.Popen(python(code)) as pagelet:
        until = time.monotonic() + 30
        while not (note.exists() and note.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
        child = int(note.read_text())
        pagelet.kill()
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(child)


@pytest.mark.skipif(not IS_POSSIBLE, reason="only Linux reports the end of a parent")
def test_a_command_ends_when_pagelet_is_killed_while_it_ends_the_command(tmp_path):
    note = tmp_path / "child"
    code = f"""
        import os, pathlib, subprocess, time
        from engine.processes import descendants, groups
        from engine.processes.commands import start_command
        note = pathlib.Path({str(note)!r})
        words = ["sh", "-c", "echo $$ >> {note}; sleep 636"]
        command = start_command(words, None, None, subprocess.DEVNULL)
        while not note.exists() or not note.read_text():
            time.sleep(0.02)
        with note.open("a") as file:
            print(command.pid, file=file)
        descendants.end_descendants = lambda _: os.kill(os.getpid(), 9)
        groups.end_group(command)
    """
    assert subprocess.run(python(code), check=False).returncode == -9
    child, keeper = map(int, note.read_text().split())
    until = time.monotonic() + 10
    while (is_running(child) or is_running(keeper)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(child)
    assert not is_running(keeper)


def test_a_command_that_prints_too_much_is_ended(monkeypatch):
    monkeypatch.setattr(commands, "MOST_BYTES", 1_000_000)
    with pytest.raises(MethodError, match="printed more than 1 MB"):
        run_command(python("while True: print('x' * 1000)"), b"page", 20)


def test_a_command_with_much_error_output_is_run_to_its_end():
    code = "import sys; [sys.stderr.write('x' * 999 + '\\n') for _ in range(9999)]; print('ok')"
    assert run_command(python(code), b"page", 60) == b"ok\n"


# workers

MODULE = '''
"""What a worker loads in these tests: does what the request says."""
import os, re, signal, subprocess, sys, time

def load(name):
    if name == "broken":
        raise ImportError("no such library")
    if name == "leaves":
        sys.exit(5)
    print("loaded")  # what a library prints must not garble answers

    def answer(request):
        print("rubbish on standard output", flush=True)
        sys.stdout.buffer.write(b"\\x00" * 100)
        word = request
        if word == "hang":
            open(os.path.join(os.path.dirname(__file__), "hangs"), "w").close()
            time.sleep(60)
        elif word == "leave":
            child = subprocess.Popen(["sleep", "635"], start_new_session=True)
            open(os.path.join(os.path.dirname(__file__), "left"), "w").write(str(child.pid))
            time.sleep(60)
        elif word == "leave and quit":
            child = subprocess.Popen(["sleep", "636"], start_new_session=True)
            open(os.path.join(os.path.dirname(__file__), "left"), "w").write(str(child.pid))
            os._exit(3)
        elif word == "deaf":
            path = os.path.join(os.path.dirname(__file__), "left")
            open(path + ".new", "w").write(str(os.getpid()))
            os.rename(path + ".new", path)
            re.match("(a+)+$", "a" * 40 + "b")
        elif word == "fill":
            filled = b"x" * 700_000_000
            time.sleep(60)
        elif word == "fill below":
            fill = "import time; a = b'x' * 300_000_000; time.sleep(60)"
            [subprocess.Popen([sys.executable, "-c", fill], start_new_session=True) for _ in "12"]
            time.sleep(60)
        elif word == "share":
            filled = b"x" * 300_000_000
            if not os.fork():
                time.sleep(60)
            time.sleep(0.5)
        elif word == "die":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif word == "quit":
            print("out of memory", file=sys.stderr, flush=True)
            os._exit(7)
        elif word == "error":
            raise ValueError("no page \\ud800 like this")
        elif word == "odd":
            return {"text": 7, "more": "\\ud800"}
        elif word == "read":
            return {"text": sys.stdin.read() + "nothing"}
        return {"text": f"{name}: {word}"}

    return answer
'''


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Return a function that makes workers of the module above, and close them afterwards."""
    (tmp_path / "pagelet_test_worker.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    workers = []

    def make(name="w"):
        workers.append(ForeignWorker("pagelet_test_worker", name))
        return workers[-1]

    yield make
    for each in workers:
        each.close()


def test_a_worker_answers_several_requests_from_one_process(made):
    worker = made()
    assert worker.process_id is None
    assert worker.ask("one", 20) == {"text": "w: one"}
    first = worker.process_id
    assert worker.ask("zwölf " * 100_000, 20) == {"text": "w: " + "zwölf " * 100_000}
    assert worker.process_id == first


def test_a_worker_that_hangs_is_killed_and_the_next_request_works(made):
    worker = made()
    worker.ask("one", 20)
    first = worker.process_id
    with pytest.raises(MethodTimeout, match=r"took longer than 0\.3 s"):
        worker.ask("hang", 0.3)
    assert not is_running(first)
    assert worker.ask("two", 20) == {"text": "w: two"}


@pytest.mark.skipif(not IS_POSSIBLE, reason="only on Linux can a process adopt orphans")
def test_a_child_in_a_new_session_ends_when_its_worker_times_out(made, tmp_path):
    with pytest.raises(MethodTimeout):
        made().ask("leave", 3)
    assert not is_running(int((tmp_path / "left").read_text()))


def test_a_worker_that_dies_raises_the_reason_and_the_next_request_works(made):
    worker = made()
    with pytest.raises(MethodError, match="was ended by SIGSEGV"):
        worker.ask("die", 20)
    with pytest.raises(MethodError, match="ended with status 7: out of memory"):
        worker.ask("quit", 20)
    assert worker.ask("two", 20) == {"text": "w: two"}


def test_standard_input_of_a_worker_is_empty(made):
    assert made().ask("read", 20) == {"text": "nothing"}


def test_a_library_that_fails_to_load_raises_the_reason_each_time(made):
    worker = made("broken")
    for _ in range(2):
        with pytest.raises(MethodError, match=r"cannot be loaded \(ImportError: no such library"):
            worker.ask("one", 20)
    with pytest.raises(MethodError, match="cannot be loaded"):
        made("leaves").ask("one", 20)


def test_a_worker_killed_from_outside_is_started_again(made):
    worker = made()
    worker.ask("one", 20)
    os.kill(worker.process_id, 9)
    until = time.monotonic() + 10
    while worker.process_id is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert worker.ask("two", 20) == {"text": "w: two"}


@pytest.mark.long
def test_a_hanging_worker_ends_with_pagelet(tmp_path):
    (tmp_path / "pagelet_test_worker.py").write_text(MODULE)
    code = f"""
        import os, pathlib, sys, threading
        sys.path.insert(0, {str(tmp_path)!r})
        from engine.processes.foreign import ForeignWorker
        worker = ForeignWorker("pagelet_test_worker", "w")
        worker.ask("one", 20)
        print(worker.process_id, flush=True)
        threading.Thread(target=worker.ask, args=("hang", 60), daemon=True).start()
        while not pathlib.Path({str(tmp_path)!r}, "hangs").exists():
            pass
        os._exit(0)  # without a word to anybody
    """
    root = os.path.dirname(os.path.dirname(os.path.dirname(commands.__file__)))  # noqa: PTH120
    done = subprocess.run(python(code), capture_output=True, text=True, timeout=60, cwd=root)
    worker = int(done.stdout)
    until = time.monotonic() + 15
    while is_running(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(worker)


@pytest.mark.skipif(not IS_POSSIBLE, reason="only on Linux can a process adopt orphans")
def test_a_child_in_a_new_session_ends_when_its_worker_quits(made, tmp_path):
    with pytest.raises(MethodError, match="ended with status 3"):
        made().ask("leave and quit", 20)
    assert not is_running(int((tmp_path / "left").read_text()))


@pytest.mark.skipif(not IS_POSSIBLE, reason="only Linux reports the end of a parent")
def test_a_worker_outlives_its_thread_and_ends_with_pagelet(tmp_path):
    (tmp_path / "pagelet_test_worker.py").write_text(MODULE)
    code = f"""
        import os, sys, threading
        sys.path.insert(0, {str(tmp_path)!r})
        from engine.processes.foreign import ForeignWorker
        worker = ForeignWorker("pagelet_test_worker", "w")
        thread = threading.Thread(target=worker.ask, args=("one", 20))
        thread.start(); thread.join()
        before = worker.process_id
        worker.ask("two", 20)
        print(before, worker.process_id, flush=True)
        worker.ask("deaf", 600)  # holds the interpreter's lock: it hears of nothing
    """
    with subprocess.Popen(python(code), stdout=subprocess.PIPE, text=True) as pagelet:
        before, after = map(int, pagelet.stdout.readline().split())
        until = time.monotonic() + 20
        while not (tmp_path / "left").exists() and time.monotonic() < until:
            time.sleep(0.02)
        pagelet.kill()
    assert before == after
    deaf = int((tmp_path / "left").read_text())
    while (is_running(deaf) or is_running(before)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(deaf)
    assert not is_running(before)


def test_a_worker_above_the_memory_limit_is_ended_with_the_reason(made, monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "0.5")
    worker = made()
    for word in ("fill", "fill below"):
        with pytest.raises(MethodError, match=r"took more than 0\.5 GB of memory \(allow more"):
            worker.ask(word, 30)
    assert worker.ask("two", 20) == {"text": "w: two"}


def test_a_command_above_the_memory_limit_is_ended_with_the_reason(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "0.5")
    with pytest.raises(MethodError, match=r"took more than 0\.5 GB of memory"):
        run_command(python("import time; a = b'x' * 700_000_000; time.sleep(60)"), b"", 30)


@pytest.mark.skipif(not IS_POSSIBLE, reason="only Linux reports shared memory")
def test_memory_shared_by_processes_is_counted_once(made, monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "0.5")
    assert made().ask("share", 30) == {"text": "w: share"}
