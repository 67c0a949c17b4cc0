"""Test that the examples of ``--help`` work when typed."""

import shlex

import pytest

from tests.typed_commands import typed

COMMANDS = ("freeze", "verify", "import", "export", "merge", "agreement")


def examples(command):
    """Return the examples in the help of a command."""
    output = typed(command, "--help", COLUMNS="80").stdout
    return [line.strip() for line in output.splitlines() if line.startswith("  pagelet ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_in_one_line(command):
    result = examples(command)
    assert result
    assert all(shlex.split(line)[:2] == ["pagelet", command] for line in result)
