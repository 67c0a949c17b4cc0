"""Test `pagelet reduce` without the plug-in that it needs."""

import sys

from gui.cli.main import main


def test_a_command_that_needs_another_plugin_names_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "annotate.plugins.external", None)
    for module in [
        each
        for each in sys.modules
        if each.startswith(("gui.plugins.reduce", "annotate.plugins.external."))
    ]:
        monkeypatch.delitem(sys.modules, module)
    assert main(["reduce", "bte", "page.html", "--lost", "words"]) == 1
    said = capsys.readouterr().err
    assert said == "pagelet: it needs the plug-in external, which is not installed\n"
