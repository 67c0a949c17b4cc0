"""Layout of ``--help``: words fill the lines, examples stand as they are typed."""

import argparse


class HelpLayout(argparse.HelpFormatter):
    """Keeps indented lines as they are, so that an example can be copied whole."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled: list[str] = []
        words: list[str] = []
        for line in [*text.splitlines(), ""]:
            if line.strip() and not line.startswith(" "):
                words.append(line)
                continue
            if words:
                filled.append(super()._fill_text(" ".join(words), width, indent))
                words = []
            filled.append(indent + line if line.strip() else "")
        return "\n".join(filled).rstrip("\n")
