"""The comparison of pages with outputs: it must be able to fail."""

from __future__ import annotations

import pytest
from replay import Ids

ONE, TWO = "4e80dcda-8d9f-4976-8fd0-4874cdf9a4c8", "129a412f-0000-4976-8fd0-4874cdf9a4c8"


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("done", "done\n"),
        ("accepted  4f2a91c3-0000-4000-8000-000000000000  job 1", f"accepted  {ONE}  job 1"),
        ("p50 3 ms, after 1.5 s", "p50 348 ms, after 20 ms"),
        ("after 100 ms", "after 1,157 ms"),
        ("ok    ...\nfail", "ok    whatever\nfail"),
        ("first\n...\nlast", "first\n1\n2\nlast"),
        ("first\n...", "first\n1\n2"),
    ],
)
def test_what_differs_in_each_run_is_ignored(shown: str, printed: str) -> None:
    assert Ids().match(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("done", "done, with 1 error"),
        ("returned 1 of 1", "returned 1 of 2"),
        ("4f2a91c3 and 4f2a91c3", f"{ONE[:8]} and {TWO[:8]}"),
        ("4f2a91c3 and 5f2a91c3", f"{ONE[:8]} and {ONE[:8]}"),
        ("first\n...\nlast", "first\n1"),
    ],
)
def test_everything_else_must_be_equal(shown: str, printed: str) -> None:
    assert not Ids().match(shown, printed)


def test_an_id_that_was_shown_is_replaced_in_later_commands() -> None:
    ids = Ids()

    assert ids.match("accepted  4f2a91c3-0000-4000-8000-000000000000", f"accepted  {ONE}")
    assert ids.resolve("jotsam show 4f2a91c3") == f"jotsam show {ONE[:8]}"
