"""The words of a document are indexed later, unless its chunks come first. It is found at once, as if they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import roles
from jotsam.admin import text_index
from jotsam.core.answers import Terms
from jotsam.ingest import accept, late_index
from jotsam.memory.sessions import session_context
from jotsam.storage.recall import search
from jotsam.storage.recall.search import Scope
from processes import start

if TYPE_CHECKING:
    from jotsam import Answer, Jotsam


def state(jot: Jotsam) -> tuple[int, int]:
    """How many texts wait for the index, and how many it has."""
    with jot.database.snapshot() as tx:
        (row,) = tx.execute(
            "select (select count(*) from text_index_waiting) as waiting,"
            " (select count(*) from text_index_docsize) as indexed"
        )
    return row["waiting"], row["indexed"]


def damage(jot: Jotsam) -> str | None:
    with jot.database.snapshot() as tx:
        return text_index.damage(tx)


def index(jot: Jotsam) -> None:
    """Index what waits, as the transaction that accepts the last of many does."""
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        accept.index_waiting(tx)


def test_a_search_finds_what_waits_and_writes_nothing(jot):
    jot.add("The quokka sleeps.", source="quokka.md")
    jot.add("The numbat digs.", source="numbat.md")
    version = jot.database.watch(-1, 0)
    for _ in range(2):
        assert [hit.source for hit in jot.recall("numbat").hits] == ["numbat.md"]
    assert (state(jot), damage(jot)) == ((2, 0), None)
    assert jot.database.watch(-1, 0) == version


def test_what_is_chunked_first_is_never_indexed_whole(jot):
    jot.add("The quokka sleeps.\n\n# Numbat\n\nThe numbat digs.")
    assert jot.work() > 0
    assert state(jot)[0] == 0
    assert jot.recall("numbat").hits[0].kind == "memory"
    assert damage(jot) is None


def test_a_prompt_in_a_hook_finds_it_too(jot):
    jot.add("The quokka of Perth sleeps in the afternoon.")
    told = session_context.at_prompt(
        jot.settings, session="s", prompt="Where does the quokka of Perth sleep in the afternoon", deadline=1 << 60
    )
    assert "The quokka of Perth sleeps" in told
    assert state(jot) == (1, 0)


def test_a_search_has_few_texts_to_index_and_none_that_is_long(jot):
    for number in range(accept.MAX_WAITING + 1):
        jot.add(f"Quokka number {number}.", source=f"{number}.md")
    assert state(jot) == (1, accept.MAX_WAITING)
    jot.add("numbat " * accept.MAX_LATE)
    assert state(jot) == (1, accept.MAX_WAITING + 1)


def test_each_tenant_has_few_texts_that_wait(jot, open_jot):
    other = open_jot(tenant="other")
    for number in range(accept.MAX_WAITING):
        for one in (jot, other):
            one.add(f"Quokka number {number}.", source=f"{number}.md")
    assert state(jot) == (0, 2 * accept.MAX_WAITING)


def test_another_tenant_searches_its_own(jot, open_jot):
    jot.add("The quokka sleeps.")
    other = open_jot(tenant="other")
    other.add("The numbat and the quokka dig.")
    for _ in range(2):
        assert [one.recall("quokka").coverage.total for one in (jot, other)] == [1, 1]
        assert [one.recall("numbat").coverage.total for one in (jot, other)] == [0, 1]
        index(other)
    assert state(jot) == (1, 1)


def test_what_is_forgotten_does_not_wait(jot):
    receipt = jot.add("The quokka sleeps.")
    jot.forget(jot.plan_forget(ids=[receipt.id]))
    assert jot.recall("quokka").coverage.total == 0
    assert state(jot) == (0, 0)


def test_a_rebuilt_index_has_what_waited(jot):
    jot.add("The quokka sleeps.")
    with jot.database.transaction() as tx:
        assert text_index.rebuild(tx) == 1
    assert state(jot) == (0, 1)
    assert jot.recall("quokka").coverage.total == 1


NAMES = ("quokka", "numbat", "the quokka", "echidna and numbat", "wombat", "burrow", "Perth")
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("quokka", {}),
    ("a quokka in the burrow", {}),
    ('"sleeps in the burrow"', {}),
    ('"burrow sleeps"', {}),
    ("quok", {}),
    ("sleeping quokkas", {}),
    ("有袋动物在洞里睡觉", {}),
    ("洞", {}),
    ("numbat.md", {}),
    ("wombat of Melbourne", {}),
    ("thylacine", {}),
    ("quokka", {"project": "ours"}),
    ("quokka", {"actor": "Ann"}),
    ("quokka", {"source": "2.md"}),
    ("quokka", {"history": True}),
    ("quokka", {"tags": ["none"]}),
    ("quokka", {"as_of": "2001-01-01"}),
)


EVERYTHING = {"tokens": 200_000, "limit": 1_000}


def fill(jot: Jotsam, *, number: int) -> None:
    """Memories that are indexed, and documents that wait."""
    for at in range(number):
        jot.remember(f"The {NAMES[at % 7]} of {NAMES[at % 5]} was seen {'again ' * (at % 4)}in place {at}.")
    for at in range(20):
        text = f"# {NAMES[at % 7]}\n\nThe {NAMES[at % 3]} sleeps in the burrow of a {NAMES[at % 5]}.\n" * (at % 4 + 1)
        of = {"project": "ours"} if at % 6 == 1 else {"actor": "Ann"} if at % 6 == 2 else {}
        jot.add(f"{text} Number {at}.", source=f"{at}.md", date="2000-02-03" if at % 5 == 0 else None, **of)
    jot.add("有袋动物在洞里睡觉。", source="numbat.md")
    jot.supersede(jot.add("The old quokka.").id, jot.add("The new quokka.").id)


def shown(answer: Answer) -> dict[str, Any]:
    """What an answer says, whose numbers are not exact: the lengths of the indexed texts count a little differently."""
    return {
        "hits": {hit.id for hit in answer.hits},
        "total": answer.coverage.total,
        "missing": answer.coverage.missing,
        "nothing": answer.coverage.nothing,
    }


@pytest.mark.parametrize("number", [0, 3, 200, 2_100])
def test_an_answer_is_the_same_before_and_after_they_are_indexed(jot, number):
    """Also in a large file, whose texts are ranked in another way."""
    fill(jot, number=number)
    before = [shown(jot.recall(text, **EVERYTHING, **fields)) for text, fields in ASKED]
    waiting, indexed = state(jot)
    assert waiting == 23
    index(jot)
    assert state(jot) == (0, indexed + waiting)
    assert [shown(jot.recall(text, **EVERYTHING, **fields)) for text, fields in ASKED] == before
    assert sum(bool(one["hits"]) for one in before) >= 12


@pytest.mark.parametrize("number", [3, 200, 2_100])
def test_their_scores_are_those_of_indexed_texts(jot, number):
    fill(jot, number=number)

    def scores() -> dict[int, float]:
        with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
            late_index.load_waiting(tx)
            asked = search.expression(tx, Terms(words=("quokka", "burrow", "again")))
            scope = Scope(tenant=jot.settings.tenant, at=tx.now)
            return {row["ref"]: row["score"] for row in search.match_text(tx, scope, asked=asked, limit=5_000)}

    before = scores()
    index(jot)
    after = scores()
    assert min(before) < 0 < max(before)
    waiting = {ref: score for ref, score in before.items() if ref < 0}
    assert waiting == pytest.approx({ref: after[ref] for ref in waiting}, rel=1e-6, abs=1e-8)
    assert before == pytest.approx(after, rel=0.5 if number == 3 else 0.1)


def test_the_words_that_wait_count_as_known(jot):
    """Whether an answer is likely absent depends on which words of the question no text has."""
    jot.add("The quokka sleeps.")
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        late_index.load_waiting(tx)
        assert search.count_words(tx, ["quokka", "numbat"], limit=10) == ([1, 0], 1)


def test_while_another_process_writes_they_are_found(jot):
    jot.remember("The quokka sleeps.")
    jot.work()
    jot.add("The quokka eats.")
    other = start(roles.hold, jot.settings.db, ("begin immediate",))
    assert other.says() == "holding"
    answer = jot.recall("quokka")
    other.tell("go")
    assert other.ends() == 0
    assert (answer.coverage.total, answer.coverage.pending) == (2, 1)


def test_without_its_table_a_search_finds_the_rest(jot):
    jot.add("The quokka sleeps.")
    with jot.database.transaction() as tx:
        tx.execute("drop table text_index_waiting")
    assert jot.recall("quokka").coverage.pending == 1


@pytest.mark.parametrize("damage", ["drop table text_index", "delete from text_index_data where id = 1"])
def test_with_a_damaged_index_the_rest_of_a_search_can_go_on(jot, damage):
    jot.add("The quokka eats.")
    with jot.database.transaction() as tx:
        tx.execute(damage)
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        late_index.load_waiting(tx)
