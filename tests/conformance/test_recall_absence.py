"""What an answer says about words that are in no result, and about questions that nothing stored speaks of."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from jotsam import Jotsam

TEXTS = (
    "The billing service writes its invoices to PostgreSQL every night.",
    "Backups of PostgreSQL are kept for 30 days in the second region.",
    "Maria asked for a smaller font in the report.",
    "Deployments run on Tuesdays, from the main branch.",
)


@pytest.fixture
def store(jot: Jotsam) -> Jotsam:
    for text in TEXTS:
        jot.remember(text)
    jot.work()
    return jot


def footer(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def test_a_question_about_a_name_that_nothing_contains_is_told_and_still_has_its_hits(store: Jotsam) -> None:
    answer = store.recall("how do I configure Kerberos for the billing service?")
    assert answer.coverage.nothing
    assert answer.coverage.missing[0] == "Kerberos"
    assert footer(answer.text).startswith("(nothing here speaks of Kerberos")
    assert answer.hits
    assert max(hit.evidence for hit in answer.hits) < 0.5


def test_what_a_speaker_never_said_is_told_with_the_name_and_shows_no_hit(jot: Jotsam) -> None:
    for position in range(30):
        jot.remember(f"I like walk {position}.", session="s", position=2 * position, actor="Elise")
        jot.remember("I am vegan, by the way.", session="s", position=2 * position + 1, actor="Tom")
    jot.work()
    answer = jot.recall("Does Elise have a tattoo?")
    assert answer.hits == ()
    assert (answer.coverage.nothing, answer.coverage.missing, answer.coverage.about) == (True, ("tattoo",), ("Elise",))
    assert footer(answer.text).startswith("(nothing here about Elise speaks of tattoo; returned 0 of")
    assert jot.recall("Is Elise vegan?").coverage.about == ("Elise",), "only Tom says it"
    assert not jot.recall("Is Tom vegan?").coverage.nothing
    rest = jot.recall("Does Elise have a tattoo?", min_score=0)
    assert rest.hits
    assert rest.coverage.nothing


def test_among_few_memories_what_none_says_of_a_name_is_told_without_the_words_of_the_form(jot: Jotsam) -> None:
    jot.remember("Ana plays the violin.")
    jot.remember("Ben likes to hike in the Alps.")
    jot.work()
    answer = jot.recall("Does Ana know Kubernetes?")
    assert answer.hits == ()
    assert (answer.coverage.missing, answer.coverage.about) == (("Kubernetes",), ("Ana",))
    assert jot.recall("does Ana have a tattoo?").coverage.missing == ("tattoo",)
    assert jot.recall("does Ana have a tattoo?", min_score=0).hits
    assert jot.recall("Does Ana play the violin?").hits


def test_a_rare_word_that_no_result_contains_is_named_beside_an_answer(store: Jotsam) -> None:
    answer = store.recall("how long are the backups of PostgreSQL kept with pgbackrest?")
    assert not answer.coverage.nothing
    assert answer.coverage.missing == ("pgbackrest",)
    assert "no result contains: pgbackrest" in footer(answer.text)


def test_an_answer_with_all_words_names_none(store: Jotsam) -> None:
    answer = store.recall("how long are backups of PostgreSQL kept?")
    assert not answer.coverage.nothing
    assert answer.coverage.missing == ()
    assert answer.hits[0].evidence > 0.8
    assert "contains" not in footer(answer.text)


def test_a_word_in_a_pending_document_is_not_missing(store: Jotsam) -> None:
    store.add("Filler of no interest.\n" * 1_000 + "Kerberos tickets of the billing service last eight hours.")
    answer = store.recall("how do I configure Kerberos for the billing service?")
    assert not answer.coverage.nothing
    assert answer.coverage.missing == ()


def test_while_work_is_pending_nothing_is_not_known_yet(store: Jotsam) -> None:
    store.add("Something that has not been read yet.")
    answer = store.recall("how do I configure Kerberos for the billing service?")
    assert footer(answer.text).startswith("(not known yet: nothing here speaks of Kerberos")


def test_a_word_in_the_memories_of_another_tenant_is_missing(store: Jotsam) -> None:
    with Jotsam(store.database.url, tenant="other", worker="off") as other:
        other.remember("Kerberos tickets last eight hours.")
        other.work()
    answer = store.recall("how do I configure Kerberos for the billing service?")
    assert answer.coverage.nothing
    assert "Kerberos" in answer.coverage.missing


def test_the_newest_are_never_said_to_be_about_something_else(store: Jotsam) -> None:
    for question in ("", "latest"):
        answer = store.recall(question)
        assert not answer.coverage.nothing
        assert {hit.evidence for hit in answer.hits} == {1.0}


def test_what_is_pinned_or_found_by_its_id_is_evidence(store: Jotsam) -> None:
    id = store.recall("Maria").hits[0].id
    for answer in (store.recall("Kerberos tickets", pinned=[id]), store.recall(id)):
        assert answer.hits[0].evidence == 1.0
        assert not answer.coverage.nothing


def test_the_least_score_is_evidence(store: Jotsam) -> None:
    question = "how long are backups of PostgreSQL kept?"
    assert len(store.recall(question).hits) > 1
    assert [hit.text for hit in store.recall(question, min_score=0.5).hits] == [TEXTS[1]]
    assert store.recall("Kerberos billing", min_score=0.6).hits == ()


def test_an_answer_without_hits_finds_nothing(store: Jotsam) -> None:
    answer = store.recall("Kerberos")
    assert answer.hits == ()
    assert answer.coverage.nothing
    assert footer(answer.text) == "(nothing found)"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Straße zum Lager ist gesperrt.", "strasse"),
        ("Die Strasse zum Lager ist gesperrt.", "Straße"),
        ("DIE GROẞE HALLE IST GESPERRT.", "grosse"),
        ("The ﬁle server is in the oﬃce.", "office file"),
        ("Η ΟΔΟΣ είναι κλειστή.", "οδος"),
        (normalize("NFD", "제 이름은 민수입니다"), "민수입니다"),
        ("제 이름은 민수입니다", normalize("NFD", "민수입니다")),
        (normalize("NFD", "パンを買った"), "パン"),
    ],
)
def test_a_word_in_another_spelling_is_not_missing(jot: Jotsam, text: str, question: str) -> None:
    jot.remember(text)
    jot.work()
    answer = jot.recall(question)
    assert (len(answer.hits), answer.coverage.nothing, answer.coverage.missing) == (1, False, ())


@pytest.mark.needs_server
def test_what_is_asked_for_by_its_kind_is_found_and_known(jot: Jotsam) -> None:
    for position in range(30):
        jot.remember(f"I like walk {position}.", session="s", position=2 * position, actor="Elise")
        jot.remember(f"It rained on day {position}.", session="s", position=2 * position + 1, actor="Tom")
    violin = jot.remember("My violin needs new strings.", session="t", position=0, actor="Elise")
    jot.work()
    answer = jot.recall("Which musical instrument does Elise own?")
    assert answer.hits[0].id == violin.id
    assert "hyponyms" in answer.hits[0].scores
    assert not answer.coverage.nothing
    assert jot.recall("Which vehicle does Elise own?").coverage.nothing
