"""Print the test files that a change can reach, for ``./test changed``.

    python -m tests.changed [COMMIT]

A test is reached where it is changed itself, or imports a changed module directly or through
others, of Pagelet or of the tests.  Features and plug-ins are found by name: tests of
commands and of the window are reached by a change of any of them.  A change of a resource reaches
the tests that name its file.
"""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

TOP = Path(__file__).parent.parent
_CODE = ("gui", "annotate", "algorithms", "engine", "resources", "tests")
_BY_ENTRY_POINT = (
    "tests/e2e/test_cli.py",
    "tests/gui/window/test_window.py",
    "tests/test_plugins.py",
)


def _git(*words: str) -> list[str]:
    return subprocess.run(
        ["git", *words], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def _module(file: str) -> str:
    path = file.removeprefix("annotate/facade/").removesuffix(".py")
    return path.replace("/", ".").removesuffix(".__init__")


def _imported(file: Path, kinds: tuple[type[ast.AST], ...] = (ast.AST,)) -> set[str]:
    """Return every name that a file may import a module by, those in strings too."""
    result: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, kinds):
            continue
        if isinstance(node, ast.Import):
            result |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            result |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            result.add(node.value.partition(":")[0])
    return result


@cache
def _users() -> dict[str, set[str]]:
    """Return the files that import each file of Pagelet and of the tests."""
    files = [file for file in _git("ls-files", "*.py") if file.startswith(_CODE)]
    by_module = {_module(file): file for file in files if (TOP / file).is_file()}
    users: dict[str, set[str]] = {file: set() for file in by_module.values()}
    for file in by_module.values():
        for name in _imported(TOP / file) & by_module.keys():
            users[by_module[name]].add(file)
    return users


def reached(changed: set[str]) -> list[str]:
    """Return the test files that a change of these files can reach."""
    users = _users()
    result: set[str] = set()
    left = [file for file in changed if file.endswith(".py")]
    while left:
        file = left.pop()
        if file not in result:
            result.add(file)
            left += users.get(file, ())
    if any("/plugins/" in file or file.startswith("gui/features/") for file in changed):
        result |= {*_BY_ENTRY_POINT}
    for name in {Path(file).name for file in changed if file.startswith("resources/")}:
        result |= {file for file in users if file.startswith("tests/") and _names(file, name)}
    return sorted(file for file in result if Path(file).name.startswith("test_"))


def of_core() -> list[str]:
    """Return the test files outside `tests/plugins` and `tests/bench`: they may need no plug-in."""
    tests = (file for file in _users() if Path(file).name.startswith("test_"))
    return sorted(
        file
        for file in tests
        if file.startswith("tests/") and not file.startswith(("tests/plugins/", "tests/bench/"))
    )


def of_plugin(file: str) -> str:
    """Return the folder of `tests/plugins`, or of one of the floors, that a file lies in."""
    return file.rpartition("/")[0].partition("plugins/")[2].partition("/")[0]


@cache
def _imports() -> dict[str, set[str]]:
    """Return what each file of tests and plug-ins imports, without what strings name."""
    by_module = {_module(file): file for file in _users()}
    return {
        file: {by_module[name] for name in _imported(TOP / file, (ast.stmt,)) & by_module.keys()}
        for file in by_module.values()
        if file.startswith("tests/") or "/plugins/" in file
    }


def plugins_needed(file: str) -> set[str]:
    """Return the plug-ins that a file of the tests imports, and those that these import."""
    imports, seen, left = _imports(), {file}, [file]
    while left:
        new = imports.get(left.pop(), set()) - seen
        seen |= new
        left += new
    return {name for each in seen if (name := of_plugin(each))} - {of_plugin(file)}


def _names(file: str, name: str) -> bool:
    return (TOP / file).is_file() and name in (TOP / file).read_text(encoding="utf-8")


if __name__ == "__main__":
    since = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    untracked = _git("ls-files", "--others", "--exclude-standard")
    print("\n".join(reached({*_git("diff", "--name-only", since), *untracked})))
