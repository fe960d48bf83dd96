"""What was dropped on any path is gone from every byte of a file, its log, its spool and its run log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import dropped_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from conftest import StandingClock
    from jotsam import Jotsam


def test_no_byte_is_left_on_any_path_and_every_query_that_deletes_is_on_one(
    open_jot: Callable[..., Jotsam], clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    jot = open_jot(**dropped_texts.KEEPS, embed_model="hashing")
    folder = Path(jot.database.url).parent

    def words_left() -> set[str]:
        data = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
        return {one.word for one in dropped_texts.PATHS if one.word.encode() in data}

    with dropped_texts.recorded(monkeypatch) as run:
        dropped_texts.walk(jot, clock, words_left=words_left, at_once=True)
    left = {one.name for one in dropped_texts.PATHS if one.word in words_left()}
    assert left == set()
    others = set().union(*dropped_texts.OTHERS.values())
    assert dropped_texts.deleting() - run == others, "add a path that runs it, or the reason why it drops no text"
