"""Reduce: the command that cuts the open page down, in the menu Errors."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import ON_PAGE
from gui.features.errors.feature import Errors

FEATURE = Feature(
    "reduce",
    after="errors",
    guide="reduce.md",
    actions=(
        Action("reduce", "Copy the command that reduces this page", "Methods ▸ Errors",
               Errors.copy_command,
               ("reduce",), when=ON_PAGE, order=137, help="pagelet reduce: the smallest page on "
               "which the current layer's method still errs",
               words=("minimal example", "shrink page", "test case for a bug report")),
    ),
)  # fmt: skip
