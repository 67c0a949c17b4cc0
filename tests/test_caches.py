"""Test that the page on caches lists exactly the caches of the code."""

import ast
import re
from collections.abc import Iterator

from gui.cli.docs import README
from resources.documentation import read_page

ROOT = README.parent

WEAK = re.compile(r"(\w+): (?:weakref\.)?WeakKeyDictionary")


def cached() -> Iterator[str]:
    """Yield the names of functions, classes and dictionaries that remember something."""
    for top in ("gui", "annotate", "algorithms", "engine"):
        for file in (ROOT / top).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "cache" not in text and "Weak" not in text:
                continue
            yield from WEAK.findall(text)
            for node in ast.walk(ast.parse(text)):
                body = getattr(node, "body", ())
                for part in body if isinstance(body, list) else ():
                    marks = [ast.unparse(each) for each in getattr(part, "decorator_list", ())]
                    if any(mark.startswith("cached_property") for mark in marks):
                        yield node.name
                    elif any(re.match(r"(lru_)?cache\b", mark) for mark in marks):
                        yield part.name
                if isinstance(node, ast.Assign) and "lru_cache(" in ast.unparse(node.value):
                    yield ast.unparse(node.targets[0])


def test_every_cache_is_explained():
    page = read_page("caches.md")
    tables = "\n".join(line for line in page.splitlines() if line.startswith("| "))
    named, known = set(re.findall(r"`(\w+)`", tables)), set(cached())
    assert known - named == set(), "each needs a line in resources/docs/explanation/caches.md"
    assert named - known == set(), "the code has none of that name"
