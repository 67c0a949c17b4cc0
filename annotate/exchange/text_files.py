"""Readers of spans in plain text: doccano, brat, and INCEpTION as WebAnno TSV 3 or UIMA XMI.

Their offsets count in a text of their own, so each span becomes a quote with its context, which is
looked for on the page.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotate.exchange.file_marks import (
    FileMarks,
    Place,
    TextMark,
    items_of,
    kind_of,
    name_in,
    quoted_place,
    read_text,
    read_xml,
)
from annotate.marks.gold import new_id
from engine.errors import InputError


def _add(
    result: FileMarks, page: str, label: object, text: str, ends: tuple[int, int], name: str = ""
) -> None:
    level, type = kind_of(label)
    place = quoted_place(text, *ends)
    identity = f"{name or 'span'}-{new_id()[:12]}"
    result.add_text(page, TextMark(identity, level, type, (place,)))


def is_doccano(content: object) -> bool:
    """Return whether an object is an example of doccano's: a text with its spans."""
    if isinstance(content, list):
        return bool(content) and is_doccano(content[0])
    if not isinstance(content, dict) or not isinstance(content.get("text"), str):
        return False
    return any(key in content for key in ("label", "labels", "entities", "spans"))


def read_doccano(path: Path) -> FileMarks:
    """Return the spans of doccano's JSONL (``label`` lists, or ``entities``), or of its JSON."""
    result = FileMarks()
    text = read_text(path, "doccano")
    for number, example in enumerate(_examples(text), start=1):
        name = name_in(example, "filename", "url", "id") or f"line {number}"
        with result.account.item(name):
            if not is_doccano(example):
                raise InputError("it is no example of doccano: it has no text with labels")
            before = result.account.found
            _read_example(result, example, number)
            if result.account.found == before:
                result.account.pass_over("a text without labels", name)
    if not result.texts and not result.account.passed:
        raise InputError(f"{path.name} holds no example of doccano")
    return result


def _examples(text: str) -> Iterator[Any]:
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        try:
            yield from items_of(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise InputError(f"it cannot be read as a file of doccano: {error}") from None
        return
    for line in text.splitlines():
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield None


def _read_example(result: FileMarks, example: Mapping[str, Any], number: int) -> None:
    meta = example.get("meta")
    known = [*(meta.values() if isinstance(meta, dict) else ()), *example.values()]
    known = [each for each in known if isinstance(each, str) and _is_page(each)]
    page = str(known[0]) if known else f"{name_in(example, 'id') or number}"
    result.aliases[page] = tuple(known[1:])
    text = example["text"]
    spans = [key for key in ("label", "labels", "entities", "spans") if key in example]
    for span in items_of(example[spans[0]]):
        with result.account.item(name_in(span, "id", "label")):
            if isinstance(span, str):
                raise InputError("a class of the whole text")
            if isinstance(span, dict):
                ends = (
                    int(span.get("start_offset", span.get("start"))),  # type: ignore[arg-type]
                    int(span.get("end_offset", span.get("end"))),  # type: ignore[arg-type]
                )
                _add(result, page, span.get("label"), text, ends)
            else:
                start, end, label = span
                _add(result, page, label, text, (int(start), int(end)))
    for key in ("relations", "cats", "categories", "Comments"):
        for each in items_of(example.get(key)):
            result.account.pass_over(f"one of {key}, not a span", name_in(each, "id"))


def _is_page(value: str) -> bool:
    return len(value) < 2_000 and re.search(r"\.x?html?\b|^https?://", value) is not None


_WHY_NOT = {
    "R": "a relation", "E": "an event", "A": "an attribute", "M": "an attribute",
    "N": "a normalisation", "#": "a note", "*": "an equivalence",
}  # fmt: skip


def read_brat(path: Path) -> FileMarks:
    """Return the text-bound annotations of brat: a ``.ann`` beside its ``.txt``, or a folder."""
    if path.suffix == ".txt":
        path = path.with_suffix(".ann")
    files = sorted(path.rglob("*.ann")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path.name} holds no file of brat: none ends in .ann")
    result = FileMarks()
    for file in files:
        beside = file.with_suffix(".txt")
        text = read_text(beside, "brat") if beside.is_file() else ""
        result.aliases[file.stem] = ()
        for line in read_text(file, "brat").splitlines():
            if not line.strip():
                continue
            name = line.partition("\t")[0]
            with result.account.item(f"{file.name} {name}"):
                if name[:1] != "T":
                    raise InputError(_WHY_NOT.get(name[:1], "it is no line of brat"))
                _read_brat_line(result, file.stem, line, text)
    return result


def _read_brat_line(result: FileMarks, page: str, line: str, text: str) -> None:
    name, what, *quote = line.split("\t")
    label, _, numbers = what.partition(" ")
    places = []
    for ends in numbers.split(";"):
        start, end = (int(number) for number in ends.split())
        if text:
            places.append(quoted_place(text, start, end))
    if not places:
        words = " ".join(" ".join(quote).split())
        if not words:
            raise InputError("it has no text, and its file of text is missing")
        places.append(Place(quote=words))
    level, type = kind_of(label)
    result.add_text(page, TextMark(f"{name}-{new_id()[:12]}", level, type, tuple(places)))


def read_tsv(path: Path) -> FileMarks:
    """Return the spans of WebAnno TSV 3: tokens with offsets, and a column for each feature."""
    lines = read_text(path, "WebAnno TSV").splitlines()
    if not lines or not lines[0].lstrip("\ufeff").startswith("#FORMAT=WebAnno TSV"):
        raise InputError(f"{path.name} is not a file of WebAnno TSV 3")
    result = FileMarks()
    page = path.name
    result.aliases[page] = (path.stem, path.parent.name)
    spans = [line for line in lines if line.startswith("#T_SP=")]
    for line in lines:
        if line.startswith(("#T_CH=", "#T_RL=")):
            result.account.pass_over("a layer of relations", line[6:].partition("|")[0])
    text = ""
    opened: dict[tuple[int, str, str], tuple[int, int]] = {}
    for line in lines:
        if line.startswith("#Text="):
            continue
        cells = line.split("\t")
        if len(cells) < 3 or not re.fullmatch(r"\d+-\d+(?:\.\d+)?", cells[0]):
            continue
        with result.account.item(cells[0]):
            start, end = (int(number) for number in cells[1].split("-"))
            if "." not in cells[0]:
                text = f"{text:{start}}" if len(text) <= start else text[:start]
                text += cells[2]
            result.account.take()  # a token; counted apart below
            for position, label, number in _tsv_labels(cells[3:], spans):
                key = (position, label, number or cells[0])
                first = opened[key][0] if key in opened else start
                opened[key] = (first, end)
    result.account.taken = 0
    for (_, label, _), ends in opened.items():
        with result.account.item(label):
            _add(result, page, "" if label in ("*", "_") else label, text, ends)
    return result


def _tsv_labels(cells: list[str], layers: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield layer, label and number of each span that a token is part of; its first feature."""
    column = 0
    for position, layer in enumerate(layers):
        features = max(len(layer.split("|")) - 1, 1)
        own = cells[column : column + features]
        column += features
        first = next((cell for cell in own if cell not in ("", "_", "*")), own[0] if own else "_")
        if first == "_" and not any(cell == "*" or cell.startswith("*[") for cell in own):
            continue
        for value in first.split("|"):
            match = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", value)
            if match is not None and match[1] != "_":
                yield position, match[1].replace("\\", ""), match[2] or ""


_LABELS = ("value", "label", "identifier", "category", "Value", "Label")
_CUSTOM = "custom"


def read_xmi(path: Path) -> FileMarks:
    """Return the spans of UIMA XMI: annotations with begin, end and a value."""
    root = read_xml(path, "UIMA XMI")
    texts = {
        str(each.get("{http://www.omg.org/XMI}id")): str(each.get("sofaString"))
        for each in root
        if isinstance(each.tag, str) and each.get("sofaString") is not None
    }
    if not texts:
        raise InputError(f"{path.name} is not a file of UIMA XMI: it has no text (Sofa)")
    result = FileMarks()
    page = path.name
    titles = [t for each in root if (t := each.get("documentTitle") or each.get("documentId"))]
    result.aliases[page] = (path.stem, path.parent.name, *titles)
    for each in root:
        if not isinstance(each.tag, str) or each.get("begin") is None:
            continue
        kind = each.tag.rpartition("}")[2]
        label = next((v for key in _LABELS if (v := each.get(key))), "")
        if kind in _STRUCTURE:
            continue
        with result.account.item(f"{kind} {label}".strip()):
            if each.get("Dependent") or each.get("Governor"):
                raise InputError("a relation")
            text = texts.get(str(each.get("sofa")), next(iter(texts.values())))
            own = label or (kind if _CUSTOM not in each.tag else "")
            start, end = (_code_points(text, int(each.get(name))) for name in ("begin", "end"))  # type: ignore[arg-type]
            _add(result, page, own, text, (start, end))
    return result


_STRUCTURE = {"Sentence", "Token", "DocumentMetaData", "DocumentAnnotation", "Paragraph", "POS",
              "Lemma", "Stem", "MorphologicalFeatures", "TagsetDescription"}  # fmt: skip
"""What every text of INCEpTION has, and nobody marked."""


def _code_points(text: str, units: int) -> int:
    """Return the offset in code points of one in UTF-16, in which Java counts."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))
