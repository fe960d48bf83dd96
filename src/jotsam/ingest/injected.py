"""What an agent was given from memory, and hands back as part of a prompt or an answer: it is not stored again."""

from __future__ import annotations

# A cheap test before `jotsam.core.fence` is imported, which is slow.
_TAG = "<jotsam-memory"
_FOOTER = "(returned "  # the line that follows a fence in an answer

# Gemini CLI puts what hooks gave at the start of a session in front of the next prompt.
_GEMINI_OPENING, _GEMINI_CLOSING = "<hook_context>", "</hook_context>\n\n"


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


def without_hook_context(prompt: str) -> str:
    """A prompt of Gemini CLI without what it put in front of it. The same words anywhere else are the user's."""
    if not prompt.startswith(_GEMINI_OPENING):
        return prompt
    _, closing, rest = prompt.partition(_GEMINI_CLOSING)
    return rest if closing else prompt


def without_quotes(prompt: str) -> str:
    """A prompt without the quotation marks that `opencode run` puts around its argument."""
    inside = prompt[1:-1]
    is_quoted = len(prompt) > 1 and prompt[0] == prompt[-1] == '"' and '"' not in inside
    return inside if is_quoted else prompt


def _without_footer(text: str) -> str:
    line, newline, rest = text.removeprefix("\n").partition("\n")
    return newline + rest if line.startswith(_FOOTER) and line.endswith(")") else text
