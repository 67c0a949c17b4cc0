"""A frozen page is *identical* only if each list in its file agrees with what the file holds."""

import gzip
import io
import json
import struct
import zipfile

import numpy as np
import pytest

from annotate.archives.frozen.damage import damage_of
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.frozen.verifying import verify
from annotate.datasets.opening import open_document, open_pages
from engine.errors import InputError
from gui.cli.main import main
from tests.annotate.archives.frozen.test_round_trip import digest, members_in, pack, with_lists

pytestmark = pytest.mark.web

WARC, INDEX, PAGES = "archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl"
PACKAGE, DIGEST = "datapackage.json", "datapackage-digest.json"
MANIFEST, CERTIFICATE = "pagelet/manifest.json", "pagelet/certificate.json"
NODES, COLUMN = "pagelet/reference-nodes.json", "pagelet/reference-columns-tag.npy"
FRAME = "pagelet/frame-0.json"


def huge_column():
    """Return a column whose header claims 931 GiB."""
    out = io.BytesIO()
    shape = {"descr": "<i4", "fortran_order": False, "shape": (250_000_000_000,)}
    np.lib.format.write_array_header_1_0(out, shape)
    return out.getvalue()


def column(values):
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def with_key(**more):
    return lambda data: json.dumps({**json.loads(data), **more}).encode()


def of_another_page(data):
    return data.replace(b"local.invalid", b"other.invalid")


GONE = None
CHANGES = {
    "archive cut short": (WARC, lambda data: data[:-40]),
    "archive that is another": (WARC, lambda _: gzip.compress(b"WARC/1.1\r\n")),
    "archive that is empty": (WARC, lambda _: b""),
    "record changed inside": (WARC, lambda data: repacked(data, b"Hard to keep", b"Hard to kiss")),
    "archive gone": (WARC, GONE),
    "index gone": (INDEX, GONE),
    "index empty": (INDEX, lambda _: b""),
    "index of another page": (INDEX, of_another_page),
    "index nested": (INDEX, lambda _: b"a 1 " + b"[" * 100_000),
    "pages gone": (PAGES, GONE),
    "pages empty": (PAGES, lambda _: b""),
    "pages of another page": (PAGES, of_another_page),
    "pages nested": (PAGES, lambda _: b"[" * 100_000),
    "description gone": (PACKAGE, GONE),
    "description empty": (PACKAGE, lambda _: b""),
    "description an empty object": (PACKAGE, lambda _: b"{}"),
    "description of another page": (PACKAGE, of_another_page),
    "description nested": (PACKAGE, lambda _: b'{"resources": ' + b"[" * 100_000),
    "resources are numbers": (PACKAGE, with_key(resources=[1, 2])),
    "digest gone": (DIGEST, GONE),
    "digest empty": (DIGEST, lambda _: b""),
    "digest of another": (DIGEST, with_key(hash="sha256:" + "0" * 64)),
    "certificate empty": (CERTIFICATE, lambda _: b"{}"),
    "certificate a list": (CERTIFICATE, lambda _: b"[1]"),
    "certificate nested": (CERTIFICATE, lambda _: b"[" * 100_000),
    "certificate of numbers": (
        CERTIFICATE,
        lambda data: json.dumps(
            {"certificate": {**json.loads(data)["certificate"], "checks": [1]}}
        ).encode(),
    ),
    "certificate gone": (CERTIFICATE, GONE),
    "nodes nested": (NODES, lambda _: b"[" * 100_000),
    "nodes a number": (NODES, lambda _: b"7"),
    "attributes are numbers": (NODES, lambda data: with_key(attributes=[1] * 99)(data)),
    "column of 931 GiB": (COLUMN, lambda _: huge_column()),
    "column of texts": (COLUMN, lambda _: column(np.array(["a"] * 83))),
    "column out of range": (COLUMN, lambda _: column(np.full(83, 9_999, dtype=np.int32))),
    "column that is no column": (COLUMN, lambda _: b"\x93NUMPY\x01\0\xff\xff" + b"(" * 400),
    "column with half a head": (
        COLUMN,
        lambda _: b"\x93NUMPY\x01\0" + struct.pack("<H", 12) + b"{'descr': (\n",
    ),
    "picture gone": ("pagelet/picture.png", GONE),
    "picture no picture": ("pagelet/picture.png", lambda _: b"x"),
}
"""Of which member, and how it is changed."""


def repacked(data, old, new):
    """Change the content of a record, and compress each record again."""
    out = b""
    for part in data.split(b"\x1f\x8b\x08")[1:]:
        out += gzip.compress(gzip.decompress(b"\x1f\x8b\x08" + part).replace(old, new), mtime=0)
    return out


def changed(frozen, out, name, change, *, is_told):
    """Write a frozen page with a member changed or removed."""
    members = members_in(frozen)
    if change is GONE:
        del members[name]
    else:
        members[name] = change(members[name])
    if is_told and name not in (PACKAGE, DIGEST, MANIFEST):
        members = with_lists(members)
    return pack(out, members)


def said_of(file):
    """Return what verifying reports without a browser: the damage, or why the file is refused."""
    try:
        file = FrozenFile(file)
        file.document()
        result = damage_of(file)
        if not result:
            file.reference()
            file.certificate()
    except InputError as error:
        result = (str(error),)
    return result


@pytest.mark.parametrize("is_told", [False, True], ids=["lists as they were", "lists made right"])
@pytest.mark.parametrize("kind", CHANGES)
def test_verifying_names_each_damaged_member_in_a_sentence(frozen_hard, tmp_path, kind, is_told):
    name, change = CHANGES[kind]
    file = changed(frozen_hard[0], tmp_path / "p.wacz", name, change, is_told=is_told)
    result = said_of(file)
    if is_told and kind in ("picture no picture", "certificate gone"):
        return  # all lists are right: only opening the file finds it, or it is no damage
    assert result
    stem = name.rpartition("-")[2] if name in (NODES, COLUMN) else name
    assert any(stem in each for each in result), result
    for each in result:
        assert each.isprintable()
        assert len(each) < 500
        assert "Error" not in each


@pytest.mark.parametrize(
    "kind",
    [
        "archive cut short",
        "description of another page",
        *(
            pytest.param(kind, marks=pytest.mark.slow)
            for kind in ("description gone", "digest gone", "pages gone", "description empty",
                         "certificate nested", "column of 931 GiB")
        ),
    ],
)  # fmt: skip
def test_verify_fails_and_names_the_member(frozen_hard, tmp_path, kind, capsys):
    name, change = CHANGES[kind]
    file = changed(frozen_hard[0], tmp_path / "p.wacz", name, change, is_told=False)
    assert main(["verify", str(file)]) == 1
    output = capsys.readouterr().out
    assert name in output
    assert "identical" not in output


def test_an_unlisted_member_is_named(frozen_hard, tmp_path):
    file = pack(tmp_path / "p.wacz", members_in(frozen_hard[0]) | {"extra/story.html": b"<p>x"})
    (result,) = damage_of(FrozenFile(file))
    assert "extra/story.html" in result


def test_a_whole_file_has_no_damage(frozen_hard):
    assert damage_of(FrozenFile(frozen_hard[0])) == ()


def odd_zip(path, frozen, kind):
    """Write a frozen page as a malformed zip."""
    members = members_in(frozen)
    if kind == "version 18.5":
        pack(path, members)
        data = bytearray(path.read_bytes())
        at = data.find(b"PK\x01\x02")
        struct.pack_into("<H", data, at + 6, 185)
        path.write_bytes(data)
        return path
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in members.items():
            package.writestr(name, data)
        if kind == "two of a name":
            with pytest.warns(UserWarning, match="Duplicate"):
                package.writestr(MANIFEST, members[MANIFEST])
        elif kind == "link":
            link = zipfile.ZipInfo("pagelet/link.html")
            link.external_attr = 0o120777 << 16
            package.writestr(link, "/etc/passwd")
        elif kind == "leads out":
            package.writestr("../../story.html", "<p>x")
        elif kind == "bomb":
            package.writestr("pagelet/bomb.html", bytes(80_000_000))
        elif kind == "many":
            for number in range(10_001):
                package.writestr(f"pagelet/{number}", b"")
    return path


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("version 18.5", "is missing|is not there|not a package|no zip|version 18.5"),
        ("two of a name", "two of its members are named"),
        ("link", "pagelet/link.html is a link"),
        ("leads out", r"\.\./\.\./story.html is a link or leads out"),
        ("bomb", "unpack to"),
        ("many", "has 10,0.. members"),
    ],
)
def test_malformed_zips_are_refused_by_verify_open_document_and_open_pages(
    frozen_hard, tmp_path, kind, why, capsys
):
    file = odd_zip(tmp_path / "p.wacz", frozen_hard[0], kind)
    with pytest.raises(InputError, match=why):
        verify(file)
    for door in (open_document, open_pages):
        with pytest.raises(InputError):
            door(file)
    assert main(["verify", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def as_0_2_wrote_it(members):
    """Return the members of a frozen page as Pagelet 0.2 named and nested them."""
    old = {}
    for name, data in members.items():
        if name.startswith("pagelet/frame-"):
            name = name.replace("frame-", "frames/")
            data = json.dumps(json.loads(data)["frame"]).encode() if name.endswith("n") else data
        name = name.replace("reference-columns-", "reference/columns/")
        old[name.replace("reference-", "reference/")] = data
    old[CERTIFICATE] = json.dumps(json.loads(old[CERTIFICATE])["certificate"]).encode()
    listed = {
        name: digest(data)
        for name, data in old.items()
        if name not in (PACKAGE, DIGEST, MANIFEST, CERTIFICATE)
    }
    manifest = json.loads(old[MANIFEST]) | {"version": 1, "members": listed}
    old[MANIFEST] = json.dumps(manifest).encode()
    package = json.loads(old[PACKAGE])
    package["resources"] = [
        {"name": name, "path": name, "bytes": 0, "hash": ""}
        for name in old
        if name not in (PACKAGE, DIGEST)
    ]
    old[PACKAGE] = json.dumps(package).encode()
    return with_lists(old)


def test_a_file_of_0_2_opens_and_verifies_as_identical(frozen_hard, tmp_path):
    file = pack(tmp_path / "p.wacz", as_0_2_wrote_it(members_in(frozen_hard[0])))
    assert open_document(file).title == "Hard to keep"
    assert verify(file).verdict == "identical", list(verify(file).lines())


def test_no_other_json_member_looks_like_a_data_package_descriptor(frozen_hard):
    """``wacz validate`` takes JSON with these keys for descriptors, and refuses the file."""
    descriptors = {"path", "data", "checks", "resources", "fields", "steps", "errors", "tasks"}
    members = members_in(frozen_hard[0])
    for name, data in members.items():
        if name.endswith(".json") and name not in (PACKAGE, DIGEST):
            assert not descriptors & json.loads(data).keys(), name
        assert name.count("/") <= 1
    names = [each["name"] for each in json.loads(members[PACKAGE])["resources"]]
    assert len(names) == len(set(names))
