"""What a text file is: markup, XML of a tool, lists of addresses, annotations in lines, code."""

import csv
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path

from annotate.archives.text_kinds import has_markup, kind_of_text
from annotate.datasets.looking.found import Found, NextStep, quoted_path
from annotate.datasets.looking.json_forms import (
    addresses,
    annotations,
    look_into_json,
    look_into_lines,
    read_json_page,
)
from engine import bounded_file
from engine.csv_cells import rows_of, table_text
from engine.document import HTML_SUFFIXES
from engine.words import cut_text, plural

_TAGS = (
    r"!doctype|html|head|body|title|meta|link|script|style|base|frameset|div|span|p|a|br|hr|h[1-6]|"
    r"table|tr|td|ul|ol|li|dl|img|form|input|iframe|article|section|main|nav|header|footer|aside|"
    r"figure|pre|blockquote|center|font|b|i|em|strong|noscript|template|button|video|details|math"
)
_BEGINS = re.compile(
    rf"(?:\s|<\?xml[^>]*>|<!--.*?-->|<\?php.*?\?>)*<(?:{_TAGS})[\s>/]", re.I | re.S
)
_ANY_TAG = re.compile(rf"</?(?:{_TAGS})[\s>/]", re.IGNORECASE)
_WHOLE = re.compile(r"<(?:!doctype\s+html|html|body|head)[\s>]", re.IGNORECASE)
_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!doctype[^>\[]*(?:\[.*?\])?\s*>\s*)*<([\w:.-]+)",
    re.I | re.S,
)
_MHTML = re.compile(
    r"(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?content-type:\s*multipart/related", re.IGNORECASE
)
_MAIL = re.compile(r"(?:(?:from|to|subject|date|received|return-path|mime-version): [^\n]*\n"
                   r"(?:[ \t][^\n]*\n)*){2}", re.IGNORECASE)  # fmt: skip
_ADDRESS = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_LISTED = re.compile(r"\"(https?://[^\s\"<>]+)\"|https?://[^\s,;\"'<>]+", re.IGNORECASE)
"""An address in a list or table: a cell in quotes may have the separators in it."""
_LOC = re.compile(r"<loc>\s*([^<\s]+)\s*</loc>")
_METHOD = re.compile(r"^METHOD\b\s*(?::[^=\n]+)?=", re.MULTILINE)
_PYTHON = re.compile(r"^(?:import \w|from [\w.]+ import |def \w+\(|class \w+|@\w+)", re.MULTILINE)
_SHORTCUT = re.compile(
    r"\[(?:InternetShortcut|Desktop Entry)\]\s(?:.*\n)*?URL=https?://", re.IGNORECASE
)
_BRAT = re.compile(r"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t|[REAMN]\d+\t\S|\*\t\S|#\d+\t")
_TSV = re.compile(r"^#(?:FORMAT=WebAnno TSV|T_(?:SP|CH|RL)=)", re.MULTILINE)
_YOLO = re.compile(r"\d+(?:\.0+)?(?:\s+(?:0?[.,]\d+|[01](?:[.,]\d*)?)(?:e-?\d+)?){4,}(?:\s+\d+)?$")
_CODE = frozenset(
    ".bat .c .cfg .conf .cpp .cs .css .go .h .ini .ipynb .java .js .json .jsx .lua .md .mjs .pl "
    ".py .r .rb .rs .rst .scss .sh .sql .tex .toml .ts .tsx .vue .yaml .yml".split()
)
"""Endings of code, where tags stand in strings and examples."""

_FEWEST_LINES = 3
"""Lines from which on a damaged one among them is taken for one."""

_RESULTS = {"page", "method", "measure", "value"}


def look_into_text(path: Path, text: str, *, is_cut: bool) -> Found:
    """Return what a text is; of a long one only its beginning is given, and ``is_cut``."""
    start = text.lstrip("\ufeff \t\r\n")
    if not start:
        return Found(path, "unknown", "an empty file")
    for look in (_messages, _method, _code, _json, _markup, _lines):
        found = look(path, start, is_cut)
        if found is not None:
            return found
    if kind := kind_of_text(start, is_late=True):
        return Found(path, "unknown", kind, "text", at_least=is_cut)
    if _is_page(path, start):
        return page(path)
    words = plural(len(start.split()), "word")
    return Found(path, "unknown", f"text without markup ({words}{' or more' * is_cut})", "text",
                 at_least=is_cut)  # fmt: skip


def addresses_in(path: Path) -> list[str]:
    """Return the addresses of a list, table or site map, each once, in its order.

    Raises `OSError`, and `InputError` for a file that is too long.
    """
    text = table_text(bounded_file.read_bytes(path))
    every = (match[1] or match[0] for match in _LISTED.finditer(text))
    found = _LOC.findall(text) if "<loc>" in text else every
    return list(dict.fromkeys(map(html.unescape, found)))


def page(path: Path, title: str = "a page") -> Found:
    """Return a page of HTML."""
    step = NextStep("Open it", f"pagelet open {quoted_path(path)}", "open")
    return Found(path, "page", title, "html", (step,), {"page": 1})


def _is_page(path: Path, text: str) -> bool:
    """Return whether a text is a page: it begins with markup, or has some and is no code."""
    if _BEGINS.match(text):
        return True
    if path.name.lower().endswith(HTML_SUFFIXES):
        return has_markup(text)
    if path.suffix.lower() in _CODE:
        return False
    return bool(_WHOLE.search(text)) or len(_ANY_TAG.findall(text[:20_000])) >= 3


def _messages(path: Path, text: str, _is_cut: bool) -> Found | None:
    """Return a page saved as one message, or mail."""
    plain = text[:8192].replace("\r", "")
    if _MHTML.match(plain):
        return read_json_page(path, "a page saved as MHTML", "mhtml")
    if text.startswith(("WARC/", "filedesc://")):
        return None
    return Found(path, "unknown", "an e-mail", "mail") if _MAIL.match(plain) else None


def _method(path: Path, text: str, _is_cut: bool) -> Found | None:
    """Return a method of Pagelet in Python code."""
    if text[:1] in "<{[" or not (_METHOD.search(text) and _PYTHON.search(text)):
        return None
    step = NextStep("Add it as a method", f"pagelet --method-file {quoted_path(path)}", "method")
    return Found(path, "method file", "a method of Pagelet in Python", "py", (step,))


def _code(path: Path, text: str, is_cut: bool) -> Found | None:
    """Return code, settings and other text recognised by its first lines; a shortcut."""
    if _SHORTCUT.match(text):
        return addresses(path, "a shortcut", 1)
    kind = kind_of_text(text)
    if not kind and path.suffix.lower() == ".py" and _PYTHON.search(text):
        kind = "Python code"
    kind += " without a METHOD" * (kind == "Python code")
    return Found(path, "unknown", kind, "text", at_least=is_cut) if kind else None


# JSON -----------------------------------------------------------------------------------------
def _json(path: Path, text: str, is_cut: bool) -> Found | None:
    is_named = path.suffix.lower() in (".json", ".jsonl", ".ndjson", ".har", ".jsonld", ".geojson")
    if text[:1] not in "{[":
        return None
    if not is_cut and path.suffix.lower() not in (".jsonl", ".ndjson"):
        try:
            return look_into_json(path, json.loads(text))
        except (ValueError, RecursionError):
            pass
    values = _values(text, is_cut)
    if len(values) > 1 or (values and (is_cut or path.suffix.lower() in (".jsonl", ".ndjson"))):
        return look_into_lines(path, values, is_cut=is_cut)
    if path.name.lower().endswith(HTML_SUFFIXES):
        return None
    if is_named or re.match(r'[{\[]\s*["{\[\]}]', text):
        if is_cut:
            keys = list(dict.fromkeys(re.findall(r'"([\w@ -]{1,30})"\s*:', text[:100_000])))[:6]
            return Found(path, "unknown", f"JSON that is too large to be looked through, with the "
                         f"keys {', '.join(keys)} …", "json", at_least=True)  # fmt: skip
        return Found(path, "unknown", "JSON and damaged", "json")
    return None


def _values(text: str, is_cut: bool) -> list[object]:
    """Return the values of JSON Lines, of the first thousand; [] if most lines are invalid."""
    lines = [line for line in _lines_of(text) if line.strip()][: -1 if is_cut else None][:1000]
    values: list[object] = []
    for line in lines:
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            if len(lines) < _FEWEST_LINES:
                return []
    if len(values) * 2 <= len(lines):
        return []
    return values if all(isinstance(each, dict | list) for each in values) else []


# XML ------------------------------------------------------------------------------------------
def _markup(path: Path, text: str, is_cut: bool) -> Found | None:
    root = _ROOT.match(text)
    if root is None or (_BEGINS.match(text) and root[1].lower() != "annotations"):
        return None
    name, head = root[1].rpartition(":")[2].lower(), text[:20_000]
    if name in ("urlset", "sitemapindex"):
        count = len(re.findall(r"<(?:\w+:)?loc>", text))
        title = "a site map" if name == "urlset" else "a list of site maps"
        return addresses(path, title, count, at_least=is_cut)
    if name == "annotations" and re.search(r"<(?:image|track|meta|version)\b", head):
        marks = re.findall(r"<(?:box|polygon|polyline|points|mask|ellipse)\b", text)
        counts = {"picture": len(re.findall(r"<image\b", text)), "mark": len(marks)}
        return annotations(path, "CVAT", "cvat", counts, at_least=is_cut)
    if name == "xmi" or "http:///uima/cas.ecore" in head:
        return annotations(path, "UIMA (XMI)", "uima-xmi")
    if name == "annotation" and ("<object>" in head or "<filename>" in head):
        return annotations(path, "Pascal VOC", "voc", {"mark": text.count("<object>")})
    if name in ("rss", "feed", "rdf") and re.search(r"<(?:\w+:)?(?:item|entry)\b", text):
        count = len(re.findall(r"<(?:\w+:)?(?:item|entry)\b", text))
        return Found(path, "unknown", f"a feed with {plural(count, 'entry', 'entries')}", "feed")
    if name == "plist":
        if "WebMainResource" in text:
            return read_json_page(path, "a page saved by Safari (.webarchive)", "webarchive")
        if re.search(r"<key>URL</key>\s*<string>https?://", text):
            return addresses(path, "a shortcut", 1)
        return Found(path, "unknown", "a property list", "plist")
    if name == "svg":
        return Found(path, "unknown", "a picture (SVG)", "svg")
    if text.startswith("<?xml") or path.suffix.lower() == ".xml":
        if "http://www.w3.org/1999/xhtml" in head and name == "html":
            return None
        return Found(path, "unknown", f"XML with the root {cut_text(root[1], 40)}", "xml")
    return None


# lines ----------------------------------------------------------------------------------------
def _lines(path: Path, text: str, is_cut: bool) -> Found | None:
    """Return what the lines of a text without markup are."""
    suffix = path.suffix.lower()
    if _TSV.search(text[:4000]):
        return annotations(path, "WebAnno (TSV)", "webanno-tsv")
    if "# CSV_HEADER = metadata_id" in text[:20_000]:
        return annotations(path, "VIA (CSV)", "via", at_least=is_cut)
    every = _lines_of(text)
    lines = [line.strip() for line in every if line.strip()]
    lines = (lines[:-1] or lines) if is_cut else lines
    plain = [line for line in lines if not line.startswith("#")]
    if plain and all(map(_is_address, plain)):
        return addresses(path, "a list of addresses", len(plain), at_least=is_cut)
    rows = [line for line in every if line.strip()]
    if sum(_BRAT.match(row) is not None for row in rows[:200]) * 2 > len(rows[:200]):
        count = sum(row.startswith("T") for row in rows)
        return annotations(path, "brat", "brat", {"mark": count}, at_least=is_cut)
    if lines and suffix in (".txt", ""):
        count = sum(_YOLO.match(line) is not None for line in lines)
        if count * 2 > len(lines):
            return annotations(path, "YOLO", "yolo", {"mark": count}, at_least=is_cut)
    if lines and (not _ANY_TAG.search(text[:4000]) or "<" not in lines[0]):
        return _table(path, lines, is_cut)
    return None


def _lines_of(text: str) -> list[str]:
    """Return the lines as files end them, not also where Unicode has a line separator."""
    return re.split(r"\r\n|\r|\n", text)


def _is_address(line: str) -> bool:
    return _ADDRESS.fullmatch(line) is not None


def _table(path: Path, lines: Sequence[str], is_cut: bool) -> Found | None:
    """Return what a table with a header is: addresses, scores, annotations of VIA."""
    try:
        rows = rows_of("\n".join(lines[:2000]))
    except csv.Error:
        return None
    if not rows:
        return None
    header = [cell.strip().strip("\ufeff#").lower() for cell in rows[0]]
    body = rows[1:]
    if len(header) > 1 and set(header) >= _RESULTS:
        step = NextStep("Show them", f"pagelet open {quoted_path(path)}")
        return Found(path, "results", "scores of pagelet evaluate", "csv", (step,),
                     {"row": len(lines) - 1}, (), is_cut)  # fmt: skip
    if "region_shape_attributes" in header:
        return annotations(path, "VIA (CSV)", "via", {"row": len(body)}, at_least=is_cut)
    if "annotation_id" in header or {"annotator", "lead_time"} <= set(header):
        title = "Label Studio (CSV)"
        return annotations(path, title, "label-studio", {"row": len(body)}, at_least=is_cut)
    for column, _ in enumerate(header):
        cells = [row[column].strip() for row in body if len(row) > column and row[column].strip()]
        if cells and len(cells) * 2 > len(body) and all(map(_is_address, cells)):
            title = f"a table with addresses in the column {cut_text(header[column], 30)}"
            return addresses(path, title, len(lines) - 1, at_least=is_cut)
    whole = body[:-1] if is_cut else body
    is_regular = all(re.fullmatch(r"[\w .-]{1,40}", cell) for cell in header) and all(
        len(row) == len(header) for row in whole
    )
    is_regular = is_regular and len(whole) > ("," in lines[0])
    if len(header) > 1 and (path.suffix.lower() in (".csv", ".tsv") or is_regular):
        title = f"a table of {plural(len(lines) - 1, 'row')} with the columns "
        names = ", ".join(cut_text(cell, 30) for cell in header[:6])
        return Found(path, "unknown", title + names, "csv", at_least=is_cut)
    return None
