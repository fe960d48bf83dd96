"""What is known of an entity, and what the latest memories are filed under: of all projects, and of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import NotFound
from jotsam.memory.graph.article import Article, FactLine, article
from jotsam.memory.reading.filed_under import filed_under

if TYPE_CHECKING:
    from jotsam import Jotsam

ANA = "people:ana-lima"


def fill(jot: Jotsam) -> None:
    for day, text, type, project in (
        ("2025-01-01", "Ana Lima works at Acme.", None, "one"),
        ("2025-01-02", "Ana Lima works at Acme, as before.", None, "one"),
        ("2025-01-03", "Ana Lima decided to use PostgreSQL.", "Decision", "two"),
    ):
        tags, session = ["work", project], f"s-{project}"
        jot.remember(text, type=type, project=project, said_at=day, tags=tags, session=session, actor="Ben")
    jot.work()


def held(known: Article, predicate: str) -> tuple[FactLine, ...]:
    return next((group.holds for group in known.groups if group.predicate == predicate), ())


@pytest.mark.needs_server
def test_an_article_has_facts_decisions_and_sessions_of_the_projects_asked_for(jot: Jotsam) -> None:
    fill(jot)
    known = article(jot.database, tenant="default", name=ANA)
    assert [(one.session, one.memories) for one in known.sessions] == [("s-two", 1), ("s-one", 2)]
    assert len(known.decisions) == 1
    assert [(line.value, line.statements) for line in held(known, "works_at")] == [("Acme", 2)]

    known = article(jot.database, tenant="default", name=ANA, project="one")
    assert [(one.session, one.project, one.memories) for one in known.sessions] == [("s-one", "one", 2)]
    assert known.decisions == ()
    assert [(line.value, line.statements) for line in held(known, "works_at")] == [("Acme", 2)]
    assert held(article(jot.database, tenant="default", name=ANA, project="two"), "works_at") == ()
    with pytest.raises(NotFound):
        article(jot.database, tenant="other", name=ANA)


@pytest.mark.needs_server
def test_what_memories_are_filed_under_is_counted_for_one_tenant_and_project(jot: Jotsam) -> None:
    fill(jot)
    known = filed_under(jot.database, tenant="default")
    assert (known.actor, known.session) == ({"Ben": 3}, {"s-one": 2, "s-two": 1})
    assert {tag: known.tag[tag] for tag in ("work", "one", "two")} == {"work": 3, "one": 2, "two": 1}
    assert filed_under(jot.database, tenant="default", project="two").session == {"s-two": 1}
    known = filed_under(jot.database, tenant="other")
    assert (known.actor, known.session, known.source, known.tag) == ({}, {}, {}, {})
