"""Reader of Label Studio's JSON, JSON-MIN and CSV; its COCO and YOLO are read as such.

Rectangles, polygons and brushes are boxes on a picture; spans of text and of web pages are places
in the text.  What speaks of a whole task, or has no area, is passed over by its name.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotate.exchange.box_files import box_around, brush_box
from annotate.exchange.file_marks import (
    FileMarks,
    Place,
    TextMark,
    items_of,
    kind_of,
    name_in,
    picture_size,
    quoted_place,
    read_json,
    read_text,
)
from annotate.marks.gold import new_id
from engine.errors import InputError
from engine.geometry import Box

_FIRST = ("page", "html", "text", "image", "url", "pdf")
"""Keys of a task's data that usually name its page, likeliest first."""

_LONGEST_NAME = 2_000

_WHOLE = {
    "choices": "a choice about the whole page", "taxonomy": "a choice about the whole page",
    "rating": "a rating of the whole page", "number": "a number about the whole page",
    "textarea": "a text written about the page", "pairwise": "a comparison of pages",
    "datetime": "a date about the whole page", "ranker": "a ranking", "relation": "a relation",
    "keypoint": "a point has no area", "ellipse": "an ellipse is not read",
    "vector": "a line has no area", "paragraphs": "a part of a dialogue is not read",
    "timeseries": "a part of a time series", "video": "a part of a video",
    "audio": "a part of audio",
}  # fmt: skip
"""Why a kind of result is no mark."""


def read_label_studio(path: Path) -> FileMarks:
    """Return all results of all tasks of a file of Label Studio's."""
    result = FileMarks()
    tasks = _tasks(path)
    if not any(isinstance(task, dict) and is_task(task) for task in tasks):
        raise InputError(f"{path.name} is not a file of Label Studio's: no task in it has data")
    for position, task in enumerate(tasks, start=1):
        name = f"task {task.get('id', position) if isinstance(task, dict) else position}"
        with result.account.item(name):
            if not isinstance(task, dict) or not is_task(task):
                raise InputError("it is no task")
            before = result.account.found
            _read_task(result, task, name)
            if result.account.found == before:
                result.account.pass_over("a task without annotations", name)
    return result


def _tasks(path: Path) -> list[Any]:
    text = read_text(path, "Label Studio").lstrip("\ufeff \t\r\n")
    if text[:1] in ("[", "{"):
        content = read_json(path, "Label Studio")
        return content if isinstance(content, list) else [content]
    reader = csv.DictReader(io.StringIO(text))
    if not {"annotation_id", "annotator", "id"} & set(reader.fieldnames or ()):
        raise InputError(f"{path.name} is not a file of Label Studio's: neither JSON nor its table")
    return list(reader)


def is_task(task: Mapping[str, Any]) -> bool:
    """Return whether an object is a task of Label Studio's, or a row of its short exports."""
    is_whole = isinstance(task.get("data"), dict) or isinstance(task.get("annotations"), list)
    return is_whole or "annotation_id" in task or "annotator" in task


def _read_task(result: FileMarks, task: Mapping[str, Any], name: str) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        data = {key: value for key, value in task.items() if key != "id"}
    known = _page_names(data)
    known += [str(task[key]) for key in ("file_upload",) if task.get(key)]
    page = known[0] if known else name
    if page in result.aliases and name not in result.aliases:
        known = [page, *known[1:]]
    result.aliases[page] = tuple(known[1:])
    for item, note in _results(task):
        with result.account.item(name_in(item, "id", "type")):
            if note:
                raise InputError(note)
            _read_result(result, page, item, data)


def _page_names(data: Mapping[str, Any]) -> list[str]:
    """Return what a task's data may call its page, likeliest first."""
    keys = sorted(data, key=lambda key: _FIRST.index(key) if key in _FIRST else len(_FIRST))
    values = [data[key] for key in keys]
    values.sort(key=lambda value: isinstance(value, str) and " " in value.strip())  # a text
    return [
        value
        for value in values
        if isinstance(value, str) and 0 < len(value) < _LONGEST_NAME
        and "<" not in value and "\n" not in value and value[0] not in "[{"
    ]  # fmt: skip


def _results(task: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield each result of a task, and why it is passed over; "" where it is read."""
    if not isinstance(task.get("data"), dict) and "annotations" not in task:  # JSON-MIN, or CSV
        for key, value in task.items():
            values = _listed(value)
            for each in values or ():
                yield {"from_name": key, "value": each}, ""
        return
    done = [*items_of(task.get("annotations")), *items_of(task.get("completions"))]
    for annotation in done:
        if not isinstance(annotation, dict):
            yield {}, "it is no annotation"
            continue
        for item in items_of(annotation.get("result")):
            skipped = annotation.get("was_cancelled") is True
            yield item, "its annotation was skipped" if skipped else ""
    for prediction in items_of(task.get("predictions")):
        if isinstance(prediction, dict):
            for item in items_of(prediction.get("result")):
                yield item, "a prediction, not an annotation"


def _listed(value: object) -> list[Any] | None:
    """Return a column of results; None for any other."""
    if isinstance(value, str) and value.lstrip()[:2] in ("[{", "[ "):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    is_results = isinstance(value, list) and value and all(isinstance(x, dict) for x in value)
    return list(value) if is_results else None  # type: ignore[call-overload]


def _read_result(
    result: FileMarks, page: str, item: Mapping[str, Any], data: Mapping[str, Any]
) -> None:
    value = item.get("value", item)
    if not isinstance(value, dict):
        raise InputError(_WHOLE.get(str(item.get("type")), "it has no value"))
    shape = str(item.get("type") or _shape(value)).removesuffix("labels").removesuffix("label")
    if shape in _WHOLE:
        raise InputError(_WHOLE[shape])
    labels = next(
        (each for key, each in value.items() if key.endswith("labels") or key == "labels"), None
    )
    meta = item.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    level, type = kind_of(labels, 2 if "2" in str(item.get("from_name", "")) else 1)
    is_unsure = meta.get("unsure") is True
    if shape in ("hypertext", "", "text") and "start" in value:
        place = _span(value, data)
        identity = str(item.get("id") or new_id())
        mark = TextMark(f"{identity}-{new_id()[:8]}", level, type, (place,), is_unsure)
        result.add_text(page, mark)
        return
    wide = item.get("original_width", value.get("original_width"))
    high = item.get("original_height", value.get("original_height"))
    size = picture_size(wide, high)
    box, is_pixels = _box(shape, value, size)
    if not is_pixels and min(size) > 0:
        x, y, width, height = box
        across, down = size[0] / 100, size[1] / 100
        box = (x * across, y * down, width * across, height * down)
    result.add_box(
        page,
        (level, type),
        box,
        size=size,
        paths=meta.get("text"),
        is_unsure=is_unsure,
        is_relative=not is_pixels and min(size) <= 0,
    )


def _shape(value: Mapping[str, Any]) -> str:
    """Return the kind of a result that does not say it, as in JSON-MIN."""
    for key in value:
        if key.endswith("labels") and key != "labels":
            return str(key)
    if "rle" in value:
        return "brush"
    if "points" in value:
        return "polygon"
    return "rectangle" if {"x", "width"} <= value.keys() else ""


def _box(shape: str, value: Mapping[str, Any], size: tuple[float, float]) -> tuple[Box, bool]:
    """Return the box of a shape, and whether it is in pixels; else in percent."""
    if shape == "rectangle":
        if value.get("rotation"):
            raise InputError("a turned rectangle is not read")
        x, y, width, height = (float(value[key]) for key in ("x", "y", "width", "height"))
        return (x, y, width, height), False
    if shape == "polygon":
        return box_around(value["points"]), False
    if shape in ("brush", "magicwand", "bitmask"):
        if "rle" not in value or not min(size):
            raise InputError("a brush without its picture's size, or not packed (rle)")
        return brush_box(value["rle"], round(size[0]), round(size[1])), True
    raise InputError(f"a result of type {shape or 'unknown'} is not read")


def _span(value: Mapping[str, Any], data: Mapping[str, Any]) -> Place:
    """Return the place of a span of a web page (paths below its body) or of a plain text."""
    quote = " ".join(str(value.get("text") or "").split())
    if isinstance(value["start"], str) and not value["start"].isdigit():
        ends = (
            (value["start"], int(value["startOffset"])),
            (str(value["end"]), int(value["endOffset"])),
        )
        return Place(ends=ends, quote=quote)
    start, end = int(value["start"]), int(value["end"])
    for text in data.values():
        if isinstance(text, str) and (not quote or " ".join(text[start:end].split()) == quote):
            try:
                return quoted_place(text, start, end)
            except InputError:
                continue
    if not quote:
        raise InputError("it has no text, and its positions are not in the task's text")
    return Place(quote=quote)
