"""Reader of the VGG Image Annotator: JSON, projects and CSV of its versions 1, 2 and 3."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotate.plugins.exchange.file_marks import FileMarks, kind_of
from annotate.plugins.exchange.reading import (
    box_around,
    items_of,
    read_json,
    read_table,
    rows_by_name,
)
from engine.account import DAMAGE
from engine.csv_cells import rows_of
from engine.errors import InputError
from engine.geometry import Box

_SHAPES = ("", "point", "rect", "circle", "ellipse", "line", "polyline", "polygon", "rect",
           "circle")  # fmt: skip
"""Names of the shapes that VIA 3 numbers."""

_TYPES = ("type", "label", "class", "kind", "category", "name")

_HEADER_3 = "# CSV_HEADER = "


def read_via(path: Path) -> FileMarks:
    """Return the regions of all pictures; parts of videos and files are passed over."""
    result = FileMarks()
    text = read_table(path)
    content = read_json(path, "VIA") if text.startswith(("{", "[")) else None
    if isinstance(content, dict) and isinstance(content.get("metadata"), dict):
        regions = _regions_of_3(content)
    elif content is not None:
        regions = _regions(content, path)
    elif _HEADER_3 in text:
        regions = _rows_of_3(text)
    else:
        regions = _rows(text, path)
    for name, shape, attributes in regions:
        result.aliases.setdefault(name, ())
        label = _label(attributes)
        with result.account.item(label):
            result.add_box(name, kind_of(label), _box(shape))
    return result


def _label(attributes: object) -> str:
    """Return a region's type: the attribute called so, else the first one with a value.

    Of check boxes it is the first that is chosen.
    """
    known = attributes if isinstance(attributes, dict) else {}
    for key in sorted(known, key=lambda key: key.lower().strip() not in _TYPES):
        value = known[key]
        if isinstance(value, dict):
            value = next((name for name, chosen in value.items() if chosen is True), "")
        if isinstance(value, list):
            value = next(iter(value), "")
        if isinstance(value, str | int | float) and value is not False and value != "":
            return str(value)
    return ""


def _regions(content: object, path: Path) -> Iterator[tuple[str, Any, Any]]:
    """Yield picture, shape and attributes of each region of VIA 1 or 2."""
    nested = content.values() if isinstance(content, dict) else ()
    pictures = next((found for each in (content, *nested) if (found := _pictures(each))), None)
    if pictures is None:
        raise InputError(f"{path.name} is not a file of VIA: no picture in it has regions")
    for key, picture in pictures.items():
        if not isinstance(picture, dict) or "regions" not in picture:
            yield str(key)[:200], {"name": ""}, None
            continue
        regions = picture["regions"]
        regions = list(regions.values()) if isinstance(regions, dict) else items_of(regions)
        for region in regions:
            own = region if isinstance(region, dict) else {}
            name = str(picture.get("filename") or "")
            yield name, own.get("shape_attributes"), own.get("region_attributes")


def _pictures(value: object) -> dict[str, Any]:
    """Return the pictures in an object or a list by their keys; {} where none has regions."""
    if not isinstance(value, dict):
        value = {str(number): each for number, each in enumerate(items_of(value))}
    known: dict[str, Any] = value
    keys = {"regions", "filename"}
    is_any = any(isinstance(each, dict) and keys & each.keys() for each in known.values())
    return known if is_any else {}


def _rows(text: str, path: Path) -> Iterator[tuple[str, Any, Any]]:
    """Yield the same of the CSV of VIA 1 or 2."""
    for row in rows_by_name(text, path.name, "region_shape_attributes"):
        if row.get("region_shape_attributes") not in (None, "", "{}"):
            shape = _value(row["region_shape_attributes"])
            yield row.get("filename", ""), shape, _value(row.get("region_attributes") or "{}")


def _regions_of_3(content: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the same of a project of VIA 3, where each view shows files."""
    for each in content["metadata"].values():
        own = each if isinstance(each, dict) else {}
        name = ""
        try:
            file = content["file"][str(content["view"][str(own["vid"])]["fid_list"][0])]
            name = str(file.get("fname") or file["src"])
        except DAMAGE:  # a region whose picture is not in the project gets a separate row
            name = "a picture that the project does not have"
        yield name, _numbered(own.get("xy")), _named(own.get("av"), content.get("attribute"))


def _rows_of_3(text: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the same for the CSV of VIA 3, whose attributes are in its head."""
    lines = [_unquoted(line) if line.startswith('"#') else line for line in text.split("\n")]
    head = [line for line in lines if line.startswith("# ")]
    listed = next((x for x in head if x.startswith(("# ATTRIBUTE = ", "# ATTRIBUTES = "))), "=")
    known = _value(listed.partition("=")[2].strip())
    columns = re.findall(r"\w+", text.partition(_HEADER_3)[2].partition("\n")[0])
    for cells in rows_of("\n".join(line for line in lines if line[:1] not in ("#", ""))):
        row = dict(zip(columns, cells, strict=False))
        files = items_of(_value(row.get("file_list", "")))
        name = str(files[0]) if files else ""
        shape = _numbered(_value(row.get("spatial_coordinates", "")))
        yield name, shape, _named(_value(row.get("metadata", "")), known)


def _unquoted(line: str) -> str:
    """Return a line of the head that a spreadsheet program has made a cell of."""
    return line[1:].rpartition('"')[0].replace('""', '"')


def _numbered(numbers: object) -> dict[str, Any]:
    """Return a shape of VIA 3 as one of VIA 2: its kind as a number, then its coordinates."""
    if not isinstance(numbers, list) or not numbers:
        return {"name": ""}
    kind = numbers[0] if isinstance(numbers[0], int) and 0 <= numbers[0] < len(_SHAPES) else 0
    keys: Mapping[str, Sequence[str]] = {
        "rect": ("x", "y", "width", "height"), "circle": ("cx", "cy", "r"),
        "ellipse": ("cx", "cy", "rx", "ry"),
    }  # fmt: skip
    name, rest = _SHAPES[kind], numbers[1:]
    if name == "polygon":
        return {"name": name, "all_points_x": rest[::2], "all_points_y": rest[1::2]}
    return {"name": name, **dict(zip(keys.get(name, ()), rest, strict=False))}


def _named(values: object, attributes: object) -> dict[str, str]:
    """Return the values of a region; those chosen from a list, the likelier types, first."""
    options: dict[str, str] = {}
    free: dict[str, str] = {}
    for key, value in values.items() if isinstance(values, dict) else ():
        own = attributes.get(key) if isinstance(attributes, dict) else None
        names = own.get("options") if isinstance(own, dict) else None
        is_option = isinstance(names, dict) and value in names
        key = str(own.get("aname") or key) if isinstance(own, dict) else key
        (options if is_option else free)[key] = str(names[value] if is_option else value)  # type: ignore[index]
    return options | free


def _value(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text, strict=False)  # a cell may hold any sign
    except (ValueError, RecursionError):
        return None


def _box(shape: Mapping[str, Any]) -> Box:
    kind = shape["name"]
    if kind == "rect":
        return shape["x"], shape["y"], shape["width"], shape["height"]
    if kind == "circle":
        across = down = float(shape["r"])
    elif kind == "ellipse":
        across, down = float(shape["rx"]), float(shape["ry"])
    elif kind == "polygon":
        return box_around(list(zip(shape["all_points_x"], shape["all_points_y"], strict=True)))
    else:
        raise InputError(f"a {kind} has no area" if kind else "it has no shape")
    return shape["cx"] - across, shape["cy"] - down, 2 * across, 2 * down
