"""Test doubles accept only the calls that the real objects do."""

import pytest

from gui.core.known_pages import KnownPages, PageTitles
from gui.features.layers.layer_row import LayersHost
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


def test_a_recorder_requires_properties_and_refuses_methods():
    with pytest.raises(AssertionError):
        CallRecorder(PageTitles)
    with pytest.raises(AssertionError):
        CallRecorder(LayersHost, toggle_layer=print)


def test_fake_pages_have_only_attributes_of_known_pages():
    assert {name for name in vars(FakePages) if not name.startswith("_")} <= vars(KnownPages).keys()
