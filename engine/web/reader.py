"""Readers made for browsers, such as Readability.js, on a page, run by a worker.

The script of the user's package runs in the isolated world, on a copy of the document, after the
page has been opened as everywhere else in Pagelet.  The page's own scripts are off: what it reads
is the HTML it was given, original or DOM.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.document import plain_document
from engine.web.headless import Browser
from resources import read_text

_CALL = """
(() => {
  %s;
  return (%s)(%s);
})()
"""


def load(name: str) -> Callable[[tuple[dict[str, Any], str]], dict[str, Any]]:
    """Return a function that answers requests: the options, and the document.

    ``name`` is the kind of reader and its script: ``readability:PATH`` or ``defuddle:PATH``.
    The answer is ``{"text": HTML, "seconds": ...}``; where the options have ``traces``, it has also
    ``words`` and ``said`` (see resources/js/reader.js).
    """
    kind, _, path = name.partition(":")
    script = Path(path).read_text("utf-8")
    browser = Browser()

    def reply(request: tuple[dict[str, Any], str]) -> dict[str, Any]:
        options, html = request
        # The mark means UTF-8 whatever the page declares: it is decoded already.
        data = b"\xef\xbb\xbf" + html.encode("utf-8", "replace")
        browser.capture(plain_document(data, scripts=False))
        asked = {"kind": kind, "traces": bool(options.pop("traces", False)), "options": options}
        call = _CALL % (script, read_text("js/reader.js"), json.dumps(asked))
        result = browser.run(call, 600.0)
        extra = {name: result[name] for name in ("words", "said") if name in result}
        return {"text": result["content"], "seconds": result["ms"] / 1000, **extra}

    return reply
