"""Whether gleaner reads every page as before: digests of texts and measures.

Run from the repository's folder: ``python -m tests.bench.gleaner_identity FILE DATASET...`` writes
the digests to a file that there is none of, and compares with one that there is: it prints how
many pages have other words under either guideline, and other measures to the last bit.
"""

import hashlib
import json
import sys
from pathlib import Path

from algorithms.extraction.gleaner import gleaner
from annotate.library.page_cases import dataset
from engine.source import Source

_KINDS = ("text", "article", "measures")


def digests(source: Source) -> list[str]:
    """Return digests of the text, of the text of one article, and of all measures."""
    params = gleaner.GleanerParams()
    article = gleaner.GleanerParams(guideline=gleaner.ONE_ARTICLE)
    extractions = [gleaner.extract(source, each) for each in (params, article)]
    matrix, _ = gleaner.model_of(params.model).matrix(source)
    read = [f"{each.text}\0{each.no_content}".encode("utf-8", "replace") for each in extractions]
    read.append(matrix.tobytes())
    return [hashlib.sha256(each).hexdigest()[:16] for each in read]


def main() -> None:
    """Write the digests, or print how many differ."""
    path, *folders = map(Path, sys.argv[1:])
    found = {
        f"{folder.name}/{case.name}": digests(
            Source.from_text(case.page.source.source("original").html)
        )
        for folder in folders
        for case in dataset(folder)
    }
    if not path.exists():
        path.write_text(json.dumps(found, indent=0))
    before = json.loads(path.read_text())
    for kind, name in enumerate(_KINDS):
        differ = [
            page for page in found if found[page][kind] != before.get(page, found[page])[kind]
        ]
        print(f"{name}: {len(differ)} of {len(found)} pages differ", *differ[:10])


if __name__ == "__main__":
    main()
