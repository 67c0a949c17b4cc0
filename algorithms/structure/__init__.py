"""Structure: headings, lists, tables, code, links and emphasis of kept content.

All that others use of it is here; a contract of ``pyproject.toml`` keeps this door.
"""

from algorithms.structure.comments import PageComment, ranked_tables, thread_of
from algorithms.structure.kinds import is_layout
from algorithms.structure.noise import hidden_rows
from algorithms.structure.parts import (
    Form,
    LeveledText,
    StructureParts,
    form_of,
    forms_named,
    parts_of,
    text_of,
)
from algorithms.structure.rows import PageRows, page_rows

__all__ = [
    "Form", "LeveledText", "PageComment", "PageRows", "StructureParts", "form_of", "forms_named",
    "hidden_rows", "is_layout", "page_rows", "parts_of", "ranked_tables", "text_of", "thread_of",
]  # fmt: skip
