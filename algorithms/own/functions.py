"""A Python function from HTML to text as a method: ``def my_extractor(html: str) -> str``.

It runs in a worker process, as all foreign code does, and travels there pickled: by name where its
module can be imported, by value (cloudpickle) where it is of a notebook, a script or a lambda.  Its
version is a digest of its source and of what of its module it uses, so that scores of changed code
are never taken for those of the new one.
"""

import base64
import hashlib
import inspect
import pickle
import time
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from algorithms.method import Method, MethodRecipe
from algorithms.own.answers import extraction
from algorithms.params import Params, param
from algorithms.results import Extraction
from engine.errors import InputError, MethodError
from engine.processes.foreign import worker_for
from engine.source import Source

ExtractFunction = Callable[[str], str | None]
"""Takes the HTML of a page, decoded; returns its main content, None or "" for none."""

LONGEST_SECONDS = 3600.0


@dataclass(frozen=True)
class FunctionParams(Params):
    """Parameters common to all functions."""

    seconds: float = param(
        30.0, "time limit for one page, in seconds", low=0.0, high=LONGEST_SECONDS
    )


@dataclass(frozen=True)
class FunctionRecipe(MethodRecipe):
    """A function as it travels.

    Attributes:
        pickled: The function, by cloudpickle, in base 64.
        version: As a row of results has it.
        summary: The first line of its docstring.
    """

    pickled: str
    version: str
    summary: str

    def entry(self, key: str) -> Method:
        """Return the function as a method."""
        return Method(
            key,
            key,
            FunctionParams,
            "extraction",
            "your own",
            on_source=partial(_run, self.pickled),
            summary=self.summary or f"What the Python function {key} returns.",
            version=self.version,
            recipe=self,
        )


def method_of(function: ExtractFunction) -> Method:
    """Return a function as a method, its name as key; raises `InputError`."""
    import cloudpickle

    name = getattr(function, "__name__", "") or type(function).__name__
    key = "lambda" if name == "<lambda>" else name
    try:
        pickled = base64.b64encode(cloudpickle.dumps(function)).decode()
    except Exception as error:  # noqa: BLE001  (whatever it holds may refuse in its own way)
        raise InputError(
            f"{key} cannot be handed to another process ({error}): write it so that it makes inside"
            " what cannot be pickled, such as open files"
        ) from None
    digest = hashlib.blake2b(digest_size=4)
    for part in _parts(function, set()):
        digest.update(part.encode("utf-8", "surrogatepass"))
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    return FunctionRecipe(pickled, f"function {key} {digest.hexdigest()}", summary).entry(key)


def _parts(value: object, known: set[int]) -> list[str]:
    """Return a function's code as texts: its source, and that of used parts of its module."""
    if id(value) in known:
        return []
    known.add(id(value))
    if isinstance(value, partial):
        used: list[object] = [value.func, *value.args, *value.keywords.items()]
        return [part for each in used for part in _parts(each, known)]
    if isinstance(value, types.ModuleType):
        return [value.__name__, str(getattr(value, "__version__", ""))]
    if isinstance(value, types.MethodType):
        return [*_parts(value.__func__, known), *_parts(value.__self__, known)]
    if isinstance(value, types.FunctionType):
        closure = inspect.getclosurevars(value)
        own = getattr(inspect.getmodule(value), "__name__", "")
        result = [_source(value), repr(value.__defaults__), repr(value.__kwdefaults__)]
        for name, each in sorted({**closure.globals, **closure.nonlocals}.items()):
            is_here = getattr(each, "__module__", own) == own or name in closure.nonlocals
            result += [name, *(_parts(each, known) if is_here else [_called(each)])]
        return result
    if isinstance(value, type):
        return [_source(value)]
    if callable(value):
        return [*_parts(type(value), known), repr(sorted(vars(value).items(), key=str))]
    return [_called(value)]


def _source(value: Any) -> str:  # noqa: ANN401
    code = getattr(value, "__code__", None)
    try:
        text = inspect.getsource(value)
    except (OSError, TypeError):  # typed at a prompt: the text was not kept
        return repr(value) if code is None else _compiled(code)
    # For a lambda this is the whole line, which may hold two.
    return text + _compiled(code) if code is not None and value.__name__ == "<lambda>" else text


def _compiled(code: types.CodeType) -> str:
    inner = [_compiled(each) for each in code.co_consts if isinstance(each, types.CodeType)]
    plain = [repr(each) for each in code.co_consts if not isinstance(each, types.CodeType)]
    return "\n".join((repr(code.co_code), repr(code.co_names), *plain, *inner))


def _called(value: object) -> str:
    """Return a name of a value that is the same in every process: no address in memory."""
    name = getattr(value, "__qualname__", None)
    if name is not None:
        return f"{getattr(value, '__module__', '')}.{name}"
    plain = (str, bytes, int, float, bool, type(None), tuple, list, dict, frozenset)
    return repr(value) if isinstance(value, plain) else pickled_digest(value)


def pickled_digest(value: object) -> str:
    """Return a digest of a value, or its type's name where it cannot be pickled."""
    try:
        return hashlib.blake2b(pickle.dumps(value), digest_size=8).hexdigest()
    except Exception:  # noqa: BLE001  (as above)
        return type(value).__qualname__


def _run(pickled: str, source: Source, params: FunctionParams) -> Extraction:
    answer = worker_for(__name__, pickled).ask(source.html, params.seconds)
    return extraction(source, answer["text"], "text", answer["seconds"])


# In the worker process ---------------------------------------------------------------------


def load(name: str) -> Callable[[str], dict[str, Any]]:
    """Return a function that answers requests to one function, unpickled now."""
    function: ExtractFunction = pickle.loads(base64.b64decode(name))

    def answer(html: str) -> dict[str, Any]:
        start = time.perf_counter()
        text = function(html)
        seconds = time.perf_counter() - start
        if not isinstance(text, str | None):
            raise MethodError(f"it must return a string, not a value of type {type(text).__name__}")
        return {"text": text or "", "seconds": seconds}

    return answer
