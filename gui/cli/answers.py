"""Answers for programs: with ``--json`` one JSON value on standard output, whatever happens.

A command that prints JSON answers with that; of any other the answer has its lines, and the files
it was told to write.  An error is ``{"error": …, "fix": …, "exit": …}``.  The schemas of all
answers lie in ``resources/schemas``; the exit statuses are those of `gui.cli.main`.
"""

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from engine.errors import InputError
from engine.words import no_such, plural
from gui.cli.terminal import print_json

OPTION, SELECT = "--json", "--select"

_OUTPUTS = ("out", "test", "write", "log", "plot")
"""Parameters of commands that name files or folders to write."""


def is_asked(words: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON."""
    own = words[: words.index("--")] if "--" in words else words
    return any(word in (OPTION, SELECT) or word.startswith(f"{SELECT}=") for word in own)


class JsonAnswer:
    """Standard output of a command, kept until it ends.

    Attributes:
        command: Its name.
        options: The parsed arguments, once there are any.
    """

    def __init__(self) -> None:
        self.command = ""
        self.options = argparse.Namespace()
        self._out = io.StringIO()
        self._said: list[str] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Keep what is printed back; messages go to standard error as well."""
        out, err = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self._out, cast("TextIO", _Heard(err, self._said))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = out, err

    def show(self, status: int) -> None:
        """Print the answer of a command that has ended."""
        text = self._out.getvalue()
        if status and not text.strip():
            self.show_error("".join(self._said).strip(), status)
            return
        path = getattr(self.options, "select", None)
        value = _value_of(text)
        if value is None:
            value = {
                "command": self.command,
                "exit": status,
                "files": _written(self.options),
                "lines": text.splitlines(),
                "notes": "".join(self._said).splitlines(),
            }
        print_json(value if path is None else select(value, path))

    def show_error(self, sentence: str, status: int) -> None:
        """Print an error as JSON, with its remedy."""
        sentence = re.sub(r"^pagelet: ", "", sentence, flags=re.MULTILINE)
        print_json({"error": sentence, "fix": _fix(sentence, status), "exit": status})


def select(value: Any, path: str) -> Any:  # noqa: ANN401  (any JSON)
    """Return a part of a value, as ``pages[0].score``; `InputError` names the parts there are."""
    if not re.fullmatch(r"([^.\[\]]+|\[-?\d+\])(\.[^.\[\]]+|\[-?\d+\])*", path):
        raise InputError(f"{path!r} names no part: write it as pages[0].score")
    at = ""
    for key, index in re.findall(r"([^.\[\]]+)|\[(-?\d+)\]", path):
        step: Any = (
            int(index or key) if isinstance(value, list) and _is_number(index or key) else key
        )
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            where = at or "the answer"
            if isinstance(value, dict):
                raise InputError(f"{where}: {no_such('part', key or index, list(value))}") from None
            has = plural(len(value), "part") if isinstance(value, list) else "no parts"
            raise InputError(f"{where} has {has}, and none is called {key or index}") from None
        at = f"{at}[{step}]" if isinstance(step, int) else f"{at}.{step}".lstrip(".")
    return value


class _Heard:
    """A stream whose lines are kept as well."""

    def __init__(self, stream: TextIO, said: list[str]) -> None:
        self._stream, self._said = stream, said

    def write(self, text: str) -> int:
        self._said.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _value_of(text: str) -> Any:  # noqa: ANN401  (any JSON)
    """Return printed JSON, of several values a list; None without any."""
    values, at, decoder = [], 0, json.JSONDecoder()
    text = text.strip()
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return None
        if not isinstance(value, dict | list) and len(text) != at:
            return None  # words that begin with a number
        values.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return values[0] if len(values) == 1 else values or None


def _written(options: argparse.Namespace) -> list[str]:
    """Return the files and folders that a command was told to write, where they are there."""
    given = (vars(options).get(name) for name in _OUTPUTS)
    named = (path for each in given for path in (each if isinstance(each, list) else [each]))
    return [str(each) for each in named if isinstance(each, Path | str) and Path(each).exists()]


def _fix(sentence: str, status: int) -> str:
    """Return what to do: the part of a message on it, else by the exit status."""
    for mark in ("; ", ": "):
        before, _, after = sentence.rpartition(mark)
        if before and re.match(r"(did you|see |use |give |name |rename|install|run |there (is|are)"
                               r"|choose|open |write |try |pagelet )", after):  # fmt: skip
            return after
    return {2: "correct the command line; --help lists its arguments", 3: "run it again"}.get(
        status, "read the message; --verbose prints details"
    )


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None
