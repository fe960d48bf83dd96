"""Edits instructions in Markdown: a block of ours between two comments, after everything else."""

from __future__ import annotations

FIRST, LAST = "<!-- jotsam: begin -->\n", "<!-- jotsam: end -->\n"


def with_block(text: str, content: str) -> str:
    """The text with the block, where it was or after an empty line at the end."""
    block = f"{FIRST}{content}\n{LAST}"
    if has_block(text):
        before, _, rest = text.partition(FIRST)
        return before + block + rest.partition(LAST)[2]
    return text + ("" if not text else "\n" if text.endswith("\n") else "\n\n") + block


def without_block(text: str) -> str:
    """The text without the block, and without the empty line in front of it."""
    if not has_block(text):
        return text
    before, _, rest = text.partition(FIRST)
    return before.removesuffix("\n") + rest.partition(LAST)[2]


def has_block(text: str) -> bool:
    return LAST in text.partition(FIRST)[2]
