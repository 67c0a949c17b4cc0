"""Inputs that other writers and readers of Markdown are tested with, read from their own files."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

_EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)


def spec_examples(*files: Path) -> Iterator[tuple[str, str]]:
    """Yield name and HTML of the examples of a specification (CommonMark, GFM)."""
    for file in files:
        for number, (_, html) in enumerate(_EXAMPLE.findall(file.read_text("utf-8")), 1):
            yield f"{file.parent.name}/{file.stem} {number}", html.replace("→", "\t")


def turndown_cases(file: Path) -> Iterator[tuple[str, str]]:
    """Yield name and input of Turndown's cases."""
    for case in LexborHTMLParser(file.read_text("utf-8")).css("div.case"):
        given = case.css_first(".input")
        if given is not None:
            yield f"turndown {case.attributes['data-name']}", given.inner_html or ""


def markdownify_inputs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what markdownify's tests give to it: strings with markup in its calls, and tables."""
    for file in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                given = node.args[0]
            elif isinstance(node, ast.Assign):
                given = node.value
            else:
                continue
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                yield f"{file.stem} {node.lineno}", given.value
