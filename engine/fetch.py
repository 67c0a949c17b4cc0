"""The bytes of a document, from a file or one GET.  No Qt.

All raise `InputError` with a sentence for the user.
"""

import gzip
import time
import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from pathlib import Path

from engine.errors import InputError

MAX_BYTES = 64 * 2**20
_USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Pagelet/0.1"


@dataclass(frozen=True)
class Received:
    """The bytes of a document and what the sender said of them.

    Attributes:
        data: As received.
        charset: The charset of the HTTP header, or the forced one; "" if none.
    """

    data: bytes
    charset: str = ""


def read_file(path: Path) -> bytes:
    """Return a file's bytes, unpacked if its name ends in ``.gz``."""
    try:
        if path.suffix == ".gz":
            return _unpacked(path)
        with path.open("rb") as file:
            return limited(file.read(MAX_BYTES + 1), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return limited(file.read(MAX_BYTES + 1), str(path))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot unpack {path}: {error}") from error


def limited(data: bytes, address: str) -> bytes:
    """Return the bytes, if they are not too many (`MAX_BYTES`)."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{address} is larger than {MAX_BYTES // 2**20} MB")
    return data


def get(url: str, timeout_s: float) -> Received:
    """Return the answer to a single GET, whatever its status.  Raises `InputError`."""
    deadline = time.monotonic() + timeout_s
    headers = {"User-Agent": _USER_AGENT, "Accept": "text/html,*/*;q=0.8"}
    try:
        request = urllib.request.Request(url, headers=headers)
        try:
            answer = urllib.request.urlopen(request, timeout=timeout_s)
        except urllib.error.HTTPError as error:
            answer = error  # an error page is a page too, and the browser shows it
        with answer:
            parts: list[bytes] = []
            size = 0
            while part := answer.read(65536):
                parts.append(part)
                size += len(part)
                if time.monotonic() > deadline:
                    raise InputError(f"{url} did not answer within {timeout_s:g} s")
                if size > MAX_BYTES:
                    raise InputError(f"{url} is larger than {MAX_BYTES // 2**20} MB")
            return Received(b"".join(parts), answer.headers.get_content_charset() or "")
    except (OSError, ValueError) as error:  # URLError, time-outs and malformed addresses
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason  # words, not error numbers
        raise InputError(f"cannot get {url}: {reason}") from error
