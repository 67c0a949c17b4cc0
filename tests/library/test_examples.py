"""Test the examples in docstrings."""

import doctest
from importlib import import_module

import pagelet
import pytest

MODULES = sorted({module for module in pagelet._WHERE.values() if "library" in module})


@pytest.mark.parametrize("name", ["pagelet", *MODULES])
def test_docstring_examples_of_each_module_pass(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.slow
def test_modules_have_docstring_examples():
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) > 10
