"""Output to a terminal as plain text, without control characters, in any encoding.

Names and titles of pages may hold what would steer a terminal, and what its encoding has no sign
for; a disk may be full, an output closed.
"""

import codecs
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast

from engine.errors import OutputError

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ESCAPED = "pagelet.escaped"


def harmless(text: str) -> str:
    """Return a text with control characters, and those that turn its direction, as U+FFFD.

    Tabs and ends of lines stay.
    """
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def json_text(value: object, indent: int | None = None) -> str:
    """Return a value as JSON that holds no such characters as they are, and loses none."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _CONTROLS.sub(lambda result: _escaped(result[0]), text)


def print_json(value: object, indent: int | None = 2, *, is_ascii: bool = False) -> None:
    """Print a value as JSON; optionally with all letters beyond ASCII escaped."""
    print(json.dumps(value, indent=indent) if is_ascii else json_text(value, indent))


def progress(text: str) -> None:
    """Print progress of a long command on stderr."""
    print(text, file=sys.stderr)


def note(*texts: object) -> None:
    """Print each text as a message of Pagelet on stderr."""
    for text in texts:
        print(f"pagelet: {text}", file=sys.stderr)


def _escaped(text: str) -> str:
    """Write characters as JSON does: ``\\uXXXX``, two of these beyond the first 65,536."""
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True)
    )


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Handle what an output has no sign for, such as a file name that is no UTF-8."""
    assert isinstance(error, UnicodeEncodeError)
    return _escaped(error.object[error.start : error.end]), error.end


codecs.register_error(_ESCAPED, _escape)


class _Harmless:
    """A stream that writes nothing but text; in all else it is the stream behind it.

    Args:
        name: How messages call it; "" where there is nobody to tell that it cannot be written.
    """

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._errors = getattr(stream, "errors", None)
        self._set_errors(_ESCAPED)

    def write(self, text: str) -> int:
        self._try(lambda: self._stream.write(harmless(text)))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def give_back(self) -> TextIO:
        """Return the stream behind it, as it was; nothing is left to be written."""
        with suppress(OutputError, BrokenPipeError, ValueError):
            self.flush()
        self._set_errors(self._errors)
        return self._stream

    def _set_errors(self, errors: str | None) -> None:
        # A stream that cannot be written cannot be changed either, nor one that is no file.
        with suppress(AttributeError, OSError, ValueError):
            self._stream.reconfigure(errors=errors)  # type: ignore[attr-defined]

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except BrokenPipeError:
            raise
        except OSError as error:
            drop_output(self._stream)
            if self._name:
                raise OutputError(
                    f"cannot write to {self._name}: {error.strerror or error}"
                ) from None

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def drop_output(stream: TextIO) -> None:
    """Discard pending output of a stream without another error."""
    with suppress(OSError, ValueError):
        number = stream.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, number)
        os.close(nothing)


def open_closed_streams() -> None:
    """Put nothing where a standard stream was closed (``>&-``).

    The next file that is opened, a workspace maybe, would else take its number, and what a browser
    prints would be written into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123


@contextmanager
def guarded_terminal() -> Iterator[None]:
    """Strip control characters from output and report failed writes, in a context.

    Raises:
        OutputError: Something was printed that could not be written.
    """
    open_closed_streams()
    out, err = _Harmless(sys.stdout, "standard output"), _Harmless(sys.stderr, "")
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out.give_back(), err.give_back()
