"""Sides of a comparison: versions of packages, commits, methods with parameters, files, inputs.

trafilatura==2.1.0              a version of a package, installed apart
my-package==1.2 my.module:run   the same, and which function takes HTML and returns text
path/to/checkout@v1.2           a checkout's package as of a commit (with a function as above)
path/to/checkout                a checkout's package as it is now
path/to/my_method.py@HEAD~3     a method file as of a commit of its checkout
path/to/my_method.py            a method file as it is
dist/my_package-1.2.whl         a wheel or source archive
my.module:run                   a function of a package that is installed here
npm:defuddle==0.19.4            a version of a package of npm, installed apart
npm:my-package==1.2 my.mjs      the same, and the adapter that calls it
bte tag_cost=2                    a method, with parameters
gleaner input=dom               a method, and what it reads
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from algorithms.core.catalogue import has_method, named_method
from algorithms.method import Method, MethodRecipe
from algorithms.own import method_files
from algorithms.plugins.external.versions import recipe_of
from annotate.datasets.cases import FORMS
from annotate.evaluation.run.plan import Chosen
from engine.errors import InputError

_INPUT = "input"


@dataclass(frozen=True)
class NamedRecipe(MethodRecipe):
    """A method of the catalogue, or of a file, under another key."""

    word: str  # its own key, or the path of the file

    def entry(self, key: str) -> Method:
        return replace(named_method(self.word), key=key, name=key, recipe=self)


@dataclass(frozen=True)
class _Words:
    """User's words for one side.

    Attributes:
        subject: The version, commit, method or file.
        function: Of a package, or the adapter of one of npm; "" for none.
        settings: Parameters by name, as texts.
        input: Form to read; "" for the method's first one.
    """

    subject: str
    function: str
    settings: dict[str, str]
    input: str


def chosen_side(text: str, key: str = "") -> Chosen:
    """Return the side named by a text, under a key or the text itself; installs missing packages.

    Raises `InputError`, and `MethodError` of a file without a method.
    """
    words = _words_of(text)
    key = key or " ".join(text.split())
    if not has_method(words.subject):
        entry = recipe_of(words.subject, words.function).entry(key)
    elif key == words.subject:
        entry = named_method(key)
    else:
        entry = NamedRecipe(words.subject).entry(key)
    if entry.output != "extraction":
        raise InputError(f"{words.subject} gives blocks: compare methods that extract text")
    if words.input and words.input not in entry.inputs:
        reads = ", ".join(entry.inputs)
        raise InputError(f"{words.subject} does not read {words.input}; it reads: {reads}")
    return Chosen(entry, entry.params.parse(words.settings), input=words.input)


def code_in(text: str) -> str:
    """Return the part of a text that runs code: "" for methods and known files.

    For texts that come from files; raises `InputError`.
    """
    words = _words_of(text)
    if has_method(words.subject) or method_files.is_named(Path(words.subject)):
        return ""
    return " ".join(filter(None, (words.subject, words.function)))


def _words_of(text: str) -> _Words:
    try:
        first, *rest = shlex.split(text)
    except ValueError:
        raise InputError(f"{text!r} names nothing to compare") from None
    function, chosen_input = "", ""
    settings: dict[str, str] = {}
    for word in rest:
        name, sign, value = word.partition("=")
        if sign and name == _INPUT:
            if value not in FORMS:
                raise InputError(f"input must be one of {', '.join(FORMS)}, got {value!r}")
            chosen_input = value
        elif sign:
            settings[name] = value
        elif (":" in word or word.endswith(".mjs")) and not function:
            function = word
        else:
            raise InputError(f"{text}: {word} is neither NAME=VALUE nor module:function")
    return _Words(first, function, settings, chosen_input)


def chosen_sides(texts: Sequence[str], names: Sequence[str] = ()) -> tuple[Chosen, ...]:
    """Return the sides in several texts, under given names if any; `InputError` for equal ones."""
    sides = tuple(map(chosen_side, texts, names or [""] * len(texts)))
    for k, side in enumerate(sides):
        if side.entry.key in {other.entry.key for other in sides[:k]}:
            raise InputError(f"{side.entry.key} is compared with itself: name two versions")
    return sides
