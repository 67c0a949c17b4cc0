"""Arguments of a command, made from the signature and the docstring of its function::

    def run(files: Sequence[Path], *, weight: float = 1.0, takes_all: bool = False) -> int:
        '''Weigh files.

        Args:
            files (FILE): a file to weigh
            weight (--weight KG): most that is allowed (default: %(default)g)
            takes_all (--all): also weigh hidden files

        Example:
          pagelet weigh a.txt --all
        '''

Parameters before the ``*`` are typed without a name.  Types and defaults decide the rest: a list
takes several values (named: the name again for each), a bool none, a `Literal` one of some.  A
parameter without a default must be typed.  In parentheses is how an argument is typed where that
does not follow from its name; with ``...`` several values follow one name, in ``[]`` it may have
none.  What is below the arguments ends the help.  ``%(NAME)s`` in a help is a constant of the
function's module.  A parameter of an `Options` class represents all its options, one that the
parser has already (as ``no_sandbox``, of all commands) for that.
"""

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import InputError
from engine.options import OptionError, Options, OptionSpec

Some = TypeVar("Some", bound=Options)
Command = Callable[..., int | None]


@dataclass(frozen=True)
class Argument(OptionSpec):
    """Property of an argument, in the annotation of its parameter; help given here needs no row.

    Attributes:
        heading: Heading of the arguments it stands among; "" for the usual one.
        without: Options of a class that are not offered.
        defaults: Defaults of options of a class, in place of its own.
    """

    help: str = ""
    heading: str = ""
    without: tuple[str, ...] = ()
    defaults: dict[str, Any] = field(default_factory=dict, hash=False)


Count = Annotated[int, Argument(low=1)]
Share = Annotated[float, Argument(low=0, high=1)]


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a command, or a field of its options."""

    name: str
    kinds: tuple[Any, ...]  # without None
    default: Any
    spec: OptionSpec
    argument: Argument

    def add_to(self, group: Any) -> None:  # noqa: ANN401  (argparse's own types are private)
        """Add it to a parser, or to a group of one."""
        spec, default, kind = self.spec, self.default, self.kinds[0]
        is_list = get_origin(kind) is Sequence
        kind = get_args(kind)[0] if is_list else kind
        word = spec.metavar or ""
        given: dict[str, Any] = {"help": spec.help, "metavar": word or None}
        if default is not MISSING:
            given["default"] = list(default) if is_list else default
        if kind is bool:
            is_switch = default is not None
            given["action"] = "store_true" if is_switch else argparse.BooleanOptionalAction
            del given["metavar"]
        elif get_origin(kind) is Literal:
            given["choices"] = get_args(kind)
        else:
            given["type"] = kind
        if not spec.is_named:
            if is_list or default is not MISSING:
                given["nargs"] = "?" if not is_list else "+" if default is MISSING else "*"
            group.add_argument(self.name, **given)
            return
        given |= {"dest": self.name, "required": default is MISSING}
        if word.startswith("["):
            given |= {"nargs": "?", "const": True, "metavar": word[1:-1]}
        elif is_list and word.endswith("..."):
            values = tuple(word.removesuffix("...").split())
            given |= {"nargs": "+", "metavar": values if len(values) > 1 else values[0]}
        elif is_list:
            given["action"] = "append"
        flag = spec.flag_of(self.name)
        if spec.off:
            group = group.add_mutually_exclusive_group()
            group.add_argument(f"--{flag}", **given)
            own = {"action": "store_const", "const": None, "dest": self.name}
            group.add_argument(f"--no-{flag}", help=spec.off, **own)
        else:
            group.add_argument(f"--{flag}", **given)


def add_arguments(parser: argparse.ArgumentParser, function: Command) -> None:
    """Add the arguments of a command's function to its parser, those it has already excepted."""
    helps, epilog = _parts(function)
    parser.epilog = epilog or parser.epilog
    known = {action.dest for action in parser._actions}
    groups: dict[str, Any] = {"": parser}
    for each in _parameters(function, helps):
        if each.name in known:
            continue
        heading, one_of = each.argument.heading, each.spec.one_of
        if heading not in groups:
            groups[heading] = parser.add_argument_group(heading)
        if one_of not in groups:
            groups[one_of] = groups[heading].add_mutually_exclusive_group()
        each.add_to(groups[one_of or heading])


def call(function: Command, options: argparse.Namespace) -> int | None:
    """Call a command's function with its arguments; `InputError` names values out of bounds."""
    given = vars(options)
    result: dict[str, Any] = {}
    for name, kinds, argument, _ in _signature(function):
        is_class = isinstance(kinds[0], type) and issubclass(kinds[0], Options)
        options_given = argument.defaults | given
        result[name] = options_of(kinds[0], options_given) if is_class else given[name]
    for each in _parameters(function, _parts(function)[0]):
        value = result.get(each.name)
        problem = each.spec.problem(value) if isinstance(value, int | float) else ""
        if problem:
            raise InputError(f"--{each.spec.flag_of(each.name)} {problem}")
    return function(**result)


def options_of(kind: type[Some], given: Mapping[str, Any]) -> Some:
    """Return the options of a class from values by field; `InputError` names one out of bounds."""
    typed = {field.name: given[field.name] for field in fields(kind) if field.name in given}
    lists = {name: tuple(value) for name, value in typed.items() if isinstance(value, list)}
    try:
        return kind(**typed | lists)
    except OptionError as error:
        flag = kind.specs()[error.option].flag_of(error.option)
        raise InputError(f"--{flag} {error.problem}") from None


def _signature(function: Command) -> Iterator[tuple[str, tuple[Any, ...], Argument, Any]]:
    """Yield name, types without None, properties and default of each parameter."""
    types = get_type_hints(function, include_extras=True)
    for name, each in inspect.signature(function).parameters.items():
        default = MISSING if each.default is each.empty else each.default
        yield name, *_type_of(types[name]), default


def _type_of(hint: Any) -> tuple[tuple[Any, ...], Argument]:  # noqa: ANN401  (any annotation)
    """Return the types of an annotation, except None, and its properties."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds: list[Any] = []
    argument = Argument()
    for part in parts:
        if get_origin(part) is Annotated:
            inner, argument = get_args(part)
            kinds += _type_of(inner)[0]
        elif part is not NoneType:
            kinds.append(part)
    return tuple(kinds), argument


def _parameters(function: Command, helps: Mapping[str, tuple[str, str]]) -> Iterator[_Parameter]:
    """Yield the arguments of a function, those of its options among them."""
    rows = inspect.signature(function).parameters
    for name, kinds, argument, default in _signature(function):
        if isinstance(kinds[0], type) and issubclass(kinds[0], Options):
            yield from _fields(kinds[0], argument)
            continue
        if name in helps:
            typed, text = helps[name]
            flag, _, word = typed[2:].partition(" ") if typed.startswith("--") else ("", "", typed)
            argument = replace(argument, help=text, flag=flag, metavar=word or None)
        is_named = rows[name].kind is inspect.Parameter.KEYWORD_ONLY
        yield _Parameter(name, kinds, default, replace(argument, is_named=is_named), argument)


def _fields(kind: type[Options], argument: Argument) -> Iterator[_Parameter]:
    """Yield the options of a class that are offered, each with its default in its help."""
    types = get_type_hints(kind)
    own = {field.name: field for field in fields(kind)}
    for name, spec in kind.specs().items():
        if name in argument.without:
            continue
        default = argument.defaults.get(name, own[name].default)
        make = own[name].default_factory
        if make is not MISSING:
            default = make()
        elif "(default" not in spec.help and _is_shown(default):
            shown = f"{default:g}" if isinstance(default, float) else default
            spec = replace(spec, help=f"{spec.help} (default: {shown})")
        yield _Parameter(name, _type_of(types[name])[0], default, spec, argument)


def _is_shown(default: object) -> bool:
    return default is not False and default not in (None, "", (), MISSING)


def _parts(function: Command) -> tuple[dict[str, tuple[str, str]], str]:
    """Return how each argument is typed and its help, and the text below, of a docstring."""
    _, _, text = inspect.cleandoc(function.__doc__ or "").partition("Args:\n")
    end = re.search(r"^\S", text, re.MULTILINE)
    rows, epilog = (text, "") if end is None else (text[: end.start()], text[end.start() :])
    result = {}
    for row in filter(str.strip, re.split(r"\n(?=    \w)", rows)):
        entry = re.fullmatch(r"(\w+)(?: \((.*?)\))?: (.*)", " ".join(row.split()))
        assert entry is not None, row
        name, typed, words = entry.groups(default="")
        constants = re.sub(
            r"%\(([A-Z_]+)\)s", lambda match: str(function.__globals__[match[1]]), words
        )
        result[name] = (typed, constants)
    return result, epilog
