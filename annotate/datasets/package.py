"""Gold main content that is text only: packages (FORMATS A3) and the article benchmark (A4).

Such gold is a text, and marks are places.  `align_gold` finds the text's words on the page, in
order, and says which it did not find; scores can also be had from the text itself.
"""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from algorithms.mapping import runs_of
from annotate import edits
from annotate.gold import Gold, Target
from annotate.pagetext import page_text, raw_words
from annotate.targets import grown
from engine.align import common_words
from engine.document import Document
from engine.errors import InputError
from engine.nodes import NodeTable

BENCHMARK_FILE = "ground-truth.json"
SHORTEST_RUN = 3
"""Words in a row that count as found; fewer may be chance, unless they are all a text says."""


@dataclass(frozen=True)
class TextGold:
    """Gold text as found on a page.

    Attributes:
        gold: The main content.
        share: Share of the text's words that were found; 1 for an empty text.
        missing: The stretches of the text that were not, in order.
    """

    gold: Gold
    share: float
    missing: tuple[str, ...]


def gold_text(document: Document) -> str | None:
    """Return the gold text that comes with a document; None if it has none.

    It is ``NAME.txt`` beside the page in a package, and ``articleBody`` in the benchmark's
    ``ground-truth.json``.  `InputError` if what is there cannot be read.
    """
    if document.package is not None:
        return _member(document.package, f"{document.path.rpartition('.')[0]}.txt")
    if document.root is None or not (document.root / BENCHMARK_FILE).is_file():
        return None
    article = _benchmark(document.root / BENCHMARK_FILE).get(_page_id(document.path))
    body = article.get("articleBody") if isinstance(article, dict) else None
    return body if isinstance(body, str) else None


def _member(package: Path, name: str) -> str | None:
    try:
        with zipfile.ZipFile(package) as opened:
            return opened.read(name).decode("utf-8-sig")
    except KeyError:
        return None
    except UnicodeDecodeError:
        raise InputError(f"{name} in {package} is not UTF-8") from None
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{package} cannot be read: {error}") from None


def _page_id(path: str) -> str:
    """Return ``ID`` of ``html/ID.html.gz``."""
    return PurePosixPath(path).name.partition(".")[0]


@lru_cache(maxsize=2)
def _benchmark(path: Path) -> Mapping[str, Any]:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path} is no benchmark's gold: {error}") from None
    if not isinstance(read, dict):
        raise InputError(f"{path} is no benchmark's gold: want an object of articles")
    return read


def align_gold(nodes: NodeTable, text: str) -> TextGold:
    """Find a gold text on a page, word by word in order, and mark it as main content.

    Words are white-space separated and must be equal.  Runs of fewer than `SHORTEST_RUN` words
    are dropped unless they are a whole text of the page: a longest common sequence also picks up
    small words far from where they belong.  Elements all of whose words are found are marked
    whole, so that pictures between paragraphs come along.
    """
    words = text.split()
    page = page_text(nodes)
    places = raw_words(page.text)
    said = [page.text[start:stop] for start, stop in places]
    found = dict(common_words(words, said).tolist())
    _close_up(words, said, found)
    targets: list[Target] = []
    kept: set[int] = set()
    for first, last in runs_of(found):
        parts = page.parts(places[found[first]][0], places[found[last]][1])
        if last - first + 1 >= SHORTEST_RUN or all(part.is_whole for part in parts):
            kept.update(range(first, last + 1))
            targets.extend(parts)
    gold = edits.add_main(Gold(), nodes, grown(nodes, targets))
    share = len(kept) / len(words) if words else 1.0
    return TextGold(gold, share, _missing(words, kept))


def _close_up(words: list[str], said: list[str], found: dict[int, int]) -> None:
    """Move words to the side of their neighbours where the page says them there as well.

    Of equally long common sequences one is as good as another; a reader takes the compact one.
    """
    for k in sorted(found, reverse=True):
        behind = found.get(k + 1)
        if behind is not None and found[k] < behind - 1 and said[behind - 1] == words[k]:
            found[k] = behind - 1
    for k in sorted(found):
        before, behind = found.get(k - 1), found.get(k + 1)
        is_alone = behind is None or behind != found[k] + 1
        if (
            before is not None
            and is_alone
            and found[k] > before + 1
            and said[before + 1] == words[k]
        ):
            found[k] = before + 1


def _missing(words: list[str], kept: set[int]) -> tuple[str, ...]:
    stretches: list[list[str]] = []
    before = -2
    for k, word in enumerate(words):
        if k in kept:
            continue
        if before != k - 1:
            stretches.append([])
        stretches[-1].append(word)
        before = k
    return tuple(" ".join(stretch) for stretch in stretches)
