"""What a file of one saved page holds, whatever packed it: its HTML, and what answers it."""

from dataclasses import dataclass, field

from engine.account import Account
from engine.errors import InputError
from engine.saved import Stored, key_of


@dataclass(frozen=True)
class PageParts:
    """The parts of a saved page.

    Attributes:
        main: Its HTML.
        address: Where on the web it was; "" if unknown.
        title: For lists.
        parts: What answers an address, by `key_of`.
        problems: What is wrong with the file, in words.
        account: Of all parts.
        base: The address that its own addresses are relative to; `address` if "".
    """

    main: Stored
    address: str
    title: str = ""
    parts: dict[str, Stored] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    account: Account = field(default_factory=lambda: Account("part"))
    base: str = ""


def place(parts: dict[str, Stored], account: Account, stored: Stored, address: str) -> None:
    """Let a part answer an address, and count it."""
    try:
        key = key_of(address) if address else ""
    except ValueError:
        key = ""
    if not key:
        raise InputError("without an address, so that nothing asks for it")
    if key in parts:
        account.pass_over("same address as an earlier part", address)
        return
    parts[key] = stored
    account.take()
