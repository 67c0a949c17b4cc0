"""Conversion of a program's answer to an extraction; rubbish is a `MethodError`."""

import re
from collections.abc import Callable
from typing import Literal

from algorithms.external.given import GivenExtraction
from algorithms.results import Extraction
from engine.errors import MethodError
from engine.source import Source

AnswerKind = Literal["text", "html"]
"""What an answer is."""

MOST_CHARS = 4_000_000
"""An answer may have so many characters, or ten times those of its document if that is more:
finding the words of a longer one again takes minutes and gigabytes, and few can be there."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def decoded(data: bytes) -> str:
    """Return an answer in UTF-8 as text; `MethodError` where it is something else."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MethodError(f"its answer is not UTF-8 (byte {error.start})") from None


def extraction(
    source: Source,
    answer: str,
    kind: AnswerKind,
    seconds: float,
    ask_markup: Callable[[], str] | None = None,
    *,
    is_verbatim: bool = False,
) -> Extraction:
    """Return an answer as an extraction of the source it was made from.

    ``ask_markup`` gives its HTML where the answer is text; an answer in HTML is that itself.

    `MethodError` where it holds control characters, words and none of them is in the source (which
    is not looked for where it ``is_verbatim``), or far more than the source.
    """
    if len(answer) > max(MOST_CHARS, 10 * len(source.html)):
        sizes = f"{len(answer):,} characters, and the document has {len(source.html):,}"
        raise MethodError(f"its answer is too long to come from the document: {sizes}")
    control = _CONTROL.search(answer)
    if control and control[0] not in source.html:
        raise MethodError(f"its answer is not text: it has the character {ord(control[0]):#04x}")
    text = (Source.from_text(answer).text if kind == "html" else answer).strip()
    if kind == "html":
        ask_markup = answer.__str__
    result = GivenExtraction(source, text, seconds, ask_markup=ask_markup)
    if not is_verbatim and result.is_elsewhere:
        count = "the one word" if result.words == 1 else f"none of the {result.words} words"
        verb = "is not" if result.words == 1 else "is"
        raise MethodError(f"{count} it answered {verb} in the document")
    return result
