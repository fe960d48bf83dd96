"""Enrichment by rules: entities, links to earlier memories, patterns, and merging of entities."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.storage.memories import memories
from jotsam.worker.enrichment.enrich import extract_by_rules
from jotsam.worker.enrichment.links import update_patterns

DAY_MS = 86_400_000


def remembered(jot, *texts: str, **more) -> list[str]:
    ids = [jot.remember(text, **more).id for text in texts]
    jot.work()
    return ids


def everything(jot, ids: list[str]) -> list:
    """Everything stored about memories except the time of enrichment."""
    stories = [jot.show(id) for id in ids]
    found = [(s.memory.replace(enriched_at=None), s.entities, s.facts, s.links, s.patterns, s.periods) for s in stories]
    return [*found, jot.knowledge.entities(), jot.knowledge.patterns()]


def test_enrichment_stores_tags_summary_type_with_confidence_and_periods(jot):
    """AM-4, AM-34."""
    (id,) = remembered(
        jot,
        "Deployed SuperWhisper with Alice during Project Launchpad review. We decided to ship it last Tuesday.",
        said_at=1_773_847_800_000,
    )
    story = jot.show(id)
    memory = story.memory
    assert {"entity:projects:launchpad", "entity:people:alice", "entity:tools:superwhisper"} <= set(memory.tags)
    assert memory.summary == "Deployed SuperWhisper with Alice during Project Launchpad review."
    assert (memory.type, memory.confidence, memory.importance) == ("Decision", 0.6, 0.7)
    assert next((one.first, one.until) for one in story.periods) == (
        1_773_705_600_000,
        1_773_705_600_000 + DAY_MS,
    )


def test_new_entities_are_written_in_a_fixed_order(jot):
    """Two workers that wrote the same entities in different orders would deadlock."""
    remembered(jot, "Thanks! We use Redis, and Zoe met with Bob at Acme GmbH.", actor="Mia")
    with jot.database.snapshot(tenant="default") as tx:
        written = [
            (row["category"], row["slug"]) for row in tx.execute("select category, slug from entity order by id")
        ]
    assert {("people", "mia"), ("tools", "redis")} <= set(written)
    assert written == sorted(written)


def test_values_of_the_caller_are_kept(jot):
    (id,) = remembered(jot, "We decided to wait.", type="remark", confidence=0.9, importance=0.1)
    memory = jot.show(id).memory
    assert (memory.type, memory.confidence, memory.importance) == ("remark", 0.9, 0.1)


def test_a_single_memory_is_linked_to_the_five_latest_before_it(jot):
    """AM-4: within its project; closer memories have higher weights."""
    first, *_, last = remembered(jot, *(f"Note {n}." for n in range(7)), project="p")
    (other,) = remembered(jot, "Elsewhere.", project="q")
    links = jot.show(last).links
    assert [link.type for link in links] == ["PRECEDED_BY"] * 5
    assert [link.weight for link in links] == [0.5, 0.333, 0.25, 0.2, 0.167]
    assert first not in [link.target for link in links]
    assert jot.show(other).links == ()


def links(jot, id: str) -> list[tuple[str, float]]:
    return [(link.target, link.weight) for link in jot.show(id).links]


def test_a_turn_is_linked_to_its_predecessor_and_the_first_one_to_the_latest_of_its_project(jot):
    """AM-4: the link to the predecessor has weight 1, and recall only adds that neighbour."""
    remembered(jot, "Elsewhere.", project="q")
    (alone,) = remembered(jot, "Alone.", project="p")
    one, two = remembered(jot, "First.", "Second.", session="s", project="p")
    (other,) = remembered(jot, "Another talk.", session="t", project="p")
    (three,) = remembered(jot, "Third.", session="s", project="p")
    assert links(jot, one) == [(alone, 0.5)]
    assert links(jot, other) == [(two, 0.5), (one, 0.333), (alone, 0.25)]
    assert links(jot, two) == [(one, 1.0)]
    assert links(jot, three) == [(two, 1.0)]
    again = jot.plan_reprocess((), force=True)
    before = [links(jot, id) for id in (one, two, three)]
    jot.reprocess(again)
    jot.work()
    assert [links(jot, id) for id in (one, two, three)] == before


def test_an_imported_old_session_is_not_linked_to_later_memories(jot):
    remembered(jot, "Said today.")
    one, two = remembered(jot, "Long ago.", "And then.", session="s", said_at=1_000)
    assert [links(jot, one), links(jot, two)] == [[], [(one, 1.0)]]


def test_a_turn_before_the_first_one_takes_the_place_of_its_other_links(jot):
    (alone,) = remembered(jot, "Alone.", said_at=5)
    (two,) = remembered(jot, "Second.", session="s", said_at=20)
    assert links(jot, two) == [(alone, 0.5)]
    (one,) = remembered(jot, "First.", session="s", said_at=10)
    assert [links(jot, two), links(jot, one)] == [[(one, 1.0)], [(alone, 0.5)]]


def order(jot, ids: list[str]) -> list[str | None]:
    """The predecessor of each memory of a session."""
    links = [[link for link in jot.show(id).links if link.type == "PRECEDED_BY"] for id in ids]
    followed = [[link.target for link in of_one if link.weight == 1] for of_one in links]
    assert all(len(targets) <= 1 for targets in followed)
    return [targets[0] if targets else None for targets in followed]


def test_a_late_turn_is_inserted_by_its_time(jot):
    """Between existing turns, before all and after all; also while others of its session are pending."""
    two, five = remembered(jot, "Second.", session="s", said_at=20) + remembered(jot, "Fifth.", session="s", said_at=50)
    assert order(jot, [two, five]) == [None, two]
    (three,) = remembered(jot, "Third.", session="s", said_at=30)
    assert order(jot, [two, three, five]) == [None, two, three]
    later = [jot.remember(f"At {at}.", session="s", said_at=at).id for at in (60, 10, 40)]
    jot.work()
    six, one, four = later
    assert order(jot, [one, two, three, four, five, six]) == [None, one, two, three, four, five]


def test_turns_of_equal_time_are_ordered_by_position_then_arrival(jot):
    same = {"session": "s", "said_at": 20}
    (last,) = remembered(jot, "Last.", **same, position=7)
    (middle,) = remembered(jot, "Middle.", **same, position=3)
    first, second = remembered(jot, "First.", "Second.", **same)
    assert order(jot, [first, second, middle, last]) == [None, first, second, middle]


def test_the_neighbours_of_a_turn_are_read_by_one_transaction_at_a_time(jot):
    """Otherwise a turn between two others could be missed while these are linked."""
    ids = remembered(jot, "First.", "Second.", session="s")
    asks, told = Event(), []

    def ask(who: str, id: str) -> None:
        with jot.database.transaction(tenant="default") as tx:
            row = memories.get(tx, uuid=id)
            asks.set()
            memories.session_neighbours(tx, row)
            told.append(who)

    with ThreadPoolExecutor(1) as threads, jot.database.transaction(tenant="default") as tx:
        memories.session_neighbours(tx, memories.get(tx, uuid=ids[0]))
        threads.submit(ask, "the second", ids[1])
        # SQLite has one writer, so there the other cannot even start.
        asks.wait(0.5)
        for _ in range(200):
            memories.get(tx, uuid=ids[0])
        told.append("the first")
    assert told == ["the first", "the second"]


def test_memories_older_than_a_week_are_not_linked(jot, clock):
    remembered(jot, "Old.")
    clock.tick(8 * DAY_MS)
    (new,) = remembered(jot, "New.")
    assert jot.show(new).links == ()


def test_a_theme_of_three_memories_of_one_type_is_a_pattern_of_all_three(jot):
    ids = remembered(
        jot,
        "We decided to move billing to PostgreSQL.",
        "We decided to back up PostgreSQL every hour.",
        "I prefer PostgreSQL manuals on paper.",
    )
    assert jot.knowledge.patterns() == ()
    ids += remembered(jot, "We decided to index PostgreSQL by hand.")
    (pattern,) = jot.knowledge.patterns()
    assert (pattern.type, pattern.slug, pattern.occurrences, pattern.confidence) == ("Decision", "postgresql", 3, 0.5)
    assert pattern.terms[0] == "postgresql"
    assert pattern.first_seen == jot.show(ids[0]).memory.created_at
    assert pattern.last_reinforced == jot.show(ids[3]).memory.created_at
    assert [len(jot.show(id).patterns) for id in ids] == [1, 1, 0, 1]
    assert jot.knowledge.patterns(type="Preference") == ()


def shown(jot) -> dict[str, int]:
    return {pattern.slug: pattern.occurrences for pattern in jot.knowledge.patterns(limit=500)}


@pytest.mark.parametrize(("about", "others"), [(3, 230), (14, 12)])
def test_a_reprocessed_memory_keeps_its_patterns(jot, about, others):
    """The latest memories decide about new patterns only; they end no known one."""
    ids = remembered(jot, *(f"We decided to move kafka ledger {n}." for n in range(about)))
    known = shown(jot)
    assert known["kafka"] == about
    remembered(jot, *(f"We decided to paint wall{n} green{n}." for n in range(others)))
    before = everything(jot, ids)
    jot.reprocess(jot.plan_reprocess(ids if others > 200 else (), force=True))
    jot.work()
    assert {slug: shown(jot).get(slug) for slug in known} == known
    assert everything(jot, ids)[: len(ids)] == before[: len(ids)]


def test_a_memory_whose_type_changed_leaves_the_patterns_of_the_old_type(jot):
    ids = remembered(jot, *(f"We decided to index PostgreSQL table {n}." for n in range(3)))
    assert len(jot.show(ids[0]).patterns) > 0
    with jot.database.transaction(tenant="default") as tx:
        row = memories.get(tx, uuid=ids[0])
        found = extract_by_rules(row).replace(type="Insight", type_confidence=0.9)
        update_patterns(tx, row | {"type_by": "rules"}, found)
    assert jot.show(ids[0]).patterns == ()
    assert {pattern.occurrences for pattern in jot.knowledge.patterns()} == {2}


def test_reprocessing_everything_changes_nothing(jot):
    """AM-5."""
    texts = [f"We decided to move {what} to PostgreSQL with John Smith yesterday." for what in ("A", "B", "C", "D")]
    ids = remembered(jot, *texts, "I no longer use Docker.")
    before = everything(jot, ids)
    plan = jot.plan_reprocess(ids, force=True)
    assert jot.reprocess(plan) == len(ids)
    jot.work()
    assert everything(jot, ids) == before


def test_forgetting_a_tenant_removes_its_graph(jot):
    remembered(jot, *(f"We decided to paint the {place} green." for place in ("hall", "attic", "garden")))
    assert jot.knowledge.patterns()
    jot.admin.forget_tenant()
    assert (jot.knowledge.patterns(), jot.knowledge.entities()) == ((), ())


def names(jot) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {f"{one.category}:{one.slug}": (one.memories, one.aliases) for one in jot.knowledge.entities()}


@pytest.mark.needs_server
def test_merged_entities_are_one_until_they_are_split(jot):
    both, jon, john = remembered(
        jot, "Met with Jon Smith and met with John Smith.", "Met with Jon Smith.", "Met with John Smith."
    )
    before = everything(jot, [both, jon, john])
    assert jot.knowledge.merge("Jon Smith", into="people:john-smith") == "entity:people:john-smith"
    assert names(jot) == {"people:john-smith": (3, ("Jon Smith",))}
    assert "entity:people:john-smith" in jot.show(jon).memory.tags
    later = remembered(jot, "Talked to Jon Smith again.")
    assert names(jot)["people:john-smith"][0] == 4
    assert "entity:people:john-smith" in jot.show(later[0]).memory.tags
    assert jot.knowledge.split("jon-smith") == "entity:people:john-smith"
    assert names(jot) == {"people:john-smith": (2, ()), "people:jon-smith": (3, ())}
    assert everything(jot, [both, jon, john])[:3] == before[:3]


def test_nested_merges_are_split_one_at_a_time(jot):
    remembered(jot, "Met with Jon Smith.", "Met with John Smith.", "Met with Johnny Smith.")
    jot.knowledge.merge("Jon Smith", into="John Smith")
    jot.knowledge.merge("John Smith", into="Johnny Smith")
    assert names(jot) == {"people:johnny-smith": (3, ("John Smith", "Jon Smith"))}
    jot.knowledge.split("John Smith")
    assert names(jot) == {"people:john-smith": (1, ()), "people:johnny-smith": (2, ("Jon Smith",))}


def test_an_invalid_merge_is_rejected(jot):
    remembered(jot, "Met with Jon Smith.", "Met with John Smith.")
    with pytest.raises(NotFound, match="no entity 'nobody'"):
        jot.knowledge.merge("nobody", into="John Smith")
    with pytest.raises(InvalidInput, match="into itself"):
        jot.knowledge.merge("John Smith", into="John Smith")
    with pytest.raises(InvalidInput, match="is not merged into another entity"):
        jot.knowledge.split("John Smith")
    jot.knowledge.merge("Jon Smith", into="John Smith")
    with pytest.raises(InvalidInput, match="into itself"):
        jot.knowledge.merge("John Smith", into="Jon Smith")


def test_a_merged_entity_must_be_split_before_another_merge(jot):
    remembered(jot, "Met with Jon Smith.", "Met with John Smith.", "Met with Johnny Smith.")
    jot.knowledge.merge("Jon Smith", into="John Smith")
    before = names(jot)
    with pytest.raises(InvalidInput, match="is already merged into people:john-smith: split people:jon-smith first"):
        jot.knowledge.merge("Jon Smith", into="Johnny Smith")
    assert names(jot) == before
    assert jot.knowledge.merge("Jon Smith", into="John Smith") == "entity:people:john-smith"
    assert names(jot) == before


def test_entities_of_two_categories_are_merged_only_if_both_are_given(jot):
    """A tagger may take a person for a tool, so it must be possible, but not by accident."""
    remembered(jot, "Met with John Smith.", "We use Redis.")
    with pytest.raises(InvalidInput, match=r"different categories.*name them people:john-smith and tools:redis"):
        jot.knowledge.merge("John Smith", into="Redis")
    assert jot.knowledge.merge("people:john-smith", into="tools:redis") == "entity:tools:redis"


def test_a_changed_source_is_ingested_again_and_supersedes_the_old_text(jot):
    """AM-13: nothing is updated in place; the new text is ingested, and the old one is superseded."""
    jot.add("We use Redis.", source="stack.md")
    jot.work()
    jot.add("We use Kafka.", source="stack.md")
    jot.work()
    assert [fact.object for fact in jot.knowledge.facts()] == ["Kafka"]


def test_the_graph_of_a_memory_shows_both_directions(jot):
    one, two = remembered(jot, "Met with John Smith.", "We use Redis.")
    around = jot.knowledge.graph(one)
    assert [(n.id, n.type, n.outgoing) for n in around.neighbours] == [(two, "PRECEDED_BY", False)]
    assert [entity.slug for entity in around.entities] == ["john-smith"]
    assert [n.outgoing for n in jot.knowledge.graph(two).neighbours] == [True]
    document = jot.add("A document.")
    with pytest.raises(NotFound, match="is a document"):
        jot.knowledge.graph(document.id)


EXAMPLE = "AKIA" + "IOSFODNN7EXAMPLE"


def test_a_secret_can_be_allowed_with_a_reason_and_revoked(jot):
    """GK-11: only a fingerprint of the text is stored."""

    def kept() -> str:
        return jot.show(jot.remember(f"The key {EXAMPLE} is in the manual.").id).memory.text

    assert kept() == "The key [redacted:aws-key] is in the manual."
    mark = jot.knowledge.allow(EXAMPLE, reason="the example of the manual")
    assert kept() == f"The key {EXAMPLE} is in the manual."
    assert [(one.fingerprint, one.reason) for one in jot.knowledge.allowed()] == [(mark, "the example of the manual")]
    assert jot.knowledge.forbid(mark[:8]) == 1
    assert kept() == "The key [redacted:aws-key] is in the manual."
    with pytest.raises(InvalidInput, match="reason"):
        jot.knowledge.allow(EXAMPLE, reason=" ")
    with pytest.raises(InvalidInput, match="first 8"):
        jot.knowledge.forbid("%")


def test_an_actor_given_by_an_alias_is_linked_to_the_entity_without_a_tag(jot):
    """The actor is a field, not a tag."""
    remembered(jot, "Caroline met with Bob.")
    remembered(jot, "Good morning.", actor="Caz")
    jot.knowledge.merge("people:caz", into="people:caroline")
    (id,) = remembered(jot, "Good night.", actor="Caz")
    story = jot.show(id)
    assert "caroline" in {entity.slug for entity in story.entities}
    assert story.memory.tags == ()


def test_a_link_of_a_caller_is_shown_in_both_directions_survives_reprocessing_and_can_be_removed(jot):
    one, other = remembered(jot, "The kangaroo escaped.", "Fix the gate.")
    made = jot.knowledge.link(one[:8], "leads_to", other, weight=0.7)
    assert (made.source, made.target, made.type, made.weight) == (one, other, "LEADS_TO", 0.7)
    jot.reprocess(jot.plan_reprocess([one, other], force=True), clear=True)
    jot.work()

    def made_by_hand(id):
        links = jot.knowledge.graph(id).neighbours
        return [(link.id, link.type, link.weight, link.outgoing) for link in links if link.extractor is None]

    assert made_by_hand(one) == [(other, "LEADS_TO", 0.7, True)]
    assert made_by_hand(other) == [(one, "LEADS_TO", 0.7, False)]
    jot.knowledge.link(one, "LEADS_TO", other)
    assert made_by_hand(one) == [(other, "LEADS_TO", 1.0, True)]
    jot.knowledge.link(one, "PART_OF", other)
    assert jot.knowledge.unlink(one, "LEADS_TO", other).weight == 1.0
    assert made_by_hand(one) == [(other, "PART_OF", 1.0, True)]
    jot.knowledge.unlink(one, "PART_OF", other)
    assert made_by_hand(one) == made_by_hand(other) == []
    with pytest.raises(NotFound, match="there is no link"):
        jot.knowledge.unlink(one, "LEADS_TO", other)


def test_an_extracted_link_cannot_be_removed_by_a_caller(jot):
    """AM-25."""
    one, other = remembered(jot, "The kangaroo escaped.", "Fix the gate.")
    (found,) = jot.knowledge.graph(other).neighbours
    assert (found.type, found.id) == ("PRECEDED_BY", one)
    with pytest.raises(InvalidInput, match="invalid type 'PRECEDED_BY': must be one of RELATES_TO"):
        jot.knowledge.unlink(other, "PRECEDED_BY", one)
    with pytest.raises(InvalidInput, match="invalid type 'SIMILAR_TO'"):
        jot.knowledge.link(one, "SIMILAR_TO", other)
    with pytest.raises(InvalidInput, match="are the same memory"):
        jot.knowledge.link(one, "PART_OF", one[:8])
    for weight in (0, 1.5, "much", True, float("nan")):
        with pytest.raises(InvalidInput, match="invalid weight"):
            jot.knowledge.link(one, "PART_OF", other, weight=weight)


def test_memories_of_another_tenant_cannot_be_linked_or_unlinked(jot, open_jot):
    one, other = remembered(jot, "The kangaroo escaped.", "Fix the gate.")
    jot.knowledge.link(one, "LEADS_TO", other)
    stranger = open_jot(tenant="stranger")
    (theirs,) = remembered(stranger, "Something else.")
    for source, target in ((one, other), (theirs, other), (one, theirs)):
        with pytest.raises(NotFound, match="there is no memory"):
            stranger.knowledge.link(source, "LEADS_TO", target)
        with pytest.raises(NotFound, match="there is no memory"):
            stranger.knowledge.unlink(source, "LEADS_TO", target)
    assert [link.weight for link in jot.knowledge.graph(one).neighbours if link.type == "LEADS_TO"] == [1.0]
