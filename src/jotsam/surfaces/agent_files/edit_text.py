"""Edits text files: a block of ours between two lines.

In instructions in Markdown it comes after everything else; in a shell script before, so that no `exit` skips it.
"""

from __future__ import annotations

import re

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FIRST, LAST = "<!-- jotsam: begin -->\n", "<!-- jotsam: end -->\n"
SHELL_FIRST, SHELL_LAST = (
    "# >>> jotsam: written by `jotsam install`, removed by `jotsam agents uninstall`\n",
    "# <<< jotsam\n",
)
SHELLS = re.compile(r"#!.*\b(?:ba|da|z|k)?sh\b")


def in_its_lines(text: str, edit: Callable[[str], str]) -> str:
    """What `edit` makes of a text, which it sees with `\\n` after each line. Lines that end as on Windows still do."""
    if not 0 < text.count("\n") == text.count("\r\n"):
        return edit(text)
    return edit(text.replace("\r\n", "\n")).replace("\n", "\r\n")


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


def with_shell_block(script: str, content: str) -> str:
    """The script with the block. Raises `InvalidInput` if another program than a shell runs it."""
    script = without_shell_block(script) or "#!/bin/sh\n"
    first, newline, rest = script.partition("\n")
    if not SHELLS.match(first):
        raise InvalidInput(f"its first line {first[:60]!r} is not that of a shell script")
    return f"{first}{newline or chr(10)}{SHELL_FIRST}{content}\n{SHELL_LAST}{rest}"


def without_shell_block(script: str) -> str:
    before, mark, rest = script.partition(SHELL_FIRST)
    return before + rest.partition(SHELL_LAST)[2] if mark else script


def has_shell_block(script: str) -> bool:
    return SHELL_FIRST.strip() in script


def is_empty_script(script: str) -> bool:
    """Whether a script has, except for the block, only what `with_shell_block` writes into an empty one."""
    return without_shell_block(script) in ("", "#!/bin/sh\n")
