"""What an agent was given from memory, and hands back as part of a prompt or an answer: it is not stored again."""

from __future__ import annotations

# A cheap test before `jotsam.core.fence` is imported, which is slow.
_TAG = "<jotsam-memory"
_FOOTER = "(returned "  # the line that follows a fence in an answer


def without_memory(text: str) -> str:
    """The text without the fenced answers of memory in it. A tag that is not a whole fence stays."""
    if _TAG not in text:
        return text
    from jotsam.core.fence import CLOSING, OPENING

    kept = ""
    while OPENING in text:
        before, _, inside = text.partition(OPENING)
        _, closing, after = inside.partition(CLOSING)
        if not closing:
            break
        kept += before
        text = _without_footer(after)
    return kept + text


def _without_footer(text: str) -> str:
    line, newline, rest = text.removeprefix("\n").partition("\n")
    return newline + rest if line.startswith(_FOOTER) and line.endswith(")") else text
