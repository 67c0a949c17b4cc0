"""JSON of others, within limits: whatever is wrong with it is one `InputError`.

Python's reader makes some seventy bytes of an empty list of two, and fails on nested ones with its
own kind of error; both are limited here before and while it reads.
"""

import json
from typing import Any

from engine.errors import InputError

MAX_BYTES = 128 * 2**20
"""The largest JSON that is read."""

MAX_CONTAINERS = 5_000_000
"""Lists and objects in it at most; brackets within its texts are counted with them."""


def read_json(data: bytes, where: str) -> Any:  # noqa: ANN401  whatever it holds
    """Return the value of JSON in UTF-8; raise `InputError`, in which ``where`` names it."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{where} is larger than {MAX_BYTES // 2**20} MB")
    if data.count(b"[") + data.count(b"{") > MAX_CONTAINERS:
        raise InputError(f"{where} has more than {MAX_CONTAINERS:,} lists and objects")
    try:
        return json.loads(data)
    except RecursionError:
        raise InputError(f"{where} is nested too deeply") from None
    except MemoryError:
        raise InputError(f"{where} takes more memory than there is") from None
    except (ValueError, OverflowError) as error:
        raise InputError(f"{where} is not JSON: {_reason(error)}") from None


def read_object(data: bytes, where: str) -> dict[str, Any]:
    """Return the JSON object that bytes are; raises `InputError`."""
    value = read_json(data, where)
    if not isinstance(value, dict):
        raise InputError(f"{where} is not a JSON object")
    return value


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if text.isprintable() else repr(text)[1:-1]
