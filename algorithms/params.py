"""Typed parameters: a frozen dataclass whose fields carry bounds and a sentence beside the default.

The parameter form of the window and ``--set name=value`` of the command line are built from the
declaration; nothing about a parameter is written twice.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from engine import bounded_file
from engine.errors import ParameterError
from engine.words import no_such

Value = bool | int | float | str
"""Of a parameter."""


@dataclass(frozen=True)
class FileKind:
    """Requirements of a path parameter for its file.

    Attributes:
        name: Name of such files in file choosers: ``Rules``.
        patterns: Their names: ``*.xml``.
        check: Raises `ParameterError`, one sentence, for a path whose file will not do.
        none: Meaning of the empty path.
    """

    name: str
    patterns: tuple[str, ...]
    check: Callable[[str], object]
    none: str


@dataclass(frozen=True)
class Spec:
    """Description of a parameter beside its type and default.

    Attributes:
        help: One sentence; what it does, in the user's words.
        low, high: Bounds, both included; None where there is none.
        choices: The allowed values of a text parameter; empty for any.
        file: Requirements for the file where a text is a path; None for any other text.
        has_tags: Whether it is names of tags, one at least, separated by blanks.
        special: What ``low`` means where it is no measure: ``the deviation of the ratios``; "" for
            a value like the others.
    """

    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    file: FileKind | None = None
    has_tags: bool = False
    special: str = ""

    def is_special(self, value: object) -> bool:
        """Whether a value has a special meaning, so that the next number is not near it."""
        return bool(self.special) and value == self.low

    def problem(self, value: object) -> str:
        """Return the fault of the file a value names, in one sentence; "" if there is none.

        `Params` do not check this: they also describe earlier runs elsewhere, with other files.
        """
        if self.file is None or not value:
            return ""
        try:
            self.file.check(str(value))
        except ParameterError as error:
            return str(error)
        return ""


def param(
    default: Any,  # noqa: ANN401  (the field's own annotation gives the type)
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    file: FileKind | None = None,
    has_tags: bool = False,
    special: str = "",
) -> Any:  # noqa: ANN401
    """Declare a parameter of a `Params` class."""
    spec = Spec(help, low, high, choices, file, has_tags, special)
    return dataclasses.field(default=default, metadata={"spec": spec})


@dataclass(frozen=True)
class Params:
    """Base of every method's parameters; a value out of bounds raises `ParameterError`."""

    def __post_init__(self) -> None:
        defaults = self.defaults()
        for name, spec in self.specs().items():
            value = getattr(self, name)
            if not _is_like(value, defaults[name]):
                kind = _KINDS[type(defaults[name])]
                raise ParameterError(f"{name} must be {kind}, got {value!r}")
            if spec.choices and value not in spec.choices:
                raise ParameterError(
                    f"{name} must be one of {', '.join(spec.choices)}, got {value}"
                )
            if spec.low is not None and not value >= spec.low:
                raise ParameterError(f"{name} must be at least {spec.low:g}, got {value}")
            if spec.high is not None and not value <= spec.high:
                raise ParameterError(f"{name} must be at most {spec.high:g}, got {value}")
            if spec.has_tags and not value.split():
                raise ParameterError(f"{name} is empty: give tag names separated by blanks")

    @classmethod
    def specs(cls) -> Mapping[str, Spec]:
        """Return name → `Spec` in order of declaration."""
        kind: Any = cls  # mypy takes the hash of instances for that of their class
        return _specs(kind)

    @classmethod
    def defaults(cls) -> dict[str, bool | int | float | str]:
        """Return name → default in order of declaration."""
        return {f.name: f.default for f in dataclasses.fields(cls)}  # type: ignore[misc]

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> Self:
        """Build from ``name=value`` texts; raises `ParameterError` for an invalid one."""
        defaults = cls.defaults()
        values: dict[str, bool | int | float | str] = {}
        for name, text in texts.items():
            if name not in defaults:
                raise ParameterError(no_such("parameter", name, defaults))
            values[name] = _parse(name, text, cls.specs()[name], type(defaults[name]))
        return cls(**values)

    def as_dict(self) -> dict[str, bool | int | float | str]:
        """Return name → value, for records and JSON."""
        return dataclasses.asdict(self)

    def changed(self) -> dict[str, bool | int | float | str]:
        """Return the values that are not the defaults, by name; files, which have none, aside."""
        return changed_values(type(self), self.as_dict())


def changed_values(kind: type[Params], values: Mapping[str, object]) -> dict[str, Any]:
    """Return those of some values that are not the defaults of a class of parameters, by name."""
    defaults, specs = kind.defaults(), kind.specs()
    return {
        name: value
        for name, value in values.items()
        if name in defaults and value != defaults[name] and specs[name].file is None
    }


_KINDS = {bool: "True or False", int: "a number", float: "a number", str: "a text"}


def _is_like(value: object, default: Value) -> bool:
    """Whether a value is of the kind of a default: a truth value, a number or a text."""
    if isinstance(default, bool | str):
        return isinstance(value, type(default))
    return isinstance(value, Real) and not isinstance(value, bool)


@cache
def _specs(params: type[Params]) -> Mapping[str, Spec]:
    """Return name → `Spec`, made once: parameters are made for each method on each page."""
    return MappingProxyType({f.name: f.metadata["spec"] for f in dataclasses.fields(params)})


def text_of(path: str) -> str:
    """Return the content of a text file; raises `ParameterError` if it cannot be read."""
    try:
        return bounded_file.read_text(Path(path))
    except FileNotFoundError:
        reason = "there is no such file"
    except IsADirectoryError:
        reason = "it is a folder; expected a file"
    except OSError as error:
        reason = f"it cannot be read: {error.strerror or error}"
    except ValueError:  # also a path with a null character
        reason = "it is not UTF-8 text"
    raise ParameterError(f"{path}: {reason}")


def _parse(name: str, text: str, spec: Spec, kind: type) -> bool | int | float | str:
    if spec.file is not None:
        text = str(Path(text).expanduser()) if text else ""
        if problem := spec.problem(text):
            raise ParameterError(f"{name}: {problem}")
        return text
    if kind is bool:
        if text.lower() in ("true", "yes", "on", "1"):
            return True
        if text.lower() in ("false", "no", "off", "0"):
            return False
        raise ParameterError(f"{name} must be yes or no, got {text!r}")
    try:
        return kind(text)  # type: ignore[no-any-return]
    except ValueError:
        kind_name = "a whole number" if kind is int else "a number"
        raise ParameterError(f"{name} must be {kind_name}, got {text!r}") from None


def params_class(name: str, declared: Iterable[tuple[str, Any, Any]]) -> type[Params]:
    """Return a class of parameters, each given by name, type and declaration (see `param`)."""
    made = dataclasses.make_dataclass(name, declared, bases=(Params,), frozen=True)
    assert issubclass(made, Params)
    return made
