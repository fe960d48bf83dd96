"""Sessions: their list, and one as a conversation with what was noted of each turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jotsam import InvalidInput, Jotsam, NotFound
from jotsam.core.clock import monotonic_ms
from jotsam.ingest.capture import LONG_TURN
from jotsam.memory.sessions import session_context
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import Cap, Spent
from jotsam.storage.memories import given_texts
from jotsam.storage.sqlite.sqlite import SQLiteTransaction

DAY = "2026-03-{:02}T10:00:00Z"


def say(jot: Jotsam, session: str, *texts: str, day: int = 1, project: str | None = "shop", **more: str) -> None:
    """Turns of a person and an agent, one after the other."""
    for number, text in enumerate(texts):
        actor = "assistant" if number % 2 else "user"
        at = DAY.format(day)[:-3] + f"{number:02}Z"
        jot.add_turn(
            text,
            session=session,
            actor=actor,
            position=number,
            project=project,
            said_at=at,
            **{"source": "codex", **more},
        )


@pytest.fixture
def filled(jot: Jotsam) -> Jotsam:
    say(jot, "aa-1", "always use pnpm in this repo, never npm", "Understood.", day=1)
    say(jot, "aa-2", "Which database?", "We use PostgreSQL for billing.", "ok", day=3, source="claude-code")
    say(jot, "b/ü 3", "hello", day=2, project=None)
    say(jot, "git shop", "a commit", day=4, source="git")
    jot.work()
    return jot


@pytest.mark.needs_server
def test_sessions_are_listed_with_what_they_hold_the_latest_first(filled: Jotsam) -> None:
    found = filled.sessions().sessions
    assert [(one.id, one.agent, one.project, one.turns, one.title) for one in found] == [
        ("aa-2", "claude-code", "shop", 3, "Which database?"),
        ("b/ü 3", "codex", None, 1, "hello"),
        ("aa-1", "codex", "shop", 2, "always use pnpm in this repo, never npm"),
    ]
    assert [one.notes for one in found] == [0, 0, 1]
    assert found[2].last - found[2].first == 1_000
    assert [one.id for one in filled.sessions(project="shop").sessions] == ["aa-2", "aa-1"]
    assert filled.sessions(project="other").sessions == ()


@pytest.mark.needs_server
def test_pages_of_sessions_and_turns_follow_each_other(filled: Jotsam) -> None:
    names, after = [], None
    for _ in range(3):
        page = filled.sessions(after=after, limit=1)
        names += [one.id for one in page.sessions]
        after = page.next
    assert names == ["aa-2", "b/ü 3", "aa-1"]
    assert after is None
    first = filled.session("aa-2", limit=2)
    rest = filled.session("aa-2", after=first.next, limit=2)
    assert [turn.text for turn in (*first.turns, *rest.turns)] == [
        "Which database?",
        "We use PostgreSQL for billing.",
        "ok",
    ]
    assert rest.next is None
    for wrong in ("x", first.next):
        with pytest.raises(InvalidInput, match="must be the `next` of a page"):
            filled.sessions(after=wrong)


@pytest.mark.needs_server
def test_a_turn_has_its_notes_and_facts(filled: Jotsam) -> None:
    ordered, understood = filled.session("aa-1").turns
    (note,) = ordered.notes
    assert (note.kind, note.state) == ("rule", "holds")
    assert understood.notes == ()
    filled.notes.judge(note.id, verdict="wrong")
    assert filled.session("aa-1").turns[0].notes[0].verdict == "wrong"
    stated = [fact for turn in filled.session("aa-2").turns for fact in turn.facts]
    assert filled.session("aa-2").session.facts == len(stated) > 0


@pytest.mark.needs_server
def test_a_long_turn_is_one_with_all_its_text(jot: Jotsam) -> None:
    text = "\n\n".join(f"Paragraph {number} about the shop." for number in range(LONG_TURN // 20))
    say(jot, "long", "short", text, "after")
    jot.work()
    turns = jot.session("long").turns
    assert [turn.text for turn in turns] == ["short", text, "after"]
    assert len(turns[1].memories) > 1
    assert turns[1].memories[0] == turns[1].id
    assert jot.session("long").session.turns == 3
    assert jot.session("long", after=jot.session("long", limit=2).next).turns[0].text == "after"


@pytest.mark.needs_server
def test_the_cost_of_a_session_is_that_of_its_jobs(filled: Jotsam) -> None:
    turn = filled.session("aa-2").turns[0]
    with filled.database.snapshot(tenant=filled.settings.tenant) as tx:
        job = tx.all("memories.get", uuid=turn.id)[0]["job_id"]
    budget = Budget(filled.database, cap=Cap(), timeout_ms=1_000)
    call = ModelCall(tenant=filled.settings.tenant, model="m", purpose="extraction", job_id=job)
    used = Spent(tokens_in=100, tokens_out=10, cost=0.5)
    with budget.request(call, estimate=used) as entry:
        budget.settle(call, entry, spent=used)
    costs = {one.id: (one.tokens, one.cost) for one in filled.sessions().sessions}
    assert costs == {"aa-1": (0, 0), "aa-2": (110, 0.5), "b/ü 3": (0, 0)}


@pytest.mark.needs_server
def test_the_beginning_of_a_name_is_enough_if_only_one_has_it(filled: Jotsam) -> None:
    assert filled.session("b/").session.id == "b/ü 3"
    with pytest.raises(InvalidInput, match="several"):
        filled.session("aa")
    for missing in ("nothing", "aa-12", "%"):
        with pytest.raises(NotFound, match="there is no session"):
            filled.session(missing)


def test_the_sessions_of_other_tenants_are_not_seen(filled: Jotsam) -> None:
    other = filled.scoped(tenant="other")
    assert other.sessions().sessions == ()
    with pytest.raises(NotFound):
        other.session("aa-1")


@pytest.mark.needs_server
def test_a_list_reads_no_more_for_sessions_with_many_turns(jot: Jotsam) -> None:
    for day in range(1, 4):
        say(jot, f"s{day}", *(f"text {number}" for number in range(30)), day=day)
    assert [one.turns for one in jot.sessions(limit=2).sessions] == [30, 30]
    assert [one.pending for one in jot.sessions(limit=1).sessions] == [30]


@pytest.fixture
def given(filled: Jotsam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jotsam:
    """A memory of which the session aa-2 got the brief and what a prompt needed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    start(filled, "aa-2")
    ask(filled, "aa-2", "which database do we use for billing?")
    return filled


def start(jot: Jotsam, session: str, **settings: str) -> str:
    deadline = monotonic_ms() + 30_000
    own = jot.settings.replace(project="shop", **settings)
    return session_context.at_start(own, session=session, reason="startup", deadline=deadline)


def ask(jot: Jotsam, session: str, prompt: str) -> str:
    deadline = monotonic_ms() + 30_000
    own = jot.settings.replace(project="shop")
    return session_context.at_prompt(own, session=session, prompt=prompt, deadline=deadline)


@pytest.mark.needs_server
def test_what_a_session_was_given_is_kept_as_it_was_sent(given: Jotsam) -> None:
    brief, prompt = given.session("aa-2").given
    assert (brief.kind, prompt.kind) == ("start", "prompt")
    assert "always use pnpm" in brief.text
    assert brief.text.startswith("<jotsam-memory")
    assert brief.tokens > 10
    assert given.session("aa-2", after=given.session("aa-2", limit=1).next).given == ()
    assert given.session("aa-1").given == ()


@pytest.mark.needs_server
def test_the_latest_texts_are_kept_and_none_if_it_is_switched_off(given: Jotsam) -> None:
    with given.database.transaction(tenant=given.settings.tenant) as tx:
        for number in range(given_texts.MOST + 5):
            given_texts.add(tx, "aa-1", kind="prompt", text=f"text {number}", ids=[])
    kept = [one.text for one in given.session("aa-1").given]
    assert kept == [f"text {number}" for number in range(5, given_texts.MOST + 5)]
    assert start(given, "b/ü 3", session_log="off")
    assert given.session("b/ü 3").given == ()


@pytest.mark.needs_server
def test_what_was_given_goes_with_any_memory_in_it(given: Jotsam) -> None:
    with given.database.transaction(tenant=given.settings.tenant) as tx:
        given_texts.add(tx, "aa-2", kind="prompt", text="not about them", ids=[])
    rule = given.session("aa-1").turns[0]
    given.forget(given.plan_forget(ids=[rule.id]))
    assert [one.text for one in given.session("aa-2").given if "pnpm" in one.text] == []
    assert given.session("aa-2").given[-1].text == "not about them"


@pytest.mark.needs_server
def test_what_was_given_goes_with_its_session_and_with_a_person_in_it(given: Jotsam) -> None:
    with given.database.transaction(tenant=given.settings.tenant) as tx:
        given_texts.add(tx, "aa-2", kind="prompt", text="Zoltán Kovács is away", ids=[])
        given_texts.add(tx, "aa-2", kind="prompt", text="nobody is", ids=[])
    done = given.forget(given.plan_forget(person="Zoltán Kovács"))
    assert not done.left
    assert "nobody is" in [one.text for one in given.session("aa-2").given]
    assert [one for one in given.session("aa-2").given if "Kov" in one.text] == []
    given.forget(given.plan_forget(session="aa-2"))
    with given.database.snapshot(tenant=given.settings.tenant) as tx:
        assert given_texts.of_session(tx, "aa-2") == []


@pytest.mark.needs_server
def test_what_was_given_is_removed_after_its_time(given: Jotsam) -> None:
    with given.database.transaction(tenant=given.settings.tenant) as tx:
        tx.execute("update given_text set created_at = 1000")
    assert given.admin.expired().given == 2
    with given.database.transaction(tenant=given.settings.tenant) as tx:
        assert given_texts.remove_before(tx, before=1_001, limit=1) == 1
        assert given_texts.remove_before(tx, before=1_001, limit=9) == 1


def test_a_prompt_costs_one_statement_more(given: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hook writes is one row, in the transaction that counts what was recalled."""
    written: list[str] = []
    for name in ("run", "one", "all"):
        original = getattr(SQLiteTransaction, name)

        def counted(tx: Any, query: str, _original: Any = original, **params: Any) -> Any:
            written.append(query)
            return _original(tx, query, **params)

        monkeypatch.setattr(SQLiteTransaction, name, counted)
    assert ask(given, "new", "which database do we use for billing?")
    assert written.count("given_texts.add") == 1
    assert [one for one in written if one.startswith("given_texts.")] == ["given_texts.add"]
