"""The ``pagelet`` command: thin, each subcommand calls one function; the only place that prints.

Exit status: 0 done, 1 something failed that was not the user's input, 2 bad input (one line on
stderr says what is wrong), 3 what may succeed when it is tried again.  With ``--json`` standard
output is one JSON value (`gui.cli.answers`).  Methods that need no rendering never start a
browser, which is why what needs Qt is imported where it is used.
"""

import argparse
import errno
import logging
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from engine.interpreter import drop_relative_folders
from engine.interrupts import STOPPED, defer_interrupts, ends_when_asked
from engine.version import own_version

try:
    with defer_interrupts():
        from engine import memory, plugin
        from engine.errors import NO_QT, PASSING, InputError, OutputError, PageletError
        from engine.plugin import Command
        from engine.shared_libraries import complaint
        from engine.words import nearest
        from gui.cli import answers, signatures
        from gui.cli.terminal import drop_output, guarded_terminal
except KeyboardInterrupt:  # Ctrl-C may come as early as this
    print("pagelet: stopped", file=sys.stderr)
    sys.exit(STOPPED)

log = logging.getLogger(__name__)

_SHORT = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
}
"""What the machine runs short of is no bad input."""

_OFF = "--without"

_LONGEST = 100  # letters of a name in a message

COMMANDS = {
    "open": ("open_window", "Open the window."),
    "methods": ("methods", "List the methods with their parameters."),
    "extract": ("extract", "Print the main content that a method extracts."),
    "segment": ("segment", "Print the blocks of a page, as a method sees them, as JSON."),
    "picture": ("picture", "Draw methods and gold on a page: HTML, PNG, SVG or PDF."),
    "why": ("why", "Say why a method keeps or drops some words, and what would reverse that."),
    "diff": ("diff", "Print what a method misses, and what it has too much, against gold."),
    "freeze": ("freeze", "Freeze pages into files that bring them back exactly, and prove it."),
    "verify": (
        "verify",
        "Check a frozen page, workspace, run or team folder for changes and damage.",
    ),
    "evaluate": ("evaluate", "Run methods on data sets with gold, score them, write tables."),
    "triage": ("triage", "Say without gold how good results probably are, and what to mark first."),
    "score": ("score", "Score texts that were extracted elsewhere, as methods are."),
    "bundle": ("bundle", "Write an evaluation as web pages for those without Pagelet."),
    "merge": (
        "merge",
        "Put marks of several annotators side by side, or the shards of an evaluation together.",
    ),
    "demo": ("demo", "Render pages, run the default methods, write pictures and scores."),
    "new": ("new", "Write the files of a recipe: a method, measure, feature, plug-in and so on."),
    "docs": ("docs", "Write the tables of README and documentation; for those who change Pagelet."),
    "doctor": ("doctor", "Check the requirements of Pagelet; explain how to meet them."),
}
"""Each command: its module here, with the function `run`, and what it does.

Only the module of the command that is run is loaded."""


def commands() -> dict[str, Command]:
    """Return each command by name, those of plug-ins last."""
    result = {name: Command(f"gui.cli.{module}", line) for name, (module, line) in COMMANDS.items()}
    for each in plugin.plugins():
        result |= {name: row for name, row in each.commands.items() if name not in result}
    return result


ALIASES = {"capture": "freeze"}
"""Earlier names of commands, which stay."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    drop_relative_folders(os.environ)
    words = list(sys.argv[1:] if arguments is None else arguments)
    answer = answers.JsonAnswer() if answers.is_asked(words) else None
    with guarded_terminal(), ends_when_asked() as request:
        try:
            status = _main(words) if answer is None else _answered(words, answer)
            sys.stdout.flush()
            return status
        except KeyboardInterrupt:
            request.say()
            return request.status or STOPPED
        except Exception as error:
            # An interrupt, in the middle of an import for example, may appear as another error.
            if request.has_come(0.0 if isinstance(error, PageletError) else 0.1):
                request.say()
                return request.status
            status, sentence = _failure(error)
            if sentence:
                print(f"pagelet: {_shortened(sentence)}", file=sys.stderr)
                if answer is not None:
                    answer.show_error(_shortened(sentence), status)
            log.debug("what went wrong", exc_info=True)
            return status


def _answered(words: list[str], answer: answers.JsonAnswer) -> int:
    """Run a command and print its answer as JSON; return its exit status."""
    with answer.collected():
        try:
            status = _main(words, answer)
        except SystemExit as error:  # of argparse, such as --help
            status = error.code if isinstance(error.code, int) else 1
    answer.show(status)
    return status


_WITH_QT = ("PySide6", "pyqtgraph")
"""Packages that pagelet-source goes without."""


def _ran_short(error: BaseException) -> bool:
    """Whether an error comes of what the machine ran short of, such as room on the disk."""
    cause = error.__cause__
    return cause is not None and (
        (isinstance(cause, OSError) and cause.errno in _SHORT) or _ran_short(cause)
    )


def _failure(error: Exception) -> tuple[int, str]:
    """Return the exit status and message for an error; raises it if it is a bug."""
    match error:
        case PageletError() if isinstance(error, PASSING):
            return 3, str(error)
        case InputError() if isinstance(error, OutputError) or _ran_short(error):
            return 1, str(error)
        case InputError():
            return 2, str(error)
        case PageletError():
            return 1, str(error)
        case BrokenPipeError():
            drop_output(sys.stdout)  # its reader has gone (as in `| head`): that is its right
            return 0, ""
        case OSError(strerror=str(reason)):
            status = 1 if error.errno in _SHORT else 2
            return status, f"{error.filename}: {reason}" if error.filename else reason
        case UnicodeEncodeError():
            name = repr(error.object[:_LONGEST])
            return 2, f"{name} cannot be written as {error.encoding}: rename it"
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in _WITH_QT:
            return 1, NO_QT
        case ModuleNotFoundError(name=str(name)) if ".plugins." in name:
            return 1, plugin.reason(error)
        case ImportError() if lacking := complaint(str(error)):
            return 1, lacking
        case RuntimeError() if str(error).startswith("Symlink loop from "):  # of Path.resolve
            path = str(error).removeprefix("Symlink loop from ").strip("'")
            return 2, f"{path} is a link that leads back to itself"
        case MemoryError():
            return 1, "there is not enough memory for this"
    raise error


def _shortened(sentence: str) -> str:
    """Return a sentence with names of thousands of letters cut in their middle."""
    ends = r"\1…\2"
    return re.sub(rf"(\S{{{_LONGEST}}})\S{{{_LONGEST},}}(\S{{20}})", ends, sentence)


def _main(words: list[str], answer: answers.JsonAnswer | None = None) -> int:
    words = _switched_off(words)
    is_bare = not words or words[0] not in (*commands(), *ALIASES, "-h", "--help", "--version")
    if is_bare:
        _check_page(next((word for word in words[:1] if not word.startswith("-")), None))
        words = ["open", *words]  # the window is opened without a command
    with defer_interrupts():
        module = _module(words[0])
    options = _options(words, module)
    options.json = options.json or options.select is not None
    if answer is not None:
        answer.command, answer.options = ALIASES.get(words[0], words[0]), options
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.WARNING,
        format="pagelet: %(message)s",
        stream=sys.stderr,
    )
    if is_bare:
        _check_page(options.page)
    if options.memory is not None:
        memory.set_limit(options.memory)
    if options.method_file:
        from algorithms.own import method_files

        for file in options.method_file:
            method_files.name(file)
    assert module is not None, "argparse ends the program for what is no command"
    for extension in _extensions(words[0]):
        status = signatures.call(extension.run, options)
        if status is not None:
            return status
    return signatures.call(module.run, options) or 0


def _parted(word: str) -> tuple[str, ...]:
    """Return ``--without=NAMES`` as two words."""
    return (_OFF, word.removeprefix(f"{_OFF}=")) if word.startswith(f"{_OFF}=") else (word,)


def _switched_off(words: list[str]) -> list[str]:
    """Switch off the plug-ins behind ``--without``, and those of the settings; return the rest."""
    from algorithms.own.settings import settings_folder

    named = [os.environ.get(plugin.WITHOUT, "")]
    words = [part for word in words for part in _parted(word)]
    while _OFF in words[:-1]:
        at = words.index(_OFF)
        named.append(words[at + 1])
        words = words[:at] + words[at + 2 :]
    with suppress(OSError, UnicodeError):
        named.append((settings_folder() / "without.txt").read_text(encoding="utf-8"))
    os.environ[plugin.WITHOUT] = ",".join(" ".join(named).replace(",", " ").split())
    return words


def _extensions(command: str) -> list[ModuleType]:
    """Return the modules of plug-ins that add options to a command."""
    name = ALIASES.get(command, command)
    adding = (each for each in plugin.plugins() if name in each.options)
    found = (plugin.module(each.name, each.options[name]) for each in adding)
    return [extension for extension in found if extension is not None]


def _check_page(page: str | None) -> None:
    """Reject an argument that is neither page nor command: a script would wait for the window."""
    if page is None or "://" in page or Path(page).expanduser().exists():
        return
    if meant := nearest(page, commands()):
        raise InputError(f"no command and no file {page!r}; did you mean {meant}?")
    from engine.document import absence  # the network's modules, which few commands need

    raise InputError(absence(page))


def _module(command: str) -> ModuleType | None:
    """Return the module of a command; None for any other word, as ``--help``."""
    row = commands().get(ALIASES.get(command, command))
    if row is None:
        return None
    try:
        return import_module(row.module)
    except (Exception, SystemExit) as error:
        if row.module.startswith("gui."):
            raise
        raise PageletError(
            f"{command}: its plug-in cannot be used: {plugin.reason(error)}"
        ) from error


class HelpLayout(argparse.HelpFormatter):
    """Fills lines with words, and keeps indented ones, so that an example can be copied whole."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled: list[str] = []
        words: list[str] = []
        for line in [*text.splitlines(), ""]:
            if line.strip() and not line.startswith(" "):
                words.append(line)
                continue
            if words:
                filled.append(super()._fill_text(" ".join(words), width, indent))
                words = []
            filled.append(indent + line if line.strip() else "")
        return "\n".join(filled).rstrip("\n")


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line."""

    def error(self, message: str) -> NoReturn:
        """Raise `InputError`."""
        raise InputError(f"{message}; see {self.prog} --help")


def _options(words: Sequence[str], module: ModuleType | None) -> argparse.Namespace:
    """Return the parsed arguments: a command, its arguments, and options anywhere between these."""
    parser, by_name = parsers(words[0], module)
    if module is None:
        return parser.parse_args(words)
    # Only this way of argparse's takes options before an argument that may be missing, and a
    # parser that has commands does not know it: the command's own parser is asked.
    return by_name[words[0]].parse_intermixed_args(words[1:])


def parsers(
    chosen: str, module: ModuleType | None
) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser, and that of each command; only the chosen one knows its arguments."""
    parser = _Parser(
        prog="pagelet",
        description="A workbench for web-page segmentation and content extraction. "
        "Without a command: open the window, on PAGE or on the sample pages.",
    )
    parser.add_argument("--version", action="version", version=own_version())
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    shared = _Parser(add_help=False)
    shared.add_argument("--verbose", action="store_true", help="print details of the progress")
    shared.add_argument(_OFF, metavar="NAMES", help="switch plug-ins off (commas between them)")
    shared.add_argument(answers.OPTION, action="store_true", help="print one JSON value")
    part = "print this part of it, such as pages[0].score"
    shared.add_argument(answers.SELECT, metavar="PART", help=part)
    sandbox = "load live pages without Chromium's sandbox, which root cannot use"
    shared.add_argument("--no-sandbox", action="store_true", help=sandbox)
    shared.add_argument(
        memory.OPTION,
        metavar="GB",
        help="end a page whose process, or Pagelet's own for it, takes more memory than this "
        f"(default: {memory.DEFAULT_GB:g})",
    )
    shared.add_argument(
        "--method-file",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="add the method of a Python file, or a model of pagelet train (again for more)",
    )
    own: dict[str, argparse.ArgumentParser] = {}
    for name, (_, help_text) in commands().items():
        aliases = [old for old, new in ALIASES.items() if new == name]
        command = subparsers.add_parser(
            name,
            aliases=aliases,
            help=help_text,
            description=help_text,
            parents=[shared],
            formatter_class=HelpLayout,
        )
        own |= dict.fromkeys((name, *aliases), command)
        if chosen in (name, *aliases) and module is not None:
            for each in (module, *_extensions(name)):
                signatures.add_arguments(command, each.run)
    return parser, own


if __name__ == "__main__":
    sys.exit(main())
