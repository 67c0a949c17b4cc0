"""Test the message for an address space that is too small for Chromium."""

import subprocess
import sys

import pytest

from tests.typed_commands import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")

_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, {hard}))
sys.path.insert(0, {root!r})
from engine.web.profile import check_address_space
check_address_space()
print(resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY)
"""


def limited(hard):
    """Run the check in a process with a limit of 2 GB that it may raise to ``hard``."""
    words = _LIMITED.format(hard=hard, root=str(ROOT))
    return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)


def test_a_limit_that_cannot_be_raised_is_named_with_its_mend():
    done = limited("2 * 10**9")
    assert done.stderr.splitlines()[-1] == (
        "engine.errors.InputError: rendering a page reserves 140 GB of addresses and the limit is "
        "2.0 GB: lift it with ulimit -v unlimited, and limit memory with --memory"
    )


def test_a_soft_limit_is_raised():
    assert limited("resource.RLIM_INFINITY").stdout.strip() == "True"
