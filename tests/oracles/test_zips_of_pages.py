"""Oracle: pages in folders of a zip come in with their style sheets, as their own files say."""

import zipfile

from annotate.datasets.readers import page_at
from annotate.datasets.saved_pages import kind_of, read_saved
from engine.saved import web_address

ABOUT = '<RDF:RDF><MAF:originalurl RDF:resource="https://two.test/?a=1&amp;b={0}"/></RDF:RDF>'


def _zip(path, names):
    with zipfile.ZipFile(path, "w") as package:
        for name, text in names.items():
            package.writestr(name, text)
    return path


def _two(end=""):
    result = {}
    for number in (1, 2):
        link = "<link rel=stylesheet href=index_files/s.css>"
        result[f"{number}/index.html"] = f"<title>{number}</title>{link}<p>Page {number}"
        result[f"{number}/index_files/s.css"] = f"p {{ width: {number}00px }}"
        result[f"{number}/index.rdf{end}"] = ABOUT.format(number)
    return result


def test_all_pages_of_a_zip_come_in_with_address_and_style_sheet(tmp_path):
    saved = read_saved(_zip(tmp_path / "a.maff", _two()))
    homes = [document.home for document in saved.documents]
    assert homes == ["https://two.test/?a=1&b=1", "https://two.test/?a=1&b=2"]
    for number, document in enumerate(saved.documents, 1):
        assert f"Page {number}".encode() in document.read()
        folder = web_address(document.url).rpartition("/")[0]
        assert f"width: {number}00px".encode() in (
            document.store.find(f"{folder}/index_files/s.css").data
        )


def test_pages_of_a_zip_that_names_no_address_are_two_pages_too(tmp_path):
    saved = read_saved(_zip(tmp_path / "a.zip", _two(".old")))
    assert len({document.address for document in saved.documents}) == 2


def test_pages_with_their_gold_stay_a_package(tmp_path):
    names = {**_two(), "1/index.txt": "Page 1", "2/index.txt": "Page 2"}
    assert kind_of(_zip(tmp_path / "a.zip", names)) is None


def test_a_page_of_a_zip_is_found_by_its_address_and_by_its_name_with_its_style_sheet(tmp_path):
    path = _zip(tmp_path / "a.zip", _two())
    for name in ("https://two.test/?a=1&b=2", "2/index.html"):
        document = page_at(f"{path}!/{name}").document()
        assert b"Page 2" in document.read()
        assert document.store is not None
