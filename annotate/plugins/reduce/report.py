"""The reduced page, as a report for the authors of the method."""

from annotate.plugins.reduce.question import ShownProperty, cause_of, has_cause
from annotate.plugins.reduce.reduce import Reduced


def cause_text(question: ShownProperty, before: str, after: str) -> str:
    """Return why words are lost or kept on a page, and on the reduced page, as a sentence.

    "" for other properties.
    """
    if question.shows not in ("lost", "kept"):
        return ""
    does = "drops" if question.shows == "lost" else "keeps"
    then, now = question.decision(before), question.decision(after)
    if then is None or now is None:
        name = question.entry.name
        what = "lose" if question.shows == "lost" else "keep"
        return f"{name} gives no reason for it: what is left may {what} it for another one."
    if has_cause(now, cause_of(then)):
        what = f"It is {'dropped' if does == 'drops' else 'kept'} for the same cause"
    elif then.rule.asks == now.rule.asks:
        what = f"The same rule {does} it, for another cause"
    else:
        what = f"Another rule {does} it here"
    return f"{what}. On the page: {then.sentence}. Here: {now.sentence}."


def issue_text(
    question: ShownProperty,
    reduced: Reduced,
    command: str,
    settings: str = "",
    cause: str = "",
    texts: tuple[str, str] | None = None,
) -> str:
    """Return a report of what a page shows, as Markdown.

    Args:
        question: The property.
        reduced: The reduced page.
        command: Command that shows it if the page is saved as ``page.html``.
        settings: Parameters, as they are typed; "" for none.
        cause: Result of `cause_text`.
        texts: The text that is expected, and the actual one; None leaves both out.
    """
    entry = question.entry
    fence = "```"
    while fence in "".join((reduced.html, *(texts or ()))):
        fence += "`"
    needed, cut = "what is left is needed to show it", "there was no time to leave out more"
    what_is_left = needed if reduced.is_least else cut
    shown = zip(("Expected", "Actual"), texts or (), strict=False)
    nl = "\n"
    return (
        f"# {question.in_words()}\n\n"
        f"{', '.join(filter(None, (entry.name, entry.version)))}"
        f"{', with' + settings if settings else ''}. The page was cut "
        f"from {reduced.before:,} to {len(reduced.html):,} characters; {what_is_left}."
        f"{f' {cause}' if cause else ''}\n\n"
        f"{fence}html\n{reduced.html}\n{fence}\n\n"
        f"{''.join(f'{name}:{2 * nl}{fence}{nl}{text}{nl}{fence}{2 * nl}' for name, text in shown)}"
        f"Save it as `page.html` and run\n\n    {command}\n"
    )
