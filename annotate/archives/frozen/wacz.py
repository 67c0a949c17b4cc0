"""The file of a frozen page: a WACZ with what Pagelet needs beside it (formats.md#frozen-pages).

Members: ``archive/data.warc.gz`` (the responses), ``indexes/index.cdx``, ``pages/pages.jsonl``,
``datapackage.json`` with the SHA-256 of all others, and under ``pagelet/`` the manifest, the frames
as rendered, the node table, the picture and the certificate.

``wacz validate`` knows files in one folder at most, and takes JSON for descriptors of its own where
an outer key is ``checks`` or ``path``: frames and the certificate are therefore one level down.
"""

import json
import os
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeGuard

from annotate.archives.frozen import warc_writing
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.fonts import fonts_of
from annotate.archives.frozen.manifest import (
    CERTIFICATE,
    DIGEST,
    FORMAT,
    INDEX,
    MANIFEST,
    PACKAGE,
    PAGES,
    PICTURE,
    VERSION,
    WARC,
    frames_prefix,
    reference_member,
)
from engine import archive
from engine.bounded_file import atomic_write
from engine.bounds import read_object
from engine.saved import FrozenFrame
from engine.version import own_version

SUFFIX = ".wacz"

_MOST_STEPS = 64
"""Frames in frames that are read."""

_FRAME_KEYS = {
    "address": str, "mode": str, "tree": list, "spaces": list, "states": list, "frames": list,
    "adopted": list, "defined": list,
}  # fmt: skip
"""What is to be of a frame, and of which kind."""

_THEN = (1980, 1, 1, 0, 0, 0)
_PACKED = (".gz", ".png")


def members_of(frozen: Any, engine: str, when: datetime) -> dict[str, bytes]:  # noqa: ANN401
    """Return the members of a frozen page's file but for the certificate.

    ``frozen`` is an `engine.web.freezing.Frozen`, ``engine`` the browser engine that rendered it.
    """
    page = frozen.page
    software = own_version()
    stamp = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    packed, lines = warc_writing.write(frozen.exchanges, stamp, software, "data.warc.gz")
    title = page.title or frozen.address
    digits = when.astimezone(UTC).strftime("%Y%m%d%H%M%S")
    index = sorted(line.text(digits, "data.warc.gz") for line in lines)
    header = {"format": "json-pages-1.0", "id": "pages", "title": "All pages"}
    listed = {"url": frozen.address, "ts": stamp, "title": title}
    members = {
        WARC: packed,
        INDEX: "".join(index).encode(),
        PAGES: f"{json.dumps(header)}\n{json.dumps(listed)}\n".encode(),
        PICTURE: frozen.picture,
    }
    for name, data in archive.members_of(page).items():
        members[reference_member(VERSION, name)] = data
    for number, frame in enumerate(frozen.frames):
        about = {"frame": {"path": frame.path, **frame.kept}}
        name = f"{frames_prefix(VERSION)}{number}"
        members[f"{name}.json"] = json.dumps(about, separators=(",", ":")).encode()
        members[f"{name}.html"] = frame.html.encode("utf-8", "surrogatepass")
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "address": frozen.address,
        "home": frozen.home,
        "title": page.title,
        "captured": stamp,
        "viewport": page.viewport,
        "ratio": 1,
        "scripts": frozen.scripts,
        "engine": engine,
        "software": software,
        "fonts": fonts_of(page),
        "encoding": None if page.original is None else page.original.encoding,
        "notes": page.notes,
        "lost": frozen.lost,
        "clicked": frozen.clicked,
        "members": {name: sha256(data).hexdigest() for name, data in sorted(members.items())},
    }
    members[MANIFEST] = json.dumps(manifest, indent=1).encode()
    return members


def write(path: Path, members: Mapping[str, bytes], certificate: Certificate | None) -> None:
    """Write the file atomically; raises `InputError`."""
    every = dict(members)
    if certificate is not None:
        every[CERTIFICATE] = json.dumps({"certificate": certificate.as_json()}, indent=1).encode()
    manifest = json.loads(members[MANIFEST])
    package = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": manifest["title"] or manifest["address"],
        "created": manifest["captured"],
        "software": manifest["software"],
        "mainPageUrl": manifest["address"],
        "mainPageDate": manifest["captured"],
        "resources": [
            {
                "name": name.lower().replace("/", "-"),
                "path": name,
                "hash": f"sha256:{sha256(data).hexdigest()}",
                "bytes": len(data),
            }
            for name, data in every.items()
        ],
    }
    every[PACKAGE] = json.dumps(package, indent=1).encode()
    digest = {"path": PACKAGE, "hash": f"sha256:{sha256(every[PACKAGE]).hexdigest()}"}
    every[DIGEST] = json.dumps(digest).encode()
    with atomic_write(path) as beside, beside.open("wb") as file:
        with zipfile.ZipFile(file, "w") as package_file:
            for name, data in every.items():
                member = zipfile.ZipInfo(name, _THEN)
                is_packed = name.endswith(_PACKED)
                member.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
                package_file.writestr(member, data)
        file.flush()
        os.fsync(file.fileno())


def frames_from(members: Mapping[str, bytes], version: int) -> tuple[FrozenFrame, ...]:
    """Return the frames in these members; `ValueError` or `InputError` for damaged ones."""
    result = []
    prefix = frames_prefix(version)
    for number in range(sum(1 for name in members if name.endswith(".html"))):
        name = f"{prefix}{number}"
        if not {f"{name}.json", f"{name}.html"} <= members.keys():
            raise ValueError(f"{name}.json or {name}.html is missing")
        about = read_object(members[f"{name}.json"], f"{name}.json")
        facts: Any = about if version == 1 else about.get("frame")
        path = facts.pop("path", None) if isinstance(facts, dict) else None
        if not _is_path(path) or not all(
            isinstance(facts.get(key), kind) for key, kind in _FRAME_KEYS.items()
        ):
            raise ValueError(f"{name}.json is not a frozen frame")
        try:
            html = members[f"{name}.html"].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise ValueError(f"{name}.html is not UTF-8") from None
        result.append(FrozenFrame(tuple(path), html, facts))
    return tuple(result)


def _is_path(value: object) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_STEPS
        and all(type(step) is int and 0 <= step < 2**31 for step in value)
    )
