"""Test that a document says what of it is not read, and where it would go on to."""

import pytest

from engine.source import Source


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('<meta http-equiv="refresh" content="3;url=next.html">', "to next.html after 3 s"),
        ("<META HTTP-EQUIV=Refresh CONTENT=\"0; URL='a b.html'\">", "to a b.html after 0 s"),
        ('<meta http-equiv=refresh content="5, /x?a=1&copy=2">', "to /x?a=1&copy=2 after 5 s"),
        ('<meta http-equiv="refresh" content="300">', ""),
        ('<noscript><meta http-equiv="refresh" content="0;url=b"></noscript>', ""),
        ('<meta name="refresh" content="0;url=b">', ""),
    ],
)
def test_a_page_that_leads_on_is_said_to(head, said):
    notes = Source.from_text(f"<html><head>{head}</head><p>own").notes
    assert bool(notes) is bool(said)
    assert said in "".join(notes)


def test_pages_in_attributes_of_frames_are_said_to_be_unread():
    html = "<iframe srcdoc='&lt;p>a'></iframe><iframe srcdoc=''></iframe><iframe SRCDOC=b></iframe>"
    source = Source.from_text(html)
    assert "&lt;" not in source.text
    assert [note.split(" in ")[0] for note in source.notes] == ["2 frames have their pages"]
    assert Source.from_text("<iframe src=a></iframe><p>srcdoc").notes == ()
