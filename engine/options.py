"""Options of a command as frozen dataclasses whose fields carry help and bounds.

The command line makes its arguments from the declaration; Python fills the fields itself.  Both
are checked here, and name a field as their user typed it.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from engine.errors import InputError
from engine.words import join_words


class OptionError(InputError):
    """An option out of bounds: its field and the fault, such as ``must be at least 1, got 0``."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option} {problem}")
        self.option, self.problem = option, problem


@dataclass(frozen=True)
class OptionSpec:
    """Description of an option beside its type and default.

    Attributes:
        help: Its help on the command line.
        flag: Its name there; "" is that of the field.
        metavar: Placeholder for its value there.
        low, high: The least and the largest value.
        above: The value it must be more than.
        unit: Of the value, in messages.
        off: Help of ``--no-NAME``, which gives None; "" for options that have none.
        is_named: Whether its name is typed before its value.
        one_of: Name of a group of options that exclude each other.
    """

    help: str
    flag: str = ""
    metavar: str | None = None
    low: float | None = None
    high: float | None = None
    above: float | None = None
    unit: str = ""
    off: str = ""
    is_named: bool = True
    one_of: str = ""

    def flag_of(self, name: str) -> str:
        """Return the name on the command line of the field of this name."""
        return self.flag or name.replace("_", "-")

    def problem(self, value: float) -> str:
        """Return the fault of a value, "" if there is none; NaN is within no bounds."""
        unit = self.unit and f" {self.unit}"
        if self.low is not None and self.high is not None:
            is_within = self.low <= value <= self.high
            return "" if is_within else f"must be from {self.low:g} to {self.high:g}, got {value:g}"
        if self.low is not None and not value >= self.low:
            return f"must be at least {self.low:g}{unit}, got {value:g}"
        if self.above is not None and not value > self.above:
            return f"must be more than {self.above:g}{unit}, got {value:g}"
        return ""


def option(
    default: Any,  # noqa: ANN401  (the field's own annotation gives the type)
    help: str,
    **more: Any,  # noqa: ANN401  (the fields of `OptionSpec` beside its help)
) -> Any:  # noqa: ANN401
    """Declare an option of an `Options` class; the command line offers it.

    Args:
        default: Its default, or a function that gives it; ``dataclasses.MISSING`` for none.
        help: See `OptionSpec`.
        more: Further attributes of `OptionSpec`.
    """
    given = {"default_factory" if callable(default) else "default": default}
    return dataclasses.field(**given, metadata={"option": OptionSpec(help, **more)})


@dataclass(frozen=True)
class Options:
    """Base of all options; a value out of bounds, or that is no choice, raises `OptionError`."""

    def __post_init__(self) -> None:
        types = get_type_hints(type(self))
        for name, spec in self.specs().items():
            value, kind = getattr(self, name), types[name]
            if get_origin(kind) is Literal and value not in get_args(kind):
                raise OptionError(
                    name, f"must be {join_words(get_args(kind), 'or')}, got {value!r}"
                )
            problem = "" if value is None else spec.problem(value)
            if problem:
                raise OptionError(name, problem)

    @classmethod
    def specs(cls) -> dict[str, OptionSpec]:
        """Return the options that the command line offers, in order of declaration."""
        fields = dataclasses.fields(cls)
        return {f.name: f.metadata["option"] for f in fields if "option" in f.metadata}
