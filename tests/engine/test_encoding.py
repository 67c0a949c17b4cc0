"""Test that bytes are decoded as in a browser."""

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
        (b"\xad\xa1\xa1\xc1", "euc-jp", "①～", "euc-jp"),
        (b"\x1b$B-!!A\x1b(I1\x1b(Ba", "iso-2022-jp", "①～ｱa", "iso-2022-jp"),
        (b"\x805\xa8\xbc", "gbk", "€5ḿ", "gbk"),
        (b"\xa2A\xa1\xfe\xa3\xe1", "big5", "∕／€", "big5"),
        (b"\xae\xbe", "koi8-u", "ўЎ", "koi8-u"),
    ],
)
def test_byte_order_mark_precedes_header_meta_and_guess(data, declared, text, encoding):
    assert decode(data, declared)[:2] == (text, encoding)


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
        (b"<head>" + b"<link href=a.css>" * 99 + b"<meta charset=latin1>", "windows-1252"),
        (b"<style>" + b"a{} " * 500 + b"</style><meta charset=latin1>", "windows-1252"),
        (b"<head><!--" + b"x" * 2000 + b"--><meta charset=latin1>", "windows-1252"),
        (b"<div>" + b"a " * 600 + b"</div><meta charset=latin1>", ""),
        (b"</head>" + b"<link href=a.css>" * 99 + b"<meta charset=latin1>", ""),
        (b"<script>'<meta charset=latin1>'</script>", ""),
        (b"<title><meta charset=latin1></title>", ""),
        (b"<!-- <meta charset=latin1>", ""),
        (b"<meta charset=latin1 charset=koi8-r>", "koi8-r"),
        (b"<?xml version='1.0' encoding='koi8-r'?><p>", "koi8-r"),
        (b"<?xml version='1.0' encoding='koi8-r'?><meta charset=latin1>", "windows-1252"),
        (b" <?xml version='1.0' encoding='koi8-r'?><p>", ""),
        (b'<?xml version="1.0" encoding="utf-16"?><p>', "utf-8"),
        (b"< meta charset=latin1>", ""),
        (b"<meta charset", ""),
        (b"<meta charset=koi8-r", ""),
    ],
)
def test_prescan_finds_what_a_browser_finds(head, encoding):
    assert declared_in(head) == encoding


_RUSSIAN = "Вода в реке поднялась за ночь на два метра, и жители переехали к родственникам."
_CHINESE = "昨夜河水上涨了两米，低处街道的居民搬到亲戚家里去住。市长答应帮助每一户人家。"
_KOREAN = "어젯밤 강물이 이 미터 올라가서 아래쪽 거리의 주민들은 친척 집으로 옮겼습니다."
_MENU = '<ul class="menu"><li><a href="/home">Home and contact</a></li></ul>'


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(_RUSSIAN, "windows-1251"), (_RUSSIAN, "koi8-u"), (_CHINESE, "gbk"), (_KOREAN, "euc-kr")],
)
def test_an_undeclared_encoding_is_guessed_from_letters_after_much_markup(text, encoding):
    html = f"<html><body>{_MENU * 2000}<p>{text}</p>"
    assert decode(html.encode(encoding)) == (html, encoding, True)
    assert decode(html.encode()) == (html, "utf-8", False)


def test_undeclared_utf8_with_one_wrong_byte_stays_utf8():
    assert decode(_RUSSIAN.encode() + b"\xff") == (_RUSSIAN + "\ufffd", "utf-8", True)


def test_a_browser_guess_overrides_ours_but_not_a_declaration():
    data = _RUSSIAN.encode("windows-1251")
    assert decode(data, guess="koi8-r").encoding == "koi8-r"
    assert decode(b"<meta charset=utf-8>" + data, guess="koi8-r").encoding == "utf-8"


@given(st.binary(max_size=300), st.text(max_size=12))
def test_any_bytes_are_decoded(data, declared):
    text, encoding, _ = decode(data, declared)
    assert isinstance(text, str)
    assert encoding


@given(st.text(max_size=40))
def test_text_in_utf8_is_decoded_unchanged(text):
    data = text.encode()
    if not data.startswith((b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")):
        assert decode(data, "utf-8")[:2] == (text, "utf-8")
