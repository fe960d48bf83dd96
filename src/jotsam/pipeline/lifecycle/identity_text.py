"""A short text about an entity from facts: what is lasting first, the surest and latest of the rest. Pure."""

from __future__ import annotations

from hashlib import blake2s

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION = "1"  # of these rules
MIN_CONFIDENCE = 0.6  # of a fact
MAX_SENTENCES, MAX_CHARACTERS = 6, 600
MAX_OBJECTS = 4  # of one predicate
MAX_OBJECT = 80  # characters of an object; a longer one is half a sentence that was cut badly
MAX_OTHERS = 3  # facts of which it is the object

# Predicates that say who or what something is, the most telling first. The others tell what happened.
LASTING = (
    *("is", "named", "born_in", "works_at", "role", "responsible_for", "lives_in", "moved_to", "located_in", "part_of"),
    *("married_to", "owns", "has", "created_by", "written_in", "version", "runs_on", "uses", "depends_on", "works_on"),
    *("supports", "stores_in", "listens_on", "defaults_to", "replaces", "replaced_by", "deadline", "planned_for"),
    *("costs", "released_in", "prefers", "dislikes", "plays", "wants_to", "goal", "plans_to", "decided", "rejected"),
)
# Predicates whose object may be a number.
NUMBERED = ("version", "costs", "deadline", "planned_for", "released_in", "listens_on", "born_in", "defaults_to")
# How a predicate reads, where its name with spaces does not.
WORDS = {
    "named": "is called",
    "born_in": "was born in",
    "role": "has the role",
    "responsible_for": "is responsible for",
    "located_in": "is located in",
    "part_of": "is part of",
    "married_to": "is married to",
    "created_by": "was created by",
    "written_in": "is written in",
    "caused_by": "is caused by",
    "version": "has version",
    "replaced_by": "is replaced by",
    "deadline": "has the deadline",
    "planned_for": "is planned for",
    "released_in": "was released in",
    "migrated_from": "moved from",
    "prefers": "likes",
    "goal": "has the goal to",
    "decided": "decided on",
}


# Subjects and objects that say nothing by themselves.
EMPTY = frozenset(
    (
        *(
            "i",
            "we",
            "you",
            "he",
            "she",
            "it",
            "they",
            "this",
            "that",
            "these",
            "those",
            "there",
            "someone",
            "everyone",
        ),
        *("one", "here", "make sure"),
    )
)


class KnownFact(Record):
    """A current fact about an entity."""

    id: str  # UUID
    subject: str
    predicate: str
    object: str
    confidence: float
    at: int  # when it was said
    is_about: bool  # the entity is its subject, not its object


class IdentityText(Record):
    """A text about an entity."""

    body: str
    sources: tuple[str, ...]  # UUIDs of the facts that it was made of
    hash: str  # of these facts


def identity_text(name: str, facts: Iterable[KnownFact]) -> IdentityText | None:
    """What facts say about an entity of this name; None if they say too little.

    One fact of which it is the subject is enough, or two that mention it as their object.
    """
    about, others = _chosen(facts)
    if not about and len(others) < 2:
        return None
    sentences, used = list[str](), list[KnownFact]()
    for sentence, group in (*_about(name, about), *((_sentence(one.subject, [one]), [one]) for one in others)):
        is_full = sum(len(one) + 1 for one in sentences) + len(sentence) > MAX_CHARACTERS
        if len(sentences) < MAX_SENTENCES and not is_full:
            sentences.append(sentence)
            used += group
    return IdentityText(body=" ".join(sentences), sources=tuple(one.id for one in used), hash=hash_of(used))


def hash_of(facts: Iterable[KnownFact], *, made_by: str = "") -> str:
    """What identifies facts, their spelling, and who makes a text of them."""
    parts = [f"{one.id} {one.subject} {one.predicate} {one.object}" for one in facts]
    return blake2s("\n".join((VERSION, made_by, *parts)).encode(), digest_size=16).hexdigest()


def _chosen(facts: Iterable[KnownFact]) -> tuple[list[KnownFact], list[KnownFact]]:
    """The facts worth telling, in order: those about the entity, and those that mention it."""
    best: dict[tuple[str, str, str], KnownFact] = {}
    for one in sorted(facts, key=_rank):
        if one.confidence >= MIN_CONFIDENCE and _is_telling(one):
            best.setdefault((one.subject.casefold(), one.predicate, one.object.casefold()), one)
    told = [*best.values()]
    about = [one for one in told if one.is_about]
    return about, [one for one in told if not one.is_about][:MAX_OTHERS]


def _is_telling(one: KnownFact) -> bool:
    other = one.object if one.is_about else one.subject
    if len(other) > MAX_OBJECT or "\n" in other or other.casefold() in EMPTY:
        return False
    if one.is_about and one.predicate not in NUMBERED and not any(character.isalpha() for character in other):
        return False
    # "In the middle of a novel" is no place. Scripts without capitals pass.
    return one.predicate != "located_in" or not one.object[:1].islower()


def _rank(one: KnownFact) -> tuple[int, float, int, str]:
    lasting = LASTING.index(one.predicate) if one.predicate in LASTING else len(LASTING)
    return lasting, -one.confidence, -one.at, one.id


def _about(name: str, facts: Iterable[KnownFact]) -> Iterator[tuple[str, list[KnownFact]]]:
    """A sentence for each predicate."""
    groups: dict[str, list[KnownFact]] = {}
    for one in facts:
        group = groups.setdefault(one.predicate, [])
        if len(group) < MAX_OBJECTS:
            group.append(one)
    for group in groups.values():
        yield _sentence(name, group), group


def _sentence(subject: str, facts: list[KnownFact]) -> str:
    predicate = facts[0].predicate
    *first, last = (one.object.rstrip(" .,;:!") for one in facts)
    objects = f"{', '.join(first)} and {last}" if first else last
    return f"{subject[:1].upper()}{subject[1:]} {WORDS.get(predicate, predicate.replace('_', ' '))} {objects}."
