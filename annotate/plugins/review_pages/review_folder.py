"""Pages to review as a folder or one file for any browser, and the key to their answers.

The browser page holds pictures, boxes and the beginning of each mark's text; nothing of the pages
runs, and a content security policy allows its own style, script and pictures alone.  The key holds
the marks and blocks in stored form, by which answers are read.  It is not passed on.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

import resources
from annotate.evaluation.bundle.bundle import shrunk
from annotate.evaluation.report.markup import fill_template
from annotate.marks import records
from annotate.plugins.review_pages.review_page import ReviewPage
from engine import bounded_file
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error
from engine.words import join_words, plural

PAGE_BYTES = 200_000
"""Of each page, with its picture and all that is shown."""

_SHELL_BYTES = 30_000  # style, script and what else is there once: a single page stays below, too

MOST_IN_ONE_FILE = 50

KEY_ENDING = ".review-key"
_FORMAT = "pagelet-review"
_MOST_KEY = 400_000_000  # bytes of an unpacked key


@dataclass(frozen=True)
class ReviewKey:
    """Key to the answers of a review.

    Attributes:
        digest: Of the review.
        pages: By the id that answers name it by, each page: key, url, title, digest, viewport, its
            marks by id and its blocks, in stored form.
    """

    digest: str
    pages: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class WrittenReview:
    """Result of writing: the page to open, the key, a sentence on the content, bytes in all."""

    index: Path
    key: Path
    inside: str
    size: int


def write_review(
    out: Path,
    title: str,
    pages: Sequence[ReviewPage],
    who: Sequence[str] = (),
    *,
    with_content: bool = True,
) -> WrittenReview:
    """Write pages to review to a new folder, or to one file where ``out`` ends in ``.html``.

    Raises:
        InputError: It cannot be written, has no mark, or too many pages for one file.
    """
    is_file = out.suffix.lower() == ".html"
    if is_file and len(pages) > MOST_IN_ONE_FILE:
        raise InputError(
            f"one file holds at most {MOST_IN_ONE_FILE} pages and these are {len(pages)}:"
            " give --out a folder"
        )
    if not any(layer.records for page in pages for layer in page.layers):
        raise InputError("there is no mark to review: mark pages first, or name a method")
    shown, pictures = _shown(pages, 3 / 4 if is_file else 1.0, with_content=with_content)
    digest = hashlib.sha256(
        b"".join([json.dumps([title, shown]).encode(), *(p for p in pictures if p)])
    ).hexdigest()
    inside = _inside(pages, who, with_content=with_content)
    index = out if is_file else out / "index.html"
    total = 0
    with convert_os_error(f"write to {out}"):
        index.parent.mkdir(parents=True, exist_ok=True)
        for number, (page, jpeg) in enumerate(zip(shown, pictures, strict=True), 1):
            if jpeg and is_file:
                page["picture"] = "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()
            elif jpeg:
                page["picture"] = f"pages/{number}.jpg"
                (out / "pages").mkdir(exist_ok=True)
                _write(out / page["picture"], jpeg)
                total += len(jpeg)
        html = _html(title, inside, {"digest": digest, "pages": shown}, is_file=is_file).encode()
        _write(index, html)
        key = out.with_name(out.name.removesuffix(".html") + KEY_ENDING)
        _write(key, _key_bytes(digest, pages))
    return WrittenReview(index, key, inside, total + len(html))


def read_key(path: Path) -> ReviewKey:
    """Read the key of a review; `InputError` if it is none."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(bounded_file.read_bytes(path), _MOST_KEY)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise ValueError("it is cut off or too large")
        content = records.read_json(data.decode())
        if content["format"] != _FORMAT:
            raise ValueError("it is another file")
        return ReviewKey(str(content["digest"]), content["pages"])
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (zlib.error, *records.BROKEN) as error:
        raise InputError(f"{path} is not the key of a review: {error}") from None


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(data)


def _key_bytes(digest: str, pages: Sequence[ReviewPage]) -> bytes:
    content = {
        page.id: {
            "key": page.key,
            "url": page.url,
            "title": page.title,
            "digest": page.digest,
            "viewport": page.viewport,
            "marks": {record["id"]: record for layer in page.layers for record in layer.records},
            "blocks": page.targets,
        }
        for page in pages
    }
    text = json.dumps({"format": _FORMAT, "version": 1, "digest": digest, "pages": content})
    return zlib.compress(text.encode(), 9)


def _shown(
    pages: Sequence[ReviewPage], share: float, *, with_content: bool
) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the data of each page for the browser, and its picture within the remaining bytes."""
    shown, pictures = [], []
    for page in pages:
        layers = [
            {
                "name": layer.name,
                "color": layer.color,
                "marks": [
                    {
                        "id": record["id"],
                        "level": record["level"],
                        "type": record["type"],
                        "draft": bool(record.get("draft")),
                        "text": quote if with_content else "",
                        "boxes": boxes,
                    }
                    for record, boxes, quote in zip(
                        layer.records, layer.boxes, layer.quotes, strict=True
                    )
                ],
            }
            for layer in page.layers
        ]
        entry = {
            "id": page.id,
            "title": page.title,
            "address": page.url.removeprefix("pagelet://local/"),
            "size": page.size,
            "layers": layers,
            "blocks": [[*box, around] for box, around in page.blocks],
            "problem": page.problem,
            "picture": "",
        }
        left = PAGE_BYTES - len(json.dumps(entry)) - _SHELL_BYTES
        shown.append(entry)
        pictures.append(shrunk(page.picture, int(left * share)) if page.picture else b"")
    return shown, pictures


def _inside(pages: Sequence[ReviewPage], who: Sequence[str], *, with_content: bool) -> str:
    marks = sum(len(layer.records) for page in pages for layer in page.layers)
    of = f" of {join_words(list(who), 'and')}" if who else ""
    content = (
        "pictures of the pages with their texts" if with_content else "no pictures and no texts"
    )
    one, many = "1 page with its address", f"{len(pages)} pages with their addresses"
    return f"Inside: {one if len(pages) == 1 else many}, {plural(marks, 'mark')}{of}, {content}."


def _html(title: str, inside: str, data: Mapping[str, Any], *, is_file: bool) -> str:
    style, script = (resources.read_text(f"review/review.{kind}") for kind in ("css", "js"))
    text = json.dumps(data, separators=(",", ":"))
    for letter in "<>&":  # the text stands in a script element
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return fill_template(
        "review/review.html",
        title=title,
        inside=inside,
        pictures="data:" if is_file else "'self' file:",
        style=Markup(style),
        script=Markup(script),
        data=Markup(text),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
