"""Which tool wrote a JSON file, by its keys: annotations, archives of requests, Pagelet's own.

The forms are those that each tool's documentation gives for its exports.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from annotate.datasets.looking.found import Found, NextStep, quoted_path
from engine.words import cut_text, join_words, plural

_MOST_KEYS = 6
"""Keys that are named of JSON that no tool's is."""

_NOT_IMPORTED = "Pagelet does not import this format"

_Counts = Mapping[str, int]


def look_into_json(path: Path, value: object) -> Found:
    """Return what a JSON value in a file is."""
    of_pagelet = _of_pagelet(path, value)
    return of_pagelet or annotations_in(path, value) or _other(path, value)


def look_into_lines(path: Path, values: list[Any], *, is_cut: bool) -> Found:
    """Return what JSON Lines are, by their first lines."""
    found = annotations_in(path, values, at_least=is_cut)
    if found is not None:
        return found
    title = f"JSON Lines: {plural(len(values), 'object')}{' or more' * is_cut}{_keys_of(values)}"
    return Found(path, "unknown", title, "jsonl", at_least=is_cut)


def annotations_in(path: Path, value: object, *, at_least: bool = False) -> Found | None:
    """Return the annotations in a JSON value; None if it is no tool's."""
    for name, key, counted in _FORMS:
        try:
            counts = counted(value)
        except (LookupError, TypeError, ValueError, AttributeError):
            continue
        if counts is not None:
            return annotations(path, name, key, counts, at_least=at_least)
    return None


def annotations(
    path: Path, name: str, key: str, counts: _Counts | None = None, *, at_least: bool = False
) -> Found:
    """Return annotations of a tool, imported by a format's key; "" if Pagelet does not read it."""
    steps: tuple[NextStep, ...] = ()
    if key:
        command = f"pagelet import {quoted_path(path)} --format {key} --onto PAGES --workspace FILE"
        steps = (NextStep("Import onto the open page", command, "import", "exchange"),)
    loses = () if key else (_NOT_IMPORTED,)
    title = f"annotations of {name}"
    return Found(path, "annotations", title, key, steps, counts or {}, loses, at_least)


# forms ----------------------------------------------------------------------------------------
# A format is recognised if any item has its keys.
def _dicts(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list, or those that are an object's values."""
    values = list(value.values()) if isinstance(value, dict) else value
    return [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []


def _any_has(values: object, *keys: str) -> bool:
    """Return whether one of the first objects in a list has all of these keys."""
    return any(set(keys) <= set(each) for each in _dicts(values)[:50])


def _coco(value: object) -> _Counts | None:
    if not isinstance(value, dict):
        return None
    marks, images = value.get("annotations"), value.get("images")
    is_one = _any_has(marks, "image_id") or _any_has(marks, "category_id", "bbox")
    lists = sum(isinstance(value.get(key), list) for key in ("images", "annotations", "categories"))
    if is_one or (lists == 3 and not marks) or (_any_has(images, "file_name") and lists > 1):
        return {"picture": len(_dicts(images)), "mark": len(_dicts(marks))}
    return None


def _label_studio(value: object) -> _Counts | None:
    tasks = value if isinstance(value, list) else [value]
    dicts = [each for each in tasks if isinstance(each, dict)]
    done = ("annotations", "completions", "predictions")
    if any(_has_results(each, done) or {"data", "annotations"} <= set(each) for each in dicts[:20]):
        results = [r for each in dicts for key in done[:2] for r in each.get(key) or () if r]
        marks = sum(len(r.get("result") or ()) for r in results if isinstance(r, dict))
        return {"task": len(dicts), "mark": marks}
    small = {"annotator", "annotation_id", "lead_time"}  # JSON-MIN
    if any(len(small & set(each)) >= 2 for each in dicts[:20]):
        return {"task": len(dicts)}
    is_task = any(
        isinstance(each.get("data"), dict)
        and {"id", "is_labeled", "file_upload", "total_annotations", "meta"} & set(each)
        for each in dicts[:20]
    )
    return {"task": len(dicts)} if is_task else None


def _has_results(task: Mapping[str, Any], done: Iterable[str]) -> bool:
    made = [r for key in done if isinstance(task.get(key), list) for r in task[key]]
    return any(isinstance(r, dict) and isinstance(r.get("result"), list) for r in made)


def _labelme(value: object) -> _Counts | None:
    if not isinstance(value, dict):
        return None
    shapes, about = value.get("shapes"), {"imagePath", "imageData", "imageHeight", "imageWidth"}
    if (about & set(value) and "shapes" in value) or len(about & set(value)) > 1 or (
        _any_has(shapes, "points", "shape_type") or _any_has(shapes, "points", "label")
    ):  # fmt: skip
        return {"picture": 1, "mark": len(_dicts(shapes))}
    return None


def _via(value: object) -> _Counts | None:
    if not isinstance(value, dict):
        return None
    project = value.get("project")  # of VIA 3
    if isinstance(project, dict) and isinstance(value.get("metadata"), dict) and "view" in value:
        return {"picture": len(_dicts(value.get("file"))), "mark": len(_dicts(value["metadata"]))}
    entries = _dicts(value.get("_via_img_metadata", value))
    with_regions = [each for each in entries if "filename" in each or "size" in each]
    shapes = [region for each in entries for region in _dicts(each.get("regions"))]
    is_one = any("regions" in each for each in with_regions) or "_via_settings" in value
    if is_one or _any_has(shapes, "shape_attributes"):
        return {"picture": len(entries), "mark": len(shapes)}
    return None


def _hypothesis(value: object) -> _Counts | None:
    lists = [[value], *value.values()] if isinstance(value, dict) else [value]
    rows = next((each for each in lists if _any_has(each, "uri", "target")), None)
    if rows is None:
        return None
    return {"page": len({str(each.get("uri")) for each in _dicts(rows)}), "mark": len(_dicts(rows))}


def _web_annotation(value: object) -> _Counts | None:
    items = _items(value)
    marks = [each for each in items if isinstance(each, dict) and _is_annotation(each)]
    if marks:
        return {"mark": len(marks)}
    if isinstance(value, dict) and (
        value.get("type") in ("AnnotationPage", "AnnotationCollection")
        or str(value.get("@context", ""))[:200].endswith("anno.jsonld")
    ):
        return {"mark": 0}
    return {"mark": len(items)} if any(map(_has_selector, items)) else None


def _has_selector(value: object) -> bool:
    targets = value.get("target") if isinstance(value, dict) else None
    return any("selector" in each and "source" in each
               for each in _dicts(targets if isinstance(targets, list) else [targets]))  # fmt: skip


def _items(value: object) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("first"), dict):
        value = value["first"]  # of an AnnotationCollection
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        return list(value["items"])
    return value if isinstance(value, list) else [value]


def _is_annotation(value: Mapping[str, Any]) -> bool:
    kind = value.get("type", value.get("@type"))
    kinds = kind if isinstance(kind, list) else [kind]
    if {"Annotation", "oa:Annotation"} & {each for each in kinds if isinstance(each, str)}:
        return True
    return "target" in value and "anno" in str(value.get("@context", ""))[:200]


def _doccano(value: object) -> _Counts | None:
    rows = _dicts(value if isinstance(value, list) else [value])
    names = ("label", "labels", "entities", "cats", "annotations", "spans")
    examples = [
        each for each in rows
        if (isinstance(each.get("text", each.get("data")), str)
        and any(isinstance(each.get(name), list) for name in names))
        or ("Comments" in each and {"text", *names} & set(each))
    ]  # fmt: skip
    if not examples or len(examples) * 2 < len(rows):
        return None
    marks = sum(len(_listed(each.get(name))) for each in examples for name in names)
    return {"text": len(rows), "mark": marks}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _uima(value: object) -> _Counts | None:
    items = value.get("%FEATURE_STRUCTURES") if isinstance(value, dict) else None
    return {"annotation": sum("begin" in each for each in _dicts(items))} if items else None


_FORMS: tuple[tuple[str, str, Callable[[object], _Counts | None]], ...] = (
    ("COCO", "coco", _coco),
    ("Label Studio", "label-studio", _label_studio),
    ("labelme", "labelme", _labelme),
    ("VIA", "via", _via),
    ("Hypothesis", "webannotation", _hypothesis),
    ("W3C Web Annotation", "webannotation", _web_annotation),
    ("doccano", "doccano", _doccano),
    ("UIMA (JSON)", "uima-xmi", _uima),
)


# of Pagelet, and others -----------------------------------------------------------------------
def _of_pagelet(path: Path, value: object) -> Found | None:
    """Return what a file of Pagelet's own is."""
    if not isinstance(value, dict):
        return None
    name = quoted_path(path)
    if value.get("format") == "pagelet-gate":
        step = NextStep("Run the gate", f"pagelet gate {name}", plugin="compare")
        counts = {"page": len(value["pages"])} if isinstance(value.get("pages"), dict) else {}
        return Found(path, "baseline", "a baseline of pagelet gate", "gate", (step,), counts)
    if value.get("format") == "pagelet-gold":
        marks = value.get("marks")
        counts = {"mark": len(marks)} if isinstance(marks, list) else {}
        page = path.with_name(path.name.removesuffix(".gold.json") + ".html")
        step = NextStep("Open its page", f"pagelet open {quoted_path(page)}")
        steps = (step,) if page.is_file() else ()
        return Found(path, "annotations", "the gold of a page (Pagelet)", "gold", steps, counts)
    if "wacz" in str(value.get("profile", "")):
        return archive(path, "a list of WACZ packages (multi-WACZ)", "multi-wacz", {})
    log = value.get("log")
    if isinstance(log, dict) and isinstance(log.get("entries"), list):
        entries = [each for each in log["entries"] if isinstance(each, dict)]
        pages = sum(_is_html(each) for each in entries)
        title = "a saved page (HAR)"
        return read_json_page(path, title, "har", {"request": len(entries), "page": pages})
    return None


def read_json_page(path: Path, title: str, key: str, counts: _Counts | None = None) -> Found:
    """Return a page that another program saved, or several."""
    out = quoted_path(Path(f"{path.stem}.wacz"))
    keep = f"pagelet import {quoted_path(path)} --out {out}"
    steps = (
        NextStep("Open its pages", f"pagelet open {quoted_path(path)}", "open"),
        NextStep("Keep it as a frozen page", keep, plugin="exchange"),
    )
    return Found(path, "saved page", title, key, steps, counts or {})


def archive(
    path: Path, title: str, key: str, counts: dict[str, int], *, at_least: bool = False
) -> Found:
    """Return a web archive."""
    out = quoted_path(Path(f"{path.name.partition('.')[0]}-pages"))
    keep = f"pagelet import {quoted_path(path)} --out {out}"
    steps = (
        NextStep("Open its pages", f"pagelet open {quoted_path(path)}", "open"),
        NextStep("Keep them as frozen pages", keep, plugin="exchange"),
        NextStep("Extract their content", f"pagelet extract gleaner {quoted_path(path)}"),
    )
    return Found(path, "web archive", title, key, steps, counts, (), at_least)


def addresses(path: Path, title: str, count: int, *, at_least: bool = False) -> Found:
    """Return a list of addresses on the web."""
    command = f"pagelet crawl {quoted_path(path)} --out FOLDER"
    step = NextStep("Copy the command that fetches them", command, "crawl", "crawl")
    return Found(path, "addresses", title, "addresses", (step,), {"address": count}, (), at_least)


def _is_html(entry: Mapping[str, Any]) -> bool:
    response = entry.get("response")
    content = response.get("content") if isinstance(response, dict) else None
    return isinstance(content, dict) and "html" in str(content.get("mimeType", ""))


def _other(path: Path, value: object) -> Found:
    """Return JSON of no known tool, by its content."""
    if isinstance(value, list) and value and all(map(_is_address, value)):
        return addresses(path, "a list of addresses (JSON)", len(value))
    if isinstance(value, list):
        title = f"JSON: a list of {plural(len(value), _kind_of(value))}{_keys_of(value)}"
    elif isinstance(value, dict) and {"cells", "nbformat"} <= set(value):
        title = "a Jupyter notebook"
    elif isinstance(value, dict) and value.get("type") == "FeatureCollection":
        title = "a map (GeoJSON)"
    elif isinstance(value, dict):
        title = f"JSON: an object{_keys_of([value])}"
    else:
        title = f"JSON: {cut_text(json.dumps(value), 40)}"
    return Found(path, "unknown", title, "json")


def _is_address(value: object) -> bool:
    return isinstance(value, str) and value.lower().startswith(("http://", "https://"))


def _kind_of(values: list[Any]) -> str:
    kinds = {type(each) for each in values[:100]}
    names = {dict: "object", str: "text", int: "number", float: "number", list: "list"}
    return names.get(kinds.pop(), "value") if len(kinds) == 1 else "value"


def _keys_of(values: list[Any]) -> str:
    keys = dict.fromkeys(
        cut_text(str(key), 30) for each in values[:20] if isinstance(each, dict) for key in each
    )
    if not keys:
        return ""
    named = list(keys)[:_MOST_KEYS]
    more = len(keys) > len(named)
    words = f"{', '.join(named)} …" if more else join_words(named)
    return f" with the {'key' if len(keys) == 1 else 'keys'} {words}"
