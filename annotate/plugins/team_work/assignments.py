"""Assignments: which annotator marks which pages, with overlap and hidden control pages.

Every page goes to at least one annotator.  A share of the pages (the *overlap*) goes to several, so
that agreement can be measured; *controls* are pages whose gold is known, which go to all and look
like any other.  The same seed deals the same way.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.workspace.annotators import Annotator, annotators
from annotate.workspace.store import Store
from engine.errors import InputError
from engine.words import plural


@dataclass(frozen=True)
class Assigned:
    """Page assigned to an annotator.

    Attributes:
        key: Of the page.
        is_control: Whether its gold is known, and hidden from the annotator.
        is_quiz: Whether that is shown once the page is done; of a control.
    """

    key: str
    is_control: bool = False
    is_quiz: bool = False


def deal(
    pages: Sequence[str],
    people: Sequence[str],
    *,
    overlap: float = 0.2,
    per_page: int = 2,
    controls: Sequence[str] = (),
    quizzes: Sequence[str] = (),
    seed: int = 1,
) -> dict[str, tuple[Assigned, ...]]:
    """Deal pages to people; return who marks what, in the order it is to be done.

    Args:
        pages: Keys, controls among them or not.
        people: Names.
        overlap: Share of the pages that several mark, 0 to 1.
        per_page: Number of annotators of each of those.
        controls: Keys of pages that all mark, spread over the whole work.
        quizzes: Keys of pages that all mark first; their gold is shown to each once he is done.
        seed: Of the dice.

    Raises:
        InputError: There are no pages or people, or a number is out of bounds.
    """
    if not people or len(set(people)) < len(people):
        raise InputError("name each annotator once")
    if not 0 <= overlap <= 1:
        raise InputError(f"overlap must be a share from 0 to 1, got {overlap}")
    if not 1 <= per_page <= len(people):
        raise InputError(f"{per_page} annotators a page, but there are {len(people)}")
    dice = random.Random(seed)
    apart = {*controls, *quizzes}
    plain = [key for key in dict.fromkeys(pages) if key not in apart]
    if not plain and not apart:
        raise InputError("there are no pages to assign")
    dice.shuffle(plain)
    shared = round(overlap * len(plain))
    dealt: dict[str, list[Assigned]] = {name: [] for name in people}
    for index, key in enumerate(plain):
        count = per_page if index < shared else 1
        # To those with the least work; the dice decide among equals.
        order = sorted(people, key=lambda name: (len(dealt[name]), dice.random()))
        for name in order[:count]:
            dealt[name].append(Assigned(key))
    first = tuple(Assigned(key, True, True) for key in dict.fromkeys(quizzes))
    hidden = [key for key in controls if key not in set(quizzes)]
    return {name: (*first, *_spread(mine, hidden, dice)) for name, mine in dealt.items()}


def _spread(
    mine: list[Assigned], controls: Sequence[str], dice: random.Random
) -> tuple[Assigned, ...]:
    """Shuffle, and put controls evenly among the rest, so that they cannot be recognised."""
    dice.shuffle(mine)
    hidden = [Assigned(key, True) for key in dict.fromkeys(controls)]
    dice.shuffle(hidden)
    step = (len(mine) + len(hidden)) / len(hidden) if hidden else 0.0
    for index, each in enumerate(hidden):
        low = round(index * step)
        high = max(low, min(len(mine), round((index + 1) * step) - 1))
        mine.insert(dice.randint(low, high), each)
    return tuple(mine)


def spread_out(gold: Sequence[str], count: int) -> Sequence[str]:
    """Return so many of the pages that came with gold, evenly; `InputError` if they are fewer."""
    if count > len(gold):
        raise InputError(f"{plural(len(gold), 'page')} came with gold, not {count}")
    return gold[:: max(1, len(gold) // count)][:count] if count else ()


def assign(store: Store, dealt: Mapping[str, Sequence[Assigned]]) -> None:
    """Store the assignments of some people, in place of their earlier ones."""
    people = {who.name: who for who in annotators(store)}
    with store.saving():
        for name, pages in dealt.items():
            number = people[name].number
            store.run("DELETE FROM assignments WHERE annotator = ?", number)
            store.run_each(
                "INSERT INTO assignments (annotator, key, place, control) VALUES (?, ?, ?, ?)",
                [
                    (number, each.key, index, int(each.is_control) + int(each.is_quiz))
                    for index, each in enumerate(pages, 1)
                ],
            )


def parse_assignments(text: str) -> tuple[list[str], float, int, int]:
    """Return names, overlap, number of controls and of quizzes.

    "Anna, Ben; 20 % by two; 5 controls; 1 quiz", or in this order without the words.  Defaults are
    a fifth, and none; `InputError` for other texts.
    """
    names, *rest = [part.strip() for part in text.split(";")]
    people = [name.strip() for name in names.split(",") if name.strip()]
    numbers = {"by two": "20", "control": "0", "quiz": "0"}
    for part, in_turn in zip(rest, numbers, strict=False):
        named = next((name for name in numbers if name in part.casefold()), in_turn)
        numbers[named] = re.sub(r"\s*(%\s*)?(by two|controls?|quiz(zes)?)?$", "", part.casefold())
    try:
        overlap, controls, quizzes = numbers.values()
        counts = int(controls), int(quizzes)
        if min(counts) < 0:
            raise ValueError
        return people, float(overlap) / 100, *counts
    except ValueError:
        raise InputError(
            f"{text!r}: expected names and numbers, as in "
            "Anna, Ben; 20 % by two; 5 controls; 1 quiz"
        ) from None


def list_assigned(store: Store, who: Annotator) -> tuple[Assigned, ...]:
    """Return an annotator's assigned pages, in order; empty without assignments."""
    rows = store.all(
        "SELECT key, control FROM assignments WHERE annotator = ? ORDER BY place", who.number
    )
    return tuple(Assigned(key, bool(control), control == 2) for key, control in rows)
