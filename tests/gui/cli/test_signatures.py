"""Arguments of a command are generated from its function and named as typed in errors."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest

from engine.errors import InputError
from engine.options import Options, option
from gui.cli.signatures import Argument, Count, Share, add_arguments, call

DRINKS = "green, black"


@dataclass(frozen=True)
class Brewing(Options):
    leaves: Literal["green", "black"] = option("black", "kind of leaves")
    grams: float = option(2.0, "weight of leaves", flag="weight", above=0, unit="grams")
    cups: int = option(1, "how many", low=1)
    keeps_warm: bool = option(False, "leave the stove on")
    sweet: bool | None = option(None, "with sugar")
    pot: Path | None = option(lambda: Path("pot"), "where", off="in no pot")
    cook: str = ""


def brew(
    guests: Sequence[str],
    *,
    cook: str = "Ada",
    brewing: Annotated[Brewing, Argument(without=("keeps_warm",), defaults={"cups": 3})],
    milk: Annotated[bool, Argument(one_of="what")] = False,
    lemon: Annotated[bool, Argument(one_of="what")] = False,
    spoons: Count = 2,
    filled: Share | None = None,
    toasts: Sequence[str] = (),
    songs: Sequence[str] = (),
    site: Path | bool | None = None,
):
    """Brew tea.

    Args:
        guests (GUEST): who drinks %(DRINKS)s
        cook: who brews (default: %(default)s)
        milk: with milk
        lemon: with lemon
        spoons (N): how many
        filled (--full SHARE): how full a cup is,
            at most
        toasts (--toast TEXT): again for more
        songs (--sing SONG...): one after the other
        site ([DIR]): where

    Example:
      brew tea
    """
    return guests, cook, brewing, milk, lemon, spoons, filled, toasts, songs, site


def parser():
    result = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(result, brew)
    return result


def brewed(*words):
    return call(brew, parser().parse_args(words))


def test_omitted_arguments_have_their_default():
    brewing = Brewing(cups=3, pot=Path("pot"), cook="Ada")
    assert brewed("Ben") == (["Ben"], "Ada", brewing, False, False, 2, None, [], [], None)


def test_arguments_are_parsed_by_the_type_of_their_parameter():
    words = ["--leaves", "green", "--weight", "3.5", "--cups", "2", "--no-sweet", "--no-pot"]
    _, _, brewing, *_ = brewed("Ben", *words)
    assert brewing == Brewing("green", 3.5, 2, False, False, None, "Ada")
    words = ["--toast", "a", "--sing", "b", "c", "--toast", "d", "--site", "--full", "1"]
    assert brewed("Ben", *words)[-4:] == (1.0, ["a", "d"], ["b", "c"], True)
    assert brewed("Ben", "--site", "here")[-1] == Path("here")


def test_help_and_examples_come_from_the_docstring():
    text = parser().format_help()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "GUEST who drinks green, black" in lines
    assert "--cook COOK who brews (default: Ada)" in lines
    assert "--full SHARE how full a cup is, at most" in lines
    assert "--cups CUPS how many (default: 3)" in lines
    assert text.endswith("Example:\n  brew tea\n")
    assert "keeps" not in text


@pytest.mark.parametrize("value", ["0", "nan"])
def test_a_value_out_of_bounds_is_named_as_it_was_typed(value):
    with pytest.raises(InputError, match=f"--weight must be more than 0 grams, got {value}"):
        brewed("Ben", "--weight", value)
    with pytest.raises(InputError, match=f"^grams must be more than 0 grams, got {value}"):
        Brewing(grams=float(value))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--spoons", "0"], "--spoons must be at least 1, got 0"),
        (["--full", "2"], "--full must be from 0 to 1, got 2"),
        (["--full", "nan"], "--full must be from 0 to 1, got nan"),
    ],
)
def test_a_parameter_out_of_bounds_is_named_as_it_was_typed(words, problem):
    with pytest.raises(InputError, match=problem):
        brewed("Ben", *words)


def test_a_value_outside_the_choices_is_refused():
    with pytest.raises(InputError, match="leaves must be green or black, got 'rooibos'"):
        Brewing(leaves="rooibos")


@pytest.mark.parametrize("words", [["Ben", "--milk", "--lemon"], [], ["Ben", "--keeps-warm"]])
def test_exclusive_missing_and_unknown_arguments_end_the_program(words, capsys):
    with pytest.raises(SystemExit):
        brewed(*words)
    assert "error" in capsys.readouterr().err


def test_arguments_of_two_functions_with_one_name_are_shared():
    def season(*, cook: str, salt: bool = False):
        """Season.

        Args:
            salt: with salt
        """
        return cook, salt

    command = parser()
    add_arguments(command, season)
    options = command.parse_args(["Ben", "--salt", "--cook", "Eve"])
    assert call(season, options) == ("Eve", True)
    assert call(brew, options)[1] == "Eve"
