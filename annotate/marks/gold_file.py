"""Gold files: the marks of one page as JSON, to keep beside the page and to compare by eye.

``article.html`` has its gold in ``article.gold.json``:

    {"format": "pagelet-gold", "version": 1,
     "page": {"url", "title", "digest", "viewport": [width, height]},
     "marks": [record, ...]}

Records are those of the workspace (`annotate.marks.records`), sorted by place: level, then position
in the page, one a line, so that versions of a file are compared mark by mark.  The same gold gives
the same bytes.  Marks of another version of the guideline have it in their record.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold
from annotate.marks.guideline import GuidelineRef, default
from annotate.marks.records import MarkRecord, check, read_json, writable
from engine import bounded_file, bounds
from engine.bounded_file import atomic_write
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.page import Page
from engine.words import shorten

FORMAT, VERSION = "pagelet-gold", 1


@dataclass(frozen=True)
class GoldFile:
    """Content of a gold file.

    Attributes:
        url, title: Of the page the marks were made on; a local page's url is its file's name.
        digest: Its SHA-256.
        viewport: Width and height in CSS px it was rendered in.
        records: The marks as written down.
        guideline: The guideline they were made by; None if unknown.
    """

    url: str
    title: str
    digest: str
    viewport: tuple[int, int]
    records: tuple[MarkRecord, ...]
    guideline: GuidelineRef | None = None

    def located_on(self, nodes: NodeTable) -> Gold:
        """Return the marks as found on a page; their states tell which have moved."""
        anchors = Anchors(nodes)
        return Gold(tuple(anchors.find(record) for record in self.records))


def gold_path(page: Path) -> Path:
    """Return where the gold of a page file lies: ``article.gold.json`` beside ``article.html``."""
    return page.with_name(f"{page.stem}.gold.json")


def read_file(path: Path) -> GoldFile:
    """Read a gold file; `InputError` if it cannot be read or is another file."""
    try:
        content = read_json(bounded_file.read_text(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{path} is not a gold file: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path} is not a gold file: its format is not {FORMAT!r}")
    version = content.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise InputError(
            f"{path} has format {shorten(repr(version), 40)}; this Pagelet knows {VERSION}"
        )
    try:
        return _read(content)
    except InputError as error:
        raise InputError(f"{path}: {shorten(str(error))}") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"{path} is damaged: {error}") from None


def _read(content: Mapping[str, Any]) -> GoldFile:
    page = content["page"]
    width, height = bounds.sides(page["viewport"], bounds.NOTED_SIDE, None)
    marks = tuple(check(record) for record in content["marks"])
    ids = Counter(mark["id"] for mark in marks)
    twice = next((mark for mark, count in ids.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"two of its marks have the id {twice[:40]!r}")
    return GoldFile(
        url=writable(str(page["url"])),
        title=writable(str(page.get("title", ""))),
        digest=writable(str(page["digest"])),
        viewport=(width, height),
        records=marks,
        guideline=_guideline(content.get("guideline")),
    )


def _guideline(stored: object) -> GuidelineRef | None:
    match stored:
        case {"name": str(name), "digest": str(digest)}:
            return GuidelineRef(writable(name), writable(digest))
    return None


def read(path: Path, nodes: NodeTable) -> Gold:
    """Return the gold of a file as found on a page; `InputError` as `read_file`."""
    return read_file(path).located_on(nodes)


def write(
    path: Path,
    page: Page,
    gold: Gold,
    anchors: Anchors | None = None,
    guideline: GuidelineRef | None = None,
    versions: Mapping[str, GuidelineRef] | None = None,
) -> None:
    """Write the gold of a page; `InputError` if the file cannot be written.

    ``versions`` are those of the guideline that marks follow, by id.

    ``anchors`` are those the gold was found with: marks that moved or are lost then keep their
    first record.  The file is replaced as a whole, or stays as it was.
    """
    anchors = anchors or Anchors(page.rendered())
    is_on_web = page.url.startswith(("http:", "https:"))
    url = page.url if is_on_web else PurePath(page.url).name  # folders move
    records = with_versions(anchors.records(gold), guideline, versions or {})
    made = GoldFile(url, page.title, page.digest, page.viewport, records, guideline)
    with atomic_write(path) as beside:
        beside.write_bytes(compose(made))


def with_versions(
    records: Iterable[MarkRecord], own: GuidelineRef | None, versions: Mapping[str, GuidelineRef]
) -> tuple[MarkRecord, ...]:
    """Return records with the guideline of those that follow another version than the file's."""
    present = own or default().ref
    others = {mark: ref for mark, ref in versions.items() if ref != present}
    return tuple(
        {**r, "guideline": {"name": ref.name, "digest": ref.digest}}
        if (ref := others.get(r["id"]))
        else r
        for r in records
    )


def compose(content: GoldFile) -> bytes:
    """Return the bytes of a gold file; its records may come in any order."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "page": {
            "url": content.url,
            "title": content.title,
            "digest": content.digest,
            "viewport": list(content.viewport),
        },
        **({} if content.guideline is None else {"guideline": asdict(content.guideline)}),
    }
    dump = partial(json.dumps, ensure_ascii=False)
    lines = [f"{dump(name)}: {dump(value)}," for name, value in head.items()]
    marks = ",\n ".join(dump(record) for record in sorted(content.records, key=_order))
    text = "\n".join(["{", *lines, f'"marks": [\n {marks}\n]', "}", ""])
    # Half a surrogate pair is no UTF-8; as JSON's own escape it comes back as it was.
    return text.encode("utf-8", errors="backslashreplace")


def _order(record: MarkRecord) -> tuple[int, list[list[int]], str, str]:
    targets = record["targets"]
    path = targets[0]["path"] if targets else ""
    return record["level"], [target["position"] for target in targets], path, record["id"]
