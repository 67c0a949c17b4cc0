"""Responses of a page, written as WARC records; warcio packs them (ISO 28500)."""

import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from engine.saved import WebExchange

_SAFE = "%/:=&?~#+!$,;'@()*[]"
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True)
class CdxLine:
    """Position of a written record, in bytes, for the CDX index that other tools read."""

    url: str
    kind: str
    status: int
    digest: str
    offset: int
    length: int

    def text(self, when: str, member: str) -> str:
        """Return the line as CDXJ has it; ``when`` is fourteen digits."""
        about = {
            "url": self.url, "mime": self.kind, "status": str(self.status), "digest": self.digest,
            "length": str(self.length), "offset": str(self.offset), "filename": member,
        }  # fmt: skip
        return f"{sort_key(self.url)} {when} {json.dumps(about)}\n"


def sort_key(url: str) -> str:
    """Return an address as indexes sort it (SURT): ``org,example)/path``."""
    parts = urlsplit(url.lower())
    host = ",".join(reversed((parts.hostname or "").split(".")))
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}){parts.path or '/'}{query}"


class _Writer(WARCWriter):  # type: ignore[misc]  # warcio has no types
    """Keeps measurements in memory; files left open give a warning."""

    _create_temp_file = staticmethod(io.BytesIO)


def write(
    exchanges: tuple[WebExchange, ...], when: str, software: str, file: str
) -> tuple[bytes, list[CdxLine]]:
    """Return a WARC file, compressed record by record, and the position of each response.

    Args:
        exchanges: Requests and responses.
        when: The time, as WARC has it.
        software: The program that writes it.
        file: Its name.
    """
    out = io.BytesIO()
    writer = _Writer(out, gzip=True, warc_version="1.1")
    info = {"software": software, "format": "WARC File Format 1.1"}
    writer.write_record(writer.create_warcinfo_record(file, info))
    lines = []
    dated = {"WARC-Date": when}
    for each in exchanges:
        kind = each.header("Content-Type") or "application/octet-stream"
        name, more = "resource", {"warc_content_type": kind}
        if not each.is_file:
            reason = _one_line(each.reason).encode("ascii", "replace").decode()
            status = f"{each.status} {reason}".strip()
            head = StatusAndHeaders(status, _headers(each.headers), protocol="HTTP/1.1")
            name, more = "response", {"http_headers": head}
        body = io.BytesIO(each.body)
        record = writer.create_warc_record(
            each.url, name, payload=body, warc_headers_dict=dict(dated), **more
        )
        start = out.tell()
        writer.write_record(record)
        digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
        bare = kind.partition(";")[0].strip()
        lines.append(CdxLine(each.url, bare, each.status, digest, start, out.tell() - start))
        if not each.is_file:
            parts = urlsplit(each.url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            target = quote(_one_line(target), safe=_SAFE)
            asked = StatusAndHeaders(
                f"GET {target} HTTP/1.1",
                _headers((("Host", parts.netloc), *each.asked)),
                is_http_request=True,
            )
            about = {**dated, "WARC-Concurrent-To": record.rec_headers.get_header("WARC-Record-ID")}
            request = writer.create_warc_record(
                each.url,
                "request",
                payload=io.BytesIO(),
                http_headers=asked,
                warc_headers_dict=about,
            )
            writer.write_record(request)
    return out.getvalue(), lines


def _headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return headers in writable form: a line each, without invalid names."""
    return [(name, _one_line(value)) for name, value in headers if _NAME.fullmatch(name)]


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\r" in text else text
