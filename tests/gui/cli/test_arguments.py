"""Options of dataclasses are taken on the command line as declared, and named as they are typed."""

import argparse
from dataclasses import dataclass
from typing import Literal

import pytest

from engine.errors import InputError
from engine.options import Options, option
from gui.cli.arguments import add_options, options_of


@dataclass(frozen=True)
class Brewing(Options):
    leaves: Literal["green", "black"] = option("black", "kind of leaves")
    grams: float = option(2.0, "weight of leaves", flag="weight", above=0, unit="grams")
    cups: int = option(1, "how many", low=1)
    keeps_warm: bool = option(False, "leave the stove on")
    sweet: bool | None = option(None, "with sugar")
    cook: str = ""


def brewed(*words, **defaults):
    command = argparse.ArgumentParser()
    add_options(command, Brewing, **defaults)
    return options_of(Brewing, command.parse_args(words), cook="Ada")


def test_what_is_not_typed_has_its_default():
    assert brewed() == Brewing(cook="Ada")
    assert brewed(cups=3) == Brewing(cups=3, cook="Ada")


def test_each_type_has_its_argument():
    words = ["--leaves", "green", "--weight", "3.5", "--cups", "2", "--keeps-warm", "--no-sweet"]
    assert brewed(*words) == Brewing("green", 3.5, 2, True, False, "Ada")


@pytest.mark.parametrize("value", ["0", "nan"])
def test_a_value_out_of_bounds_is_named_as_it_was_typed(value):
    with pytest.raises(InputError, match=f"--weight must be more than 0 grams, got {value}"):
        brewed("--weight", value)
    with pytest.raises(InputError, match=f"^grams must be more than 0 grams, got {value}"):
        Brewing(grams=float(value))


def test_a_value_that_is_no_choice_is_refused():
    with pytest.raises(InputError, match="leaves must be green or black, got 'rooibos'"):
        Brewing(leaves="rooibos")
