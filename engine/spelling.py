"""Names written where some of their characters cannot be, and read back as they were.

A file may be called nearly anything: on Linux by bytes that are no UTF-8, which Python holds as
halves of surrogate pairs, and by line breaks.  Such a character becomes U+FFFD and its number.
"""

import re

HALVES = "\ud800-\udfff"


class Spelling:
    """Spelling without some characters.

    Args:
        odd: The characters, as in brackets of a pattern.
        numbers: Pattern of their numbers, of 4 hexadecimal digits.
    """

    def __init__(self, odd: str, numbers: str) -> None:
        number = f"({numbers}|fffd)"
        self._odd = re.compile(f"[{odd}]|\ufffd(?={number})")
        self._spelt = re.compile(f"\ufffd{number}")

    def write(self, name: str) -> str:
        """Return a name without the characters."""
        if name.isprintable() and "\ufffd" not in name:  # nearly all
            return name
        return self._odd.sub(lambda found: f"\ufffd{ord(found[0]):04x}", name)

    def read(self, text: str) -> str:
        """Return the name that `write` was given."""
        if "\ufffd" not in text:  # nearly all
            return text
        return self._spelt.sub(lambda found: chr(int(found[1], 16)), text)


_HALF = "d[89a-f][0-9a-f]{2}"

UNICODE = Spelling(HALVES, _HALF)
"""For what takes Unicode only, as SQLite."""

ONE_LINE = Spelling(
    f"\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029{HALVES}", f"000[a-d]|001[c-e]|0085|202[89]|{_HALF}"
)
"""For tables: a row is a line, also for a reader that knows no quotes."""
