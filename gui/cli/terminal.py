"""What reaches a terminal is text: names and titles of pages may hold what would steer it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """Return a text with control characters, and those that turn its direction, as U+FFFD.

    Tabs and ends of lines stay.
    """
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


class _Harmless:
    """A stream that writes nothing but text; in all else it is the stream behind it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(harmless(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def guarded_terminal() -> Iterator[None]:
    """While it lasts, what is printed cannot steer the terminal.

    Messages are texts wherever they go; a result that is written into a file or another program
    stays as it was found.
    """
    before = sys.stdout, sys.stderr
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout = cast("TextIO", _Harmless(sys.stdout))
    if sys.stderr is not None:  # a program without a console has none
        sys.stderr = cast("TextIO", _Harmless(sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
