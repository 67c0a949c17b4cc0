"""W3C Web Annotation: one annotation a mark, with all four kinds of selector.

Source: the W3C recommendation "Web Annotation Data Model" of 2017, sections 3 and 4.  A mark of
several targets has several; each target carries an XPath, a text quote, a text position (code
points of the page's text as Pagelet reads it) and, for a part of a text, a range.

Level and type stand in the bodies (``tagging`` ``level:1``, ``classifying`` the type).  What tells
pictures without text apart has no selector of its own: it stands beside the path, as ``shows``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotate.exchange.marked_page import MarkedPage
from annotate.marks.records import MarkRecord, TargetRecord, check
from engine import bounded_file
from engine.errors import InputError
from engine.whole_file import atomic_write

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_LEVELS = {0: "level:main", 1: "level:1", 2: "level:2"}


def write(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write a page of annotations for each page, ``NAME.annotations.json``."""
    written = []
    for marked in pages:
        path = out / f"{marked.stem}.annotations.json"
        content = {
            "@context": CONTEXT,
            "id": f"urn:pagelet:{marked.page.digest}",
            "type": "AnnotationPage",
            # A mark without a place has no target, which the data model demands.
            "items": [_annotation(marked, each) for each in marked.records() if each["targets"]],
        }
        with atomic_write(path) as file:
            file.write_bytes(json.dumps(content, ensure_ascii=False, indent=1).encode())
        written.append(path)
    return written


def read(path: Path) -> dict[str, list[MarkRecord]]:
    """Return source → marks of a page of annotations, a collection, a list, or one annotation.

    `InputError` says what is wrong with a file that holds none.
    """
    try:
        content = json.loads(bounded_file.read_text(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} cannot be read as Web Annotations: {error}") from None
    result: dict[str, list[MarkRecord]] = {}
    for annotation in _annotations(content):
        source, record = _record(annotation)
        result.setdefault(source, []).append(record)
    if not result:
        raise InputError(f"{path.name} holds no Web Annotation")
    return result


def _annotation(marked: MarkedPage, record: MarkRecord) -> dict[str, Any]:
    level: list[dict[str, str]] = [
        {"type": "TextualBody", "purpose": "tagging", "value": _LEVELS[record["level"]]}
    ]
    if record["type"]:
        level.append({"type": "TextualBody", "purpose": "classifying", "value": record["type"]})
    if record.get("unsure"):
        level.append({"type": "TextualBody", "purpose": "questioning", "value": "unsure"})
    targets = [
        {"source": marked.identifier, "selector": _selectors(target)}
        for target in record["targets"]
    ]
    return {
        "id": f"urn:uuid:{record['id']}",
        "type": "Annotation",
        "motivation": "classifying",
        "generator": {"type": "Software", "name": "Pagelet"},
        "body": level,
        "target": targets[0] if len(targets) == 1 else targets,
    }


def _selectors(target: TargetRecord) -> list[dict[str, Any]]:
    start, end = target["position"]
    result: list[dict[str, Any]] = [
        _xpath(target),
        {
            "type": "TextQuoteSelector",
            "exact": target["quote"],
            "prefix": target["prefix"],
            "suffix": target["suffix"],
        },
        {"type": "TextPositionSelector", "start": start, "end": end},
    ]
    if "part" in target:
        first, last = target["part"]
        result.append(
            {
                "type": "RangeSelector",
                "startSelector": _offset(target["path"], first),
                "endSelector": _offset(target["path"], last),
            }
        )
    return result


def _xpath(target: TargetRecord) -> dict[str, Any]:
    """Return the path; with it what a node without text shows, which no selector can say."""
    result: dict[str, Any] = {"type": "XPathSelector", "value": target["path"]}
    if "shows" in target:
        result["shows"] = target["shows"]
    return result


def _offset(path: str, at: int) -> dict[str, Any]:
    refined = {"type": "TextPositionSelector", "start": at, "end": at}
    return {"type": "XPathSelector", "value": path, "refinedBy": refined}


def _annotations(content: object) -> Iterable[Mapping[str, Any]]:
    if isinstance(content, list):
        for each in content:
            yield from _annotations(each)
    elif isinstance(content, dict):
        if content.get("type") == "Annotation":
            yield content
        for key in ("items", "first", "rows"):
            if key in content:
                yield from _annotations(content[key])


def _record(annotation: Mapping[str, Any]) -> tuple[str, MarkRecord]:
    bodies = annotation.get("body", [])
    bodies = bodies if isinstance(bodies, list) else [bodies]
    values = {
        str(body.get("purpose", "")): str(body.get("value", ""))
        for body in bodies
        if isinstance(body, dict)
    }
    names = {name: level for level, name in _LEVELS.items()}
    kind = values.get("classifying", "")
    level = names.get(values.get("tagging", ""), 1 if kind else 0)
    targets = annotation.get("target", [])
    targets = targets if isinstance(targets, list) else [targets]
    sources = [str(each.get("source", "")) for each in targets if isinstance(each, dict)]
    if not sources:
        raise InputError(f"the annotation {annotation.get('id', '')} has no target with a source")
    identity = str(annotation.get("id", "")).rpartition(":")[2] or "imported"
    record = {
        "id": identity,
        "level": level,
        "type": "" if level == 0 else kind,
        "targets": [_target(each.get("selector", [])) for each in targets],
        "unsure": values.get("questioning") == "unsure",
    }
    return sources[0], check(record)


def _target(selectors: object) -> dict[str, Any]:
    """Return a target from the selectors of other tools; what is missing is left to the quote."""
    listed = selectors if isinstance(selectors, list) else [selectors]
    by_type = {
        str(each.get("type")): each for each in listed if isinstance(each, dict) and "type" in each
    }
    quote = by_type.get("TextQuoteSelector", {})
    position = by_type.get("TextPositionSelector", {})
    path = by_type.get("XPathSelector", {}).get("value", "")
    shows = by_type.get("XPathSelector", {}).get("shows")
    target: dict[str, Any] = {
        "path": str(path),
        "position": [int(position.get("start", 0)), int(position.get("end", 0))],
        "quote": " ".join(str(quote.get("exact", "")).split()),
        "prefix": str(quote.get("prefix", "")),
        "suffix": str(quote.get("suffix", "")),
    }
    if isinstance(shows, list):
        target["shows"] = [str(each) for each in shows]
    ends = by_type.get("RangeSelector")
    if ends is not None:
        start, first = _end(ends, "start")
        _, last = _end(ends, "end")
        target["path"] = target["path"] or start
        target["part"] = [first, last]
    elif not path:
        # A quote alone may be any part of the page's text.
        target["part"] = [0, len(target["quote"])]
    return target


def _end(ends: Mapping[str, Any], which: str) -> tuple[str, int]:
    """Return path and offset of an end of a range, in the standard form or Hypothesis' own."""
    selector = ends.get(f"{which}Selector")
    if isinstance(selector, dict):
        refined = selector.get("refinedBy", {})
        return str(selector.get("value", "")), int(refined.get("start", 0))
    return str(ends.get(f"{which}Container", "")), int(ends.get(f"{which}Offset", 0))
