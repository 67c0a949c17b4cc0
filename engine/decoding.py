"""Bytes to text as the WHATWG Encoding standard has it, of every encoding but those in Unicode.

Python's codecs read nearly all, at the speed of C.  Where they stop, or differ, is looked up here:
the browsers' tables have row 13 and IBM's letters in Japanese, forms of GB 18030-2022 in Chinese,
more Big5.  Bytes that are wrong are taken together as the standard takes them.
"""

import codecs
import re
from functools import cache, lru_cache, partial
from itertools import product

REPLACED = "\ufffd"

_CODECS = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "windows-874": "cp874",
    "iso-8859-8-i": "iso-8859-8",
}
"""Python's codecs of encodings that it knows by another name, or by a smaller table."""

_PAIRED = frozenset(["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"])
"""Encodings with two bytes a letter, or up to four."""

_OTHER_BYTES = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}

_OTHER_PAIRS = {
    "gb18030": """
A3A0\u3000 A6D9\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16 A6EC\ufe17\ufe18 A6F3\ufe19 A8BC\u1e3f
FE59\u9fb4 FE61\u9fb5 FE66\u9fb6\u9fb7 FE6D\u9fb8 FE7E\u9fb9 FE90\u9fba FEA0\u9fbb""",
    "euc-jp": "A1C1\uff5e\u2225 A1DD\uff0d A1F1\uffe0\uffe1 A2CC\uffe2",
    "big5": """
A145\u2027 A14E\ufe51 A1C2\xaf A1E3\uff5e A1F2\u2295\u2299 A241\u2215\ufe68 A244\uffe5
A246\uffe0\uffe1
877A㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐
87B4稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏
87CC䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 8E69箸 8E6F簆 8E7E糎 8EAB緒 8EB4縝 8ECD者
8ED0耨 8F57菁 8F69蒨 8F6E萏 8FCB覦覩 8FFE起 906D都 907A銹 90DC靜 90F1響 91BF鼖 9244蔃
92AF兙兛兝兞 92C8鍮 92D1瑹 9447浧 94CA禛 95D9邗 9644靝 96ED瀞 96FC嬨 9B76爁 9B78矗 9B7B纇
9BC6駖 9BDE釔 9BEC惞 9BF6澶 9C42輶 9C53侻 9C62營 9C68鄄 9C6B鷰 9C77菏 9CBC尐秣 9CD0婧
9D57輋 9D5A筑 9DC4拐 9EA9恢 9EEF痹 9EFD汊 9F60鬮 9F66鼗 9FCB僭 9FD8弌 A063蠏 A077拎 A0D5瑨
A0DF煢 A0E4牐 A3C0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€
C6CF廴 C6D3无 C6D5癶 C6D7隶 C6DE〃仝 FA5F倩 FA66偽 FABD包 FAC5卄 FAD5卿 FB48嘅 FBB8婷
FBF3幵 FBF9廐 FC4F彘 FC6C悤 FCB9撐 FCE2晴 FCF1杞 FDB7沜渝 FDBB港 FDF1煮 FE52猪 FE6F瑜
FEAA瓩 FEDD砉""",
}
"""Letters that Python's codec lacks or has otherwise: the first pair, and those from there on."""

_FEW_ERRORS = 20
"""Letters for each wrong one in a text that is worth the slow way."""

_AMBIGUOUS = {"euc-jp": {b"\x8f\xa2\xb7": "\uff5e"}, "big5": {b"\xa2A": "∕", b"\xa2B": "﹨"}}
"""Sequences that the codec reads as a letter that another one is, too."""

_LEADS = {
    "shift_jis": frozenset([*range(0x81, 0xA0), *range(0xE0, 0xFD)]),
    "euc-jp": frozenset([0x8E, 0x8F, *range(0xA1, 0xFF)]),
}
_USUAL_LEADS = frozenset(range(0x81, 0xFF))
_DIGITS = frozenset(b"0123456789")

_SURROGATE = re.compile("[\ud800-\udfff]")  # those of pairs are one letter
_ESCAPE = re.compile(rb"\x1b(?:\([BJI]|\$[@B])?|[^\x1b]+")
_ESCAPED_PAIRS = re.compile(rb"((?:[!-~]{2})+)|[!-~]?[^!-~]|[!-~]")
_TO_EUC = bytes([*range(0x80, 0x100)] * 2)


def decode_as(data: bytes, name: str) -> str:
    """Return bytes as text; wrong ones become U+FFFD.  Never raises.

    Args:
        data: The bytes, without byte order mark.
        name: WHATWG name of an encoding.
    """
    if name == "replacement":
        return REPLACED if data else ""
    if name == "utf-8":
        return data.decode(name, "replace")
    if name in ("utf-16le", "utf-16be"):
        return _decode_utf16(data, name)
    if name == "iso-2022-jp":
        return _decode_escaped(data)
    if name in _PAIRED:
        return _decode_pairs(data, name)
    return codecs.charmap_decode(data, "replace", _letters_of_bytes(name))[0]


@cache
def _letters_of_bytes(name: str) -> str:
    """Return the 256 letters of a code page; unused bytes 80 to 9F are control characters."""
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    codec, others = _CODECS.get(name, name), _OTHER_BYTES.get(name, {})
    letters = [others.get(byte) or bytes([byte]).decode(codec, "ignore") for byte in range(256)]
    return _table(
        [
            letter or (chr(byte) if 0x80 <= byte < 0xA0 else REPLACED)
            for byte, letter in enumerate(letters)
        ]
    )


def _table(letters: list[str]) -> str:
    """Return a table of 256 letters as `charmap_decode` takes it: U+FFFE is "undefined"."""
    return "".join(letters).replace(REPLACED, "\ufffe")


def _decode_utf16(data: bytes, name: str) -> str:
    text = data[: len(data) & ~1].decode(name, "surrogatepass")
    if len(data) % 2 and not "\ud800" <= text[-1:] < "\udc00":  # a half pair takes the byte in
        text += REPLACED
    return _SURROGATE.sub(REPLACED, text)


def _decode_pairs(data: bytes, name: str) -> str:
    text = data.decode(_codec(name), f"pagelet.{name}")
    doubtful = [raw for raw in _AMBIGUOUS.get(name, ()) if raw in data]
    is_text = text.count(REPLACED) * _FEW_ERRORS <= len(text)
    if is_text and any(_strictly(raw, _codec(name)) in text for raw in doubtful):
        return _decode_one_by_one(data, name)
    swaps = _swaps(name)
    return text.translate(swaps) if any(map(text.__contains__, map(chr, swaps))) else text


def _codec(name: str) -> str:
    return _CODECS.get(name, name)


@cache
def _others(name: str) -> dict[bytes, str]:
    """Return the letters that Python's codec of an encoding lacks or has otherwise."""
    result = dict(_AMBIGUOUS.get(name, {}))
    if name in ("gbk", "gb18030"):
        name = "gb18030"
        result |= {b"\x80": "€", b"\x815\xf47": "\ue7c7"}
    for run in re.findall(r"([0-9A-F]{4})([^ \n]+)", _OTHER_PAIRS.get(name, "")):
        raw = bytes.fromhex(run[0])
        for letter in run[1]:
            result[raw] = letter
            raw = bytes([raw[0], raw[1] + (0x23 if raw[1] == 0x7E else 1)])
    if name == "shift_jis":
        result |= dict.fromkeys((b"\xa0", b"\xfd", b"\xfe", b"\xff"), REPLACED)
    if name == "euc-jp":  # rows 13 and 89 to 92 are in Shift_JIS, in the same order
        for row, cell in product([12, *range(88, 92)], range(94)):
            lead, trail = divmod(row * 94 + cell, 188)
            pair = bytes([lead + (0x81 if lead < 0x1F else 0xC1), trail + 0x40 + (trail > 0x3E)])
            if letter := _strictly(pair, "cp932"):
                result[bytes([0xA1 + row, 0xA1 + cell])] = letter
    return result


def _letter_at_error(name: str, error: UnicodeError) -> tuple[str, int]:
    """Return what stands where the codec stopped, and where to go on: an error handler."""
    assert isinstance(error, UnicodeDecodeError)
    data, at, others = error.object, error.start, _others(name)
    for size in (1, 2):
        if letter := others.get(data[at : at + size]):
            return letter, min(at + size, len(data))
    return REPLACED, at + _wrong_bytes(name, data[at : at + 4])


def _wrong_bytes(name: str, data: bytes) -> int:
    """Return how many of these bytes one U+FFFD represents."""
    if data[0] not in _LEADS.get(name, _USUAL_LEADS) or len(data) == 1 or data[1] < 0x30:
        return 1
    if data[1] in _DIGITS and name in ("gbk", "gb18030"):
        if len(data) > 2 and data[2] not in _USUAL_LEADS:
            return 1
        return 1 if len(data) > 3 and data[3] not in _DIGITS else len(data)
    if data[0] == 0x8F and name == "euc-jp" and 0xA1 <= data[1] < 0xFF:
        return 3 if len(data) > 2 and data[2] >= 0x80 else 2
    return 2 if data[1] >= 0x80 else 1


def _decode_one_by_one(data: bytes, name: str) -> str:
    """Decode letter by letter: slow, and right where the codec gives two letters the same code."""
    others, codec, at, pieces = _others(name), _codec(name), 0, []
    while at < len(data):
        for size in (1, 2, 3):
            piece = data[at : at + size]
            letter = others.get(piece) or _strictly(piece, codec)
            if letter:
                break
        else:
            letter, size = REPLACED, _wrong_bytes(name, data[at : at + 4])
        pieces.append(letter)
        at += size
    return "".join(pieces)


@lru_cache(1 << 15)
def _strictly(piece: bytes, codec: str) -> str:
    try:
        return piece.decode(codec)
    except UnicodeDecodeError:
        return ""


@cache
def _swaps(name: str) -> dict[int, str]:
    """Return the letters of Python's codec that are others to browsers, by code point."""
    codec, ambiguous = _codec(name), _AMBIGUOUS.get(name, {})
    return {
        ord(letter): right
        for raw, right in _others(name).items()
        if raw not in ambiguous and (letter := _strictly(raw, codec))
    }


def _decode_escaped(data: bytes) -> str:
    """Decode ISO-2022-JP, whose escape sequences define the bytes after them."""
    state, is_escaped, pieces = b"(B", False, []
    for match in _ESCAPE.finditer(data):
        part = match[0]
        if part[:1] != b"\x1b":
            pieces.append(_decode_state(part, state))
            is_escaped = False
        elif len(part) == 1:
            pieces.append(REPLACED)
            is_escaped = False
        else:
            if is_escaped:  # two in a row let text be hidden
                pieces.append(REPLACED)
            state, is_escaped = part[1:], True
    return "".join(pieces)


def _decode_state(part: bytes, state: bytes) -> str:
    if state[:1] == b"(":
        return codecs.charmap_decode(part, "replace", _letters_of_state(state))[0]
    return "".join(
        _decode_pairs(match[1].translate(_TO_EUC), "euc-jp") if match[1] else REPLACED
        for match in _ESCAPED_PAIRS.finditer(part)
    )


@cache
def _letters_of_state(state: bytes) -> str:
    letters = [REPLACED if code in (0x0E, 0x0F) else chr(code) for code in range(0x80)]
    if state == b"(J":
        letters[0x5C], letters[0x7E] = "¥", "‾"
    if state == b"(I":
        letters = [chr(0xFF40 + c) if 0x21 <= c <= 0x5F else REPLACED for c in range(0x80)]
    return _table([*letters, *REPLACED * 0x80])


for _name in _PAIRED:
    codecs.register_error(f"pagelet.{_name}", partial(_letter_at_error, _name))
