"""Content of a file: its kind, a sentence, a preview and the steps that can be taken."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from engine.errors import InputError
from engine.words import cut_text, plural, sentence

Kind = Literal[
    "page", "folder of pages", "web archive", "saved page", "data set", "annotations",
    "addresses", "model", "method file", "baseline", "team folder", "workspace", "results",
    "bundle", "unknown",
]  # fmt: skip
"""What a path can be."""

Deed = Literal["open", "import", "crawl", "workspace", "method", ""]
"""What the window does at one key; "" for what only a command does."""


_PLURALS = {"address": "addresses", "entry": "entries", "query": "queries"}


@dataclass(frozen=True)
class NextStep:
    """Possible next step for a file.

    Attributes:
        words: For a button: "Import onto the open page".
        command: Command for a terminal; "" if only the window can do it.
        deed: Action of the window.
        plugin: The plug-in that takes it; "" for the core.
    """

    words: str
    command: str = ""
    deed: Deed = ""
    plugin: str = ""


@dataclass(frozen=True)
class Found:
    """Kind and content of a path.

    Attributes:
        path: The file or folder.
        kind: Its kind.
        title: The same as a phrase with its article: "a web archive (WARC)".
        key: Key within its kind: the reader of a data set, the format of annotations.
        steps: Possible next steps, the usual first.
        counts: The preview: how many of what it holds, by the singular of their name.
        loses: Content that is not imported, a sentence each.
        at_least: Whether only its first part was read, so that there may be more.
        left_out: Files of a folder that are no pages though they are called so, with the reason.
    """

    path: Path
    kind: Kind
    title: str
    key: str = ""
    steps: tuple[NextStep, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    loses: tuple[str, ...] = ()
    at_least: bool = False
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def preview(self) -> str:
        """Return the counts in words: "12 pages, 40 marks"; "" where nothing was counted."""
        words = [plural(n, unit, _PLURALS.get(unit)) for unit, n in self.counts.items()]
        return f"{'at least ' * self.at_least}{', '.join(words)}" if words else ""

    @property
    def is_openable(self) -> bool:
        """Whether the window opens it as pages."""
        return bool(self.steps) and self.steps[0].deed == "open"

    @property
    def description(self) -> str:
        """Return a description with its preview and the losses, in one sentence or more."""
        preview = f" with {self.preview}" if self.preview and self.kind != "page" else ""
        verb = "holds" if self.title.startswith("annotations") else "is"
        name = cut_text(self.path.name or str(self.path), 80)
        shown = name if "." in name or "/" in name else f"“{name}”"
        first = f"{shown} {verb} {self.title}{preview}"
        return ". ".join([first, *(sentence(each).rstrip(".") for each in self.loses)])

    @property
    def refusal(self) -> str:
        """Return a description, and the command that reads the file."""
        commands = [step.command for step in self.steps if step.command]
        return f"{self.description}: {commands[0]}" if commands else self.description

    def as_json(self) -> dict[str, Any]:
        return {
            "path": str(self.path),
            "kind": self.kind,
            "title": self.title,
            "format": self.key,
            "counts": dict(self.counts),
            "at least": self.at_least,
            "loses": list(self.loses),
            "left out": [{"file": file, "reason": reason} for file, reason in self.left_out],
            "steps": [{"words": each.words, "command": each.command} for each in self.steps],
        }


class NoPages(InputError):
    """Something that is no page was to be opened as one.

    Attributes:
        found: Its kind.
    """

    def __init__(self, found: Found, reason: str = "") -> None:
        if reason:  # already tried, so opening it is not a step
            steps = tuple(step for step in found.steps if step.deed != "open")
            found = replace(found, steps=steps, loses=(*found.loses, reason))
        super().__init__(found.refusal)
        self.found = found

    def __reduce__(self) -> tuple[type["NoPages"], tuple[Found]]:
        return type(self), (self.found,)


def quoted_path(path: Path) -> str:
    """Return a path as one types it in a shell."""
    return shlex.quote(str(path))
