"""Test how a process is prepared: sandbox, network, environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


def python(code, **environment):
    """Run code in a new process; return its output."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("QTWEBENGINE", "QT_"))}
    answer = subprocess.run(
        [sys.executable, "-c", f"from engine.web.profile import *\n{code}"],
        cwd=REPOSITORY, env={**clean, **environment}, capture_output=True, timeout=60,
    )  # fmt: skip
    return answer.stdout.decode() + answer.stderr.decode()


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the sandbox is certainly off only as root")


@as_root
def test_prepare_warns_that_root_runs_without_a_sandbox():
    output = python("print(prepare(), os.environ['QTWEBENGINE_DISABLE_SANDBOX'])")
    assert output.strip() == '("Chromium\'s sandbox is off (it cannot run as root)",) 1'


@as_root
def test_live_pages_without_a_sandbox_are_refused_unless_allowed():
    assert "add --no-sandbox to open them without it" in python("prepare(online=True)")
    assert "sandbox is off" in python("print(prepare(online=True, no_sandbox=True))")


def test_live_pages_are_refused_where_a_flag_takes_the_sandbox_away():
    code = (
        "import engine.web.profile as p; p.sandbox_problem = lambda: ''\n"
        "os.environ['QTWEBENGINE_CHROMIUM_FLAGS'] = '--disable-seccomp-filter-sandbox'\n"
        "prepare(online=True)"
    )
    assert "is off (QTWEBENGINE_CHROMIUM_FLAGS switches it off)" in python(code)


def test_a_process_prepared_offline_stays_offline():
    code = (
        "print(prepare() == prepare(), is_online())\n"
        "print('~NOTFOUND' in os.environ['QTWEBENGINE_CHROMIUM_FLAGS'])\n"
        "prepare(online=True, no_sandbox=True)"
    )
    output = python(code, QTWEBENGINE_DISABLE_SANDBOX="1")
    assert output.startswith("True False\nTrue\n")
    assert "started offline; start Pagelet anew for live pages" in output


def test_flags_of_the_user_are_kept():
    output = python("prepare(); print(os.environ['QTWEBENGINE_CHROMIUM_FLAGS'])",
                  QTWEBENGINE_CHROMIUM_FLAGS="--mine")  # fmt: skip
    assert output.startswith("--mine --force-webrtc")
    assert "preferredColorScheme=1" in output


def test_a_process_started_from_an_offline_one_may_be_online():
    flags = "print(os.environ['QTWEBENGINE_CHROMIUM_FLAGS'])"
    parent = python(f"prepare(); {flags}", QTWEBENGINE_DISABLE_SANDBOX="1").strip()
    child = python(
        f"prepare(online=True, no_sandbox=True); {flags}", QTWEBENGINE_CHROMIUM_FLAGS=parent
    )
    assert "NOTFOUND" in parent
    assert "MAP * ~NOTFOUND" not in child
    common = "--disable-font-subpixel-positioning"
    assert parent.split().count(common) == child.split().count(common) == 1


def test_the_screen_scale_is_ignored_without_a_window():
    code = "prepare(headless=True); print(os.environ.get('QT_SCALE_FACTOR'))"
    assert python(code, QT_SCALE_FACTOR="2").strip() == "None"
    code = "prepare(); print(os.environ.get('QT_SCALE_FACTOR'))"
    assert python(code, QT_SCALE_FACTOR="2").strip() == "2"


def test_local_servers_are_reached_only_with_near():
    asks = (
        "from engine.document import plain_document\n"
        "from engine.web.profile import may_load\n"
        "print(*(may_load(plain_document(url)) for url in"
        " ('http://localhost:8000/', 'http://127.1.2.3/', 'http://[::1]/x', 'http://example.org/')))"
    )
    assert "False False False True" in python(f"prepare(online=True, no_sandbox=True)\n{asks}")
    far = "True True True True"
    assert far in python(f"prepare(online=True, near=True, no_sandbox=True)\n{asks}")
    assert "False False False False" in python(f"prepare()\n{asks}")
    again = "prepare(online=True, no_sandbox=True)\nprepare(online=True, near=True)"
    assert "does not reach servers on this machine" in python(again)
