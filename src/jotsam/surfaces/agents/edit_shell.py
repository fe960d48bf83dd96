"""Edits shell scripts: a block of ours between two comments, before everything else, so that no `exit` skips it."""

from __future__ import annotations

import re

from jotsam.core.errors import InvalidInput

FIRST = "# >>> jotsam: written by `jotsam install`, removed by `jotsam uninstall`"
LAST = "# <<< jotsam"
SHELLS = re.compile(r"#!.*\b(?:ba|da|z|k)?sh\b")


def with_block(text: str, content: str) -> str:
    """The script with the block. Raises `InvalidInput` if another program than a shell runs it."""
    text = without_block(text) or "#!/bin/sh\n"
    first, newline, rest = text.partition("\n")
    if not SHELLS.match(first):
        raise InvalidInput(f"its first line {first[:60]!r} is not that of a shell script")
    return f"{first}{newline or chr(10)}{FIRST}\n{content}\n{LAST}\n{rest}"


def without_block(text: str) -> str:
    before, mark, rest = text.partition(f"{FIRST}\n")
    return before + rest.partition(f"{LAST}\n")[2] if mark else text


def has_block(text: str) -> bool:
    return FIRST in text


def is_empty(text: str) -> bool:
    """Whether a script has, except for the block, only what `with_block` writes into an empty one."""
    return without_block(text) in ("", "#!/bin/sh\n")
