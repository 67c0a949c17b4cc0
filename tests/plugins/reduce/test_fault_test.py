"""The written test fails while a method loses words, and passes once it keeps them."""

import shutil
import subprocess

import pytest

from algorithms.plugins.external.npm_packages import NpmRecipe
from annotate.plugins.reduce.fault_test import fault_test
from annotate.plugins.reduce.question import ShownProperty
from engine.errors import InputError

PAGE = "<main><p>The ferry came back.</p><aside>After nine years of repairs.</aside></main>"
LINKS = (
    "<div><p>The ferry came back to the harbour this morning, and all were there to see it.</p>"
    "</div><div><ul><li><a href=/1>after nine years of repairs</a><li><a href=/2>more</a></ul>"
)
WORDS = ("after", "nine", "years", "of", "repairs")
LOSES = "export default (html) => html.replace(/<aside>.*<.aside>/, ' ').toLowerCase();\n"


def test_a_test_for_pytest_fails_only_while_words_are_lost():
    for method, fails in (("lqf", True), ("plain", False)):
        question = ShownProperty("lost", method, {}, WORDS)
        made: dict[str, object] = {}
        text = fault_test(question, method, LINKS, is_javascript=False)
        exec(compile(text, "written", "exec"), made)
        if fails:
            with pytest.raises(AssertionError):
                made["test_the_method_keeps_the_words"]()
        else:
            made["test_the_method_keeps_the_words"]()


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_a_test_for_node_fails_only_while_words_are_lost(tmp_path):
    for code, status in ((LOSES, 1), (LOSES.replace("aside", "nav"), 0)):
        adapter, file = tmp_path / "adapter.mjs", tmp_path / "lost.test.mjs"
        adapter.write_text(code, "utf-8")
        recipe = NpmRecipe(str(tmp_path), str(adapter), "text", "own 1.0")
        question = ShownProperty("lost", "own", {}, WORDS, recipe=recipe)
        file.write_text(fault_test(question, "own", PAGE, is_javascript=True), "utf-8")
        ran = subprocess.run(
            ["node", "--test", file], capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == status, ran.stdout


def test_a_test_for_node_needs_a_package_of_npm():
    question = ShownProperty("lost", "plain", {}, WORDS)
    with pytest.raises(InputError, match="of a package of npm"):
        fault_test(question, "plain", PAGE, is_javascript=True)
    with pytest.raises(InputError, match="--lost, --kept or --fails"):
        fault_test(ShownProperty("hangs", "plain", {}), "plain", PAGE, is_javascript=False)
