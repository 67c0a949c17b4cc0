"""Revisits and conversions, and the records they refer to in archives read together.

A crawler writes a revisit where it got what it had stored before; the page is in the other record.
A conversion without its original is the page itself.

Source: ISO 28500 (WARC 1.1), 6.7 and 6.8.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from annotate.archives.gzip_records import fields_of
from annotate.archives.magic import HTML_KINDS
from annotate.archives.page_ranges import ArchiveContents, Place, Resolved
from annotate.plugins.archives.framing import Frame
from annotate.plugins.archives.record_reader import bare_id

_LOOKED_AT = 8192
"""Bytes of an answer in which its type is looked for."""


@dataclass
class _Waiting:
    kind: str
    fields: dict[str, str]
    offset: int
    length: int | None
    place: Place
    archive: ArchiveContents
    is_html: bool


@dataclass
class Revisits:
    """Collects responses and revisits, over all archives that are read together."""

    _by_id: dict[str, Place] = field(default_factory=dict)
    _by_digest: dict[str, Place] = field(default_factory=dict)
    _by_address: dict[str, list[tuple[str, Place]]] = field(default_factory=dict)
    _others: set[int] = field(default_factory=set)
    _waiting: list[_Waiting] = field(default_factory=list)

    def note(self, path: Path, member: str, frame: Frame, archive: ArchiveContents) -> None:
        """Register a record; ``archive`` counts records that are not responses."""
        kind = frame.kind
        if frame.trouble or kind not in ("response", "resource", "revisit", "conversion"):
            return
        fields = fields_of(frame.head)
        start = frame.block[:_LOOKED_AT].lower()
        declared = fields.get("content-type", "") if kind in ("resource", "conversion") else ""
        head = start.partition(b"\r\n\r\n")[0] if kind in ("response", "revisit") else b""
        is_html = any(each in declared or each.encode() in head for each in HTML_KINDS)
        place = Place(path, member, frame.offset, frame.before)
        if kind in ("revisit", "conversion"):
            is_typed = b"content-type:" in head if kind == "revisit" else True
            self._waiting.append(
                _Waiting(kind, fields, frame.offset, frame.length, place, archive,
                         is_html or not is_typed)
            )  # fmt: skip
            return
        address, digest = _address(fields), fields.get("warc-payload-digest", "")
        record = bare_id(fields.get("warc-record-id", ""))
        if not is_html and b"content-type:" in head:  # of other files only their presence is kept
            self._others.update(hash(each) for each in (digest, record, address) if each)
            return
        self._by_id[record] = place
        if digest:
            self._by_digest.setdefault(digest, place)
        self._by_address.setdefault(address, []).append((fields.get("warc-date", ""), place))

    def resolved(self) -> Iterator[tuple[ArchiveContents, Path, list[Resolved]]]:
        """Yield the resolved revisits by archive and its path; all others are counted by reason."""
        found: list[tuple[ArchiveContents, Path, Resolved]] = []
        for each in self._waiting:
            place, why = self._place_of(each)
            counts = each.archive.kinds
            counts[each.kind] -= 1
            if not counts[each.kind]:
                del counts[each.kind]
            if place is None:
                counts[why] = counts.get(why, 0) + 1
                continue
            fields = each.fields
            record = bare_id(fields.get("warc-record-id", ""))
            date = fields.get("warc-date", "")
            resolved = Resolved(_address(fields), record, date, each.offset, each.length, place)
            found.append((each.archive, each.place.path, resolved))
        for (archive, path), group in groupby(found, key=lambda item: item[:2]):
            yield archive, path, sorted((each for *_, each in group), key=lambda r: r.place)

    def _place_of(self, each: _Waiting) -> tuple[Place | None, str]:
        fields = each.fields
        original = bare_id(fields.get("warc-refers-to", ""))
        if each.kind == "conversion":
            if original in self._by_id or _address(fields) in self._by_address:
                return None, "conversion of another record"
            return (each.place, "") if each.is_html else (None, "conversion that is not HTML")
        digest = fields.get("warc-payload-digest", "")
        address = fields.get("warc-refers-to-target-uri", "").strip("<>")
        dated = dict(self._by_address.get(address or _address(fields), ()))
        place = (
            self._by_id.get(original)
            or dated.get(fields.get("warc-refers-to-date", ""))
            or self._by_digest.get(digest)
            or (next(iter(dated.values()), None) if address or not digest else None)
        )
        if place is not None:
            return place, ""
        keys = (digest, original, address)
        is_other = any(hash(key) in self._others for key in keys if key) or not each.is_html
        what = "what is not HTML" if is_other else "a record that is in no archive given"
        return None, f"revisit of {what}"


def _address(fields: dict[str, str]) -> str:
    return fields.get("warc-target-uri", "").strip("<>")
