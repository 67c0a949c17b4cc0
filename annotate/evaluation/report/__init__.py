"""The report of an evaluation: one HTML file for readers, its figures also as files for papers."""

from contextlib import chdir
from pathlib import Path

if Path("matplotlibrc").exists():
    # matplotlib takes its settings from the current folder, which may be a data set that somebody
    # sent: it is read from elsewhere, once and for all.
    with chdir(Path(__file__).parent):
        import matplotlib  # noqa: F401
