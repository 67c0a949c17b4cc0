"""Ask for something that a sentence may refuse."""

from collections.abc import Callable

from engine.errors import PageletError
from tests.fuzz.methods import told


def refused(ask: Callable[[], object]) -> str:
    """Ask; return "read", or "refused" if that is said in a sentence."""
    try:
        ask()
    except PageletError as error:
        told(error)
        return "refused"
    return "read"
