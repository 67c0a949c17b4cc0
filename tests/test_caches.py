"""Every cache has its line on the page that explains how long each lives, and no line is of none."""

import ast
import re
from collections.abc import Iterator

from resources.documentation import read_page
from tests.outside import ROOT

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
                for part in getattr(node, "body", ()) if not isinstance(node, ast.Lambda) else ():
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
    assert known - named == set(), "has no line in resources/docs/explanation/caches.md"
    assert named - known == {"lru_cache"} & named | {"combine", "memo", "resume"} & named
