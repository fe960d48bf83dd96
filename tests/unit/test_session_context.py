"""Prompts that need no memory, and the file that notes what a session was given."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseBusy
from jotsam.memory.sessions import session_state
from jotsam.retrieval.question.trivial_prompt import is_trivial
from jotsam.storage import connect

TRIVIAL = (
    "yes",
    "Yes, go on!",
    "fix it",
    "continue",
    "",
    " ",
    "/compact",
    "/review the staging port",
    "!ls -l",
    "ok 👍",
)
TRIVIAL += ("weiter", "thanks, looks great", "run the tests again please", "do it", "undo that change", "是的", "...")
TRIVIAL += ("why?", "what happened?", "is that right?")
SUBJECTS = (
    "what do we use for the cache?",
    "which port does staging use?",
    "add limits to the upload endpoint",
    "账单保存在哪个数据库？",
    "x " * 300,
)


def test_a_prompt_without_a_subject_is_trivial() -> None:
    assert [prompt for prompt in TRIVIAL if not is_trivial(prompt)] == []
    assert [prompt for prompt in SUBJECTS if is_trivial(prompt)] == []


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "jotsam" / "sessions"


def test_a_session_has_what_it_was_given_until_it_loses_its_context() -> None:
    assert session_state.read_session_state("s").given == frozenset()
    session_state.add("s", ["a", "b"])
    session_state.add("s", ["c"])
    assert session_state.read_session_state("s").given >= {"a", "b", "c"}
    assert session_state.read_session_state("other").given.isdisjoint("abc")
    session_state.forget_context("s")
    state = session_state.read_session_state("s")
    assert state.given.isdisjoint("abc")
    assert state.lost_at > 1_700_000_000_000


def test_two_hooks_at_once_lose_nothing() -> None:
    threads = [
        threading.Thread(target=session_state.add, args=("s", [f"{number}-{n}" for n in range(20)]))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session_state.read_session_state("s").given >= {f"{number}-{n}" for number in range(8) for n in range(20)}


def test_a_damaged_or_unwritable_file_gives_again_and_raises_nothing(data: Path) -> None:
    session_state.add("s", ["a"])
    (file,) = data.iterdir()
    if os.name == "posix":
        assert (file.stat().st_mode & 0o777, data.stat().st_mode & 0o777) == (0o600, 0o700)
    file.write_bytes(b"\xff\x00lost x\nlost " + b"9" * 5_000 + b"\nb\n" + os.urandom(100))
    assert "b" in session_state.read_session_state("s").given
    assert session_state.read_session_state("s").lost_at == 0
    file.unlink()
    file.mkdir()
    session_state.add("s", ["a"])
    assert session_state.read_session_state("s").given == frozenset()


def test_odd_names_stay_in_the_folder_and_old_files_are_deleted(data: Path) -> None:
    for name in ("../../etc/passwd", "..", "a/b", "x" * 5_000, "\0", "", "ü", "con.txt"):
        session_state.add(name, ["a"])
        assert "a" in session_state.read_session_state(name).given, name
    files = [*data.iterdir()]
    assert len(files) == 8
    os.utime(files[0], (1, 1))
    session_state.forget_context("new")
    assert not files[0].exists()
    assert files[1].exists()


def test_a_file_that_grew_too_long_is_begun_again(data: Path) -> None:
    session_state.add("s", ["x" * 36] * 1_000)
    session_state.add("s", ["y" * 36] * 1_000)
    (file,) = data.iterdir()
    assert file.stat().st_size <= session_state.MAX_BYTES
    assert "y" * 36 in session_state.read_session_state("s").given


def test_a_statement_ends_at_the_deadline(tmp_path: Path) -> None:
    url = str(tmp_path / "jotsam.db")
    connect(url).close()
    long = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 30000000) select count(*) from n"
    database = connect(url, migrate=False, deadline=monotonic_ms() + 20)
    with pytest.raises(DatabaseBusy, match="longer than the deadline"), database.snapshot() as tx:
        tx.execute(long)
    database.close()
