"""Readers of spans in plain text: doccano, brat, and INCEpTION as WebAnno TSV 3 or UIMA XMI.

Their offsets count in their own text, so each span becomes a quote with its context, to be searched
on the page.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from annotate.marks.gold import new_id
from annotate.plugins.exchange.file_marks import (
    FileMarks,
    TextMark,
    code_points,
    kind_of,
)
from annotate.plugins.exchange.reading import (
    begins_with,
    items_of,
    name_in,
    read_json,
    read_raw,
    read_text,
    read_xml,
)
from annotate.plugins.exchange.stated_words import (
    countings,
    quoted_place,
    stated_places,
    states,
)
from engine.account import DAMAGE
from engine.errors import InputError
from engine.words import shorten


def _add(result: FileMarks, page: str, label: object, text: str, ends: tuple[int, int]) -> None:
    place = quoted_place(text, *ends)
    result.add_text(page, TextMark(f"span-{new_id()[:12]}", *kind_of(label), (place,)))


def is_doccano(content: object) -> bool:
    """Return whether an object is an example of doccano's: a text with its spans."""
    if isinstance(content, list):
        return bool(content) and is_doccano(content[0])
    if not isinstance(content, dict) or not isinstance(_text_of(content), str):
        return False
    return any(key in content for key in _SPANS)


_SPANS = ("label", "labels", "entities", "spans", "annotations")


def _text_of(example: Mapping[str, Any]) -> Any:  # noqa: ANN401
    return example.get("text", example.get("data"))


def read_doccano(path: Path) -> FileMarks:
    """Return the spans of doccano's JSONL (``label`` lists, or ``entities``), or of its JSON."""
    result = FileMarks()
    content = read_json(path, "doccano")
    examples = content if isinstance(content, list) else [content]
    for number, example in enumerate(examples, start=1):
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


def _read_example(result: FileMarks, example: Mapping[str, Any], number: int) -> None:
    meta = example.get("meta")
    known = [*(meta.values() if isinstance(meta, dict) else ()), *example.values()]
    text = _text_of(example)
    known = [each for each in known if isinstance(each, str) and each != text and _is_page(each)]
    page = str(known[0]) if known else f"{name_in(example, 'id') or number}"
    result.aliases[page] = tuple(known[1:])
    spans = next(key for key in _SPANS if key in example)
    for span in items_of(example[spans]):
        with result.account.item(name_in(span, "id", "label")):
            if turned_down := _turned_down(example) or _turned_down(span):
                raise InputError(turned_down)
            if isinstance(span, str):
                raise InputError("a class of the whole text")
            if isinstance(span, dict):
                start, end = (
                    span.get(f"{side}_offset", span.get(side)) for side in ("start", "end")
                )
                label = span.get("label")
                label = f"class {label}" if isinstance(label, int) else label
            else:
                start, end, label = span
            ends = int(start), int(end)  # type: ignore[arg-type]
            stated = span.get("text") if isinstance(span, dict) else None
            if isinstance(stated, str) and stated.strip():
                places, is_sure = stated_places(countings(text), [ends], stated)
            else:
                places, is_sure = (quoted_place(text, *ends),), True
            own, kind = f"span-{new_id()[:12]}", kind_of(label)
            result.add_text(page, TextMark(own, *kind, places, is_probable=not is_sure))
    for key in ("relations", "cats", "categories", "Comments"):
        for each in items_of(example.get(key)):
            result.account.pass_over(f"one of {key}, not a span", name_in(each, "id"))


_NO_GOLD = {
    "answer": ("reject", "ignore"),  # Prodigy
    "status": ("reject", "rejected", "discarded", "ignored", "skipped"),
}


def _turned_down(item: object) -> str:
    """Return why an annotation is no gold: somebody has turned it down; "" if it is."""
    for key, words in _NO_GOLD.items():
        value = item.get(key) if isinstance(item, dict) else None
        if isinstance(value, str) and value.lower() in words:
            return f"its {key} is {value}: it is no gold"
    return ""


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
        try:
            _read_brat_file(result, file)
        except InputError as error:
            if not path.is_dir():
                raise
            result.account.pass_over(str(error), file.name)
    return result


def _read_brat_file(result: FileMarks, file: Path) -> None:
    """Add the marks of one file; `InputError` where it, or its text, cannot be read."""
    beside = file.with_suffix(".txt")
    raw = read_raw(beside, "brat") if beside.is_file() else ""
    lines = [x for x in read_text(file, "brat").lstrip("\ufeff").split("\n") if x.strip()]
    texts = _by_hits(countings(raw), lines) if raw else []
    result.aliases[file.stem] = ()
    for line in lines:
        name = line.partition("\t")[0]
        with result.account.item(f"{file.name} {name}"):
            if name[:1] != "T":
                raise InputError(_WHY_NOT.get(name[:1], "it is no line of brat"))
            label, parts, words = _brat_line(line)
            if words:
                places, is_sure = stated_places(texts, parts, words)
            elif texts:
                places, is_sure = tuple(quoted_place(texts[0], *x) for x in parts), True
            else:
                raise InputError("it has no text, and its file of text is missing")
            kind, own = kind_of(label), f"{name}-{new_id()[:12]}"
            result.add_text(file.stem, TextMark(own, *kind, places, is_probable=not is_sure))


def _brat_line(line: str) -> tuple[str, list[tuple[int, int]], str]:
    """Return label, positions and words of a text-bound annotation."""
    _, what, *quote = line.split("\t")
    label, _, numbers = what.partition(" ")
    ends = [each.split() for each in numbers.split(";")]
    if any(len(each) != 2 for each in ends):
        raise InputError("its positions are not start and end")
    return label, [(int(start), int(end)) for start, end in ends], " ".join(" ".join(quote).split())


def _by_hits(texts: list[str], lines: list[str]) -> list[str]:
    """Return a text as it may be counted, first as most lines of a file count in it."""

    def hits(text: str) -> int:
        count = 0
        for line in lines:
            with suppress(InputError, *DAMAGE):
                _, parts, words = _brat_line(line)
                count += states(text, parts, words)
        return count

    return sorted(texts, key=hits, reverse=True)


def read_tsv(path: Path) -> FileMarks:
    """Return the spans of WebAnno TSV 3: tokens with offsets, and a column for each feature."""
    lines = read_text(path, "WebAnno TSV").lstrip("\ufeff").split("\n")
    if not any(line.startswith(("#FORMAT=WebAnno TSV", "#T_")) for line in lines[:50]):
        raise InputError(f"{path.name} is not a file of WebAnno TSV 3")
    result = FileMarks()
    page = _document(result, path)
    layers = [line for line in lines if line.startswith(("#T_SP=", "#T_CH=", "#T_RL="))]
    text = ""
    spans: dict[tuple[int, str], tuple[int, int, str]] = {}
    for line in lines:
        cells = line.split("\t")
        if line.startswith("#") or len(cells) < 3:
            continue
        token = cells[0]
        try:
            start, end = (int(number) for number in cells[1].split("-"))
            if not re.fullmatch(r"\d+-\d+(?:\.\d+)?", token):
                raise InputError("a line that is no token")
        except (ValueError, InputError) as error:
            result.account.pass_over(f"damaged ({shorten(str(error), 60)})", token)
            continue
        if "." not in token:
            units = _utf_16(text)
            text = text + " " * (start - units) if start >= units else text
            text += _plain(cells[2])
        for position, number, label, is_span in _tsv_values(cells[3:], layers):
            name = layers[position][6:].partition("|")[0].rpartition(".")[2]
            if not is_span:
                result.account.pass_over(f"a link of {name}", token)
                continue
            key = (position, number or token)
            first, _, known = spans.get(key, (start, end, ""))
            spans[key] = (first, end, known or label)
    for start, end, label in spans.values():
        with result.account.item(label):
            _add(result, page, label, text, (code_points(text, start), code_points(text, end)))
    return result


def _document(result: FileMarks, path: Path, *titles: str) -> str:
    """Return what to call the document of a file, which may lie in a folder called after it."""
    page = f"{path.parent.name}/{path.name}"
    result.aliases[page] = (path.name, path.stem, path.parent.name, *titles)
    return page


def _tsv_values(cells: list[str], layers: list[str]) -> Iterator[tuple[int, str, str, bool]]:
    """Yield layer, number, label and whether it is a span, of each that a token is part of.

    Several at one place stand one after the other in each column, in the same order.
    """
    column = 0
    for position, layer in enumerate(layers):
        width = max(len(layer.split("|")) - 1, 1)
        own = [re.split(r"(?<!\\)\|", cell) for cell in cells[column : column + width]]
        column += width
        for at in range(max(map(len, own), default=0)):
            number = label = ""
            is_one = False
            for values in own:
                found = re.fullmatch(
                    r"(.*?)(?:\[(\d+)\])?", values[at] if at < len(values) else "_"
                )
                value = "" if found is None else found[1]
                is_one |= value not in ("", "_")
                number = number or (found[2] or "" if found is not None else "")
                label = label or (_plain(value) if value not in ("", "_", "*") else "")
            if is_one:
                yield position, number, label, layer.startswith("#T_SP=")


def _plain(value: str) -> str:
    """Return a value of WebAnno TSV without its backslashes."""
    return re.sub(r"\\(.)", r"\1", value)


def read_xmi(path: Path) -> FileMarks:
    """Return the spans of UIMA XMI, or of UIMA's JSON: annotations with begin, end and a value."""
    items = list(_structures(path))
    texts = {str(each["id"]): str(each["sofaString"]) for each in items if each.get("sofaString")}
    if not texts:
        raise InputError(f"{path.name} is not a file of UIMA: it has no text (Sofa)")
    result = FileMarks()
    titles = [t for each in items if (t := each.get("documentTitle") or each.get("documentId"))]
    page = _document(result, path, *map(str, titles))
    for each in items:
        kind = str(each["kind"])
        if each.get("begin") is None:
            continue
        if kind in _STRUCTURE:
            result.account.pass_over(f"{kind}, which nobody marked")
            continue
        label = _value_of(each)
        with result.account.item(f"{kind} {label}".strip()):
            if {"Dependent", "Governor", "@Dependent", "@Governor"} & each.keys():
                raise InputError("a relation")
            text = texts.get(str(each.get("sofa")), next(iter(texts.values())))
            own = label or ("" if each["is_custom"] else kind)
            start, end = (code_points(text, int(each[name])) for name in ("begin", "end"))
            _add(result, page, own, text, (start, end))
    return result


def _structures(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the feature structures of a file: their features, ``id``, ``kind``, ``is_custom``."""
    if begins_with(path, b"{"):
        content = read_json(path, "UIMA JSON")
        for each in items_of(content.get("%FEATURE_STRUCTURES")):
            if isinstance(each, dict):
                name = str(each.get("%TYPE", ""))
                yield {"id": each.get("%ID"), "kind": name.rpartition(".")[2], **each,
                       "sofa": each.get("@sofa"), "is_custom": "custom" in name}  # fmt: skip
        return
    for each in read_xml(path, "UIMA XMI"):
        if isinstance(each.tag, str):
            number, kind = each.get("{http://www.omg.org/XMI}id"), each.tag.rpartition("}")[2]
            is_custom = "custom" in each.tag
            yield {**dict(each.attrib), "id": number, "kind": kind, "is_custom": is_custom}


_LABELS = ("value", "label", "identifier", "category", "Value", "Label")
_NO_LABELS = frozenset("id kind begin end sofa is_custom".split())
"""What every annotation has; a feature of a layer of one's own may have any other name."""


def _value_of(item: Mapping[str, Any]) -> str:
    """Return the label of an annotation: a feature of a usual name, else the first other text."""
    usual = [item.get(name) for name in _LABELS]
    others = [
        value for name, value in item.items()
        if name not in _NO_LABELS and name[:1] not in "{%@^" and not str(value).isdigit()
    ]  # fmt: skip
    return next((value for value in (*usual, *others) if isinstance(value, str) and value), "")


_STRUCTURE = {"Sentence", "Token", "DocumentMetaData", "DocumentAnnotation", "Paragraph", "POS",
              "Lemma", "Stem", "MorphologicalFeatures", "TagsetDescription"}  # fmt: skip
"""What every text of INCEpTION has, and nobody marked."""


def _utf_16(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
