"""A trained model as one file: named arrays with a head that says what they are.

The same model gives the same bytes.  Reading trusts nobody: no pickles, a limit to the size.
"""

import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import bounded_file
from engine.errors import ParameterError

_LARGEST = 64_000_000

Arrays = dict[str, npt.NDArray[Any]]

DAMAGE = (
    KeyError, ValueError, TypeError, IndexError, AttributeError, OSError, EOFError, MemoryError,
    OverflowError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error,
)  # fmt: skip
"""What reading or trying a file raises that is damaged or was made to do harm."""


class OtherVersion(ParameterError):
    """A whole model that this version cannot use; its text says why and what to do."""


def packed(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return head and arrays as the bytes of a file."""
    written = np.frombuffer(json.dumps(head, sort_keys=True).encode(), np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **{"head": written, **arrays})
    return file.getvalue()


def unpacked(data: bytes, format_: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Return head and arrays; raises `OtherVersion`, or of `DAMAGE` for what is no such file."""
    _check_size(data)
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        arrays = {key: stored[key] for key in stored.files}
    head = json.loads(arrays.pop("head").tobytes())
    if head["format"] != format_:
        raise ValueError("its format is unknown")
    if head["version"] > version:
        raise OtherVersion("a newer Pagelet wrote it: update Pagelet, or train it again")
    return head, arrays


def check_columns(columns: Sequence[str], known: Container[str]) -> None:
    """Raise `OtherVersion` where a model reads columns that are not measured."""
    unknown = [name for name in columns if name not in known]
    if unknown:
        shown = ", ".join(unknown[:3]) + (" …" if len(unknown) > 3 else "")
        raise OtherVersion(
            f"the model learned from measures that this Pagelet does not have ({shown}): train it "
            "again, or use the Pagelet it was made with"
        )


def format_of(data: bytes) -> str:
    """Return what a file says it holds; "" for what is no model."""
    try:
        _check_size(data)
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return str(json.loads(stored["head"].tobytes())["format"])
    except DAMAGE:
        return ""


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        if sum(member.file_size for member in members.infolist()) > _LARGEST:
            raise ValueError("it is too large")


def part_of(arrays: Arrays, name: str) -> Arrays:
    """Return the arrays whose names begin with a name and ``_``, without that."""
    return {
        key.removeprefix(f"{name}_"): array
        for key, array in arrays.items()
        if key.startswith(f"{name}_")
    }


def read(path: Path) -> bytes:
    """Return the bytes of a file; `ParameterError` says in a sentence why it cannot be read."""
    try:
        return bounded_file.read_bytes(path)
    except FileNotFoundError:
        raise ParameterError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ParameterError(f"{path}: it cannot be read: {error.strerror or error}") from error
