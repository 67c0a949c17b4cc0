"""Test the sentence that names all system libraries Qt needs."""

from engine.shared_libraries import complaint, describe_missing, missing, table

LIBRARIES = {"libGL.so.1": ["libgl1"], "libasound.so.2": ["libasound2t64", "libasound2"]}


def test_all_libraries_that_fail_to_load_are_returned_with_their_packages():
    assert missing(LIBRARIES, lambda name: name == "libGL.so.1") == {
        "libasound.so.2": ["libasound2t64", "libasound2"]
    }


def test_packages_are_named_as_the_system_lists_them():
    expected = "Qt needs libraries that are missing; type: sudo apt-get install libgl1 libasound2"
    assert describe_missing(LIBRARIES, lambda name: not name.endswith("t64")) == expected
    assert describe_missing(LIBRARIES, lambda name: True) == f"{expected}t64"
    assert describe_missing(LIBRARIES, lambda name: False) == expected


def test_libraries_are_named_on_systems_without_apt():
    expected = "Qt needs libraries that are missing; install what holds libGL.so.1, libasound.so.2"
    assert describe_missing(LIBRARIES, None) == expected


def test_only_missing_libraries_are_reported():
    assert complaint("No module named 'PySide6'") == ""
    text = complaint("libno.so.7: cannot open shared object file: No such file or directory")
    assert "libno.so.7" in text or text.startswith("Qt needs libraries that are missing; ")


def test_each_library_has_a_package():
    assert all(packages for packages in table().values())
    assert {"libnss3.so", "libxcb-cursor.so.0"} <= table().keys()
