"""Reader of Label Studio's JSON, JSON-MIN, CSV and TSV; other readers read its COCO, YOLO and VOC.

Rectangles, polygons, ellipses and brushes are boxes on a picture; spans of text and of web pages
are places in the text.  Results for a whole task, or without an area, are skipped by name.
"""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotate.marks.gold import new_id
from annotate.plugins.exchange.file_marks import (
    FileMarks,
    SelectedPlace,
    TextMark,
    kind_of,
    picture_size,
)
from annotate.plugins.exchange.reading import (
    box_around,
    brush_box,
    items_of,
    name_in,
    read_json,
    read_table,
    rows_by_name,
)
from annotate.plugins.exchange.stated_words import (
    countings,
    quoted_place,
    stated_places,
)
from engine.errors import InputError
from engine.geometry import Box

_FIRST = ("page", "html", "text", "image", "url", "pdf")
"""Keys of a task's data that usually name its page, likeliest first."""

_LONGEST_NAME = 2_000

_ABOUT = frozenset("id annotator annotation_id created_at updated_at lead_time agreement history "
                   "file_upload".split())  # fmt: skip
"""Keys of the short exports that are about an annotation, not of it."""

_WHOLE = {
    "choices": "a choice about the whole page", "taxonomy": "a choice about the whole page",
    "rating": "a rating of the whole page", "number": "a number about the whole page",
    "textarea": "a text written about the page", "pairwise": "a comparison of pages",
    "datetime": "a date about the whole page", "ranker": "a ranking", "relation": "a relation",
    "keypoint": "a point has no area",
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
    text = read_table(path)
    if text[:1] in ("[", "{"):
        content = read_json(path, "Label Studio")
        return content if isinstance(content, list) else [content]
    return [*rows_by_name(text, path.name, "annotation_id", "annotator", "id")]


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
    values = [each for key in keys for each in _strings(data[key])]
    values.sort(key=lambda value: " " in value.strip())  # a text
    return [
        value
        for value in values
        if 0 < len(value) < _LONGEST_NAME
        and "<" not in value and "\n" not in value and value[0] not in "[{"
    ]  # fmt: skip


def _strings(value: object) -> list[str]:
    """Return a text, or those in a list or an object of a task's data, such as several pictures."""
    inside = value.values() if isinstance(value, dict) else items_of(value)
    return [value] if isinstance(value, str) else [each for each in inside if isinstance(each, str)]


def _results(task: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield each result of a task, and why it is passed over; "" where it is read."""
    if not isinstance(task.get("data"), dict) and "annotations" not in task:
        yield from _short_results(task)
        return
    done = [*items_of(task.get("annotations")), *items_of(task.get("completions"))]
    for annotation in done:
        if not isinstance(annotation, dict):
            yield {}, "it is no annotation"
            continue
        refused = _refused(annotation)
        for item, note in _joined(items_of(annotation.get("result"))):
            yield item, refused or note
    for prediction in items_of(task.get("predictions")):
        if isinstance(prediction, dict):
            for item in items_of(prediction.get("result")):
                yield item, "a prediction, not an annotation"


def _refused(annotation: Mapping[str, Any]) -> str:
    """Return why all of an annotation is no gold; "" if it is."""
    if annotation.get("was_cancelled") is True:
        return "its annotation was skipped"
    last = items_of(annotation.get("reviews"))[-1:]
    if last and isinstance(last[0], dict) and last[0].get("accepted") is False:
        return "its annotation was rejected by a reviewer"
    return ""


def _joined(results: list[Any]) -> list[tuple[Any, str]]:
    """Return results merged by region: a label or a choice is its type."""
    regions: dict[str, dict[str, Any]] = {}
    joined: list[tuple[Any, str]] = []
    for item in results:
        name = item.get("id") if isinstance(item, dict) else None
        region = regions.get(str(name)) if name else None
        if region is None or region.get("type") == item.get("type"):
            if name and isinstance(item.get("value"), dict):
                regions[str(name)] = item = {**item, "value": dict(item["value"])}
            joined.append((item, ""))
            continue
        value = item.get("value")
        own = _labels(value) if isinstance(value, dict) else None
        if own and not _labels(region["value"]):
            region["value"]["labels"] = own
        else:
            joined.append((item, "more about a region that is read"))
    return joined


def _labels(value: Mapping[str, Any]) -> Any:  # noqa: ANN401
    return next((v for key, v in value.items() if key.endswith("labels") or key == "choices"), None)


def _short_results(row: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield the same of a row of JSON-MIN, CSV or TSV: a column for each control of the labels.

    JSON-MIN has its columns between the id and the annotator; in tables a choice cannot be
    distinguished from input of Label Studio.
    """
    every = keys = [key for key in row if key == "id" or key not in _ABOUT - {"annotator"}]
    if "id" in keys and "annotator" in keys[keys.index("id") :]:
        keys = keys[keys.index("id") : keys.index("annotator")]
    for key in every:
        values, value = _listed(row[key]), row[key]
        is_data = isinstance(value, dict) and key not in keys
        for each in () if is_data else values or ():
            yield {"from_name": key, "value": each}, ""
        is_short = isinstance(value, str) and 0 < len(value) < _LONGEST_CHOICE and "<" not in value
        if values is None and is_short and key in keys and key not in (*_ABOUT, *_FIRST):
            yield {"id": key}, "a plain value: a choice, a note, or data of the task"


_LONGEST_CHOICE = 200


def _listed(value: object) -> list[Any] | None:
    """Return a column of results; None for any other."""
    if isinstance(value, str) and value.lstrip()[:2] in ("[{", "[ ", '{"'):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, dict):
        return [value]
    is_results = isinstance(value, list) and value and any(isinstance(x, dict) for x in value)
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
    meta = item.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    level, type = kind_of(_labels(value), 2 if "2" in str(item.get("from_name", "")) else 1)
    is_unsure = meta.get("unsure") is True
    if shape in ("hypertext", "", "text") and "start" in value:
        place, is_sure = _span(value, data)
        identity = str(item.get("id") or new_id())
        own = f"{identity}-{new_id()[:8]}"
        mark = TextMark(own, level, type, place, is_unsure, is_probable=not is_sure)
        result.add_text(page, mark)
        return
    wide = item.get("original_width", value.get("original_width"))
    high = item.get("original_height", value.get("original_height"))
    size = picture_size(wide, high)
    result.add_box(
        page,
        (level, type),
        _box(shape, value, size),
        size=size,
        paths=meta.get("text"),
        is_unsure=is_unsure,
        is_relative=min(size) <= 0,
    )


def _shape(value: Mapping[str, Any]) -> str:
    """Return the kind of a result without a kind, as in JSON-MIN."""
    for key in value:
        if (key.endswith("labels") and key != "labels") or key in _WHOLE:
            return str(key)
    if "text" in value and not {"start", "x"} & value.keys():
        return "textarea"
    if "radiusX" in value:
        return "ellipse"
    if "rle" in value:
        return "brush"
    if "points" in value:
        return "polygon"
    return "rectangle" if {"x", "width"} <= value.keys() else ""


def _box(shape: str, value: Mapping[str, Any], size: tuple[float, float]) -> Box:
    """Return the box around a shape: in pixels, or in percent where the size is not known."""
    across, down = (size[0] / 100, size[1] / 100) if min(size) > 0 else (1.0, 1.0)
    turn = math.radians(float(value.get("rotation") or 0))
    if turn and min(size) <= 0:
        raise InputError("a turned shape without its picture's size")
    if shape == "rectangle":  # turned around its corner
        x, y, width, height = (float(value[key]) for key in ("x", "y", "width", "height"))
        x, y, width, height = x * across, y * down, width * across, height * down
        cos, sin = math.cos(turn), math.sin(turn)
        ends = ((0, 0), (width, 0), (0, height), (width, height))
        return box_around([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in ends])
    if shape == "ellipse":
        x, y, wide, high = (float(value[key]) for key in ("x", "y", "radiusX", "radiusY"))
        x, y, wide, high = x * across, y * down, wide * across, high * down
        cos, sin = math.cos(turn), math.sin(turn)
        wide, high = math.hypot(wide * cos, high * sin), math.hypot(wide * sin, high * cos)
        return x - wide, y - high, 2 * wide, 2 * high
    if shape == "polygon":
        return box_around([(float(a) * across, float(b) * down) for a, b in value["points"]])
    if shape in ("brush", "magicwand", "bitmask"):
        if "rle" not in value or not min(size):
            raise InputError("a brush without its picture's size, or not packed (rle)")
        return brush_box(value["rle"], round(size[0]), round(size[1]))
    raise InputError(f"a result of type {shape or 'unknown'} is not read")


def _span(
    value: Mapping[str, Any], data: Mapping[str, Any]
) -> tuple[tuple[SelectedPlace, ...], bool]:
    """Return the place of a span of a web page (paths below its body) or of a plain text.

    Also whether it is certain.
    """
    quote = " ".join(str(value.get("text") or "").split())
    if isinstance(value["start"], str) and not value["start"].isdigit():
        ends = (
            (value["start"], int(value["startOffset"])),
            (str(value["end"]), int(value["endOffset"])),
        )
        return (SelectedPlace(ends=ends, quote=quote),), True
    part = int(value["start"]), int(value["end"])
    texts = [each for each in data.values() if isinstance(each, str)]
    if quote:
        texts = [own for each in texts for own in countings(each)]
        return stated_places(sorted(texts, key=lambda text: quote not in text), [part], quote)
    texts = [each for each in texts if len(each) >= part[1]]
    if not texts:
        raise InputError("it has no text, and its positions are not in the task's text")
    return (quoted_place(max(texts, key=len), *part),), True
