"""Which hosts a request may go to: a page of the web never leads to this machine or its network.

Decided by the addresses of a name, at the moment of connecting and on the connected address:
so it holds for any way to write an address (``2130706433``, ``0x7f.1``, ``[::ffff:7f00:1]``), for
names that have such addresses, and for names that have others a moment later.
"""

import ipaddress
import socket
import threading
import time
from urllib.parse import urlsplit

from engine.errors import InputError


class PrivateAddress(InputError):
    """Host on this machine or a private network, requested from outside it."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the internet's, whatever it is written within."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or _translated(parsed)
        if parsed.teredo is not None:
            inner = parsed.teredo[1]
        if inner is not None:
            return is_public(str(inner))
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved)


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address of an address with a NAT64 prefix (RFC 6052, 8215)."""
    for prefix in ("64:ff9b::/96", "64:ff9b:1::/48"):
        if address in ipaddress.IPv6Network(prefix):
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def addresses_of(host: str, port: int, seconds: float) -> tuple[str, ...]:
    """Return the IP addresses that a host has now; raises `OSError`, `TimeoutError` for too late.

    The system's resolver cannot be stopped; it is left to itself when its time is over.
    """
    answer: list[tuple[str, ...] | Exception] = []

    def ask() -> None:
        try:
            every = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.append(tuple(dict.fromkeys(str(each[4][0]) for each in every)))
        except (OSError, UnicodeError) as error:
            answer.append(error)

    asking = threading.Thread(target=ask, daemon=True, name="resolver")
    asking.start()
    asking.join(seconds)
    if not answer:
        raise TimeoutError(f"the host {host} was not resolved in time")
    if isinstance(answer[0], UnicodeError):
        raise OSError(f"{host} is not a host's name")
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]


class HostPolicy:
    """Addresses that may be requested after the one named by the user.

    The first address may be any, also on this machine; it may lead to others on the same host.  An
    address of the internet may lead only to others of the internet.  Threads may share one.
    """

    def __init__(self, address: str) -> None:
        self._host, self._port = _host_of(address)
        self._own: frozenset[str] | None = None  # private ones of the host; not known before asked
        self._lock = threading.Lock()

    def connectable(self, host: str, port: int, seconds: float) -> tuple[str, ...]:
        """Return a host's IP addresses; `OSError` without any, `PrivateAddress` out of reach."""
        until = time.monotonic() + seconds
        result = addresses_of(host, port, seconds)
        public = tuple(filter(is_public, result))
        own = self._private_ones(result, _plain(host) == self._host, public, until)
        if public or not result:
            return public
        if not own or not (_plain(host) == self._host or _is_same(result, own)):
            raise PrivateAddress(f"{host} is on this machine or a private network")
        return result

    def _private_ones(
        self, result: tuple[str, ...], is_own: bool, public: tuple[str, ...], until: float
    ) -> frozenset[str]:
        """Return the addresses that the user's own host had first, if they were all private."""
        with self._lock:
            if self._own is None and (is_own or not public):
                if not is_own:
                    left = max(until - time.monotonic(), 0.01)
                    try:
                        result = addresses_of(self._host, self._port, left)
                    except OSError:
                        result = ()
                self._own = frozenset() if any(map(is_public, result)) else frozenset(result)
            return self._own or frozenset()


def _is_same(result: tuple[str, ...], own: frozenset[str]) -> bool:
    """Return whether addresses are of the machine that others are of."""
    every = (ipaddress.ip_address(each.partition("%")[0]) for each in (*result, *own))
    return own.issuperset(result) or all(each.is_loopback for each in every)


def _host_of(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        return _plain(parts.hostname or ""), parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "", 80


def _plain(host: str) -> str:
    bare = host.strip("[]").lower().removesuffix(".")
    try:
        return bare if bare.isascii() else bare.encode("idna").decode("ascii")
    except UnicodeError:
        return bare
