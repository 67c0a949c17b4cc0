"""Test that the installation guide names the libraries that the set-up installs."""

import re

from tests.typed_commands import ROOT


def test_the_guide_names_the_libraries_that_are_installed():
    table = (ROOT / "resources" / "libraries.txt").read_text("utf-8")
    # Names of Debian 12 come last in a line; newer ones have others.
    expected = {line.split()[-1] for line in table.splitlines() if line.strip()}
    expected |= {"fonts-liberation", "fonts-dejavu-core"}
    guide = (ROOT / "resources" / "docs" / "install.md").read_text("utf-8")
    command = re.search(r"sudo apt-get install(.*?)\n\n", guide, re.DOTALL)[1]
    assert set(command.replace("\\", "").split()) == expected
