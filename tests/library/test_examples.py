"""The examples in docstrings do what they say."""

import doctest
from importlib import import_module

import pagelet
import pytest

MODULES = sorted({module for module in pagelet._WHERE.values() if "library" in module})


@pytest.mark.parametrize("name", ["pagelet", *MODULES])
def test_the_examples_of_a_module_are_true(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.slow
def test_there_are_examples():
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) > 10
