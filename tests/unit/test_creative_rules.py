"""Which links between memories of a sample are found, and how few."""

from __future__ import annotations

import pytest

from jotsam.pipeline.lifecycle.creative_links import BY_VECTORS, MOST, MOST_OF_MEMORY, Sampled, find_links
from jotsam.pipeline.likeness.word_likeness import word_cosines

DAY_MS = 86_400_000


def sampled(id: int, type: str | None, **more: object) -> Sampled:
    fields = {"project": "p", "at": id, "context": f"session {id}", "words": frozenset({"otter"})}
    return Sampled(id=id, type=type, **{**fields, **more})


def kinds(one: Sampled, other: Sampled, cosine: float) -> list[tuple[str, str, int, float]]:
    found = find_links([one, other], {(1, 2): cosine}, linked=(), thresholds=BY_VECTORS)
    return [(link.type, link.kind, link.source, link.weight) for link in found]


@pytest.mark.parametrize(
    ("types", "cosine", "expected"),
    [
        (("Decision", "Decision"), 0.2, ("CONTRASTS_WITH", "contrasts", 1, 0.6)),
        (("Decision", "Decision"), 0.6, None),
        (("Pattern", "Insight"), 0.6, ("DISCOVERED", "explains", 2, 0.7)),
        (("Pattern", "Insight"), 0.97, None),
        (("Habit", "Style"), 0.8, ("DISCOVERED", "shares_theme", 1, 0.8)),
        (("Habit", "Habit"), 0.8, None),
        (("Habit", None), 0.8, None),
        (("Habit", None), 0.3, ("DISCOVERED", "parallel_context", 1, 0.5)),
        (("Habit", None), 0.5, None),
    ],
)
def test_each_rule_has_its_types_and_its_cosine(types, cosine, expected) -> None:
    one, other = (sampled(id, type, entities=frozenset({"Otto"})) for id, type in enumerate(types, 1))
    assert kinds(one, other, cosine) == ([expected] if expected else [])


@pytest.mark.parametrize(
    "more",
    [{"project": "q"}, {"context": "session 1"}, {"at": 8 * DAY_MS}, {"entities": frozenset({"Anna"})}],
)
def test_unlike_memories_need_one_project_two_sessions_a_week_and_an_entity(more) -> None:
    otto = {"entities": frozenset({"Otto"})}
    one = sampled(1, None, **otto)
    assert kinds(one, sampled(2, None, **otto), 0.1)
    assert not kinds(one, sampled(2, None, **(otto | more)), 0.1)


def test_alike_memories_need_a_word_that_few_others_have() -> None:
    many = [sampled(id, ("Habit", "Style")[id % 2]) for id in range(1, 5)]
    every = {(one, other): 0.8 for one in range(1, 5) for other in range(one + 1, 5)}
    assert find_links(many, every, linked=(), thresholds=BY_VECTORS) == []
    assert find_links(many[:2], every, linked=(), thresholds=BY_VECTORS)
    assert find_links(many[:2], every, linked={(1, 2)}, thresholds=BY_VECTORS) == []


def test_a_run_and_a_memory_have_a_bounded_number_of_links_the_best_first() -> None:
    pairs = range(0, 60, 2)
    sample = [
        sampled(id, ("Habit", "Style")[id % 2], words=frozenset({f"w{id // 2}"}))
        for pair in pairs
        for id in (pair, pair + 1)
    ]
    cosines = {(pair, pair + 1): 0.71 + pair / 1_000 for pair in pairs}
    found = find_links(sample, cosines, linked=(), thresholds=BY_VECTORS)
    assert [one.similarity for one in found] == sorted(cosines.values(), reverse=True)[: MOST["shares_theme"]]
    hub = [sampled(0, "Habit", words=frozenset("abcdef"), found=1)]
    rest = [sampled(id, "Style", words=frozenset("abcdef"[id - 1])) for id in range(1, 7)]
    near = {(0, id): 0.8 for id in range(1, 7)}
    assert len(find_links(hub + rest, near, linked=(), thresholds=BY_VECTORS)) == MOST_OF_MEMORY - 1


def test_texts_are_compared_by_the_words_that_say_something() -> None:
    texts = {
        1: "The importer stalls on duplicate customer rows.",
        2: "Duplicate customers made the importer stall.",
        3: "Lunch has moved to another room upstairs.",
        4: "Oh, thanks!",
        5: "仓库导出包含重复的客户行",
        6: "重复的客户行使导入停止",
    }
    found = word_cosines(texts)
    assert found[1, 2] > 0.4 > found[5, 6] > 0.1 > found[1, 3] == found[1, 5]
    assert all(4 not in pair for pair in found)
