"""Options that change words that are not their business are found, and no others."""

import json

import pytest

from annotate.plugins.checks.invariance import Rule, rule_of
from tests.typed_commands import typed

METHOD = """
from dataclasses import dataclass
import numpy as np
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import keep_words

@dataclass(frozen=True)
class PlantedParams(Params):
    links: bool = param(False, "ask for links")
    tables: bool = param(True, "keep tables")
    depth: int = param(3, "levels", low=1, high=9)

def extract(source, params):
    lost = set({faults}.get("links", ()) if params.links else ())
    if not params.tables:
        lost |= {{"cell"}} | set({faults}.get("tables", ()))
    return keep_words(source, np.array([word not in lost for word in source.words]))

METHOD = Method(key="planted", name="Planted", params=PlantedParams, output="extraction",
                cite="none", on_source=extract, summary="A planted fault.")
"""
PAGE = "<title>One</title><p>Some words of a text<table><tr><td>cell</table><p>and its end"


def asked(folder, faults, page=PAGE, *more):
    (folder / "pages").mkdir()
    (folder / "pages" / "one.html").write_text(page)
    (folder / "planted.py").write_text(METHOD.format(faults=faults))
    return typed("invariance", str(folder / "planted.py"), str(folder / "pages"), "--json", *more)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ({}, {}),
        ({"links": ["text"], "tables": ["end"]}, {"links": ["text"], "tables": ["end"]}),
    ],
)
def test_the_oracle_finds_the_planted_faults_of_options_and_no_others(tmp_path, faults, expected):
    done = asked(tmp_path, faults)
    found = json.loads(done.stdout)
    lost = {
        each["option"]: [word for page in each["pages"] for word in page["lost"]]
        for each in found["options"]
        if each["pages"]
    }
    assert lost == expected
    assert found["not_judged"] == ["depth"]
    assert done.returncode == bool(expected), done.stderr


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("include_links", Rule.NONE),
        ("output_format", Rule.NONE),
        ("include_tables", Rule.TABLES),
        ("alt_texts", Rule.ADDS),
        ("deduplicate", Rule.DROPS),
        ("tag_cost", None),
    ],
)
def test_the_name_of_an_option_decides_what_it_may_change(name, rule):
    assert rule_of(name) is rule


@pytest.mark.slow
def test_words_that_trafilatura_loses_with_links_are_found(tmp_path):
    pytest.importorskip("trafilatura")
    text = "The site has been copied, and its readers are asked to be careful with what they give. "
    page = f"<h1>News</h1><p>{text * 3}</p><u><strong>Click here for <a href=/f>the page</a>"
    (tmp_path / "one.html").write_text(page)
    done = typed("invariance", "trafilatura", str(tmp_path))
    assert "Click here for" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1


def test_a_method_without_options_of_form_is_refused(tmp_path):
    (tmp_path / "one.html").write_text(PAGE)
    done = typed("invariance", "plain", str(tmp_path))
    assert "has no option of form" in done.stderr
    assert done.returncode == 2
