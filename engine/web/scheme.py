"""Guard and server of a view: the permitted requests, and the local files.

One `Gate` a view.  While a local document is open nothing leaves the machine: ``pagelet:`` requests
are answered from the document's folder, http(s) ones are sent there too if the folder holds them,
and all else is refused and counted.
"""

import logging
import time
from pathlib import Path
from typing import cast

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlSchemeHandler,
)

from engine import held_files
from engine.document import SCHEME, Document
from engine.encoding import served_charset
from engine.errors import InputError
from engine.saved import Stored, key_of, shown_address
from engine.source import Source
from engine.web.files import find, media_type
from engine.web.profile import PROBE
from engine.web.recorder import Recorder

log = logging.getLogger(__name__)

_INNER_SCHEMES = frozenset(["data", "blob", "about"])
_LIVE_SCHEMES = frozenset(["http", "https", "ws", "wss"])
_Resource = QWebEngineUrlRequestInfo.ResourceType
_XHR = _Resource.ResourceTypeXhr
_READ = frozenset([_XHR, _Resource.ResourceTypeJson, _Resource.ResourceTypePrefetch])
"""What scripts read, and nobody sees."""

_FRAMES = frozenset(
    [
        _Resource.ResourceTypeSubFrame,
        _Resource.ResourceTypeObject,
        _Resource.ResourceTypePluginResource,
    ]
)
_SHOWN = ("text/html", "application/xhtml+xml", "image/")
"""What a frame may show of files: no texts, tables or data bases."""

_NO_SCRIPTS = b"script-src 'none'; worker-src 'none'"
_NO_READING = b"connect-src http: https: ws: wss: data: blob:"
"""For pages out of a folder: what their workers fetch, the interceptor is not asked for."""


class Gate(QObject):
    """Access of the open document to resources.

    Attributes:
        document: The open document; None refuses everything.
        is_shut: Set when the snapshot is taken: from then on the page gets nothing more.
        lets_probe: Whether `profile.PROBE` may pass.
        recorder: Records requests and responses of the page; None for no record.
        missing: Number of local resources that were requested and not found.
        refused: Number of refused requests.
        is_served: Whether the document itself was sent; a live one never is, from here.
        served_at: When the page last got a file (`time.monotonic`); requests in vain do not count,
            as some pages repeat them for ever.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lets_probe = False
        self.recorder: Recorder | None = None
        self.open(None)

    def open(self, document: Document | None) -> None:
        """Accept requests of this document only, and reset the counts."""
        self.document = document
        self.is_shut = False
        self.missing = 0
        self.refused = 0
        self.is_served = False
        self.served_at = time.monotonic()

    def serve_document(self) -> None:
        """Record that the document itself is sent."""
        self.is_served = True
        self.served_at = time.monotonic()

    def local_file(self, url: QUrl) -> Path | None:
        """Return the file of the open document's folder that answers a URL, or None."""
        if self.document is None or self.document.root is None:
            return None
        encoded = QUrl.ComponentFormattingOption.FullyEncoded
        return find(self.document.root, url.host(), url.path(encoded), url.query(encoded))

    def stored(self, url: QUrl, accept: str = "") -> Stored | None:
        """Return the resource of a URL in the open document's store or folder, or None.

        ``accept`` is the media types that are accepted, as the request's header has them.
        """
        if self.document is not None and self.document.store is not None:
            return self.document.store.find(_encoded(url))
        path = self.local_file(url)
        data = None if path is None else _read(path)
        if path is None or data is None:
            return None
        return Stored(data, media_type(path, data[:1024], accept))

    def has(self, url: QUrl) -> bool:
        """Return whether anything answers a URL."""
        if self.document is not None and self.document.store is not None:
            return self.document.store.find(_encoded(url)) is not None
        return self.local_file(url) is not None

    def is_probe(self, url: QUrl) -> bool:
        """Return whether it is Pagelet that asks, before the page does."""
        return self.lets_probe and url.toString() == PROBE

    def may_read(self, url: QUrl, kind: _Resource) -> bool:
        """Return whether a page out of a folder may have a file beside it for such a use.

        Its scripts read no file, and its frames show pages and pictures alone.
        """
        document = self.document
        if document is None or not is_of_folder(document):
            return True
        if kind not in _READ | _FRAMES or _is_of(document, url):
            return True
        path = self.local_file(url)
        data = None if path is None or kind in _READ else _read(path)
        return path is None or (
            data is not None and media_type(path, data[:1024]).startswith(_SHOWN)
        )

    def may_pass(self, url: QUrl) -> bool | QUrl:
        """Return whether a request may pass unchanged, or its other target."""
        scheme = url.scheme()
        if scheme in _INNER_SCHEMES or self.is_probe(url):
            return True
        if self.document is None or self.is_shut:
            return False
        if self.document.is_live:
            return scheme in _LIVE_SCHEMES
        if scheme == SCHEME:
            return True
        if scheme in ("http", "https") and self.has(url):
            if self.document.store is not None:
                return QUrl(shown_address(_encoded(url)))
            local = QUrl(url)
            local.setScheme(SCHEME)
            local.setPort(-1)
            local.setUserInfo("")
            return local
        return False


class Interceptor(QWebEngineUrlRequestInterceptor):
    """Interceptor that asks the gate about every request."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(gate)
        self._gate = gate

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        answer = self._gate.may_pass(info.requestUrl())
        if answer and not self._gate.may_read(info.requestUrl(), info.resourceType()):
            answer = False
        recorder = self._gate.recorder
        is_own = self._gate.is_probe(info.requestUrl())
        if recorder is not None and not self._gate.is_shut and not is_own:
            recorder.ask(_encoded(info.requestUrl()), info, is_refused=answer is False)
        url = answer if isinstance(answer, QUrl) else info.requestUrl()
        if answer and info.resourceType() == _XHR and self._would_fail(url, info.requestMethod()):
            # Chromium returns 404 to a page that fetches it, and then never ends the body.
            self._gate.missing += 1
            if recorder is not None:
                recorder.miss(_encoded(url))
            info.block(True)
        elif isinstance(answer, QUrl):
            info.redirect(answer)
        elif not answer:
            self._gate.refused += 1
            info.block(True)

    def _would_fail(self, url: QUrl, method: QByteArray) -> bool:
        """Return whether the server has no answer to a request."""
        document = self._gate.document
        if document is None or url.scheme() != SCHEME:
            return False
        is_itself = _is_of(document, url)
        return method.data() != b"GET" or not (is_itself or self._gate.has(url))


class Server(QWebEngineUrlSchemeHandler):
    """Handler of ``pagelet:`` requests: the document itself, then files of its folder."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(gate)
        self._gate = gate

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        gate, url = self._gate, job.requestUrl()
        document = gate.document
        if document is None or gate.is_shut or bytes(job.requestMethod().data()) != b"GET":
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        if _is_of(document, url):
            self._send_document(job, document)
            return
        result = gate.stored(url, _header(job, b"Accept"))
        if result is None:
            gate.missing += 1
            if gate.recorder is not None:
                gate.recorder.miss(_encoded(url))
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        gate.served_at = time.monotonic()
        if gate.recorder is not None:
            gate.recorder.serve(_encoded(url), result)
        _reply(job, result.data, result.kind, document)

    def _send_document(self, job: QWebEngineUrlRequestJob, document: Document) -> None:
        frames = () if document.store is None else document.store.frames()
        if frames:
            self._gate.serve_document()
            data = frames[0].html.encode("utf-8", "replace")
            _reply(job, data, "text/html; charset=utf-8", document)
            return
        try:
            received = document.receive()
        except InputError as error:
            log.warning("%s", error)
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        data, kind = received.data, "text/html"
        if received.is_xml:
            source = Source.of(received)
            kind, charset = "application/xhtml+xml", source.encoding
            if source.xml_note:  # Chromium would show the text of its error among the page's
                data, kind, charset = source.utf8, "text/html", "utf-8"
        else:
            charset = served_charset(data, received.charset)
        if charset:
            kind += f"; charset={charset}"
        self._gate.serve_document()
        if self._gate.recorder is not None:
            url = _encoded(job.requestUrl())
            home = document.home if key_of(document.home) == key_of(url) else ""
            self._gate.recorder.serve(url, Stored(data, kind, home))
        _reply(job, data, kind, document)


def is_of_folder(document: Document) -> bool:
    """Return whether files of a folder answer, which may hold more than the page."""
    return document.root is not None and document.store is None


def _is_of(document: Document, url: QUrl) -> bool:
    """Return whether an address is the document's own, however it is written."""
    asked, own = without_fragment(url), without_fragment(QUrl(document.url))
    try:
        return asked == own or (document.store is not None and key_of(asked) == key_of(own))
    except ValueError:
        return False


def without_fragment(url: QUrl) -> str:
    """Return an address without its fragment."""
    return _encoded(url).partition("#")[0]


def _encoded(url: QUrl) -> str:
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def _read(path: Path) -> bytes | None:
    try:
        with held_files.open_held(path) as file:
            return file.read()
    except OSError:
        return None


def _header(job: QWebEngineUrlRequestJob, name: bytes) -> str:
    # The stubs know the values as QByteArray, but a QMultiMap arrives with lists of bytes.
    values = cast("dict[QByteArray, list[bytes]]", job.requestHeaders())
    return b"".join(values.get(QByteArray(name), [])).decode("latin-1")


def _reply(job: QWebEngineUrlRequestJob, data: bytes, kind: str, document: Document) -> None:
    # no-store: Blink's memory cache would give the next page this page's files of the same name.
    headers = {QByteArray(b"Cache-Control"): [QByteArray(b"no-store")]}
    policies = []
    if not document.scripts:
        policies.append(_NO_SCRIPTS)
    if is_of_folder(document):
        policies.append(_NO_READING)
        if "json" in kind:
            kind = "text/plain"  # no module that a worker can import
    if policies:
        headers[QByteArray(b"Content-Security-Policy")] = [QByteArray(b"; ".join(policies))]
    job.setAdditionalResponseHeaders(cast("dict[QByteArray, QByteArray]", headers))
    buffer = QBuffer(job)
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(kind.encode("latin-1", "replace")), buffer)
