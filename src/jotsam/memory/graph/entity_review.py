"""One entity by its name, and entities to review: pairs that may be the same, and names that may be none."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import NotFound
from jotsam.core.graph_records import MergeCandidate, ReviewedEntity
from jotsam.core.names import CATEGORIES
from jotsam.pipeline.entities import review
from jotsam.pipeline.entities.roles import names_role
from jotsam.pipeline.text.slugs import slug
from jotsam.storage.graph import entities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.core.records import NamedEntity
    from jotsam.storage.database import Row, Transaction

REVIEWED = 2_000  # of the entities that most memories mention
MAX_PAIRS = 500  # whose memories are compared
MAX_ALIKE = 40  # the same of one entity
MENTIONS = 1_000  # of the latest of the rarer entity
LIKENESS_PART, SHARED_PART = 0.4, 0.6
MIN_CONFIDENCE, LIKELY_CONFIDENCE, LIKELY_SHARED = 0.5, 0.8, 0.6
GIVEN_NAME_CONFIDENCE = 0.6  # at least, of a full name that alone begins with a given name, and is said with it
SAME_SPELLING = 0.85  # likeness of slugs that differ in a letter or two


def names_category(name: str) -> bool:
    """Whether the name of an entity is `category:slug`."""
    category, colon, _ = validate.check_text("name", name).removeprefix("entity:").partition(":")
    return bool(colon) and category in CATEGORIES


def parsed_name(name: str) -> tuple[str | None, str]:
    """The category, if the name of an entity gives one, and its slug."""
    category, _, rest = validate.check_text("name", name).removeprefix("entity:").partition(":")
    return (category, slug(rest)) if names_category(name) else (None, slug(name))


def entity(tx: Transaction, *, slug: str, category: str | None) -> NamedEntity:
    """The entity with a slug or an alias; of several categories, the one that most memories mention."""
    found = entities.with_slug(tx, category=category, slug=slug)
    if found is None:
        raise NotFound(f"no entity {slug!r}: `jotsam entities` lists them")
    return found


def merge_candidates(tx: Transaction, *, limit: int = 100) -> tuple[MergeCandidate, ...]:
    """Pairs of one category with slugs that are alike, and of two with the same slug; the surest first.

    Of the `REVIEWED` entities that most memories mention. Raises `InvalidInput`.
    """
    validate.check_int("limit", limit, 1, MAX_PAIRS)
    return candidates_among(tx, entities.most_mentioned(tx, limit=REVIEWED), limit=limit)


def candidates_among(
    tx: Transaction, rows: Sequence[Row], *, limit: int, pairs_compared: int = MAX_PAIRS
) -> tuple[MergeCandidate, ...]:
    """The pairs of `merge_candidates` among some entities."""
    groups: dict[str, dict[str, Row]] = {}
    named: dict[str, list[Row]] = {}
    for row in rows:
        if not names_role(row["category"], row["slug"]):
            groups.setdefault(row["category"], {})[row["slug"]] = row
            named.setdefault(row["slug"], []).append(row)
    pairs = [
        (likeness, group[one], group[other])
        for group in groups.values()
        for likeness, one, other in review.alike_pairs([*group])
    ]
    pairs += [(1.0, same[0], other) for same in named.values() for other in same[1:]]
    pairs.sort(key=lambda pair: (-pair[0], -pair[1]["memories"] - pair[2]["memories"]))
    ambiguous = review.ambiguous_given_names(groups.get("people", {}))
    found = (_candidate(tx, *pair, ambiguous=ambiguous) for pair in pairs[:pairs_compared])
    return tuple(sorted(filter(_is_worth, found), key=lambda one: (-one.confidence, one.name, one.into))[:limit])


def candidates_of(tx: Transaction, entity: NamedEntity, *, latest: int, limit: int) -> tuple[MergeCandidate, ...]:
    """The pairs of `merge_candidates` with one entity, of the entities that the `latest` memories mention.

    One of another category with the same slug is found wherever it is mentioned.
    """
    rows = entities.of_latest(tx, latest=latest, category=entity.category, limit=REVIEWED)
    slugs = {row["slug"]: row for row in rows if not names_role(row["category"], row["slug"])}
    if entity.slug not in slugs:
        slugs[entity.slug] = entities.one(tx, category=entity.category, slug=entity.slug) | {"memories": 0}
    found = [pair for slug in slugs if slug != entity.slug for pair in review.alike_pairs([entity.slug, slug])]
    ambiguous = review.ambiguous_given_names(slugs) if entity.category == "people" else frozenset()
    pairs = [
        _candidate(tx, likeness, slugs[one], slugs[other], ambiguous=ambiguous)
        for likeness, one, other in sorted(found, reverse=True)[:MAX_ALIKE]
    ]
    own = slugs[entity.slug] | {"memories": entity.memories}
    elsewhere = (one for one in entities.with_same_slug(tx, entity.slug) if one["category"] != entity.category)
    pairs += [_candidate(tx, 1.0, own, one, ambiguous=ambiguous) for one in elsewhere]
    return tuple(sorted(filter(_is_worth, pairs), key=lambda one: (-one.confidence, one.name, one.into))[:limit])


def reviewed(tx: Transaction, *, limit: int = REVIEWED) -> tuple[ReviewedEntity, ...]:
    """The entities that most memories mention, each with what speaks against its name. Raises `InvalidInput`."""
    validate.check_int("limit", limit, 1, REVIEWED)
    rows = entities.most_mentioned(tx, limit=limit)
    return tuple(_rated(rows))


def _is_worth(one: MergeCandidate) -> bool:
    return one.confidence >= MIN_CONFIDENCE or one.likeness >= SAME_SPELLING


def _candidate(tx: Transaction, likeness: float, one: Row, other: Row, *, ambiguous: frozenset[str]) -> MergeCandidate:
    """The pair, of which the longer slug is kept."""
    into, name = sorted((one, other), key=lambda row: (-len(row["slug"]), row["slug"], -row["memories"]))
    rarer, more = sorted((one, other), key=lambda row: row["memories"])
    shared = entities.shared_part(tx, rarer["id"], more["id"], most=MENTIONS)
    confidence = LIKENESS_PART * likeness + SHARED_PART * shared
    is_ambiguous = name["category"] == "people" and name["slug"] in ambiguous
    if name["category"] == into["category"] == "people" and shared and not is_ambiguous:
        is_given_name = into["slug"].startswith(f"{name['slug']}-")  # Of one person alone who is mentioned with it.
        confidence = max(confidence, GIVEN_NAME_CONFIDENCE if is_given_name else 0.0)
    is_likely = review.is_part(one["slug"], other["slug"]) and shared > LIKELY_SHARED
    return MergeCandidate(
        name=entities.tag(name),
        into=entities.tag(into),
        likeness=round(likeness, 3),
        shared=round(shared, 3),
        confidence=round(confidence, 3),
        is_likely=is_likely and confidence >= LIKELY_CONFIDENCE and not is_ambiguous,
        is_ambiguous=is_ambiguous,
    )


def _rated(rows: list[Row]) -> Iterator[ReviewedEntity]:
    slugs = [row["slug"] for row in rows]
    several = {slug for slug in slugs if slugs.count(slug) > 1} if len(set(slugs)) < len(slugs) else set()
    for row in rows:
        doubt = review.doubt(row["slug"]) or ("several-categories" if row["slug"] in several else None)
        yield ReviewedEntity(
            category=row["category"],
            slug=row["slug"],
            name=row["name"],
            memories=row["memories"],
            latest=row["latest"],
            doubt=doubt,
        )
