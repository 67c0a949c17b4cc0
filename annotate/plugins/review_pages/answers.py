"""Answers to a review, read back as the work of one more annotator.

An answers file names the review, the pages and the marks it is about, and holds a log that only
grows.  Each answer becomes a change of the annotator's own sheet: a later file of the same person
continues the earlier one, and other sheets stay unchanged.  A file with anything that its review
does not hold is refused as a whole.

    {"format": "pagelet-answers", "version": 1, "bundle": DIGEST, "who": NAME, "session": HEX,
     "log": [{"page", "mark", "verdict", "block", "words", "time"}, ...], "check": CRC-32}
"""

import re
import uuid
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from annotate.marks import journal, records
from annotate.marks.journal import Records
from annotate.plugins.review_pages.review_folder import KEY_ENDING, ReviewKey, read_key
from annotate.plugins.team_work.merging import Merged, merge_into
from annotate.workspace import annotators
from annotate.workspace.mark_rows import extend
from annotate.workspace.page_rows import KnownFiles
from annotate.workspace.store import Store
from engine import bounded_file
from engine.errors import InputError
from engine.words import plural, shorten

FORMAT = "pagelet-answers"

Verdict = Literal["right", "wrong", "instead", "open", "comment"]
"""What one says of a mark; ``open`` takes an answer back, ``comment`` leaves it as it is."""

_SPACE = uuid.UUID("a7d1f0c2-63ab-4c0e-8d5e-0f4b8f6c2d19")
_WHOLE = {"format", "version", "bundle", "who", "session", "log", "check"}
_FIELDS = ("page", "mark", "verdict", "block", "words", "time")
_MOST_BYTES, _MOST_ANSWERS, _MOST_WORDS, _MOST_NAME = 20_000_000, 100_000, 10_000, 60
_HEX = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Answer:
    """An answer: page and mark it is about, verdict, block, comment, and time in ISO 8601."""

    page: str
    mark: str
    verdict: Verdict
    block: int
    words: str
    time: str


@dataclass(frozen=True)
class Answers:
    """Content of an answers file, checked against its review.

    Attributes:
        stem: Of the file.
        who: Name of the person, as typed.
        session: The person's id, random; the same in later files.
        log: The answers, oldest first.
        key: Of the review.
    """

    stem: str
    who: str
    session: str
    log: tuple[Answer, ...]
    key: ReviewKey


def is_answers(path: Path) -> bool:
    """Return whether a file is one of answers, by its beginning."""
    try:
        if not path.is_file():  # a pipe may have no writer
            return False
        with path.open("rb") as file:
            return f'"{FORMAT}"'.encode() in file.read(200)
    except OSError:
        return False


def read_answers(path: Path, keys: Iterable[Path]) -> Answers:
    """Read answers; `InputError` where they are damaged, or do not fit any of these keys."""
    try:
        content = records.read_json(bounded_file.read_text(path, most=_MOST_BYTES))
        if not isinstance(content, dict) or content["format"] != FORMAT:
            raise ValueError("its format is another one")
        if content["version"] != 1:
            raise ValueError(f"its version is {shorten(repr(content['version']), 40)}")
        if content.keys() != _WHOLE:
            raise ValueError("it has other fields than Pagelet writes")
        log = tuple(_answer(entry) for entry in content["log"])
        bundle, session, who = (_text(content, each) for each in ("bundle", "session", "who"))
        _check(content, log, session, who)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (InputError, *records.BROKEN) as error:
        raise InputError(f"{path} is refused: {_reason(error)}") from None
    key = next((known for known in map(read_key, keys) if known.digest == bundle), None)
    if key is None:
        raise InputError(
            f"{path} is refused: its review is not known here; give the file NAME{KEY_ENDING}"
            " that was written with it"
        )
    try:
        for number, answer in enumerate(log, 1):
            _check_place(answer, key, number)
    except ValueError as error:
        raise InputError(f"{path} is refused: {error}") from None
    return Answers(path.stem, who.strip(), session, log, key)


def keys_beside(paths: Iterable[Path]) -> list[Path]:
    """Return the keys of reviews in the folders of some files."""
    folders = dict.fromkeys(path.resolve().parent for path in paths)
    return [key for folder in folders for key in sorted(folder.glob(f"*{KEY_ENDING}"))]


def take_answers(target: Store, answers: Answers) -> Merged:
    """Add answers to a workspace as the work of one more annotator, in one transaction a step.

    Pages that it has not, as of a data set, come from the key.

    Raises:
        InputError: Pages have changed since; it stays as it is.
        WorkspaceError: It cannot be written.
    """
    keys, missing = _keys_in(target, answers)
    source = Store.rehearsing(Path(f"{answers.stem}.pagelet"))
    try:
        uid = uuid.uuid5(_SPACE, f"{answers.key.digest} {answers.session}").hex
        with source.saving():
            who = annotators.add(source, answers.who, uid=uid)
            left = sum(_add_sheet(source, who.number, page, keys, answers) for page in keys)
        merged = merge_into(target, source, answers.stem)
    finally:
        source.close()
    merged.comments += _add_comments(target, uid, keys, answers)
    if missing:
        merged.notes += (
            f"{plural(missing, 'page')} of the review added that {target.path.name} did not have",
        )
    if left:
        merged.notes += (f"{answers.who} has not answered for {plural(left, 'mark')} yet",)
    return merged


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    return shorten(str(error), 200)


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry[name]
    if not isinstance(value, str):
        raise ValueError(f"its {name} is not a text")
    value.encode()  # half a character cannot be stored
    return value


def _answer(entry: Any) -> Answer:  # noqa: ANN401  (JSON)
    if not isinstance(entry, dict) or entry.keys() != {*_FIELDS}:
        raise ValueError("an answer has other fields than Pagelet writes")
    page, mark, verdict, words, time = (_text(entry, each) for each in _FIELDS if each != "block")
    block = entry["block"]
    if verdict not in get_args(Verdict):
        raise ValueError(f"it has an unknown verdict {shorten(verdict, 40)!r}")
    if type(block) is not int:
        raise ValueError("a block is not a number")
    if len(words) > _MOST_WORDS or (verdict == "comment") != bool(words.strip()):
        raise ValueError("a comment is empty or too long, or stands where none belongs")
    made = datetime.fromisoformat(time)
    if made.tzinfo is None:
        raise ValueError("a time has no zone")
    iso = made.astimezone(UTC).isoformat(timespec="milliseconds")
    if iso != time.replace("Z", "+00:00"):
        raise ValueError("a time is not written as Pagelet writes it")
    return Answer(page, mark, verdict, block, words, time)  # type: ignore[arg-type]


def _check(content: Mapping[str, Any], log: Sequence[Answer], session: str, who: str) -> None:
    if not _HEX.fullmatch(session):
        raise ValueError("its session is not one that Pagelet writes")
    if not who.strip() or len(who) > _MOST_NAME or not who.isprintable():
        raise ValueError("its name is empty, too long or holds signs that cannot be printed")
    if not 0 < len(log) <= _MOST_ANSWERS:
        raise ValueError("it holds no answers, or too many")
    parts = [content["bundle"], session, content["who"]]
    for each in log:
        parts += [each.page, each.mark, each.verdict, str(each.block), each.words, each.time]
    if f"{zlib.crc32(chr(0).join(parts).encode()):08x}" != content["check"]:
        raise ValueError("it was changed after it was saved, or is damaged; ask for it again")


def _check_place(answer: Answer, key: ReviewKey, number: int) -> None:
    """Raise `ValueError` where an answer is about something that its review does not hold."""
    page = key.pages.get(answer.page)
    if page is None:
        raise ValueError(f"its answer {number} is about a page that the review does not hold")
    is_comment = answer.verdict == "comment"
    if answer.mark not in page["marks"] and not (is_comment and not answer.mark):
        raise ValueError(f"its answer {number} is about a mark that its page does not hold")
    is_block = 0 <= answer.block < len(page["blocks"])
    if not is_block if answer.verdict == "instead" else answer.block != -1:
        raise ValueError(f"its answer {number} names a block that its page does not hold")


def _keys_in(target: Store, answers: Answers) -> tuple[dict[str, str], int]:
    """Return id of each answered page → its key in the workspace, and how many it has not."""
    rows = target.all("SELECT DISTINCT key, digest FROM pages")
    known, result, missing = KnownFiles(rows), {}, 0
    for name in dict.fromkeys(answer.page for answer in answers.log):
        page = answers.key.pages[name]
        key, digest = page["key"], page["digest"]
        here = key if key in known.keys else known.same_file(key, digest)
        missing += not here
        here = here or key
        digests = {there for each, there in rows if each == here and there}
        if digests and digest not in digests:
            raise InputError(
                f"the answers of {answers.who} are refused: {page['url'] or key} has changed"
                " since the review was written"
            )
        result[name] = here
    return result, missing


def _add_sheet(
    source: Store, who: int, name: str, keys: Mapping[str, str], answers: Answers
) -> int:
    """Write a page's answers as changes of a sheet; return how many marks are not answered."""
    page = answers.key.pages[name]
    changes: list[tuple[Any, ...]] = []
    state: Records = {}
    open_marks = set(page["marks"])
    for answer in (each for each in answers.log if each.page == name):
        if answer.verdict == "comment":
            continue
        after = _after(state, answer, page)
        delta = journal.delta(state, after) or '{"set":[],"drop":[]}'
        changes.append((len(changes) + 1, answer.time.replace("Z", "+00:00"),
                        f"review: {answer.verdict}", "edit", delta))  # fmt: skip
        state = after
        if answer.verdict == "open":
            open_marks.add(answer.mark)
        else:
            open_marks.discard(answer.mark)
    status = "in progress" if open_marks else "done"
    number = _add_page(source, who, name, keys, answers, status)
    marks = {mark: (place, text) for place, (mark, text) in enumerate(state.items(), 1)}
    extend(source, number, changes, marks, len(changes))
    return len(open_marks)


def _add_page(
    store: Store, who: int, name: str, keys: Mapping[str, str], answers: Answers, status: str
) -> int:
    """Add the empty sheet of an annotator on a page; return its number."""
    page = answers.key.pages[name]
    return store.run(
        "INSERT INTO pages (annotator, key, place, url, title, digest, width, height, status,"
        " visited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(who, keys[name], list(keys).index(name) + 1, page["url"], page["title"], page["digest"]),
        *(*page["viewport"], status, answers.log[-1].time),
    )


def _after(state: Mapping[str, str], answer: Answer, page: Mapping[str, Any]) -> Records:
    """Return the marks after an answer: the mark as it was, another block in its place, or none."""
    after = dict(state)
    if answer.verdict not in ("right", "instead"):
        after.pop(answer.mark, None)
        return after
    given = {name: value for name, value in page["marks"][answer.mark].items()
             if name not in ("draft", "moved", "unsure")}  # fmt: skip
    if answer.verdict == "instead":
        block = page["blocks"][answer.block]
        given = {each: given[each] for each in ("id", "level", "type")}
        given["targets"] = block["targets"]
    after[answer.mark] = journal.dump(records.check(given))
    return after


def _add_comments(target: Store, uid: str, keys: Mapping[str, str], answers: Answers) -> int:
    """Add the comments, each on the sheet of its mark, else on one's own; return how many."""
    added = 0
    with target.saving():
        known = {each.uid: each for each in annotators.annotators(target)}
        author = known.get(uid) or annotators.add(target, answers.who, uid=uid)
        for number, answer in enumerate(answers.log):
            if answer.verdict != "comment":
                continue
            sheet = target.one(
                "SELECT pages.id, marks.id FROM pages LEFT JOIN marks ON marks.page = pages.id"
                " AND marks.id = ? WHERE key = ? AND (annotator = ? OR marks.id IS NOT NULL)"
                " ORDER BY marks.id IS NULL, annotator = ?",
                *(answer.mark, keys[answer.page], author.number, author.number),
            )
            if sheet is None:  # no mark is answered: nothing was merged
                status = "in progress"
                own = _add_page(target, author.number, answer.page, keys, answers, status)
                sheet = own, ""
            name = uuid.uuid5(_SPACE, f"{uid} {number}").hex
            if target.one("SELECT 1 FROM comments WHERE id = ?", name) is None:
                target.run(
                    "INSERT INTO comments (id, page, author, mark, made, kind, text, answers)"
                    " VALUES (?, ?, ?, ?, ?, 'comment', ?, '')",
                    *(name, sheet[0], author.number, sheet[1] or ""),
                    *(answer.time.replace("Z", "+00:00"), answer.words.strip()),
                )
                added += 1
    return added
