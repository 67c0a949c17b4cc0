"""Two versions of a small extractor as wheels and as commits: nothing needs the network."""

import json
import subprocess
import zipfile
from pathlib import Path

KEEPS_ALL = r"""
import re
def extract(html, **options):
    body = re.sub(r"<(?:nav|style)\b.*?</(?:nav|style)>", "", html, flags=re.S)
    return "\n".join(re.sub("<[^>]+>", "", part) for part in body.split("\n"))
"""
LOSES_LISTS = KEEPS_ALL.replace("nav|style", "nav|style|ul")
BREAKS = "def extract(html, **options):\n    raise ValueError('out of order')\n"

_BACKEND = """
import zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "mine-1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.write("mine.py")
        at = "mine-1.0.dist-info"
        wheel.writestr(f"{at}/METADATA", "Metadata-Version: 2.1\\nName: mine\\nVersion: 1.0\\n")
        wheel.writestr(f"{at}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr(f"{at}/RECORD", "")
    return name
"""
_PROJECT = '[build-system]\nrequires = []\nbuild-backend = "build"\nbackend-path = ["."]\n'


def wheel(folder: Path, name: str, version: str, code: str) -> Path:
    """Write a wheel of one module."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": code,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for member, text in files.items():
            archive.writestr(member, text)
    return path


def index(folder: Path, versions: dict[str, str], name: str = "trafilatura") -> dict[str, str]:
    """Write wheels of a package; return the variables that have pip take them and nothing else."""
    for version, code in versions.items():
        wheel(folder / "wheels", name, version, code)
    return {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder / "wheels"),
        "UV_NO_INDEX": "1",
        "UV_FIND_LINKS": str(folder / "wheels"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def checkout(folder: Path, *codes: str) -> Path:
    """Write a checkout of a package, a commit with each of these modules, tagged v0, v1, …"""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "pyproject.toml").write_text(_PROJECT)
    (folder / "build.py").write_text(_BACKEND)
    for number, code in enumerate(codes):
        (folder / "mine.py").write_text(code)
        commit(folder, f"Version {number}")
        git(folder, "tag", f"v{number}")
    return folder


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)


def git_status(folder: Path) -> str:
    """Return what is not committed in a checkout."""
    words = ["git", "-C", str(folder), "status", "--short"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True)


def method_file(folder: Path, name: str, code: str) -> Path:
    """Write a method file from the code of a function from HTML to text."""
    path = folder / name
    path.write_text(
        f"{code}\nfrom algorithms.core.mapping import map_text\n"
        "from algorithms.method import Method\nfrom algorithms.params import Params\n"
        "from algorithms.results import Extraction\n"
        "def run(source, params):\n"
        "    text = extract(source.html)\n"
        "    return Extraction(source, map_text(source, text).spans)\n"
        'METHOD = Method("mine", "Mine", Params, "extraction", "own", on_source=run)\n'
    )
    return path


NAV = "<nav><a href=a>Home</a> <a href=b>News</a></nav>\n"


def pages(folder: Path) -> Path:
    """Write three pages with gold, as WCXB has them: the second, a listing, has a list."""
    texts = {
        "1": ("article", "The first page has a paragraph of some words.", ""),
        "2": ("listing", "The second page has one, too.", "One thing Another thing"),
        "3": ("article", "The third page has none that are new.", ""),
    }
    for each in ("html", "ground-truth"):
        (folder / each).mkdir(parents=True, exist_ok=True)
    for name, (kind, text, items) in texts.items():
        listed = f"<ul><li>{items}</li></ul>\n" if items else ""
        html = f"<!doctype html>\n{NAV}<p>{text}</p>\n{listed}"
        (folder / "html" / f"{name}.html").write_text(html, encoding="utf-8")
        truth = {"main_content": f"{text}\n{items}".strip(), "with": [], "without": []}
        about = {"ground_truth": truth, "_internal": {"page_type": {"primary": kind}}}
        (folder / "ground-truth" / f"{name}.json").write_text(json.dumps(about), encoding="utf-8")
    return folder
