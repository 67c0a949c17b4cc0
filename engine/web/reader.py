"""Readability.js on a page, in a browser of its own: what a worker process runs for it.

The script of the user's ``@mozilla/readability`` runs in the isolated world, on a copy of the
document, after the page has been opened as everywhere else in Pagelet.  The page's own scripts are
off: what it reads is the HTML it was given, original or DOM.
"""

import json
from collections.abc import Callable
from pathlib import Path

from engine.document import plain_document
from engine.errors import CaptureError, InputError
from engine.web.headless import Browser

_CALL = """
(() => {
  %s;
  const start = performance.now();
  const article = new Readability(document.cloneNode(true), %s).parse();
  return {content: article ? article.content : "", ms: performance.now() - start};
})()
"""


def load(path: str) -> Callable[[bytes], bytes]:
    """Return what answers requests, ``{"html": text, "options": {...}}`` in JSON.

    ``path`` is the file Readability.js.  The answer is ``{"text": HTML, "seconds": ...}`` or
    ``{"error": sentence}``.
    """
    script = Path(path).read_text("utf-8")
    browser = Browser()

    def answer(request: bytes) -> bytes:
        wanted = json.loads(request)
        html: str = wanted["html"]
        try:
            # The mark says UTF-8 whatever the page declares: it is decoded already.
            data = b"\xef\xbb\xbf" + html.encode("utf-8", "replace")
            browser.capture(plain_document(data, scripts=False))
            found = browser.run(_CALL % (script, json.dumps(wanted["options"])), 600.0)
        except (CaptureError, InputError) as error:
            return json.dumps({"error": str(error)}).encode()
        return json.dumps({"text": found["content"], "seconds": found["ms"] / 1000}).encode()

    return answer
