"""How many pages of a data set come up on this Python.

python -m tests.bench.rendered_pages DATASET
"""

import sys
import time

import pagelet

from engine.errors import PageletError
from engine.web.headless import Browser


def main() -> None:
    """Render each page and print one line; the exit status says whether all came up."""
    cases = pagelet.dataset(sys.argv[1])
    failed: list[str] = []
    begun = time.monotonic()
    with Browser() as browser:
        for case in cases:
            try:
                browser.capture(next(iter(case.files.values())).document())
            except PageletError as error:
                failed.append(f"{case.name}: {error}")
    python, seconds = sys.version.split()[0], time.monotonic() - begun
    print(f"Python {python}: {len(cases) - len(failed)} of {len(cases)} pages, {seconds:.0f} s")
    print("\n".join(failed), end="")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
