"""Learned methods, and a trained model as one file: named arrays with a head that describes them.

The same model gives the same bytes.  Reading trusts nobody: no pickles, and limits to how many
arrays, trees and columns there are, and how large, before anything is made of them.
"""

import io
import json
import zipfile
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

import resources
from algorithms.params import FileKind, param
from engine import bounded_file
from engine.archive import numbers
from engine.bounded_file import Stamp, stamp_or_none
from engine.errors import ParameterError
from engine.words import cut_text

_LARGEST = 64_000_000
"""Bytes of a file, and of all its arrays."""

_LARGEST_HEAD = 1_000_000
_MOST_ARRAYS = 256
_MOST_COLUMNS = 2_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others unpack a few bytes to gigabytes before anybody can look."""

Arrays = dict[str, npt.NDArray[Any]]

M = TypeVar("M")


class OtherVersion(ParameterError):
    """A whole model that this version cannot use; its text gives the reason and what to do."""


class TooLarge(ValueError):
    """A model beyond a limit; its text names it."""


@contextmanager
def reading(name: str, what: str) -> Iterator[None]:
    """Convert any exception into a `ParameterError` that describes the fault in one sentence.

    A file that is damaged, or was made to do harm, may make numpy raise anything.
    """
    try:
        # Numbers of a damaged file overflow; whole ones do not.
        with np.errstate(all="ignore"):
            yield
    except OtherVersion as error:
        raise ParameterError(f"{name}: {error}") from None
    except MemoryError:
        raise ParameterError(f"{name}: there is not enough memory for it") from None
    except TooLarge as error:
        raise ParameterError(f"{name}: it is larger than a model may be: {error}") from None
    except Exception as error:
        raise ParameterError(f"{name}: it holds no model of {what}, or is damaged") from error


def pack_model(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return head and arrays as the bytes of a file."""
    written = np.frombuffer(json.dumps(head, sort_keys=True).encode(), np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **{"head": written, **arrays})
    return file.getvalue()


def unpack_model(data: bytes, format_: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Return head and arrays, within `reading`; raises anything for other files."""
    with zipfile.ZipFile(io.BytesIO(data)) as stored:
        head = _head(stored)
        members = [each for each in stored.infolist() if each.filename != f"{_HEAD}.npy"]
        arrays = {each.filename.removesuffix(".npy"): _array(stored, each) for each in members}
    if head["format"] != format_:
        raise ValueError("its format is unknown")
    if head["version"] > version:
        raise OtherVersion("a newer Pagelet wrote it: update Pagelet, or train it again")
    columns = head["columns"]
    if not isinstance(columns, list) or not all(isinstance(each, str) for each in columns):
        raise ValueError("its columns have no names")
    if len(columns) > _MOST_COLUMNS:
        raise TooLarge(f"it has {len(columns):,} columns, more than {_MOST_COLUMNS:,}")
    if len(set(columns)) < len(columns) or not isinstance(head["card"], dict):
        raise ValueError("its columns or its card are damaged")
    return head, arrays


_HEAD = "head"


def _head(stored: zipfile.ZipFile) -> dict[str, Any]:
    """Return the head, all sizes checked."""
    members = stored.infolist()
    if len(members) > _MOST_ARRAYS:
        raise TooLarge(f"it has {len(members):,} arrays, more than {_MOST_ARRAYS}")
    size = sum(member.file_size for member in members)
    if size > _LARGEST:
        raise TooLarge(f"its arrays have {size:,} bytes, more than {_LARGEST:,}")
    written = stored.getinfo(f"{_HEAD}.npy")
    if written.file_size > _LARGEST_HEAD:
        raise TooLarge(f"its head has {written.file_size:,} bytes, more than {_LARGEST_HEAD:,}")
    head: dict[str, Any] = json.loads(_array(stored, written).tobytes())
    return head


def _array(stored: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    if member.compress_type not in _METHODS:
        raise ValueError("it is packed in a way that models are not")
    with stored.open(member) as file:
        return numbers(file.read(member.file_size + 1), member.filename)


def check_columns(columns: Sequence[str], known: Container[str]) -> None:
    """Raise `OtherVersion` where a model reads columns that are not measured."""
    unknown = [name for name in columns if name not in known]
    if unknown:
        shown = ", ".join(cut_text(name, 40) for name in unknown[:3]) + " …" * (len(unknown) > 3)
        raise OtherVersion(
            f"the model learned from measures that this Pagelet does not have ({shown}): train it "
            "again, or use the Pagelet it was made with"
        )


def format_of(data: bytes) -> str:
    """Return the format named in a file, within `reading`; may raise anything for other files."""
    if data.count(b"PK\1\2") > 10 * _MOST_ARRAYS:  # zipfile would read all of them first
        raise TooLarge(f"it has more than {_MOST_ARRAYS} arrays")
    with zipfile.ZipFile(io.BytesIO(data)) as stored:
        return str(_head(stored)["format"])


def part_of(arrays: Arrays, name: str) -> Arrays:
    """Return the arrays whose names begin with a name and ``_``, without that."""
    return {
        key.removeprefix(f"{name}_"): array
        for key, array in arrays.items()
        if key.startswith(f"{name}_")
    }


def read(path: Path) -> bytes:
    """Return the bytes of a file; raises `ParameterError` if it cannot be read."""
    try:
        return bounded_file.read_bytes(path, _LARGEST)
    except FileNotFoundError:
        raise ParameterError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ParameterError(f"{path}: it cannot be read: {error.strerror or error}") from error


@dataclass(frozen=True)
class LearnedMethod(Generic[M]):
    """A method that reads pages by a model: the one that ships, or another of ``pagelet train``.

    Attributes:
        key: Of the method; the model that ships is the resource ``KEY/model.npz``.
        format, version: Of its files; those of earlier versions are read, too.
        make: Makes a model of the head and the arrays of a file; may raise anything for a damaged
            one.
    """

    key: str
    format: str
    version: int
    make: Callable[[dict[str, Any], Arrays], M]

    def of_bytes(self, data: bytes, name: str) -> M:
        """Return the model that a file holds; raises `ParameterError` with the reason for none."""
        with reading(name, self.key):
            return self.make(*unpack_model(data, self.format, self.version))

    def load(self, path: Path) -> M:
        """Read a model; raises as `of_bytes`."""
        return self.of_bytes(read(path), str(path))

    def model_of(self, path: str) -> M:
        """Return the model in a file, read again when it has changed; "" is the one that ships."""
        where = Path(path) if path else resources.path(f"{self.key}/model.npz")
        model: M = _at(self, str(where), stamp_or_none(where))
        return model

    def parameter(self) -> str:
        """Return the declaration of the parameter ``model``: the path of a file."""
        kind = FileKind(
            "Models", ("*.npz",), lambda path: self.load(Path(path)), "Pagelet's own model"
        )
        declared: str = param("", "a model of pagelet train in place of Pagelet's own", file=kind)
        return declared


@lru_cache(maxsize=8)
def _at(method: LearnedMethod[Any], path: str, _stamp: Stamp | None) -> Any:  # noqa: ANN401
    return method.load(Path(path))
