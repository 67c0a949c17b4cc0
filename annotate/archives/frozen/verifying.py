"""Verification of a frozen page, restored in a separate process.

The process is offline from its start, so it can load nothing that is not in the file.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotate.archives.frozen.certificate import Certificate, Check
from annotate.archives.frozen.comparing import compare, compare_pictures
from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.fonts import font_changes, fonts_of
from annotate.archives.frozen.frozen_file import FrozenFile
from engine.errors import InputError, PageletError
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessTimeout,
    Send,
    WorkerProcess,
)
from engine.version import own_version
from engine.web.worker_browser import open_browser

PATIENCE_S = 180.0

_MORE_PICTURES = 3
"""Taken where the first differs: on a busy machine a part may not be painted for a while."""


def verify(path: Path) -> Certificate:
    """Restore the page now and return the comparison; `InputError` if it is not a frozen page.

    Takes as long as opening the page and a second more; needs no `QApplication` in this process.
    """
    file = FrozenFile(path.absolute())
    if path.is_file() and path.suffix.lower() != ".wacz":
        raise InputError(f"{path} is not a frozen page: pagelet freeze makes one")
    file.document()
    start = time.monotonic()
    with WorkerProcess[Path, Certificate](_verify_worker) as process:
        try:
            return process.ask(file.path, PATIENCE_S)
        except ProcessTimeout:
            return _failed(file, start, f"it did not come back within {PATIENCE_S:g} s")
        except ProcessLost as error:
            return _failed(file, start, f"bringing it back {error}")


@contextmanager
def _verify_worker(_: Send) -> Iterator[Handler]:
    with open_browser() as browser:
        yield lambda path: _verified(browser, FrozenFile(path))


def _verified(browser: Any, file: FrozenFile) -> Certificate:  # noqa: ANN401  a Browser, Qt
    from engine.web.freezing import steady_picture

    start = time.monotonic()
    try:
        damage = damage_of(file)
        if damage:
            return _failed(file, start, *damage)
        reference, picture = file.reference(), file.picture()
        page = browser.capture(file.document(), timeout_s=60.0)
        for _ in range(1 + _MORE_PICTURES):
            seen = compare_pictures(picture, steady_picture(browser))
            if seen.is_same:
                break
    except PageletError as error:
        return _failed(file, start, str(error))
    checks, changes = compare(reference.rendered(), page.rendered())
    dom, dom_again = reference.source("dom").html, page.source("dom").html
    checks.append(Check("DOM", dom == dom_again, f"{len(dom):,} characters"))
    checks.append(seen)
    changed = font_changes(file.manifest["fonts"], fonts_of(page))
    families = f"{len(file.manifest['fonts'])} families"
    checks.append(Check("fonts", not changed, changed or families))
    notes = tuple(note for note in page.notes if note not in reference.notes)
    return Certificate(
        verdict="identical" if all(check.is_same for check in checks) else "different",
        checks=tuple(checks),
        changes=tuple(changes),
        notes=notes,
        **_common(file, start),
    )


def _failed(file: FrozenFile, start: float, *why: str) -> Certificate:
    return Certificate(verdict="failed", notes=why, **_common(file, start))


def _common(file: FrozenFile, start: float) -> dict[str, Any]:
    from engine.web.renderer import renderer_name

    return {
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "engine": renderer_name(),
        "software": own_version(),
        "lost": tuple(file.manifest["lost"]),
        "clicked": tuple(file.manifest["clicked"]),
        "seconds": round(time.monotonic() - start, 2),
    }
