"""A part of the database that is damaged costs an answer that part, and no more; on every database."""

from __future__ import annotations

import pytest

from jotsam.core.errors import JotsamError


@pytest.fixture
def known(jot) -> str:
    jot.remember("Ann lives in Berlin.", type="Context")
    jot.remember("Bob works at Acme.", type="Context")
    jot.work()
    return str(jot.recall("Ann lives in Berlin").hits[0].id)


def drop(jot, table: str) -> None:
    with jot.database.transaction() as tx:
        tx.execute(f"drop table {table}")


def footer(answer) -> str:
    return str(answer).splitlines()[-1]


def test_without_the_text_index_facts_and_ids_answer_and_the_footer_reports_it(jot, known: str) -> None:
    drop(jot, "text_index")
    answer = jot.recall("who works at Acme?")
    assert [hit.text for hit in answer.hits] == ["Bob works at Acme."]
    assert "unavailable: text (damaged: " in footer(answer)
    assert "; see `jotsam doctor`)" in footer(answer)
    assert jot.recall(known[:8]).hits[0].id == known
    assert "text (damaged" in footer(jot.recall("where did Ann live before the flood?"))


@pytest.mark.parametrize(("table", "retriever"), [("fact", "facts"), ("title", "titles"), ("date_range", "dates")])
def test_without_another_table_text_search_answers(jot, known: str, table: str, retriever: str) -> None:
    drop(jot, table)
    answer = jot.recall("where does Ann live since March 2020?")
    assert answer.hits[0].text == "Ann lives in Berlin."
    assert f"{retriever} (damaged: " in footer(answer)


def test_without_the_memory_table_recall_raises(jot, known: str) -> None:
    with jot.database.transaction() as tx:
        tx.execute("alter table memory rename to elsewhere")
    with pytest.raises(JotsamError):
        jot.recall("Ann")


def test_vectors_without_an_embedder_are_reported(open_jot) -> None:
    with_vectors = open_jot(embed_model="hashing")
    with_vectors.remember("A kangaroo.")
    with_vectors.work()
    assert "vectors" not in footer(with_vectors.recall("kangaroo"))
    without = open_jot()
    assert "unavailable: vectors (no embedder is set; 1 memory is embedded)" in footer(without.recall("kangaroo"))
    assert "vectors" not in footer(without.recall())
