"""Manifest of a frozen page's file, with every value checked before use."""

import re
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from engine import bounds
from engine.errors import InputError

FORMAT, VERSION = "pagelet-frozen", 2
"""Version 1, of Pagelet 0.2, has folders below ``pagelet/``, which ``wacz validate`` refuses."""

MANIFEST = "pagelet/manifest.json"
CERTIFICATE = "pagelet/certificate.json"
PICTURE = "pagelet/picture.png"
WARC = "archive/data.warc.gz"
INDEX = "indexes/index.cdx"
PAGES = "pages/pages.jsonl"
PACKAGE = "datapackage.json"
DIGEST = "datapackage-digest.json"

_LONGEST_TEXT = 4_000
_LONGEST_ADDRESS = 2**20
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TEXTS = ("address", "home", "title", "captured", "engine")


def frames_prefix(version: int) -> str:
    """Return what the names of the frames' members begin with."""
    return "pagelet/frame-" if version > 1 else "pagelet/frames/"


def reference_member(version: int, name: str) -> str:
    """Return the member that has a member of `engine.archive`'s."""
    own = f"-{name.replace('/', '-')}" if version > 1 else f"/{name}"
    return f"pagelet/reference{own}"


def check_manifest(value: dict[str, Any]) -> dict[str, Any]:
    """Return a manifest with all that is expected in it, texts shortened; raises `ValueError`."""
    result = dict(value)
    for name in _TEXTS:
        result[name] = _text(value.get(name), name)
    encoding = value.get("encoding")
    result["encoding"] = None if encoding is None else _text(encoding, "encoding")
    result["lost"] = _list(value.get("lost"), "lost")
    result["clicked"] = _list(value.get("clicked", []), "clicked")
    result["viewport"] = _viewport(value.get("viewport"))
    result["fonts"] = _fonts(value.get("fonts"))
    result["members"] = _members(value.get("members"))
    result["address"] = value["address"]
    if len(value["address"]) > _LONGEST_ADDRESS:
        raise ValueError("its address is too long")
    address = urlsplit(value["address"])  # ValueError for brackets that do not match
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError("its address does not begin with http:// or https://")
    return result


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"its {name} is not a text")
    return value[:_LONGEST_TEXT].encode("utf-8", "replace").decode()


def _list(value: object, name: str) -> list[str]:
    if not isinstance(value, list):
        raise ValueError(f"its {name} is not a list")
    return [_text(each, name) for each in value]


def _viewport(value: object) -> tuple[int, int]:
    try:
        return bounds.sides(value)
    except InputError as error:
        raise ValueError(str(error)) from None


def _fonts(value: object) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict):
        raise ValueError("its fonts are not an object")
    for font in value.values():
        if not isinstance(font, dict) or not all(isinstance(each, str) for each in font.values()):
            raise ValueError("its fonts are not files and digests by family")
    return value


def _members(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("its members are not an object")
    for name, digest in value.items():
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
            raise ValueError("its members are not SHA-256 digests by name")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError("one of its members leads out of the package")
    return value
