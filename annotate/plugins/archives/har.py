"""HAR: requests and responses of a browser or proxy, with all pages loaded during the recording.

Source: HTTP Archive 1.2, and what Chrome, Firefox, Safari, Charles, Fiddler, mitmproxy and
Playwright write: bodies in base64 or packed still, beside the file or in its zip (``_file``), pages
that are not listed, answers without a status or a type.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from annotate.archives.http_body import body_of
from annotate.archives.magic import HTML_KINDS, sniffed_kind
from annotate.archives.members import is_zip, leaves_package, member_names, read_member
from annotate.datasets.saved_pages import HoldsNoPage
from annotate.plugins.archives.page_parts import MainPart, PageParts, frames_in, place, web
from engine import bounds
from engine.account import Account
from engine.errors import InputError
from engine.fetch import read_file
from engine.media_types import media_type
from engine.saved import Stored, key_of
from engine.words import in_one_line, shorten

_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|frameset|title)\b", re.IGNORECASE)
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/=\s]")
_UNKNOWN = ("", "x-unknown", "application/x-unknown", "application/octet-stream")
_OF_SCRIPTS = ("xhr", "fetch", "xmlhttprequest", "beacon", "ping", "websocket")


class _Answer(NamedTuple):
    """HTML that was received: its position, its page of the log, and the type of the request."""

    stored: Stored
    address: str
    page: str
    goal: str


def har_in(names: frozenset[str]) -> str:
    """Return the HAR of a zip that Playwright wrote, by the names in it; "" if there is none."""
    found = [name for name in names if name.lower().endswith(".har")]
    return found[0] if len(found) == 1 else ""


def taken_apart(path: Path, data: bytes) -> PageParts:
    """Return the pages and answers of a HAR, or of a zip of one; raises `InputError`."""
    inside = har_in(member_names(path)) if data.startswith(b"PK") and is_zip(path) else ""
    log = json.loads(read_member(path, inside) if inside else data)["log"]
    parts: dict[str, Stored] = {}
    account = Account("request")
    answers: list[_Answer] = []
    for entry in log["entries"]:
        with account.item():
            name = str(entry["request"]["url"])
            answer = entry["response"]
            status = _number(answer.get("status"), bounds.STATUS)
            if not 200 <= status < 300:
                why = f"answer with status {status}" if status > 0 else "no answer"
                account.pass_over(why, name)
                continue
            content = answer.get("content") or {}
            body = _body(path, content, _fields(answer), is_packed=bool(inside))
            if body is None:
                account.pass_over("without its content", name)
                continue
            stored = Stored(body, _kind(content, _fields(answer), body), name)
            before = account.taken
            place(parts, account, stored, name)
            is_page = stored.kind.startswith(HTML_KINDS) and bool(stored.data.strip())
            if is_page and account.taken > before:
                goal = _goal(entry)
                answers.append(_Answer(stored, name, str(entry.get("pageref") or ""), goal))
    titles = {
        str(each.get("id")): str(each.get("title") or "")
        for each in log.get("pages") or ()
        if isinstance(each, dict)
    }
    pages = tuple(
        MainPart(each.stored, web(each.address), _title(titles, each))
        for each in _documents(answers)
    )
    if not pages:
        raise HoldsNoPage(f"{path} is a HAR file without a page in it", account)
    return PageParts(pages, parts, account)


def _documents(answers: list[_Answer]) -> Iterator[_Answer]:
    """Yield the responses that are pages, without frames and requests of scripts."""
    frames = {key for each in answers for key in frames_in(each.stored.data, each.address)}
    seen: set[str] = set()
    for each in answers:
        if each.goal != "document":
            is_first = each.page not in seen and not each.goal
            is_whole = _WHOLE.search(each.stored.data) is not None
            if each.goal or key_of(each.address) in frames or not (is_whole or is_first):
                continue
        elif key_of(each.address) in frames:
            continue
        seen.add(each.page)
        yield each


def _goal(entry: Mapping[str, Any]) -> str:
    """Return "document", "frame" or "script" for the request of a response, or ""."""
    fields = _fields(entry["request"])
    goal = fields.get("sec-fetch-dest", "").lower()
    if goal:
        return {"document": "document", "iframe": "frame", "frame": "frame"}.get(goal, "script")
    kind = str(entry.get("_resourceType") or entry.get("_fetchType") or "").lower()
    is_of_script = kind in _OF_SCRIPTS or "x-requested-with" in fields
    return "script" if is_of_script else ""


def _title(titles: Mapping[str, str], answer: _Answer) -> str:
    """Return the title of a page in the log; its address where that has none."""
    only = next(iter(titles.values())) if len(titles) == 1 and not answer.page else ""
    title = titles.get(answer.page, only)
    return title if title and not web(title) else answer.address


def _fields(message: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a request or answer, names in lower case; ``:status`` is none."""
    fields = message.get("headers")
    return {
        str(each["name"]).lower(): str(each.get("value") or "")
        for each in (fields if isinstance(fields, list) else ())
        if isinstance(each, dict) and each.get("name") and not str(each["name"]).startswith(":")
    }


def _number(value: object, bound: bounds.Bound) -> int:
    """Return a number of a HAR, some of which are in quotes; 0 for anything else."""
    try:
        return bounds.whole(int(value) if isinstance(value, str) else value, bound)
    except (ValueError, InputError):
        return 0


def _body(
    path: Path, content: Mapping[str, Any], fields: Mapping[str, str], *, is_packed: bool
) -> bytes | None:
    """Return the bytes of an answer; None where they are not in the file."""
    if name := str(content.get("_file") or ""):
        if leaves_package(name):
            raise InputError("its content lies outside the file's folder")
        try:
            data = read_member(path, name) if is_packed else read_file(path.parent / name)
        except InputError:
            beside = "in the zip" if is_packed else "beside the file"
            raise InputError(
                f"its content {shorten(in_one_line(name))} is not {beside}, or cannot be read"
            ) from None
    else:
        text = content.get("text")
        if not isinstance(text, str):
            return None
        data = text.encode("utf-8", "replace")
        if not _is_base64(content):
            return data if data or not _number(content.get("size"), bounds.LENGTH) else None
        try:
            data = base64.b64decode(data)
        except binascii.Error:
            raise InputError("its content is not in base64") from None
    packed = fields.get("content-encoding", "")
    if packed and (data[:2] == b"\x1f\x8b" or data[:4] == b"\x28\xb5\x2f\xfd"):
        data = body_of(data, {"content-encoding": packed})[0]
    return data


def _is_base64(content: Mapping[str, Any]) -> bool:
    """Return whether a text is in base64; Firefox has declared plain ones so (its bug 1762313)."""
    is_said = str(content.get("encoding") or "").lower() == "base64"
    return is_said and _NO_BASE64.search(str(content.get("text") or "")) is None


def _kind(content: Mapping[str, Any], fields: Mapping[str, str], body: bytes) -> str:
    """Return the media type of an answer, with the charset of its bytes."""
    said = str(content.get("mimeType") or "")
    if said.partition(";")[0].strip().lower() in _UNKNOWN:
        said = fields.get("content-type", "")
    kind, charset = media_type(said)
    if kind in _UNKNOWN:
        kind = sniffed_kind(body) or kind
    is_text = kind.startswith("text/") or kind in HTML_KINDS
    if is_text and not _is_base64(content) and not content.get("_file"):
        return f"{kind}; charset=utf-8"  # the text was decoded by who wrote the file
    return f'{kind}; charset="{charset}"' if is_text and charset else kind
