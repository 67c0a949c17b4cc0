"""Test the page as seen against web-platform-tests of ``innerText``, by words.

What differs on purpose is in methods.md#the-page-as-it-is-seen: each kind here is a row there.
"""

import json
import re

import pytest

from engine.web.headless import Browser
from tests.oracles.captured import capture_page

pytestmark = pytest.mark.web

_RUN = """
const container = document.querySelector('#container');
const svgContainer = document.querySelector('#svg');
const NAMES = ['rp', 'optgroup', 'div'];
function keep(place, html, expected) {
  container.innerHTML = html;
  if (place !== container) while (container.firstChild) place.appendChild(container.firstChild);
  for (const poke of place.querySelectorAll('.poke')) poke.textContent = 'abc';
  for (const name of NAMES) for (const poke of place.querySelectorAll('.poke-' + name))
    poke.appendChild(document.createElement(name)).textContent = 'abc';
  for (const host of place.querySelectorAll('.shadow'))
    host.attachShadow({mode: 'open'}).textContent = 'abc';
  const target = document.getElementById('target') ?? place.firstElementChild;
  const section = document.createElement('section');
  section.title = JSON.stringify([html, expected, target.innerText ?? target.textContent]);
  if (target.id) target.id = 'of' + document.querySelectorAll('section').length;
  section.lang = target.id;
  if (place === container) section.append(...container.childNodes);
  else { const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.append(...place.childNodes); section.append(svg); }
  document.body.append(section);
}
const testText = (html, expected) => keep(container, html, expected);
const testTextInSVG = (html, expected) => keep(svgContainer, html, expected);
"""


@pytest.fixture(scope="module")
def browser(qapp):
    with Browser() as browser:
        yield browser


def _differing(browser, folder, suite):
    """How many tests there are; HTML, expected, of the browser, seen of those that differ."""
    tests = (suite / "getter-tests.js").read_text(encoding="utf-8")
    tests = tests.replace("</script", "<\\/script")
    style = re.search(r"<style>.*?</style>", (suite / "getter.html").read_text(), re.DOTALL)
    assert style is not None
    html = (
        f"<!DOCTYPE html>{style[0]}<div id=container></div><svg id=svg></svg>"
        f"<script>{_RUN}</script><script>{tests}</script>"
        "<script>container.remove(); svgContainer.remove()</script>"
    )
    source = capture_page(browser, folder, html, {}).source("seen")
    tree, count, result = source.tree, 0, []
    for row in tree.has_tag("section").nonzero()[0].tolist():
        own = source.attributes(row)
        count += 1
        inside = range(row + 1, int(tree.end[row]))
        name = own["lang"]
        target = [k for k in inside if name and source.attributes(k).get("id") == name]
        seen = source.text_of([tree.inner[(target or [row])[0]].tolist()])
        piece, expected, actual = json.loads(own["title"])
        expected = actual if expected is None else expected
        if seen.split() != expected.split():
            result.append((piece, expected, actual, seen))
    return count, result


_DOCUMENTED = {
    "case": r"uppercase",
    "not displayed": r"^<div style='display:none'|<canvas>|<source",
    "frames, object": r"<iframe|<object",
    "cells in a line": r"itable",
    "script, style": r"<(?:script|style) style=",
    "closed details": r"<details><summary>",
    "placed in a line": r"position:absolute",
    "text that is not drawn": r"^<svg>",
    "shadow tree": r"class='shadow'",
    "empty field": r"<select></select>",
}
"""Of each kind that differs on purpose, what its tests have."""


@pytest.mark.slow
def test_words_are_those_of_web_platform_tests_but_for_what_is_documented(
    browser, suites, tmp_path
):
    count, differing = _differing(browser, tmp_path, suites / "wpt" / "innertext")
    print(f"{count} tests, {count - len(differing)} alike")
    known = re.compile("|".join(_DOCUMENTED.values()))
    left = [each for each in differing if not known.search(each[0])]
    for kind, pattern in _DOCUMENTED.items():
        print(kind, sum(bool(re.search(pattern, html)) for html, *_ in differing))
    assert count > 250
    assert len(differing) <= 32
    assert left == []


@pytest.mark.slow
def test_the_oracle_finds_a_text_that_is_lost(browser, suites, tmp_path, monkeypatch):
    monkeypatch.setattr("engine.layout._PARTS_ONLY", frozenset(["span"]))
    _, differing = _differing(browser, tmp_path, suites / "wpt" / "innertext")
    assert len(differing) > 50
