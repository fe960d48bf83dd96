"""Properties of links, and associations that supersede: the head of a chain is found, and unlinking restores."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.core.names import LINK_PROPERTIES
from jotsam.memory.automem.fields import association
from jotsam.memory.writing import associate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jotsam import Jotsam

AWS_KEY = "AKIAQ3EGRIZ7XT5NVLWB"


def remembered(jot: Jotsam, *texts: str) -> list[str]:
    return [jot.remember(text).id for text in texts]


def joined(jot: Jotsam, source: str, type: str, target: str, **more: Any) -> associate.Association:
    ends = {"source": source, "type": type, "target": target}
    return associate.associate(jot.database, tenant=jot.settings.tenant, **ends, **more)


def visible(jot: Jotsam, **options: Any) -> set[str]:
    return {hit.id for hit in jot.recall("office", **options).hits}


def test_a_link_keeps_the_properties_of_its_type(jot: Jotsam) -> None:
    one, two = remembered(jot, "First.", "Second.")
    for type, names in LINK_PROPERTIES.items():
        said = dict.fromkeys(names, "why") | ({"confidence": 0.5} if "confidence" in names else {})
        assert jot.knowledge.link(one, type, two, properties=said).properties == said
        assert jot.knowledge.link(one, type, two, weight=0.3).properties is None, "not given"
        [link] = [link for link in jot.show(one).links if link.type == type]
        assert (link.weight, link.properties) == (0.3, said)
    shown = {other.type: other.properties for other in jot.knowledge.graph(two).neighbours}
    assert shown["PART_OF"] == {"role": "why", "context": "why"}
    jot.knowledge.link(one, "PART_OF", two, properties={"role": "chapter"})
    assert jot.knowledge.unlink(one, "PART_OF", two).properties == {"role": "chapter"}
    [done] = jot.knowledge.link_many(
        [{"source": two, "type": "REINFORCES", "target": one, "properties": {"observations": [1, 2]}}]
    )
    assert done.link is not None
    assert done.link.properties == {"observations": [1, 2]}


def test_wrong_properties_are_refused_and_secrets_in_them_redacted(jot: Jotsam) -> None:
    one, two = remembered(jot, "First.", "Second.")
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    wrong: list[tuple[str, Any, str]] = [
        ("PART_OF", {"reason": "x"}, "unknown property 'reason' of a link: PART_OF has role, context"),
        ("LEADS_TO", {"reason": "x"}, "LEADS_TO has none"),
        ("PART_OF", {"role": float("nan")}, "must be JSON"),
        ("PART_OF", {"role": "x" * 20_000}, "invalid properties of 20,012 characters: must be at most 10,000"),
        ("PART_OF", ["role"], "must be a dict"),
    ]
    for type, properties, message in wrong:
        with pytest.raises(InvalidInput, match=message.replace("(", ".")):
            jot.knowledge.link(one, type, two, properties=properties)
    assert jot.show(one).links == ()
    link = jot.knowledge.link(one, "CONTRADICTS", two, properties={"reason": f"the key {AWS_KEY} \0\ud800"})
    stored = jot.show(one).links[0]
    assert link.properties == stored.properties
    assert stored.properties is not None
    assert AWS_KEY not in str(stored.properties)
    assert [(one.kind, one.place) for one in jot.show(one).redactions] == [("aws-key", "properties")]


def test_properties_are_exported_and_imported(
    jot: Jotsam, open_jot: Callable[..., Jotsam], tmp_path: Path, new_url: Callable[[], str]
) -> None:
    one, two = remembered(jot, "First.", "Second.")
    jot.knowledge.link(one, "PART_OF", two, properties={"role": "chapter"})
    with jot.database.transaction(tenant="default") as tx:
        tx.execute('update link set properties = \'{"role": "' + AWS_KEY + "\"}' where type = 'PART_OF'")
    file = tmp_path / "all.jsonl"
    exported = io.BytesIO()
    jot.export(exported)
    assert AWS_KEY in exported.getvalue().decode()
    file.write_bytes(exported.getvalue())
    with type(jot)(new_url(), worker="off") as other:
        other.import_memories(file)
        [link] = other.show(one).links
        assert link.properties is not None
        assert "redacted" in str(link.properties["role"])


def test_associating_by_two_types_hides_the_source_and_a_chain_leads_to_its_head(jot: Jotsam) -> None:
    """AM-16: A invalidated by B, which evolved into C."""
    a, b, c = remembered(jot, "The office is in Bonn.", "The office is in Kiel.", "The office is in Ulm.")
    assert not joined(jot, a, "LEADS_TO", b).supersedes
    assert visible(jot) == {a, b, c}
    assert joined(jot, a, "invalidated_by", b, weight=0.9, properties={"reason": "moved"}).supersedes
    assert joined(jot, b, "EVOLVED_INTO", c).supersedes
    assert joined(jot, a, "INVALIDATED_BY", b).supersedes, "again"
    [hit] = jot.recall("office").hits
    assert (hit.id, hit.replaces) == (c, (b, a))
    assert visible(jot, history=True) == {a, b, c}
    assert (jot.get(a).superseded_by, jot.get(b).superseded_by) == (b, c)


def test_a_cycle_ends_and_a_second_replacement_changes_nothing(jot: Jotsam) -> None:
    a, b, c = remembered(jot, "The office is in Bonn.", "The office is in Kiel.", "The office is in Ulm.")
    joined(jot, a, "INVALIDATED_BY", b)
    joined(jot, b, "INVALIDATED_BY", c)
    assert not joined(jot, c, "EVOLVED_INTO", a).supersedes, "a cycle"
    assert not joined(jot, a, "EVOLVED_INTO", c).supersedes, "it is superseded by b"
    assert visible(jot) == {c}
    assert len(jot.show(a).links) == 2


def test_two_memories_that_are_associated_at_the_same_moment_do_not_hide_each_other(jot: Jotsam) -> None:
    for _ in range(5):
        a, b = remembered(jot, "The office is in Bonn.", "The office is in Kiel.")
        with ThreadPoolExecutor(8) as pool:
            done = [pool.submit(joined, jot, one, "INVALIDATED_BY", other) for one, other in ((a, b), (b, a)) * 4]
        assert {one.result().supersedes for one in done} == {True, False}
        assert sum(jot.get(id).superseded_by is None for id in (a, b)) == 1


def test_two_memories_that_replace_each_other_at_the_same_moment_do_not_hide_each_other(jot: Jotsam) -> None:
    for _ in range(5):
        a, b = remembered(jot, "The office is in Bonn.", "The office is in Kiel.")
        with ThreadPoolExecutor(2) as pool:
            done = [pool.submit(jot.supersede, one, other) for one, other in ((a, b), (b, a))]
        assert sorted(one.exception() is None for one in done) == [False, True]
        assert sum(jot.get(id).superseded_by is None for id in (a, b)) == 1


def test_batches_in_different_orders_are_linked(jot: Jotsam) -> None:
    ids = remembered(jot, *(f"Note {number}." for number in range(20)))
    pairs: list[Any] = [{"source": one, "type": "LEADS_TO", "target": two} for one, two in pairwise(ids)]
    with ThreadPoolExecutor(2) as pool:
        orders = [pairs, pairs[::-1]] * 3
        many = [pool.submit(associate.associate_many, jot.database, order, tenant="default") for order in orders]
        many += [pool.submit(jot.knowledge.link_many, order) for order in orders]
    assert not any(result.error for one in many for result in one.result())


@pytest.mark.needs_server
def test_unlinking_restores_the_source_or_leaves_it_to_another_replacement(jot: Jotsam) -> None:
    a, b, c = remembered(jot, "The office is in Bonn.", "The office is in Kiel.", "The office is in Ulm.")
    joined(jot, a, "INVALIDATED_BY", b)
    joined(jot, a, "EVOLVED_INTO", b)
    joined(jot, a, "EVOLVED_INTO", c)
    jot.knowledge.unlink(a, "INVALIDATED_BY", b)
    assert jot.get(a).superseded_by == b, "by its other link"
    jot.knowledge.unlink(a, "EVOLVED_INTO", b)
    assert jot.get(a).superseded_by == c
    jot.knowledge.unlink(a, "EVOLVED_INTO", c)
    assert visible(jot) == {a, b, c}
    with pytest.raises(NotFound, match="there is no link"):
        jot.knowledge.unlink(a, "EVOLVED_INTO", c)


def test_nothing_is_half_written_and_a_batch_tells_each_error(jot: Jotsam) -> None:
    a, b = remembered(jot, "The office is in Bonn.", "The office is in Kiel.")
    for item in ({"type": "INVALIDATED_BY", "target": b, "weight": 2}, {"type": "SIMILAR_TO", "target": b}):
        with pytest.raises(InvalidInput):
            associate.associate(jot.database, tenant="default", source=a, **item)
    with pytest.raises(NotFound):
        associate.associate(jot.database, tenant="other", source=a, type="INVALIDATED_BY", target=b)
    pair = {"memory1_id": a, "memory2_id": b, "type": "INVALIDATED_BY"}
    items = [association(one) for one in (pair, {**pair, "memory2_id": "nope"}, {**pair, "memory2_id": a})]
    results = associate.associate_many(jot.database, items, tenant="default")
    assert [result.error is None for result in results] == [True, False, False]
    assert visible(jot) == {b}
    assert [(link.type, link.weight) for link in jot.show(a).links] == [("INVALIDATED_BY", 0.5)]


def test_the_fields_of_automem_become_ours() -> None:
    pair = {"memory1_id": "a", "memory2_id": "b", "type": "reinforces", "strength": 0, "observations": 3, "role": "x"}
    ours = {"source": "a", "target": "b", "type": "reinforces", "weight": 0.001}
    assert association(pair) == ours | {"properties": {"observations": 3}}
    assert association({"memory1_id": "a", "memory2_id": "b"}) == {"source": "a", "target": "b", "type": "RELATES_TO"}


@pytest.mark.parametrize("type", ["INVALIDATED_BY", "evolved_into"])
@pytest.mark.parametrize("many", [False, True])
def test_a_link_that_says_replaced_supersedes_and_unlinking_restores(jot: Jotsam, type: str, many: bool) -> None:
    old, new, other = remembered(jot, "The office is in Linz.", "The office is in Graz.", "The office has a garden.")
    if many:
        jot.knowledge.link_many([{"source": old, "type": type, "target": new}])
    else:
        jot.knowledge.link(old, type, new)
    jot.knowledge.link(other, "RELATES_TO", new)
    assert visible(jot) == {new, other}
    assert jot.get(old).superseded_by == new
    jot.knowledge.unlink(old, type, new)
    assert visible(jot) == {old, new, other}
