"""Recorder of a page's requests while it loads, and of Pagelet's responses."""

from dataclasses import dataclass

from PySide6.QtCore import QByteArray
from PySide6.QtWebEngineCore import QWebEngineUrlRequestInfo

from engine.saved import Stored, WebExchange, key_of, web_address

_Type = QWebEngineUrlRequestInfo.ResourceType
_PASSING = frozenset(
    [_Type.ResourceTypePing, _Type.ResourceTypeCspReport, _Type.ResourceTypeFavicon]
)
"""What a page sends or asks for that it does not show."""


@dataclass(frozen=True)
class ResourceRequest:
    """HTTP request: its address, and the headers on accepted content."""

    url: str
    headers: tuple[tuple[str, str], ...]


class Recorder:
    """Record of the addresses of one load, each once.

    Attributes:
        served: What Pagelet has sent: the page itself, and files beside it.
        asked: Requests to the web.
        refused: What the page asked for and was not let through to, or is not there.
    """

    def __init__(self) -> None:
        self.served: dict[str, WebExchange] = {}
        self.asked: dict[str, ResourceRequest] = {}
        self.refused: dict[str, None] = {}

    def clear(self) -> None:
        """Forget all: the page is loaded once more."""
        self.served.clear()
        self.asked.clear()
        self.refused.clear()

    def ask(self, url: str, info: QWebEngineUrlRequestInfo, *, is_refused: bool) -> None:
        url = url.partition("#")[0]
        if not url.startswith(("http:", "https:")) or info.resourceType() in _PASSING:
            return
        if bytes(info.requestMethod().data()) != b"GET":
            return
        if is_refused:
            self.refused[url] = None
        else:
            given = {_text(key): _text(value) for key, value in info.httpHeaders().items()}
            headers = [(name, given[name]) for name in ("Accept", "Referer") if name in given]
            self.asked[url] = ResourceRequest(url, tuple(headers))

    def serve(self, url: str, stored: Stored) -> None:
        own = stored.url or web_address(url.partition("#")[0])
        headers = (("Content-Type", stored.kind),)
        self.served[key_of(url)] = WebExchange(own, 200, headers, stored.data, is_file=True)

    def miss(self, url: str) -> None:
        """Record requests without a response."""
        self.refused[web_address(url.partition("#")[0])] = None


def _text(value: QByteArray | bytes) -> str:
    return bytes(value.data() if isinstance(value, QByteArray) else value).decode("latin-1")
