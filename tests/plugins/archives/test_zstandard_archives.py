"""Archives in frames of Zstandard are read as those in members of gzip are, damaged ones too."""

import base64
import random

import pytest

from annotate.archives.page_ranges import ArchivedPage, PageRanges, all_pages, pages
from tests.plugins.archives.warc_files import answer, page, record, records, write_warc

pack = pytest.importorskip("pyarrow").compress
pytest.importorskip("fastwarc")

MAGIC = b"\x28\xb5\x2f\xfd"

# Output of `zstd --train` and `zstd -19 -D`: a dictionary, and record 1 compressed with it.
DICTIONARY = base64.b85decode(
    "H>5D^6;@C$P7r8o+Z+&{QVPY{JD3@2*KxKqB7u4KKVT|ASk+=ox#p?<|K^gl726h(ZMj52lqUoB0Uj0sn|(C2Sle"
    "CO-L*Z9Kl#uNPOHf^IE^}k1ZWH%5r$GW00004z{-"
    "f2gNHy#VFC~U05AXmAaFbY00000000000LF2~2LJ#7001QD)sq8oC<Ooj000ceKmY|66`@oB00031000C4000O80"
    "02G>3Rgi=LoHNca%W|9EmcxUIv{9tbZ~PzFE3?yVQp}1WiD@WXD>A~I1LIzZ*FvDAZT)BW<4)9K5S`jYali}FJV4"
    "BY-v6`VIXL7WoA7u"
)
WITH_DICTIONARY = base64.b85decode(
    "D77#BXBAdZFUbK#3IM~?IFnA=a<V|2CwbUz63K58ZZBD{-"
    "<mw^QS4HPO?@BF^d^g99{owS{eEZME`v$^wq3^F7QelO!}ihdj1!~Fczbvf{nXdPccwR_%UBQl^Do;T{q0P@c$*}"
    "SU)v^epDd4O+cd4y$ubPPuCN4IAnUco!^aQmD$<uM@8oE&*DImvuk|$kFfo0NY7I>~sfW}0b05quVtJ4>^@^26{M"
    "N(a>101+E!fp*)%E#sS$^_Zg8D<m1*&fpJ=eezNv=<KeLPp?u4=m~ExWR}L^zqn6X|1r{Nx12!K@)P5JVCIF#I3}"
    "fcJZ->3<S`R$DZVY1e$v{hD{h5@^Q={p=FJX;FZEQ>SN&!6n=5)l(Bxn6L5P*{m-"
    "AshxbifExQ@IMw^Xs8A&vqpM9BF01VzkrNNq3_?(X;~xeu@^i_G{Rebg&{Y"
)


def frame(data):
    return pack(data, codec="zstd", asbytes=True)


def unpacked_frame(data, checksum=b""):
    """Return a frame of uncompressed blocks (RFC 8878, 3.1.1)."""
    head = MAGIC + bytes((0xA0 | (4 if checksum else 0),)) + len(data).to_bytes(4, "little")
    parts = [data[at : at + 1000] for at in range(0, len(data), 1000)]
    sizes = (len(part) << 3 | (number == len(parts)) for number, part in enumerate(parts, 1))
    blocks = (s.to_bytes(3, "little") + part for s, part in zip(sizes, parts, strict=True))
    return head + b"".join(blocks) + checksum


def skippable(data, kind=0x50):
    return bytes((kind, 0x2A, 0x4D, 0x18)) + len(data).to_bytes(4, "little") + data


def told(path, most=1000):
    """Return address, bytes and trouble of each page, read in ranges as workers do."""
    contents = []
    parts = list(PageRanges(most, contents).ranges(path, path.name))
    every = [each for part in parts for each in pages(part)]
    assert len(every) == contents[0].records - contents[0].others
    found = [each for each in every if isinstance(each, ArchivedPage)]
    return [(each.address, each.data, each.trouble) for each in found], contents[0]


@pytest.mark.parametrize(
    "write",
    [
        lambda each: b"".join(map(frame, each)),
        lambda each: b"".join(map(unpacked_frame, each)),
        lambda each: frame(b"".join(each)),
        lambda each: b"".join(frame(b"".join(each)[at : at + 777]) for at in range(0, 99999, 777)),
        lambda each: skippable(b"hello") + b"".join(frame(one) + skippable(b"") for one in each),
        lambda each: b"".join(map(frame, each)) + bytes(100),
        lambda each: b"".join(
            frame(one) + bytes(55 + k) + skippable(b"hello") for k, one in enumerate(each)
        ),
    ],
    ids=["a frame a record", "blocks unpacked", "one frame", "cut anywhere", "skippable", "zeros",
         "skippable behind zeros"],
)  # fmt: skip
@pytest.mark.parametrize("most", [2, 1000])
def test_every_zstandard_framing_gives_the_pages_of_the_plain_archive(tmp_path, write, most):
    each = records(7)
    plain, counted = told(write_warc(tmp_path / "a.warc", each))
    path = tmp_path / "a.warc.zst"
    path.write_bytes(write(each))
    packed, also = told(path, most)
    assert packed == plain
    assert len(plain) == 8
    assert (also.records, also.others, also.damaged) == (counted.records, counted.others, 0)


@pytest.mark.parametrize("dictionary", [DICTIONARY, frame(DICTIONARY)], ids=["plain", "packed"])
def test_the_dictionary_before_the_first_record_is_used(tmp_path, dictionary):
    path = tmp_path / "a.warc.zst"
    path.write_bytes(skippable(dictionary, 0x5D) + WITH_DICTIONARY + WITH_DICTIONARY)
    assert [each.data for each in all_pages(path)] == 2 * [page("en").encode()]


def test_offset_and_length_of_a_record_are_those_of_its_frame(tmp_path):
    each = [frame(record(k, answer(page("en", f"Tea {k}").encode()))) for k in range(3)]
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join(each))
    found = [(one.offset, one.length) for one in all_pages(path)]
    assert found == [(sum(map(len, each[:k])), len(each[k])) for k in range(3)]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_frame_is_counted_and_loses_only_its_own_record(tmp_path, seed):
    dice = random.Random(seed)
    each = [record(k, answer(page("en", f"Tea {k}").encode())) for k in range(9)]
    packed = [frame(one) for one in each]
    at = dice.randrange(9)
    hurt = bytearray(packed[at])
    place = dice.randrange(len(hurt))
    if seed % 3 == 0:
        hurt[place:] = b""
    elif seed % 3 == 1:
        hurt[place : place + 9] = b"\xff" * 9
    else:
        hurt[place:place] = dice.randbytes(9)
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join([*packed[:at], bytes(hurt), *packed[at + 1 :]]))
    found, counted = told(path, 4)
    whole = {address: data for address, data, trouble in found if not trouble}
    for k in range(9):
        if k != at:
            assert whole[f"https://example.org/{k}"] == page("en", f"Tea {k}").encode()
    assert counted.damaged or seed % 3, "a frame that was cut off is not taken for a whole one"


def test_an_archive_that_ends_within_a_frame_reports_a_damaged_record(tmp_path):
    each = [unpacked_frame(one) for one in records(3)]
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join(each)[:-30])
    found, counted = told(path)
    assert found[-1][2] == "the record is damaged: the archive ends within it"
    assert counted.damaged == 1
