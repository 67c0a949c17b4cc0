"""A test that fails while a method has a fault, and passes once it is fixed."""

import json
import re
from pathlib import Path

from annotate.plugins.reduce.question import ShownProperty
from engine.errors import InputError

_PYTHON = '''"""{about}"""

import pagelet
from algorithms.measures.text_words import normalise, words_of
from annotate.plugins.external.sides import chosen_side

PAGE = {page!r}
WORDS = {words!r}


def test_the_method_{name}():
    side, page = chosen_side({method!r}), pagelet.open(PAGE.encode()).source
    text = side.entry.run(page, side.params, "original", None).text
    {claim}
'''
_JAVASCRIPT = """// {about}
import assert from "node:assert";
import test from "node:test";
{adapter}
const PAGE = {page};
const WORDS = {words};
const words = (text) =>
  (text.replace(/<[^>]*>/g, " ").match(/[\\p{{L}}\\p{{N}}]+/gu) ?? []).join(" ");

test("the method {name}", async () => {{
  const text = String((await extract(PAGE)) ?? "");
  {claim}
}});
"""
_CLAIMS = {
    "lost": ("keeps_the_words", 'assert WORDS in " ".join(words_of(normalise(text)))',
             "assert.ok(words(text).includes(words(WORDS)), text);"),
    "kept": ("leaves_the_words_out", 'assert WORDS not in " ".join(words_of(normalise(text)))',
             "assert.ok(!words(text).includes(words(WORDS)), text);"),
    "fails": ("gives_a_text", "assert text is not None", 'assert.equal(typeof text, "string");'),
}  # fmt: skip
"""By what a page shows: the name of the test, and its claim in Python and in JavaScript."""


def fault_test(question: ShownProperty, method: str, html: str, *, is_javascript: bool) -> str:
    """Return the test of a page that shows a property, by pytest or by Node's test runner.

    Args:
        question: The property: lost or kept words, or a failure.
        method: As it was typed.
        html: The page.
        is_javascript: Whether it is for Node; the method must be of a package of npm then.

    Raises:
        InputError: There is no such test.
    """
    if question.shows not in _CLAIMS:
        raise InputError("--test needs --lost, --kept or --fails")
    name, python, javascript = _CLAIMS[question.shows]
    if question.beside:  # else a method that keeps nothing, or everything, would pass
        beside = " ".join(question.beside)
        python += f'\n    assert {beside!r} in " ".join(words_of(normalise(text)))'
        javascript += f"\n  assert.ok(words(text).includes(words({json.dumps(beside)})), text);"
    about, words = " ".join(question.in_words().split()), " ".join(question.words)
    if not is_javascript:
        return _PYTHON.format(
            about=about.replace('"', "'"), page=html, words=words, name=name, method=method,
            claim=python,
        )  # fmt: skip
    adapter = getattr(question.recipe, "adapter", "")
    if not adapter:
        raise InputError("a test in JavaScript is of a package of npm: name the file .py")
    code = re.sub(r"^export default ", "const extract = ", Path(adapter).read_text("utf-8"),
                  flags=re.MULTILINE)  # fmt: skip
    return _JAVASCRIPT.format(
        about=about, adapter=code, page=json.dumps(html), words=json.dumps(words),
        name=name.replace("_", " "), claim=javascript,
    )  # fmt: skip
