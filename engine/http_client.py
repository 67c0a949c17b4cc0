"""The standard library's HTTP client within limits of time, bytes and reach.

Everything that arrives is counted as it arrives, heads, interim answers and trailers, too, which
the library reads for ever; the clock runs for the whole answer, not for each wait.
"""

import base64
import http.client
import io
import re
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from engine.errors import InputError
from engine.hosts import HostPolicy

MOST_HEAD = 2**18
"""Bytes that may come before a body: heads and interim answers."""


_INTERIM = re.compile(rb"HTTP/1\.\d 1(?!01)\d\d\b[^\r\n]*\r\n")
_MOST_INTERIM = 20
_MOST_PROXY_HEAD = 2**16
_NEAR_HOST = re.compile(r"127\.[\d.]+|(?:.*\.)?localhost\.?|::1")
"""What no proxy is asked for, as in browsers."""


class TooMuch(Exception):
    """More bytes than an answer may have."""


def reason_of(error: BaseException) -> str:
    """Return why an exchange with a server failed, in words."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted ({error.verify_message})"
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "UNKNOWN_PROTOCOL" | "HTTP_REQUEST"):
            return "it does not speak HTTPS there; try http://"
        case ssl.SSLError():
            return f"its encryption failed ({error.reason or error})"
        case socket.gaierror():
            return "there is no such host, or no network"
        case ConnectionRefusedError():
            return "it refused the connection"
        case http.client.IncompleteRead():
            return "it ends too early"
        case ConnectionError():  # RemoteDisconnected is a BadStatusLine, too
            return "it ended the connection"
        case http.client.BadStatusLine():
            return "it is not HTTP"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


class Connection(http.client.HTTPConnection):
    """HTTP connection that records its traffic and limits the bytes received.

    Args:
        scheme: ``http`` or ``https``.
        host: With its port, if that is not the scheme's own.
        reach: Which addresses may be connected to.
        seconds: For connecting, and for each wait.

    Attributes:
        sent, received: Bytes since `begin`.
        opened: The socket, known also when an answer has taken it over.
        most: Limit of received bytes, above which `TooMuch` is raised.
    """

    def __init__(self, scheme: str, host: str, reach: HostPolicy, seconds: float) -> None:
        super().__init__(host, timeout=seconds)
        self._scheme, self._reach = scheme, reach
        if scheme == "https" and ":" not in host.rpartition("]")[2]:
            self.port = http.client.HTTPS_PORT
        self.sent, self.received = bytearray(), bytearray()
        self.opened: socket.socket | None = None
        self.most = MOST_HEAD
        self._proxy_headers: dict[str, str] = {}
        self._is_relayed = False
        self._answer: http.client.HTTPResponse | None = None
        self.response_class = type("_Kept", (_Response,), {"connection": self})

    def begin(self, seconds: float) -> None:
        """Reset the recorded bytes; a new answer is to come."""
        self.sent.clear()
        self.received.clear()
        self.most, self.timeout = MOST_HEAD, seconds

    def connect(self) -> None:
        """Connect to a checked address, or to the proxy of the system."""
        until = time.monotonic() + float(self.timeout or 0)
        proxy = _proxy_of(self._scheme, self.host, self.port)
        if proxy is None:
            raw = self._connected(self.host, self.port, self._reach, until)
        else:
            with suppress(OSError):  # behind a proxy names need not be known here
                self._reach.connectable(self.host, self.port, max(until - time.monotonic(), 0.01))
            name, port = proxy.hostname or "", proxy.port or 80
            raw = self._connected(name, port, HostPolicy(proxy.geturl()), until)
        self.sock = self.opened = raw
        self._proxy_headers, self._is_relayed = {}, False
        if proxy is not None:
            self._proxy_headers = _authorization(proxy.username, proxy.password)
            self._is_relayed = self._scheme == "http"
        if proxy is not None and not self._is_relayed:
            _ask_for_tunnel(raw, self.host, self.port, self._proxy_headers)
        if self._scheme == "https":
            context = ssl.create_default_context()
            self.sock = self.opened = context.wrap_socket(raw, server_hostname=self.host)

    def get(self, target: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Return the answer to a GET of a path and query, its head read."""
        if self.sock is None:
            self.connect()
        if self._is_relayed:
            name = f"[{self.host}]" if ":" in self.host else self.host
            self.request(
                "GET", f"http://{name}:{self.port}{target}",
                headers={"Host": f"{name}:{self.port}", **headers, **self._proxy_headers},
            )  # fmt: skip
        else:
            self.request("GET", target, headers=dict(headers))
        self._answer = self.getresponse()
        return self._answer

    def end(self) -> None:
        """Close it, and the answer that may have taken its socket over."""
        self.close()
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def _connected(self, host: str, port: int, reach: HostPolicy, until: float) -> socket.socket:
        failed = OSError(f"{host} has no address")
        for address in reach.connectable(host, port, max(until - time.monotonic(), 0.01)):
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                connection = socket.create_connection((address, port), left)
            except OSError as error:
                failed = error
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(self.timeout)
            return connection
        raise failed

    def send(self, data: Any) -> None:  # noqa: ANN401  as the library's
        self.sent += data
        super().send(data)


class Deadline:
    """Timer that closes a connection when its time is over: some servers send a byte at a time."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self.is_over = False
        self._connection = connection
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        opened = self._connection.opened
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)


class _Recorder(io.RawIOBase):
    """Stream of a socket that keeps and counts the bytes read."""

    def __init__(self, raw: Any, connection: Connection) -> None:  # noqa: ANN401
        self._raw, self._connection = raw, connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401
        count: int | None = self._raw.readinto(buffer)
        if count:
            self._connection.received += memoryview(buffer)[:count]
            if len(self._connection.received) > self._connection.most:
                raise TooMuch
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    connection: Connection

    def __init__(self, sock: socket.socket, *more: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(sock, *more, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Recorder(sock.makefile("rb", buffering=0), self.connection))

    def begin(self) -> None:
        super().begin()
        count = 0
        while is_interim(self.status):  # the library handles only 100 of these
            count += 1
            if count > _MOST_INTERIM:
                raise TooMuch
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()


def is_interim(status: int) -> bool:
    """Return whether another answer follows this one (RFC 9110, 15.2)."""
    return 100 <= status < 200 and status != http.client.SWITCHING_PROTOCOLS


def final_answer(received: bytes) -> bytes:
    """Return the received bytes without the interim answers before them."""
    while (head := _INTERIM.match(received)) is not None:
        end = received.find(b"\r\n\r\n", head.end() - 2)
        if end < 0:
            break
        received = received[end + 4 :]
    return received


def _proxy_of(scheme: str, host: str, port: int) -> Any:  # noqa: ANN401  a SplitResult
    """Return the proxy that the system names for a host; None where there is none."""
    named = urllib.request.getproxies().get(scheme, "")
    if not named or _NEAR_HOST.fullmatch(host) or urllib.request.proxy_bypass(f"{host}:{port}"):
        return None
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        has_port = False
        parts = urlsplit("")
    if not has_port or not parts.hostname:
        raise InputError(f"the system's proxy {named} is not an address")
    return parts


def _authorization(user: str | None, password: str | None) -> dict[str, str]:
    if user is None:
        return {}
    pair = base64.b64encode(f"{unquote(user)}:{unquote(password or '')}".encode()).decode()
    return {"Proxy-Authorization": f"Basic {pair}"}


def _ask_for_tunnel(raw: socket.socket, host: str, port: int, headers: dict[str, str]) -> None:
    """Request a tunnel to a host from a proxy; raises `OSError` where it does not."""
    name = f"[{host}]" if ":" in host else host
    lines = [f"CONNECT {name}:{port} HTTP/1.1", f"Host: {name}:{port}"]
    lines += [f"{key}: {value}" for key, value in headers.items()]
    raw.sendall("\r\n".join([*lines, "", ""]).encode("ascii", "replace"))
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        part = raw.recv(1)
        if not part or len(answer) > _MOST_PROXY_HEAD:
            raise OSError("the proxy gave no answer")
        answer += part
    if answer.split(b" ", 2)[1:2] != [b"200"]:
        raise OSError("the proxy refused to connect")
