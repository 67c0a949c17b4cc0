"""Every command answers with one JSON value, by its schema; errors name their remedy, too."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import zip_longest

import jsonschema
import pytest

from gui.cli.main import commands, main
from gui.plugins.agents.schema import ERROR, schema_of, stored_answer
from tests.plugins.agents.shapes import UNANSWERED, answers, drifted, is_error
from tests.typed_commands import ROOT


@pytest.mark.parametrize("command", sorted(commands()))
def test_wrong_input_is_answered_with_the_error_and_its_remedy(command, capsys):
    assert main([command, "--no-such-option", "--json"]) == 2
    printed = capsys.readouterr()
    answer = json.loads(printed.out)
    jsonschema.validate(answer, ERROR)
    assert answer["error"]
    assert answer["fix"]
    assert answer["exit"] == 2
    assert answer["error"].splitlines()[0] in printed.err


@pytest.mark.parametrize("command", sorted(commands()))
def test_the_schema_of_a_command_names_its_arguments(command, capsys):
    schema = schema_of(command)
    jsonschema.Draft202012Validator.check_schema(schema["answer"])
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = capsys.readouterr().out
    flags = [row["flag"] for row in schema["arguments"]["properties"].values() if "flag" in row]
    assert flags
    assert all(flag in text for flag in flags)


@pytest.mark.slow
@pytest.mark.web
def test_all_answers_are_json_alone_and_fit_their_schemas(tmp_path):
    asked = {*commands()} - {*UNANSWERED}
    if find_spec("lightgbm") is None:
        asked.remove("train")
    compared = set()
    for command, printed in answers(tmp_path, *asked).items():
        for _, out in printed:
            answer = json.loads(out)
            if is_error(answer):
                jsonschema.validate(answer, ERROR)
                continue
            schema = stored_answer(command)
            check = jsonschema.Draft202012Validator(schema)
            check.validate(answer)
            changes = [*drifted(answer, schema)]  # planted: the answer has drifted
            assert changes, f"the schema of {command} refuses nothing"
            for where, changed in changes:
                assert not check.is_valid(changed), (command, where)
            compared.add(command)
    assert compared == asked


def modules_of_workers():
    """Return the modules whose functions worker processes run."""
    files = (file for top in ("annotate", "gui") for file in (ROOT / top).rglob("*.py"))
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in files
        if re.search(r"^def \w+_worker\(_?\w*: Send", file.read_text("utf-8"), re.MULTILINE)
    }


@pytest.mark.slow
def test_the_module_of_each_command_and_worker_is_imported_alone():
    """In a fresh interpreter: in one of all commands another has imported what one forgets."""
    code = "import importlib, sys; importlib.import_module(sys.argv[1])"
    modules = sorted({command.module for command in commands().values()} | modules_of_workers())
    failed = {}
    for some in zip_longest(modules[::2], modules[1::2]):
        running = {
            each: subprocess.Popen([sys.executable, "-c", code, each], stderr=subprocess.PIPE)
            for each in filter(None, some)
        }
        said = {each: process.communicate()[1].decode() for each, process in running.items()}
        failed |= {each: said[each] for each, process in running.items() if process.returncode}
    assert len(modules) > 40
    assert not failed


def test_a_part_of_an_answer_is_selected(capsys):
    assert main(["methods", "--select", "[0].key"]) == 0
    assert json.loads(capsys.readouterr().out) == "plain"
    assert main(["methods", "--select", "[0].nokey"]) == 2
    assert "unknown part 'nokey'; did you mean key?" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["a[", ".a", "a..b", "", "[0", "[0]x"])
def test_a_malformed_part_is_refused(path, capsys):
    assert main(["methods", "--select", path]) == 2
    assert "write it as pages[0].score" in capsys.readouterr().out


def test_what_may_succeed_later_ends_with_status_3(capsys):
    assert main(["extract", "plain", "http://127.0.0.1:9/", "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert answer["error"] == "cannot get http://127.0.0.1:9/: it refused the connection"
    assert (answer["fix"], answer["exit"]) == ("run it again", 3)
