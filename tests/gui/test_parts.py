"""Stand-ins answer only what the real ones would."""

import pytest

from gui.features.layers.layer_row import LayersHost
from gui.state.pages_host import ListedPages, PagesHost
from tests.gui.parts import CallRecorder, FakePages


def test_a_recorder_has_the_methods_of_its_protocol_and_no_others():
    host = CallRecorder(LayersHost)
    host.toggle_layer("vips")
    host.solo_layer(key="bte")
    assert host.calls == [("toggle_layer", "vips"), ("solo_layer", "bte")]
    with pytest.raises(AttributeError):
        host.togle_layer("vips")


@pytest.mark.parametrize("arguments", [(), ("vips", 1)])
def test_a_recorder_refuses_arguments_that_the_protocol_does_not_take(arguments):
    host = CallRecorder(LayersHost)
    with pytest.raises(TypeError):
        host.toggle_layer(*arguments)
    assert host.calls == []


def test_properties_of_a_protocol_must_be_given_and_nothing_besides():
    with pytest.raises(AssertionError):
        CallRecorder(PagesHost)
    with pytest.raises(AssertionError):
        CallRecorder(LayersHost, pages=FakePages())


def test_the_pages_of_tests_answer_all_that_listed_pages_do():
    names = {name for name in vars(ListedPages) if not name.startswith("_")}
    assert names <= set(dir(FakePages))
