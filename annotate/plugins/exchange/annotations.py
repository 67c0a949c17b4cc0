"""W3C Web Annotation: one annotation a mark, with all four kinds of selector.

Source: the W3C recommendation "Web Annotation Data Model" of 2017, sections 3 and 4.  A mark of
several targets has several; each target carries an XPath, a text quote, a text position (code
points of the page's text as Pagelet reads it) and, for a part of a text, a range.

Level and type are in the bodies (``tagging`` ``level:1``, ``classifying`` the type).  Features that
distinguish pictures without text have no selector: they are beside the path, as ``shows``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from algorithms.levels import Level
from annotate.marks.gold import new_id
from annotate.marks.records import MarkRecord, TargetRecord
from annotate.plugins.exchange.file_marks import FileMarks, SelectedPlace, TextMark
from annotate.plugins.exchange.marked_page import MarkedPage, write_json
from annotate.plugins.exchange.reading import name_in, read_json
from engine.account import DAMAGE
from engine.errors import InputError
from engine.words import shorten

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_LEVELS: dict[str, Level] = {"level:main": 0, "level:1": 1, "level:2": 2}
_TAGS: dict[int, str] = {level: tag for tag, level in _LEVELS.items()}


def write(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write a page of annotations for each page, ``NAME.annotations.json``."""
    written = []
    for marked in pages:
        content = {
            "@context": CONTEXT,
            "id": f"urn:pagelet:{marked.page.digest}",
            "type": "AnnotationPage",
            # A mark without a place has no target, which the data model demands.
            "items": [_annotation(marked, each) for each in marked.records() if each["targets"]],
        }
        written.append(write_json(out / f"{marked.stem}.annotations.json", content))
    return written


def read(path: Path) -> FileMarks:
    """Return the annotations of a page, a collection, a list, one annotation, or Hypothesis' rows.

    Each is read separately; raises `InputError` for a file without any.
    """
    content = read_json(path, "Web Annotations")
    result = FileMarks()
    for annotation in _annotations_in(content):
        with result.account.item(name_in(annotation, "id")):
            source, mark = _mark(annotation)
            result.add_text(source, mark)
    is_page = isinstance(content, dict) and (
        "rows" in content or str(content.get("type", "")).startswith("Annotation")
    )
    if not result.account.found and not is_page:
        raise InputError(f"{path.name} holds no Web Annotation")
    return result


def _annotation(marked: MarkedPage, record: MarkRecord) -> dict[str, Any]:
    values = {
        "tagging": _TAGS[record["level"]],
        "classifying": record["type"],
        "questioning": "unsure" if record.get("unsure") else "",
    }
    targets = [
        {"source": marked.identifier, "selector": _selectors(target)}
        for target in record["targets"]
    ]
    return {
        "id": f"urn:uuid:{record['id']}",
        "type": "Annotation",
        "motivation": "classifying",
        "generator": {"type": "Software", "name": "Pagelet"},
        "body": [
            {"type": "TextualBody", "purpose": purpose, "value": value}
            for purpose, value in values.items()
            if value
        ],
        "target": targets[0] if len(targets) == 1 else targets,
    }


def _selectors(target: TargetRecord) -> list[dict[str, Any]]:
    start, end = target["position"]
    path: dict[str, Any] = {"type": "XPathSelector", "value": target["path"]}
    result: list[dict[str, Any]] = [
        # No selector describes the content of a node without text.
        path | ({"shows": target["shows"]} if "shows" in target else {}),
        {
            "type": "TextQuoteSelector",
            "exact": target["quote"],
            "prefix": target["prefix"],
            "suffix": target["suffix"],
        },
        {"type": "TextPositionSelector", "start": start, "end": end},
    ]
    if "part" in target:
        first, last = (
            path | {"refinedBy": {"type": "TextPositionSelector", "start": at, "end": at}}
            for at in target["part"]
        )
        result.append({"type": "RangeSelector", "startSelector": first, "endSelector": last})
    return result


_LISTS = ("items", "rows", "annotations", "@graph")


def _annotations_in(
    content: object, depth: int = 0, *, is_list: bool = True
) -> Iterator[Mapping[str, Any]]:
    """Yield the annotations of a page, a collection, a list, or of Hypothesis' rows.

    Items in a list of annotations that are none are yielded, too, so that they are counted.
    """
    if isinstance(content, list):
        for each in content:
            found = list(_annotations_in(each, depth))
            yield from found or ([each if isinstance(each, dict) else {}] if is_list else [])
    elif isinstance(content, dict):
        kinds = content.get("type", content.get("@type"))
        kinds = kinds if isinstance(kinds, list) else [kinds]
        is_one = "target" in content and bool(depth or "uri" in content)
        if is_one or "Annotation" in kinds or "oa:Annotation" in kinds:
            yield content
            return
        for key, value in content.items():
            if depth < _DEEPEST and (isinstance(value, list) or key == "first"):
                yield from _annotations_in(value, depth + 1, is_list=key in _LISTS)


_DEEPEST = 20


def _mark(annotation: Mapping[str, Any]) -> tuple[str, TextMark]:
    """Return source and mark of an annotation; raises `InputError` if it marks nothing."""
    _check(annotation)
    values = _values(annotation)
    kind = values.get("classifying", "")
    level = _LEVELS.get(values.get("tagging", ""), 1 if kind else 0)
    sources, places = [], []
    for target in _targets_of(annotation["target"]):
        if isinstance(target, str):
            sources.append(target)
            continue
        uri = annotation.get("uri", "")
        source = target.get("source", target.get("id", target.get("@id", uri)))
        source = source if isinstance(source, list) else [source]
        names_ = [each.get("id", "") if isinstance(each, dict) else each for each in source]
        sources += [str(each) for each in names_ if each]
        selector = target.get("selector")
        if selector:
            places.append(_place(selector))
    if not sources:
        raise InputError("it has no target with a source")
    if not places:
        if annotation.get("references"):
            raise InputError("a reply to another annotation")
        raise InputError("about the whole page, not a part of it")
    identity = str(annotation.get("id", annotation.get("@id", ""))).rpartition(":")[2]
    return sources[0], TextMark(
        identity or new_id(),
        level,
        "" if level == 0 else kind,
        tuple(places),
        values.get("questioning") == "unsure",
    )


def _check(annotation: Mapping[str, Any]) -> None:
    """Raise `InputError` for what the data model forbids and no reader can make sense of."""
    identity = annotation.get("id", annotation.get("@id", ""))
    if not isinstance(identity, str) or any(sign.isspace() for sign in identity):
        raise InputError("its id must be one address")
    context = annotation.get("@context", CONTEXT)
    if isinstance(context, str) and ":" not in context:
        raise InputError("its @context is not that of Web Annotations")
    if not annotation.get("target"):
        raise InputError("it has no target")
    for key in ("created", "modified", "generated"):
        value = annotation.get(key, "")
        if not isinstance(value, str) or not (value[:4].isdigit() or not value):
            raise InputError(f"its {key} must be one date")
    for key in ("creator", "generator", "canonical"):
        if isinstance(annotation.get(key), int | float):
            raise InputError(f"its {key} must be an address")
    if not isinstance(annotation.get("bodyValue", ""), str):
        raise InputError("its bodyValue must be one text")


def _values(annotation: Mapping[str, Any]) -> dict[str, str]:
    """Return purpose → value of the bodies."""
    bodies = annotation.get("body", [])
    bodies = list(bodies) if isinstance(bodies, list) else [bodies]
    for each in bodies:
        if isinstance(each, dict) and isinstance(each.get("items"), list):
            bodies.extend(each["items"][:1] if each.get("type") == "Choice" else each["items"])
    return {
        str(body.get("purpose", "")): str(body.get("value", ""))
        for body in bodies[:_MOST_BODIES]
        if isinstance(body, dict)
    }


_MOST_BODIES = 1000


def _targets_of(target: object, depth: int = 0) -> Iterator[str | Mapping[str, Any]]:
    """Yield the targets: one, several, those of a list or composite, the first of a choice."""
    if isinstance(target, list):
        for each in target:
            yield from _targets_of(each, depth)
    elif isinstance(target, dict) and isinstance(target.get("items"), list) and depth < _DEEPEST:
        items = target["items"]
        yield from _targets_of(items[:1] if target.get("type") == "Choice" else items, depth + 1)
    elif isinstance(target, str | dict):
        yield target
    else:
        raise InputError("a target of it is neither an address nor a resource")


_OTHERS = {
    "SvgSelector": "an area of a picture (SvgSelector), not text",
    "DataPositionSelector": "a position in bytes (DataPositionSelector), not in text",
}


def _place(selectors: object, scope: SelectedPlace | None = None, depth: int = 0) -> SelectedPlace:
    """Return the place given by alternative selectors; `InputError` if none refers to text."""
    listed = selectors if isinstance(selectors, list) else [selectors]
    if depth > _DEEPEST:
        raise InputError("its selectors are nested too deeply")
    fields: dict[str, Any] = {}
    refined: list[SelectedPlace] = []
    problem = "its selectors are not understood"
    for each in listed:
        if isinstance(each, str):  # a reference to a selector elsewhere
            problem = "its selector lies elsewhere"
            continue
        if not isinstance(each, dict):
            continue
        if isinstance(each.get("items"), list):
            each = next((item for item in each["items"] if isinstance(item, dict)), {})
        try:
            own = _fields(each)
        except InputError as error:
            problem = str(error)
            continue
        except DAMAGE as error:  # the alternatives may be whole
            problem = f"its selector is damaged: {shorten(str(error), 60)}"
            continue
        if each.get("refinedBy") and own:
            refined.append(_place(each["refinedBy"], SelectedPlace(scope=scope, **own), depth + 1))
        else:
            fields = own | fields
    if refined and not fields:
        return refined[0]
    if not fields and not refined:
        raise InputError(problem)
    return replace(refined[0], **fields) if refined else SelectedPlace(scope=scope, **fields)


def _fields(selector: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `SelectedPlace` in one selector."""
    kind = str(selector.get("type", selector.get("@type", ""))).removeprefix("oa:")
    value = selector.get("value")
    if kind in _OTHERS:
        raise InputError(_OTHERS[kind])
    if kind == "XPathSelector":
        shows = selector.get("shows")
        more = {"shows": tuple(map(str, shows))} if isinstance(shows, list) else {}
        return {"path": _text(selector, "value")} | more
    if kind == "CssSelector":
        return {"css": _text(selector, "value")}
    if kind == "TextQuoteSelector":
        words = " ".join(_text(selector, "exact").split())
        return {"quote": words, "prefix": str(selector.get("prefix") or ""),
                "suffix": str(selector.get("suffix") or "")}  # fmt: skip
    if kind == "TextPositionSelector":
        return {"position": (int(selector["start"]), int(selector["end"]))}
    if kind == "FragmentSelector":
        return _fragment(_text(selector, "value"))
    if kind == "RangeSelector":
        return {"ends": (_end(selector, "start"), _end(selector, "end"))}
    raise InputError(f"a selector of type {kind or value or 'unknown'} is not read")


def _text(selector: Mapping[str, Any], key: str) -> str:
    if not isinstance(selector.get(key), str):
        raise InputError(f"its {selector.get('type')} has no {key}")
    return str(selector[key])


def _fragment(value: str) -> dict[str, Any]:
    """Return the place of a fragment: an element's id, or a text directive."""
    _, directive, words = unquote(value).partition(":~:text=")
    if directive:
        parts = words.split("&")[0].split(",")
        prefix = parts.pop(0)[:-1] if parts[0].endswith("-") else ""
        suffix = parts.pop()[1:] if parts[-1].startswith("-") else ""
        if len(parts) != 1:
            raise InputError("a range of a text fragment is not read")
        return {"quote": " ".join(parts[0].split()), "prefix": prefix, "suffix": suffix}
    if "=" in value:
        raise InputError(f"a fragment {shorten(value, 30)} speaks of no element")
    return {"anchor": unquote(value).lstrip("#")}


def _end(ends: Mapping[str, Any], which: str) -> tuple[str, int]:
    """Return path and offset of an end of a range: the standard's, Hypothesis', Annotator's."""
    selector = ends.get(f"{which}Selector")
    if isinstance(selector, dict):
        refined = selector.get("refinedBy") or {}
        return str(selector.get("value", "")), int(refined.get("start", 0))
    container = ends.get(f"{which}Container", ends.get(which))
    if not isinstance(container, str):
        raise InputError(f"its range has no {which}")
    return container, int(ends[f"{which}Offset"])
