"""What the readers of other tools' files have in common: text, JSON, XML, lists, names."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from engine import bounded_file
from engine.account import Account
from engine.errors import InputError
from engine.words import shortened


def items_of(value: object) -> list[Any]:
    """Return a list of a file; of anything else an empty one."""
    return value if isinstance(value, list) else []


def list_in(account: Account, content: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under a key, or the values of an object there; anything else is counted."""
    value = content.get(key)
    if isinstance(value, dict):
        return list(value.values())
    if value is not None and not isinstance(value, list):
        account.pass_over(f"its {key} is not a list")
    return items_of(value)


def name_unknown(account: Account, content: Mapping[str, Any], known: Sequence[str]) -> None:
    """Pass over the items of lists that a format does not have, such as of a key misspelt."""
    for key, value in content.items():
        if key not in known and isinstance(value, list) and any(map(_is_item, value)):
            account.pass_over(f"in {shortened(key, 40)}, which is not read", key, len(value))


def _is_item(value: object) -> bool:
    return isinstance(value, dict)


def read_text(path: Path, tool: str) -> str:
    """Return the text of a file; raises `InputError` if it cannot be read."""
    try:
        return bounded_file.read_text(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def read_json(path: Path, tool: str) -> Any:  # noqa: ANN401
    """Return the JSON of a file, of JSON Lines as a list; a damaged line is None in it.

    Raises `InputError` if a file cannot be read.
    """
    text = read_text(path, tool).lstrip("\ufeff")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        values = [_json_or_none(line) for line in text.splitlines() if line.strip()]
        if len(values) > 1 and any(isinstance(each, dict) for each in values):
            return values
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def _json_or_none(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_xml(path: Path, tool: str) -> etree._Element:
    """Return the root of an XML file; entities and the network are never used."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(read_text(path, tool).encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def name_in(item: object, *keys: str) -> str:
    """Return what to call an item in an account: the first of its keys that has a value."""
    if isinstance(item, Mapping):
        for key in keys:
            if item.get(key) not in (None, ""):
                return shortened(str(item[key]), 60)
    return ""
