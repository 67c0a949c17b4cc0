"""``pagelet methods``: all methods with their parameters, and what they are scored by."""

from typing import Any

from algorithms.core.catalogue import available, on_sites
from algorithms.measures.all_measures import MEASURES
from algorithms.method import Method
from gui.cli.terminal import print_json
from resources import read_text


def run(*, measures: bool = False, json: bool = False, template: bool = False) -> int:
    """List them.

    Args:
        measures: list the measures instead
        json: print everything about them as JSON
        template: print a method in one file, to begin your own with
    """
    if template:
        print(read_text("plugins/template.py"), end="")
        return 0
    if measures:
        for measure in MEASURES:
            print(f"{measure.key:<26} {measure.name}: {measure.definition}")
        return 0
    every = (*available(), *on_sites())
    if json:
        print_json([describe(entry) for entry in every])
        return 0
    groups = {
        "Extraction": [e for e in every if e.output == "extraction" and not e.reads_site],
        "Extraction from a page and its site": [e for e in every if e.reads_site],
        "Segmentation": [e for e in every if e.output == "segmentation"],
    }
    for title, entries in groups.items():
        print(f"{title} ({len(entries)})")
        for entry in entries:
            reads = ", ".join(entry.inputs)
            print(f"  {entry.key:<14} {entry.name:<34} {entry.cite}  [reads {reads}]")
            for name, spec in entry.params.specs().items():
                default = entry.params.defaults()[name]
                shown = "FILE" if spec.file else default
                print(f"  {'':<14}   --set {name}={shown}  {spec.help}")
    return 0


def describe(entry: Method) -> dict[str, Any]:
    """Return what the catalogue knows of a method, ready for JSON."""
    defaults = entry.params.defaults()
    return {
        "key": entry.key,
        "name": entry.name,
        "summary": entry.summary,
        "cite": entry.cite,
        "input": list(entry.inputs),
        "site": entry.reads_site,
        "output": entry.output,
        "version": entry.version,
        "parameters": [
            {
                "name": name,
                "type": "file" if spec.file else type(defaults[name]).__name__,
                "default": defaults[name],
                "low": spec.low,
                "high": spec.high,
                "choices": list(spec.choices),
                "files": list(spec.file.patterns) if spec.file else [],
                "help": spec.help,
            }
            for name, spec in entry.params.specs().items()
        ],
    }
