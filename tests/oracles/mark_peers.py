"""What a file of another tool's marks holds, counted and read without any code of Pagelet.

UIMA is read by dkpro-cassis; the other formats are counted here, each by what its own
documentation calls one annotation.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

NOTES = ("a task without annotations", "a text without labels")
"""Rows of an account for what holds no mark at all."""

XMI = "{http://www.omg.org/XMI}id"


_UNSEEN = re.compile("[\\s\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def bare(text: str) -> str:
    """Return a text without white space and without signs that nobody sees."""
    return _UNSEEN.sub("", text)


def marks_in(path: Path, key: str) -> int:
    """Return how many annotations a file, or all files of a folder, hold."""
    return _COUNTS[key](path)


def stated_in(path: Path, key: str) -> list[str] | None:
    """Return the words that a file says its marks are on; None where it says none."""
    return _WORDS[key](path) if key in _WORDS else None


def _brat_words(path):
    files = sorted(path.rglob("*.ann")) if path.is_dir() else [path]
    lines = [x for f in files for x in re.split("\r\n|\r|\n", f.read_bytes().decode("utf-8-sig"))]
    return [line.split("\t")[2] for line in lines if line.startswith("T") and line.count("\t") > 1]


def _span_words(path):
    content = _json(path)
    examples = content if isinstance(content, list) else [content]
    result = []
    for each in examples:
        if each.get("answer", "accept") != "accept":
            continue  # Prodigy: nobody has said so
        text = each.get("text", each.get("data", ""))
        for span in each.get(next((k for k in _SPANS if k in each), ""), ()):
            if isinstance(span, dict):
                span = [span.get(f"{s}_offset", span.get(s)) for s in ("start", "end")]
            result += [text[span[0] : span[1]]] if isinstance(span, list) else []
    return result


def _quotes(value):
    if isinstance(value, list):
        return [words for each in value for words in _quotes(each)]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("exact"), str):
        return [value["exact"]]
    return [words for each in value.values() for words in _quotes(each)]


def _region_words(path):
    tasks = _json(path)
    made = [a for t in tasks for a in t.get("annotations") or ()]
    return [
        str(r["value"]["text"]) for a in made for r in a.get("result") or ()
        if isinstance(r.get("value"), dict) and "start" in r["value"]
    ]  # fmt: skip


def _json(path):
    text = path.read_bytes().decode("utf-8-sig")
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in re.split(r"\r\n|\r|\n", text) if line.strip()]


def _values(value):
    return list(value.values()) if isinstance(value, dict) else list(value or [])


def _annotations(value):
    if isinstance(value, list):
        return sum(map(_annotations, value))
    if not isinstance(value, dict):
        return 0
    kinds = value.get("type", value.get("@type"))
    if "Annotation" in (kinds if isinstance(kinds, list) else [kinds]) or "uri" in value:
        return 1
    return sum(_annotations(each) for each in value.values() if isinstance(each, list | dict))


def _labelme(path):
    content = _json(path)
    return len(content["shapes"]) + sum(v is True for v in (content.get("flags") or {}).values())


def _via(path):
    if path.suffix != ".json":
        data = path.read_bytes()
        text = data.decode("utf-16" if data[:2] == b"\xff\xfe" else "latin-1")
        return len(re.findall(r'""name""', text)) or len(re.findall(r'"\[\d[\d.,]*\]"', text))
    content = _json(path)
    if isinstance(content.get("metadata"), dict):
        return len(content["metadata"])
    pictures = _values(content.get("_via_img_metadata", content))
    return sum(len(_values(each.get("regions"))) for each in pictures)


def _label_studio(path):
    text = path.read_text("utf-8-sig")
    if text.lstrip()[:1] not in "[{":
        tab = "\t" if "\t" in text.partition("\n")[0] else ","
        rows = list(csv.DictReader(io.StringIO(text), delimiter=tab))
    else:
        rows = _json(path)
    rows = rows if isinstance(rows, list) else [rows]
    return sum(map(_task, rows))


def _task(task):
    if not isinstance(task.get("data"), dict) and "annotations" not in task:
        short = ([v] if isinstance(v, dict) else v for v in map(_cell, task.values()))
        return sum(len(v) for v in short if isinstance(v, list) and any(type(x) is dict for x in v))
    count = 0
    for made in ("annotations", "completions", "predictions"):
        for annotation in task.get(made) or ():
            labelled = {}
            for result in annotation.get("result") or ():
                value, name = result.get("value", {}), result.get("id")
                labels = any(k.endswith("labels") or k == "choices" for k in value)
                known = labelled.get(name) if name else None
                if made != "predictions" and known and known[0] != result["type"] and (
                    labels and not known[1]
                ):  # fmt: skip
                    labelled[name] = (known[0], True)  # only says what a region is
                    continue
                labelled.setdefault(name, (result.get("type"), labels))
                count += 1
    return count


def _cell(value):
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


_SPANS = ("label", "labels", "entities", "spans", "annotations")


def _doccano(path):
    content, count = _json(path), 0
    for each in content if isinstance(content, list) else [content]:
        spans = each.get(next((key for key in _SPANS if key in each), ""))
        count += len(spans) if isinstance(spans, list) else 0
        count += sum(len(each.get(key) or ()) for key in ("relations", "cats", "Comments"))
    return count


def _lines(path, ending, skip=()):
    files = sorted(path.rglob(f"*{ending}")) if path.is_dir() else [path]
    return sum(
        bool(line.strip())
        for file in files if file.name not in skip
        for line in re.split(rb"\r\n|\r|\n", file.read_bytes())
    )  # fmt: skip


def cas_of(path: Path):
    """Return the CAS of an XMI file, by dkpro-cassis, with types made of what the file names."""
    import cassis
    from cassis.typesystem import TYPE_NAME_ANNOTATION, TYPE_NAME_STRING

    root, types = ET.parse(path).getroot(), cassis.TypeSystem()
    for each in root:
        space, _, kind = each.tag[1:].rpartition("}")
        name = space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".") + "." + kind
        name = name.removeprefix("uima.noNamespace.")
        if name.startswith("uima."):
            continue
        is_new = not types.contains_type(name)
        own = types.create_type(
            name, TYPE_NAME_ANNOTATION if "begin" in each.attrib else "uima.cas.TOP"
        ) if is_new else types.get_type(name)  # fmt: skip
        known = {feature.name for feature in own.all_features}
        for feature in each.attrib.keys() - {"sofa", "begin", "end", XMI} - known:
            types.create_feature(own, feature, TYPE_NAME_STRING)
    return cassis.load_cas_from_xmi(path.read_text("utf-8-sig"), types, lenient=True)


def spans_of(path: Path) -> list[tuple[str, str]]:
    """Return name of the type and covered text of each annotation of an XMI file, by cassis."""
    cas = cas_of(path)
    views = [cas.get_view(sofa.sofaID) for sofa in cas.sofas]
    marked = [each for view in views for each in view.select_all_annotations()]
    return [(each.type.short_name, each.get_covered_text()) for each in marked]


def _uima(path):
    if path.suffix == ".json":
        return sum("begin" in each for each in _json(path)["%FEATURE_STRUCTURES"])
    return len(spans_of(path))


def _tsv(path):
    """Count by the format's description: a number in brackets joins units, else each is one."""
    lines = [x.rstrip("\r") for x in path.read_bytes().decode("utf-8-sig").split("\n")]
    layers = [line[6:].split("|") for line in lines if line.startswith(("#T_SP=", "#T_CH="))]
    layers += [line[6:].split("|") for line in lines if line.startswith("#T_RL=")]
    seen = Counter()
    for line in lines:
        cells = line.split("\t")
        if not re.match(r"\d+-\d+(\.\d+)?$", cells[0]):
            continue
        at = 3
        for number, layer in enumerate(layers):
            width = max(len(layer) - 1, 1)
            stacks = [re.split(r"(?<!\\)\|", cell) for cell in cells[at : at + width]]
            at += width
            for which in range(max(map(len, stacks), default=0)):
                values = [stack[which] for stack in stacks if which < len(stack)]
                if all(value in ("_", "") for value in values):
                    continue
                found = next(filter(None, (re.search(r"(?<!\\)\[(\d+)\]$", v) for v in values)), 0)
                seen[number, found[1] if found else (cells[0], which)] = 1
    return len(seen)


_SKIPPED = ("classes.txt", "obj.names", "train.txt", "val.txt", "test.txt", "expected.txt")

_COUNTS = {
    "webannotation": lambda path: _annotations(_json(path)),
    "coco": lambda path: sum(
        len(each.get("segments_info") or [each]) for each in _values(_json(path)["annotations"])
    ),
    "labelme": _labelme,
    "label-studio": _label_studio,
    "via": _via,
    "cvat": lambda path: sum(len(image) for image in ET.parse(path).getroot().iter("image")),
    "voc": lambda path: sum(1 for _ in ET.parse(path).getroot().iter("object")),
    "yolo": lambda path: _lines(path, ".txt", _SKIPPED),
    "doccano": _doccano,
    "brat": lambda path: _lines(path, ".ann"),
    "webanno-tsv": _tsv,
    "uima-xmi": _uima,
}

_WORDS = {
    "webannotation": lambda path: _quotes(_json(path)),
    "label-studio": _region_words,
    "doccano": _span_words,
    "brat": _brat_words,
    "uima-xmi": lambda path: [words for _, words in spans_of(path)],
}
