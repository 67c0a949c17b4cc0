"""HTML from templates in the resources; every text is escaped, so a page's name is no markup."""

from functools import cache
from typing import TYPE_CHECKING

import resources
from algorithms.measures.choice import measure_of
from engine.words import plural

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(name: str, /, **values: object) -> str:
    """Return a template of the resources, filled; the same values give the same text."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only where HTML is made

    environment = Environment(
        loader=FileSystemLoader(resources.ROOT),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "measure_name": lambda key: measure_of(key).name if key else "",
        "number": _number,
        "plural": plural,
    }
    return environment


def _number(value: float | None, decimals: int = 3, none: str = "–") -> str:
    return none if value is None else f"{value:.{decimals}f}"
