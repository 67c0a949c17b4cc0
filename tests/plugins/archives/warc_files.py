"""Web archives for tests, written byte by byte as the standard (ISO 28500) has them."""

import gzip
import zipfile

STORIES = {
    "en": "Tea is a drink of hot water and dried leaves, which people everywhere like to have at "
    "five in the afternoon, with milk or lemon, and with a little cake if there is some left.",
    "de": "Tee ist ein Getränk aus heißem Wasser und getrockneten Blättern, das man überall gern "
    "am Nachmittag trinkt, mit Milch oder Zitrone, und mit etwas Kuchen, wenn noch welcher da ist.",
    "fr": "Le thé est une boisson faite d'eau chaude et de feuilles séchées, que l'on aime prendre "
    "partout vers cinq heures de l'après-midi, avec du lait, du citron et un peu de gâteau.",
}


def page(language, title="Tea"):
    """Return a page whose main content is a story."""
    links = "".join(f"<li><a href=/{k}>link {k}</a>" for k in range(8))
    return f"<title>{title}</title><ul>{links}</ul><p>{STORIES[language]}</p>"


def answer(body, kind="text/html; charset=utf-8", *, chunked=False, packed=False, status="200 OK"):
    """Return an HTTP message."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n"
    if packed:
        body, head = gzip.compress(body), head + "Content-Encoding: gzip\r\n"
    if chunked:
        half = len(body) // 2
        parts = (body[:half], body[half:], b"")
        body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
        head += "Transfer-Encoding: chunked\r\n"
    return head.encode() + b"\r\n" + body


def record(number, block, kind="response", of="application/http; msgtype=response"):
    """Return a WARC record."""
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
        f"WARC-Target-URI: https://example.org/{number}\r\n"
        f"Content-Type: {of}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def records(count):
    """Return records with pages in three languages, and others between."""
    result = [record(900, b"software: test\r\n", "warcinfo", "application/warc-fields")]
    for number in range(count):
        language = list(STORIES)[number % 3]
        data = page(language, f"Tea {number}").encode()
        result.append(record(500 + number, b"GET / HTTP/1.1\r\n\r\n", "request"))
        result.append(record(number, answer(data, chunked=number % 2 == 0, packed=number % 4 == 0)))
    result.append(record(800, answer(b"\x89PNG", "image/png")))
    latin = page("de", "Latin").encode("iso-8859-1")
    result.append(record(801, answer(latin, "text/html; charset=iso-8859-1")))
    return result


def write_warc(path, found):
    """Write records, each compressed separately if the name ends with .gz."""
    if path.suffix == ".gz":
        path.write_bytes(b"".join(gzip.compress(each, mtime=0) for each in found))
    else:
        path.write_bytes(b"".join(found))
    return path


def write_wacz(path, *parts):
    """Write a package of WARC files."""
    with zipfile.ZipFile(path, "w") as package:
        for number, result in enumerate(parts):
            packed = b"".join(gzip.compress(each, mtime=0) for each in result)
            package.writestr(f"archive/part{number}.warc.gz", packed)
        package.writestr("datapackage.json", "{}")
    return path
