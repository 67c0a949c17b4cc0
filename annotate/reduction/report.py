"""The page that is left, as a report for whoever makes the method."""

from annotate.reduction.question import Question
from annotate.reduction.reduce import Reduced


def issue_text(question: Question, reduced: Reduced, command: str, settings: str = "") -> str:
    """Return a report of what a page shows, as Markdown.

    Args:
        question: What the page was asked for.
        reduced: What is left of it.
        command: What shows it to a reader who has saved the page as ``page.html``.
        settings: Parameters, as they are typed; "" for none.
    """
    entry = question.entry
    fence = "```"
    while fence in reduced.html:
        fence += "`"
    what_is_left = (
        "what is left is needed to show it"
        if reduced.is_least
        else "there was no time to leave out more"
    )
    return (
        f"# {question.in_words()}\n\n"
        f"{', '.join(filter(None, (entry.name, entry.version)))}"
        f"{', with' + settings if settings else ''}. The page was cut "
        f"from {reduced.before:,} to {len(reduced.html):,} characters; {what_is_left}.\n\n"
        f"{fence}html\n{reduced.html}\n{fence}\n\n"
        f"Save it as `page.html` and run\n\n    {command}\n"
    )
