"""The reduced page, as a report for the authors of the method."""

from annotate.plugins.reduce.question import ShownProperty, cause_of
from annotate.plugins.reduce.reduce import Reduced


def cause_text(question: ShownProperty, before: str, after: str) -> str:
    """Return why words are lost on a page, and on the reduced page, as a sentence.

    "" for other properties than ``lost``.
    """
    if question.shows != "lost":
        return ""
    then, now = question.decision(before), question.decision(after)
    if then is None or now is None:
        name = question.entry.name
        return f"{name} gives no reason for it: what is left may lose it for another one."
    if cause_of(then) == cause_of(now):
        what = "It is dropped for the same cause"
    elif then.rule.asks == now.rule.asks:
        what = "The same rule drops it, for another cause"
    else:
        what = "Another rule drops it here"
    return f"{what}. On the page: {then.sentence}. Here: {now.sentence}."


def issue_text(
    question: ShownProperty, reduced: Reduced, command: str, settings: str = "", cause: str = ""
) -> str:
    """Return a report of what a page shows, as Markdown.

    Args:
        question: The property.
        reduced: The reduced page.
        command: Command that shows it if the page is saved as ``page.html``.
        settings: Parameters, as they are typed; "" for none.
        cause: Result of `cause_text`.
    """
    entry = question.entry
    fence = "```"
    while fence in reduced.html:
        fence += "`"
    needed, cut = "what is left is needed to show it", "there was no time to leave out more"
    what_is_left = needed if reduced.is_least else cut
    return (
        f"# {question.in_words()}\n\n"
        f"{', '.join(filter(None, (entry.name, entry.version)))}"
        f"{', with' + settings if settings else ''}. The page was cut "
        f"from {reduced.before:,} to {len(reduced.html):,} characters; {what_is_left}."
        f"{f' {cause}' if cause else ''}\n\n"
        f"{fence}html\n{reduced.html}\n{fence}\n\n"
        f"Save it as `page.html` and run\n\n    {command}\n"
    )
