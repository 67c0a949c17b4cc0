"""The browser's process-wide switches, and a profile that keeps a page locked in.

Chromium dies silently without enough open files or shared memory: both are checked before that.

What the switches close (rendering.md#network, measured in a network namespace with listeners): a
request interceptor alone lets preconnects, DNS look-ups and WebRTC through.  Chromium fixes its
resolver rules when the process starts, so a process is offline from birth, and stays so, unless it
was asked to be online.  Then live pages load, and local ones are held by the interceptor and a dead
proxy (`seal`).  ``tests/engine/web/test_network.py`` listens to both in a separate network.
"""

import logging
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLoggingCategory
from PySide6.QtNetwork import QNetworkProxy
from PySide6.QtWebEngineCore import (
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlScheme,
)

from engine import memory
from engine.document import SCHEME, Document
from engine.errors import InputError
from engine.fonts import DEFAULT_FAMILIES, DEFAULT_SIZES
from engine.web.sandbox import sandbox_loss, sandbox_problem

LEAST_FILES, USUAL_FILES = 96, 1024
"""Open files without which no page renders (measured: some 60 for a small one), and for most."""

_LEAST_ADDRESSES = 140 * 10**9
_LEAST_BYTES = 64 * 2**20
_SHARED = Path("/dev/shm")
_WITHOUT_SHARED = "--disable-dev-shm-usage"


def check_open_files() -> None:
    """Raise the limit of open files where it is low; raises `InputError` where it cannot be."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= USUAL_FILES:
        return
    most = USUAL_FILES if hard == resource.RLIM_INFINITY else min(hard, USUAL_FILES)
    if most < LEAST_FILES:
        raise InputError(
            f"rendering a page takes {LEAST_FILES} open files and the limit is {hard}: "
            f"raise it with ulimit -n {USUAL_FILES}"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def check_address_space() -> None:
    """Raise the limit of the address space where it is low; `InputError` where it cannot be.

    Chromium reserves far more addresses than it takes memory: below some 80 GB its processes abort
    or wait for ever (measured; with 140 GB they render).
    """
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft >= _LEAST_ADDRESSES:
        return
    if hard != resource.RLIM_INFINITY and hard < _LEAST_ADDRESSES:
        raise InputError(
            f"rendering a page reserves {_LEAST_ADDRESSES // 10**9} GB of addresses and the limit "
            f"is {hard / 10**9:.1f} GB: lift it with ulimit -v unlimited, and limit memory with "
            f"{memory.OPTION}"
        )
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def shared_memory_flags() -> tuple[str, ...]:
    """Return the switches that have Chromium's processes share memory through files elsewhere.

    In a container `/dev/shm` may be missing, or have some kilobytes.
    """
    if not sys.platform.startswith("linux"):
        return ()
    try:
        is_enough = os.access(_SHARED, os.W_OK) and shutil.disk_usage(_SHARED).free >= _LEAST_BYTES
    except OSError:
        is_enough = False
    return () if is_enough else (_WITHOUT_SHARED,)


log = logging.getLogger(__name__)

# The last three keep layouts the same everywhere: light pages on a dark desktop too, no animations
# that ask first, and glyphs placed alike at any scale of the screen (measured: without it all of
# eight real pages differ between scales 1 and 2, with it none).
_COMMON_FLAGS = (
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=NetworkPrediction,FencedFrames",
    "--blink-settings=preferredColorScheme=1",
    "--force-prefers-reduced-motion",
    "--disable-font-subpixel-positioning",
)
_QUIET_FLAG = "--log-level=3"
"""Chromium writes to the terminal only what it dies of, not that there is no message bus or GPU."""

_OFFLINE_FLAGS = ('--host-resolver-rules="MAP * ~NOTFOUND"',)
_HERE = ("127.*", "localhost", "*.localhost", "[::1]", "0.0.0.0", "[::]")
_FAR_FLAGS = (f'--host-resolver-rules="{",".join(f"MAP {each} ~NOTFOUND" for each in _HERE)}"',)
_SCALE_VARIABLES = ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_DPI")


@dataclass
class _Process:
    """Settings of this process; None before `prepare`."""

    online: bool | None = None
    near: bool = False
    is_sealed: bool = False
    is_off: bool = False
    """Whether the sandbox is off, and that is among the notes."""
    lost: str = ""
    notes: tuple[str, ...] = ()


_process = _Process()

PROBE = "http://127.0.0.1:9/pagelet"
"""A request that comes to nothing; see `seal`."""


def prepare(
    *, online: bool = False, near: bool = False, no_sandbox: bool = False, headless: bool = False
) -> tuple[str, ...]:
    """Set up this process for Chromium; call once, before the `QApplication` is made.

    Args:
        online: Whether live http(s) pages may load in this process.
        near: Whether also from this machine itself; nothing here is reached otherwise.
        no_sandbox: The user's word that live pages may load without Chromium's sandbox.
        headless: A process without a window: no display is needed, and display scaling, which
            would change layouts, is switched off.

    Returns:
        Sentences the user should see once, such as that the sandbox is off.

    Raises:
        InputError: Live pages are asked for, the sandbox cannot run, and ``no_sandbox`` is not
            given; or this process was prepared otherwise before.
    """
    if _process.online is not None:
        if online and not _process.online:
            raise InputError("this process was started offline; start Pagelet anew for live pages")
        if near and not _process.near:
            raise InputError("this process does not reach servers on this machine; start another")
        return _process.notes
    check_open_files()
    check_address_space()
    problem = sandbox_problem()
    is_off = no_sandbox or bool(problem) or os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") == "1"
    is_flag = "sandbox" in os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    if online and (is_off or is_flag) and not no_sandbox:
        switch = "CHROMIUM_FLAGS switches it off" if is_flag else "DISABLE_SANDBOX is set"
        reason = problem or f"QTWEBENGINE_{switch}"
        raise InputError(
            f"live pages need Chromium's sandbox, which is off ({reason}): "
            "add --no-sandbox to open them without it"
        )
    notes = []
    if is_off:
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
        notes.append(f"Chromium's sandbox is off ({problem or 'as asked'})")
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join(_flags(online=online, near=near))
    if headless:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        for name in _SCALE_VARIABLES:
            os.environ.pop(name, None)
    # Console output of pages is dropped here: one page wrote 300,000 lines in a second,
    # and each cost a call into Python.  (The variable QT_LOGGING_RULES brings it back.)
    QLoggingCategory.setFilterRules("js=false")
    scheme = QWebEngineUrlScheme(SCHEME.encode())
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.CorsEnabled | QWebEngineUrlScheme.Flag.FetchApiAllowed)
    QWebEngineUrlScheme.registerScheme(scheme)
    _process.online, _process.near = online, near
    _process.notes = tuple(notes)
    _process.is_off = is_off
    return _process.notes


def _flags(*, online: bool, near: bool) -> list[str]:
    """Return the flags of Chromium: those of the environment, and those needed here."""
    given = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    # A process that started this one left its own there.
    for flag in (*_COMMON_FLAGS, *_OFFLINE_FLAGS, *_FAR_FLAGS):
        given = given.replace(flag, "")
    resolving = _OFFLINE_FLAGS if not online else () if near else _FAR_FLAGS
    flags = [*given.split(), *_COMMON_FLAGS, *resolving, *shared_memory_flags()]
    if not ("-log" in given or log.isEnabledFor(logging.DEBUG)):
        flags.append(_QUIET_FLAG)
    return flags


def check_sandbox(process_id: int) -> None:
    """Check that a process that has run a page is in the sandbox, unless its loss is known.

    Raises:
        InputError: It is not, and live pages may load in this process.
    """
    if _process.is_off or not (loss := sandbox_loss(process_id)):
        return
    _process.lost = f"Chromium's sandbox is off (the page's process {loss})"
    if _process.online:
        raise InputError(f"{_process.lost}: add --no-sandbox to open live pages without it")


def lost_sandbox() -> str:
    """Return the sentence on a sandbox found to be off that was thought to be on, or ""."""
    return _process.lost


def is_online() -> bool:
    """Return whether live pages may load in this process."""
    return bool(_process.online)


def may_load(document: Document) -> bool:
    """Return whether a document may load in this process: live ones not in every one."""
    return not document.is_live or (is_online() and (_process.near or not document.is_near))


def is_prepared() -> bool:
    """Return whether `prepare` was called."""
    return _process.online is not None


def seal(is_sealed: bool) -> bool:
    """Close or open the way out of a process that is online, for all its views; it starts closed.

    The interceptor sees no preconnects.  So while a local page is shown everything goes to a proxy
    that is not there.  Addresses of this machine bypass any proxy: they are not resolved at all,
    but in a process that was started for one of them (`prepare`).

    Returns:
        Whether it was otherwise before.  Chromium asks for the proxy with each request and takes
        the answer for the next one, so let one request go in vain (`PROBE`) after a change.
    """
    if not _process.online or _process.is_sealed == is_sealed:
        return False  # offline, the resolver rules are already stricter and permanent
    kind = QNetworkProxy.ProxyType
    dead = QNetworkProxy(kind.HttpProxy, "127.0.0.1", 9)
    QNetworkProxy.setApplicationProxy(dead if is_sealed else QNetworkProxy(kind.DefaultProxy))
    _process.is_sealed = is_sealed
    return True


def make_profile() -> QWebEngineProfile:
    """Return an off-the-record profile that grants a page nothing it does not need to be drawn.

    Scrollbars are always off: they would take 15 px of the viewport's width, on this platform but
    not on that.  Wheel, keys and scripts scroll as ever; a window that wants a bar draws its own.
    """
    profile = QWebEngineProfile()
    profile.setHttpAcceptLanguage("en-US,en;q=0.9")
    profile.setSpellCheckEnabled(False)
    cookies = QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies
    profile.setPersistentCookiesPolicy(cookies)
    profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.MemoryHttpCache)
    profile.downloadRequested.connect(lambda download: download.cancel())
    settings = profile.settings()
    for names, is_on in ((_ON, True), (_OFF, False)):
        for name in names.split():
            settings.setAttribute(QWebEngineSettings.WebAttribute[name], is_on)
    for name, family in DEFAULT_FAMILIES.items():
        settings.setFontFamily(QWebEngineSettings.FontFamily[name], family)
    for name, size in DEFAULT_SIZES.items():
        settings.setFontSize(QWebEngineSettings.FontSize[name], size)
    return profile


_ON = "JavascriptEnabled PlaybackRequiresUserGesture WebRTCPublicInterfacesOnly"
_OFF = (
    "LocalContentCanAccessFileUrls LocalContentCanAccessRemoteUrls JavascriptCanOpenWindows "
    "JavascriptCanAccessClipboard JavascriptCanPaste AllowWindowActivationFromJavaScript "
    "AllowGeolocationOnInsecureOrigins AllowRunningInsecureContent AutoLoadIconsForPage "
    "DnsPrefetchEnabled ErrorPageEnabled FocusOnNavigationEnabled FullScreenSupportEnabled "
    "HyperlinkAuditingEnabled NavigateOnDropEnabled PdfViewerEnabled PluginsEnabled "
    "ScreenCaptureEnabled ScrollAnimatorEnabled ShowScrollBars TouchIconsEnabled WebGLEnabled"
)
"""Attributes of a profile's settings."""
