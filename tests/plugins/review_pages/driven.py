"""A browser of its own process, driven as WebDriver says (W3C, 2018)."""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # key of an element in answers
ENTER, DELETE, CONTROL, RIGHT, ALT = "\ue007", "\ue017", "\ue009", "\ue014", "\ue00a"

DRIVERS = {"Chromium": "chromedriver", "WebKitGTK": "WebKitWebDriver", "Firefox": "firefox-esr"}


def capabilities(name, folder):
    if name == "WebKitGTK":
        (browser,) = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
        return {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}
    return {"goog:chromeOptions": {
        "args": ["--headless=new", "--no-sandbox", "--window-size=1200,900"],
        "prefs": {"download.default_directory": str(folder)},
    }}  # fmt: skip


class Driven:
    """A browser that a driver at this address drives; it saves files to a folder."""

    def __init__(self, address, folder):
        self.folder, self._at = folder, address

    def call(self, path, body=None, method="POST"):
        request = Request(
            self._at + path, None if body is None else json.dumps(body).encode(), method=method
        )
        try:
            return json.load(urlopen(request, timeout=120))["value"]
        except HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def begin(self, name):
        wanted = {"alwaysMatch": capabilities(name, self.folder)}
        self._at += "/session/" + self.call("/session", {"capabilities": wanted})["sessionId"]

    def close(self):
        self.call("", method="DELETE")

    def open(self, file):
        self.call("/url", {"url": Path(file).as_uri()})

    def ask(self, script):
        return self.call("/execute/sync", {"script": f"return {script}", "args": []})

    def wait(self, script):
        """Wait until a script is true."""
        until = time.monotonic() + 60
        while not self.ask(script):
            assert time.monotonic() < until, script
            time.sleep(0.1)

    def press(self, *keys):
        """Press keys, those before the last as modifiers."""
        steps = [{"type": "keyDown", "value": key} for key in keys]
        steps += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def _element(self, selector):
        found = self.call("/element", {"using": "css selector", "value": selector})
        return f"/element/{found[ELEMENT]}"

    def click(self, selector):
        self.call(self._element(selector) + "/click", {})

    def type(self, selector, text):
        self.call(self._element(selector) + "/value", {"text": text})

    def picture(self):
        """Return what the window shows, as PNG."""
        return base64.b64decode(self.call("/screenshot", method="GET"))

    def saved(self, name):
        """Wait for a file to be saved; return it."""
        file, until = self.folder / name, time.monotonic() + 60
        while not (file.exists() and file.stat().st_size):
            assert time.monotonic() < until, [*self.folder.iterdir()]
            time.sleep(0.1)
        return file


_NAMES = {
    "/session": "NewSession", "": "DeleteSession", "/url": "Navigate", "/refresh": "Refresh",
    "/execute/sync": "ExecuteScript", "/actions": "PerformActions", "/element": "FindElement",
    "/screenshot": "TakeScreenshot", "/window/new": "NewWindow", "click": "ElementClick",
    "value": "ElementSendKeys", "GET/window": "GetWindowHandle", "/window": "SwitchToWindow",
}  # fmt: skip


class Firefox(Driven):
    """Firefox, driven by its own Marionette: the same commands by name, over a socket."""

    def __init__(self, port, folder):
        super().__init__("", folder)
        self._port, self._socket, self._pipe = port, None, None

    def call(self, path, body=None, method="POST"):
        if path == "/status":
            self._socket = socket.create_connection(("127.0.0.1", self._port))
            self._pipe = self._socket.makefile("rwb")
            return self._answer()
        path = path.removeprefix(self._at)
        body = dict(body or {})
        if path.startswith("/element/"):
            body["id"], path = path.split("/")[2:]
        name = _NAMES.get(method + path) or _NAMES[path]
        data = json.dumps([0, 1, f"WebDriver:{name}", body]).encode()
        self._pipe.write(b"%d:%s" % (len(data), data))
        self._pipe.flush()
        _, _, error, result = self._answer()
        if error:
            raise RuntimeError(error["message"])
        return result["value"] if isinstance(result, dict) and {*result} == {"value"} else result

    def _answer(self):
        length = b""
        while not length.endswith(b":"):
            if not (byte := self._pipe.read(1)):
                raise OSError("Firefox has ended")
            length += byte
        return json.loads(self._pipe.read(int(length[:-1])))

    def begin(self, name):
        self.call("/session", {"capabilities": {}})

    def close(self):
        super().close()
        self._pipe.close()
        self._socket.close()


@contextmanager
def driven(name, folder):
    """Start a browser with a home folder of its own, on a screen of its own where it needs one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    saves = folder / "saved"
    (folder / ".config").mkdir()
    saves.mkdir()
    (folder / ".config/user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{saves}"\n')
    command = [DRIVERS[name], f"--port={port}"]
    browser = Driven(f"http://127.0.0.1:{port}", saves)
    if name == "WebKitGTK":
        command = ["xvfb-run", "-a", *command]
    elif name == "Firefox":
        command = [DRIVERS[name], "--headless", "--marionette", "--profile", str(folder)]
        (folder / "user.js").write_text(
            f'user_pref("marionette.port", {port});\n'
            'user_pref("remote.prefs.recommended", false);\n'  # as a person's, in its limits, too
            'user_pref("browser.download.folderList", 2);\n'
            f'user_pref("browser.download.dir", "{saves}");\n'
        )
        browser = Firefox(port, saves)
    process = subprocess.Popen(
        command,
        env={**os.environ, "HOME": str(folder), "GDK_BACKEND": "x11"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        until = time.monotonic() + 60
        while True:
            try:
                browser.call("/status", method="GET")
                break
            except OSError:
                assert time.monotonic() < until, "the driver does not answer"
                time.sleep(0.1)
        browser.begin(name)
        try:
            yield browser
        finally:
            browser.close()
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # xvfb-run leaves its screen and driver behind
        process.wait(30)


def reason_without(name):
    """Return why a browser cannot be driven here, "" if it can."""
    needed = [DRIVERS[name], *(["xvfb-run"] if name == "WebKitGTK" else [])]
    missing = [program for program in needed if not shutil.which(program)]
    return f"needs {' and '.join(missing)}" if missing else ""
