"""Bytes become text as they do in a browser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.encoding import declared_in, decode


@pytest.mark.parametrize(
    ("data", "declared", "text", "encoding"),
    [
        (b"", "", "", "utf-8"),
        (b"\xef\xbb\xbfa", "latin1", "a", "utf-8"),
        (b"\xff\xfea\0", "utf-8", "a", "utf-16le"),
        (b"\xfe\xff\0a", "", "a", "utf-16be"),
        ("é".encode(), "", "é", "utf-8"),
        (b"\xe9", "", "é", "windows-1252"),
        (b"\xe9", "ISO-8859-1", "é", "windows-1252"),
        (b"\x80\x81\x93", "latin1", "€\x81“", "windows-1252"),
        (b"\xe9", "utf-8", "\ufffd", "utf-8"),
        ("漢".encode("gb18030"), "GB2312", "漢", "gbk"),
        ("日".encode("cp932"), "x-sjis", "日", "shift_jis"),
        (b"\xcf\x98", "windows-1251", "П\x98", "windows-1251"),
        (b"\xaa\x81", "windows-1253", "\ufffd\x81", "windows-1253"),
        (b"\x82\xa0\x82<b\xa0", "shift_jis", "あ\ufffd<b\ufffd", "shift_jis"),
        (b"\xe3\x81\x82\xe3\x81\x84", "shift_jis", "縺ゅ＞", "shift_jis"),
        (b"\xe9\xff\xe9", "big5", "\ufffd\ufffd", "big5"),
        (
            b'<meta charset="windows-1251">\xcf',
            "",
            '<meta charset="windows-1251">П',
            "windows-1251",
        ),
        (b"<meta charset=koi8-r>\xf0", "utf-8", "<meta charset=koi8-r>\ufffd", "utf-8"),
        (b"<meta charset=nonsense>\xe9", "", "<meta charset=nonsense>é", "windows-1252"),
        (b"a\xff", "x-user-defined", "a\uf7ff", "x-user-defined"),
    ],
)
def test_mark_then_header_then_meta_then_guess(data, declared, text, encoding):
    assert decode(data, declared) == (text, encoding)


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"<meta charset=utf-8>", "utf-8"),
        (b"<META CHARSET = 'Latin1' />", "windows-1252"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso-8859-2"),
        (b"<meta content='text/html;charset=\"big5\"' http-equiv=content-type>", "big5"),
        (b'<meta name=x content="charset=iso-8859-2">', ""),
        (b"<!-- <meta charset=latin1> --><meta charset=utf-8>", "utf-8"),
        (b'<p title="<meta charset=latin1>"><meta charset=utf-8>', "utf-8"),
        (b"<?xml version='1.0'?><!DOCTYPE html><meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<metadata charset=latin1>", ""),
        (b" " * 1010 + b"<meta charset=latin1>", ""),
        (b"< meta charset=latin1>", ""),
        (b"<meta charset", ""),
    ],
)
def test_prescan_finds_what_a_browser_finds(head, encoding):
    assert declared_in(head) == encoding


@given(st.binary(max_size=300), st.text(max_size=12))
def test_anything_can_be_decoded(data, declared):
    text, encoding = decode(data, declared)
    assert isinstance(text, str)
    assert encoding


@given(st.text(max_size=40))
def test_utf8_is_read_back(text):
    data = text.encode()
    if not data.startswith((b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")):
        assert decode(data, "utf-8") == (text, "utf-8")
