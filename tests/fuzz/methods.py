"""One method on one document: what it must give, and which methods are tried.

Apart from `trials`, since processes that crash begin anew with this, again and again.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from algorithms.core.catalogue import EXTRACTORS
from algorithms.method import Method
from algorithms.results import Extraction
from engine.errors import MethodError, PageletError
from engine.source import Source

METHODS_BY_KEY = {entry.key: entry for entry in EXTRACTORS if entry.on_source is not None}
METHOD = "PAGELET_FUZZ_METHOD"
"""What names the only method to be tried (`method_of`), for processes below as well."""

MOST_SECONDS = 20.0
"""Of the processor, for one method on one document of up to 120 kB."""

_NO_SENTENCE = re.compile(r"Traceback|\b[A-Za-z]*(Error|Exception)\b|object at 0x|\n|[\x00-\x1f]")


def told(error: PageletError) -> str:
    """Check that an error is a sentence for a user; return it."""
    words = str(error)
    assert words, "an error without words"
    assert not _NO_SENTENCE.search(words.replace("RendererDied", "")), f"no sentence: {words!r}"
    return words


@dataclass(frozen=True)
class ModuleRecipe:
    """A method of a module that is in no catalogue yet, run as Pagelet's own are.

    Attributes:
        module: Holds it as ``METHOD``.
    """

    module: str

    def entry(self, _key: str = "") -> Method:
        return replace(import_module(self.module).METHOD, recipe=self)

    def for_page(self, _name: str) -> "ModuleRecipe":
        return self


def method_of(word: str) -> Method:
    """Return the method of a key, or of a module that has one as ``METHOD``."""
    return METHODS_BY_KEY.get(word) or ModuleRecipe(word).entry()


def extractors() -> tuple[Method, ...]:
    """Return what reads a source: Pagelet's own, or the one that `METHOD` names."""
    if word := os.environ.get(METHOD):
        return (method_of(word),)
    return tuple(METHODS_BY_KEY.values())


def check_method(entry: Method, made: Source) -> Extraction | None:
    """Run a method on a document; None where it ends with an error message."""
    assert entry.on_source is not None
    result = run(entry, entry.on_source, made)
    if result is None:
        return None
    assert isinstance(result, Extraction)
    spans = result.spans.ravel()
    assert (np.diff(spans) >= 0).all(), f"{entry.key}: spans in disorder"
    if entry.trace_source is not None:
        check_trace(entry, made, result)
    return result


def run(entry: Method, do: Callable[..., Any], read: object) -> Any:
    """Return the result of a method; None where it ends with an error message."""
    began = time.process_time()
    try:
        return do(read, entry.params())
    except MethodError as error:
        told(error)
        return None
    finally:
        took = time.process_time() - began
        assert took < MOST_SECONDS, f"{entry.key} took {took:.1f} s"


def check_trace(entry: Method, made: Source, result: Extraction) -> None:
    """Check that a method keeps what it says it keeps."""
    trace = entry.trace_source(made, entry.params())
    is_kept = np.zeros(made.tokens.words.size, dtype=bool)
    for first, last in made.words_in(result.spans).tolist():
        is_kept[first:last] = True
    assert (trace.kept == is_kept).all(), f"{entry.key}: its trace keeps other words"
