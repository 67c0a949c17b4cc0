"""What runs in a library's worker process: one function a library, from HTML to text or HTML.

The option ``markup`` asks for HTML of what is extracted instead of its text.

Nothing here is imported in Pagelet's own process, and no library at the top: a worker imports the
one it is for.  Pythons of other environments run this file as it is (`environments`), so that it
imports the standard library alone.  Each library is called as its documentation shows for HTML that
is at hand already, with its own defaults; where a default would add other than text of the page
(alternative texts of pictures), its parameter is off.
"""

import importlib
import json
import os
import re
import socket
import sys
import time
import warnings
from collections.abc import Callable
from html import unescape
from typing import Any

Options = dict[str, Any]
Adapter = Callable[[str, Options], str | None]

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
"""lxml refuses text that names an encoding: it is decoded already."""

_LANGUAGE = re.compile(r"<html\b[^>]*?\blang\s*=\s*[\"']?([a-z]{2,3})", re.IGNORECASE)

_STOP_WORDS = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "br": "Breton", "bs": "Serbo_Croatian", "ca": "Catalan", "cs": "Czech",
    "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ka": "Georgian", "kk": "Kazakh",
    "ko": "Korean", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "mr": "Marathi", "ms": "Malay", "nb": "Norwegian_Bokmal", "nl": "Dutch",
    "nn": "Norwegian_Nynorsk", "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian",
    "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu",
    "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip
"""Language of a page → name of jusText's list of its frequent words."""


def load(name: str) -> Callable[[tuple[Options, str]], dict[str, Any]]:
    """Return a function that answers requests to one library, imported now.

    A request is the options and the document; the answer ``{"text": ..., "seconds": ...}``.
    A name ``module:function`` is any function from HTML to text.
    """
    # Libraries must not fetch pictures or word lists.
    socket.socket.connect = _no_network  # type: ignore[method-assign]
    socket.getaddrinfo = _no_network
    warnings.simplefilter("ignore")
    adapter, modules = _ADAPTERS[name] if name in _ADAPTERS else _function(name)
    for module in modules:
        importlib.import_module(module)

    def answer(request: tuple[Options, str]) -> dict[str, Any]:
        options, document = request
        options = {"markup": False, **options}
        html = _DECLARATION.sub("", document)
        start = time.perf_counter()
        text = adapter(html, options)
        return {"text": text or "", "seconds": time.perf_counter() - start}

    return answer


def _function(name: str) -> tuple[Adapter, tuple[str, ...]]:
    module, _, function = name.partition(":")

    def call(html: str, _options: Options) -> str | None:
        text = getattr(_module(module), function)(html)
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name} must return a string, not a value of type {type(text)}")
        return text

    return call, (module,)


def _no_network(*_arguments: object, **_named: object) -> Any:  # noqa: ANN401
    raise OSError("extraction libraries have no network here")


def _module(name: str) -> Any:  # noqa: ANN401  (the libraries are untyped)
    return importlib.import_module(name)


_TRAFILATURA_HTML: Options = {
    "output_format": "html", "include_formatting": True, "include_links": True,
}  # fmt: skip


_IN_LINE = re.compile(r"</?(?:hi|ref|a|b|i|u|s|em|strong|del|sub|sup|code|tt|kbd|span)\b[^>]*>")
_TARGET = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()]*\))*\)")


def _plain(text: str, form: str) -> str:
    """Return the text of an output of trafilatura, without markup and targets of links."""
    if form == "json":
        parts = json.loads(text)
        text = "\n".join(parts.get(each) or "" for each in ("text", "comments"))
    if form in ("html", "xml"):
        return unescape(re.sub(r"<[^>]*>", " ", _IN_LINE.sub("", text)))
    return _TARGET.sub(r"\1", _IN_LINE.sub("", text))


def _trafilatura(html: str, options: Options) -> str | None:
    form = options.get("format", "txt")
    asked: Options = {
        f"include_{each}": True for each in ("links", "formatting") if options.get(each)
    }
    if form != "txt":
        asked["output_format"] = form
    if options["markup"]:
        asked = _TRAFILATURA_HTML
    result: str | None = _module("trafilatura").extract(
        html,
        favor_precision=options["focus"] == "precision",
        favor_recall=options["focus"] == "recall",
        include_comments=options["comments"],
        include_tables=options["tables"],
        **asked,
    )
    return result if options["markup"] or not (result and asked) else _plain(result, form)


def _readability(html: str, _options: Options) -> str | None:
    result: str = _module("readability").Document(html).summary()
    return result


def _resiliparse(html: str, options: Options) -> str | None:
    result: str = _module("resiliparse.extract.html2text").extract_plain_text(
        html,
        main_content=True,
        preserve_formatting="minimal_html"
        if options["markup"]
        else options.get("formatting", True),
        list_bullets=False,
        alt_texts=options["alt_texts"],
        links=options["markup"],
        comments=options["comments"],
    )
    return result


def _justext(html: str, options: Options) -> str | None:
    justext = _module("justext")
    language = options["language"]
    if language == "page":
        declared = _LANGUAGE.search(html)
        language = _STOP_WORDS.get(declared[1].lower() if declared else "en", "English")
    if language not in justext.get_stoplists():
        raise ValueError(f"jusText has no words of the language {language!r}")
    paragraphs = justext.justext(html, justext.get_stoplist(language))
    return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)


def _boilerpy3(html: str, options: Options) -> str | None:
    extractors = _module("boilerpy3.extractors")
    result: str = getattr(extractors, f"{options['rules']}Extractor")().get_content(html)
    return result


def _newspaper(html: str, options: Options) -> str | None:
    newspaper = _module("newspaper")
    article = newspaper.Article("http://localhost/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    return str(article.article_html if options["markup"] else article.text)


def _goose(html: str, _options: Options) -> str | None:
    with _module("goose3").Goose({"enable_image_fetching": False}) as goose:
        result: str = goose.extract(raw_html=html).cleaned_text
    return result


_ADAPTERS: dict[str, tuple[Adapter, tuple[str, ...]]] = {
    "trafilatura": (_trafilatura, ("trafilatura",)),
    "readability-lxml": (_readability, ("readability",)),
    "resiliparse": (_resiliparse, ("resiliparse.extract.html2text",)),
    "justext": (_justext, ("justext",)),
    "boilerpy3": (_boilerpy3, ("boilerpy3.extractors",)),
    "newspaper4k": (_newspaper, ("newspaper",)),
    "goose3": (_goose, ("goose3",)),
}
"""Name of a distribution → its adapter, and the modules imported before time is measured."""


def serve() -> None:
    """Answer lines of JSON: the first names the library, each other is a request."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # output printed by a library is not an answer
        answer: Callable[[tuple[Options, str]], dict[str, Any]] | None = None
        for line in sys.stdin.buffer:
            request = json.loads(line)
            reply: dict[str, Any] = {}
            try:
                if answer is None:
                    answer = load(request)
                else:
                    reply = answer((request[0], request[1]))
            except Exception as error:  # noqa: BLE001  (somebody else's code may raise anything)
                words = " ".join(f"{type(error).__name__}: {error}".split())[:400]
                reply = {"error": f"it cannot be loaded ({words})" if answer is None else words}
            answers.write(json.dumps(reply).encode() + b"\n")
            answers.flush()


if __name__ == "__main__":
    serve()
