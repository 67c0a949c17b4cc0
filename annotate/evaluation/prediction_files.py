"""Extracted texts as files that other scorers read, and the gold they score against.

One JSON a method and input: ``{"name", "seconds": {document: s}, "output": {document: text}}``.  A
document on which the method failed is not in it.  For a data set that is no package
(formats.md#package) a package with its gold is written beside them.
"""

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import InputError
from engine.whole_file import atomic_write

_THEN = (1980, 1, 1, 0, 0, 0)
"""Time stamp of every member: the same pages give the same package."""


@dataclass
class Predictions:
    """Texts that one method extracted from the pages of one data set."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict)
    output: dict[str, str] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write the file; raises `InputError` if it cannot be written."""
        content = {"name": self.name, "seconds": self.seconds, "output": self.output}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as beside:
                beside.write_text(json.dumps(content, indent=0), "ascii")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from error


@dataclass(frozen=True)
class PredictedPage:
    """Document of a package: its bytes as received, gold text, metadata."""

    name: str
    data: bytes
    gold: str
    about: Mapping[str, str]


def write_package(path: Path, name: str, pages: Iterable[PredictedPage]) -> None:
    """Write a package of formats.md#package; raises `InputError` if it cannot be written.

    What UTF-8 cannot say of a page's name stands in it as in the rows, ``\\udce9``.
    """
    documents = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            atomic_write(path) as beside,
            zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as package,
        ):
            for page in pages:
                name = page.name.encode("utf-8", "backslashreplace").decode()
                documents.append(name)
                _add(package, f"{name}.html", page.data)
                _add(package, f"{name}.txt", page.gold.encode("utf-8", "replace"))
                _add(package, f"{name}.json", _json(dict(page.about)))
            about = {
                "format": "ce-package", "version": 1, "name": name, "description": "", "source": "",
                "licence": "", "gold": "full", "documents": documents,
            }  # fmt: skip
            _add(package, "package.json", _json(about))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _add(package: zipfile.ZipFile, name: str, data: bytes) -> None:
    member = zipfile.ZipInfo(name, _THEN)
    member.compress_type = zipfile.ZIP_DEFLATED
    package.writestr(member, data)


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
