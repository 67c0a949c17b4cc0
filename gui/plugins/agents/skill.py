"""``pagelet skill``: how a coding agent makes a method better with Pagelet."""

from importlib import resources


def run() -> int:
    """Print the page, below 2 kB: copy it to where your agent looks for skills."""
    print((resources.files("resources") / "skill.md").read_text("utf-8"), end="")
    return 0
