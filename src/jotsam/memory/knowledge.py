"""What memory knows as a whole: its entities, facts and patterns, what a memory is linked to, and what is no secret."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import CATEGORIES, LINK_TYPES, as_type
from jotsam.core.records import AllowedSecret, Link, MemoryGraph, Neighbour
from jotsam.memory.show import memory_row
from jotsam.pipeline.facts.predicates import normalise_predicate
from jotsam.pipeline.redaction.redact import fingerprint, redact
from jotsam.pipeline.text.slugs import slug
from jotsam.storage import allowed_secrets as allowed
from jotsam.storage import entities, facts, graph, patterns, redactions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.records import Fact, NamedEntity, Pattern, Redaction
    from jotsam.storage.database import Database, Row, Transaction

MOST_NEIGHBOURS = 200
SHORTEST = 8


class Knowledge:
    """The graph of one tenant."""

    def __init__(self, database: Database, *, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def entities(
        self, *, category: str | None = None, words: str | None = None, limit: int = 50
    ) -> tuple[NamedEntity, ...]:
        """The named things of memory, those that most memories mention first. `words` is a part of the name.

        `category` is one of people, organizations, tools, concepts, projects. Raises `InvalidInput`.
        """
        validate.check_choice("category", category, CATEGORIES)
        validate.check_optional_text("words", words)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entities.every(tx, category=category, words=words, limit=limit)

    def merge(self, name: str, *, into: str) -> str:
        """Say that two entities are one: `name` becomes another name of `into`. Returns the tag of that one.

        A name is a slug, a name as written, or `category:slug`. Nothing is removed, and `split` takes it back.
        Raises `NotFound`, and `InvalidInput` for a name that several categories have, for one that is another name of
        something else already, and for two of different categories unless both are given as `category:slug`.
        """
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other = self._entity(tx, name), self._entity(tx, into)
            if one["category"] != other["category"] and not (_names_category(name) and _names_category(into)):
                raise InvalidInput(
                    f"{_tag(one)} and {_tag(other)} are of different categories: if they are one all the same, "
                    f"merge {_short(one)} into {_short(other)} by these names"
                )
            return _tag(entities.merge(tx, entity=one, into=other))

    def split(self, name: str) -> str:
        """Take back that an entity was merged. Returns the tag of what it had been merged into."""
        with self._database.transaction(tenant=self._tenant) as tx:
            return _tag(entities.split(tx, entity=self._entity(tx, name)))

    def facts(self, *, limit: int = 50, **wanted: Any) -> list[Fact]:
        """What memories say and what holds, the latest first. `wanted` are parts of `words` (in subject or object),
        `subject`, `object`, or a `predicate` or `project`; `history` adds what holds no more, or not yet.
        Raises `InvalidInput`.
        """
        validate.check_fields(wanted, facts.Wanted._fields)
        validate.check_int("limit", limit, 1)
        for name, value in wanted.items():
            validate.check_bool(name, value) if name == "history" else validate.check_optional_text(name, value)
        if wanted.get("predicate"):
            wanted["predicate"] = normalise_predicate(wanted["predicate"])
        with self._database.snapshot(tenant=self._tenant) as tx:
            chosen = facts.Wanted(**wanted)
            return [fact for _, fact in facts.find(tx, chosen, limit=limit)]

    def patterns(self, *, type: str | None = None, limit: int = 50) -> tuple[Pattern, ...]:
        """Themes that recur among memories of one type, those shown most often first. Raises `InvalidInput`."""
        validate.check_optional_text("type", type)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return patterns.every(tx, type=type and as_type(type), limit=limit)

    def around(self, id: str) -> MemoryGraph:
        """What a memory is linked to, both ways, with its entities and patterns. `id` as for `show`."""
        with self._database.snapshot(tenant=self._tenant) as tx:
            row = memory_row(tx, id=id)
            found = graph.neighbours(tx, row["id"], limit=MOST_NEIGHBOURS)
            return MemoryGraph(
                id=row["uuid"],
                summary=row["summary"] or row["body"][:120],
                neighbours=tuple(_neighbour(other) for other in found),
                entities=graph.mentions(tx, row["id"]),
                patterns=patterns.of_memory(tx, row["id"]),
            )

    def link(self, source: str, type: str, target: str, *, weight: float = 1.0) -> Link:
        """Say that a memory leads to another, contradicts it, is a part of it, ...: one of `names.LINK_TYPES`.

        Both are named as for `show`; `weight` is above 0 and at most 1. Linking again changes the weight, reading a
        memory again changes nothing, and `unlink` takes it back. A link hides nothing; `Jotsam.supersede` does.
        Raises `NotFound`, `InvalidInput`.
        """
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not (is_number and 0 < weight <= 1):
            raise InvalidInput(f"weight is {weight!r}: give a number above 0 and at most 1")
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other, kind = self._ends(tx, source, type, target)
            graph.link(tx, source=one["id"], target=other["id"], type=kind, weight=float(weight))
        return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=float(weight))

    def unlink(self, source: str, type: str, target: str) -> Link:
        """Take back a link that somebody made. Raises `NotFound` where there is none, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other, kind = self._ends(tx, source, type, target)
            weight = graph.unlink_made(tx, source=one["id"], target=other["id"], type=kind)
        if weight is None:
            raise NotFound(f"nobody linked {one['uuid']} {kind} {other['uuid']}: `jotsam graph` shows links")
        return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=weight)

    def allow(self, secret: str, *, reason: str) -> str:
        """Let a text stand that looks like a secret and is none, in all that is accepted from now on.

        Only its fingerprint is kept, with the reason. Returns the fingerprint. Raises `InvalidInput`.
        """
        if not validate.check_text("text", secret).strip() or not validate.check_text("reason", reason).strip():
            raise InvalidInput("give what looks like a secret, and a reason why it is none: both are empty or one is")
        mark = fingerprint(secret)
        with self._database.transaction(tenant=self._tenant) as tx:
            allowed.allow(tx, fingerprint=mark, reason=redact(reason.strip())[0])
        return mark

    def allow_redacted(self, prefix: str, *, reason: str) -> str:
        """As `allow`, for what was taken out once and whose fingerprint begins like this: so nobody types it again.

        What is kept stays as it is; hand it in again. Raises `InvalidInput`, and `NotFound`.
        """
        _check(prefix)
        if not validate.check_text("reason", reason).strip():
            raise InvalidInput("the reason is empty: say why it is no secret")
        with self._database.transaction(tenant=self._tenant) as tx:
            found = redactions.matching(tx, prefix=prefix)
            if not found:
                raise NotFound(f"nothing was taken out with the fingerprint {prefix!r}: `jotsam redacted` shows them")
            if len(found) > 1:
                raise InvalidInput(f"fingerprint {prefix!r} is not unique: give more of it")
            allowed.allow(tx, fingerprint=found[0], reason=redact(reason.strip())[0])
        return found[0]

    def redactions(self, *, limit: int = 50) -> tuple[Redaction, ...]:
        """What was taken out of what was accepted, the latest first: never a secret itself. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return redactions.latest(tx, limit=limit)

    def forbid(self, prefix: str) -> int:
        """Take back what was allowed and whose fingerprint begins like this. Returns how many there were."""
        _check(prefix)
        with self._database.transaction(tenant=self._tenant) as tx:
            return allowed.forbid(tx, prefix=prefix)

    def allowed(self) -> tuple[AllowedSecret, ...]:
        """What is allowed, each with its reason."""
        with self._database.snapshot(tenant=self._tenant) as tx:
            return tuple(AllowedSecret(**row) for row in allowed.every(tx))

    def _ends(self, tx: Transaction, source: str, type: str, target: str) -> tuple[Row, Row, str]:
        """Two memories of this tenant, and the type of a link as it is kept."""
        kind = validate.check_text("type", type).strip().upper()
        validate.check_choice("type", kind, LINK_TYPES)
        one, other = (memory_row(tx, id=id) for id in (source, target))
        if one["id"] == other["id"]:
            raise InvalidInput(f"{source!r} and {target!r} are the same memory: give two")
        return one, other, kind

    def _entity(self, tx: Transaction, name: str) -> Row:
        category, _, rest = validate.check_text("name", name).removeprefix("entity:").partition(":")
        named = _names_category(name)
        plain = slug(rest if named else name)
        return entities.one(tx, category=category if named else None, slug=plain)


def _check(prefix: str) -> None:
    if not validate.check_text("fingerprint", prefix).isalnum() or len(prefix) < SHORTEST:
        raise InvalidInput(f"fingerprint is {prefix!r}: give at least the first {SHORTEST} characters of it")


def _names_category(name: str) -> bool:
    category, colon, _ = validate.check_text("name", name).removeprefix("entity:").partition(":")
    return bool(colon) and category in CATEGORIES


def _short(entity: Row) -> str:
    return f"{entity['category']}:{entity['slug']}"


def _tag(entity: Row) -> str:
    return f"entity:{entity['category']}:{entity['slug']}"


def _neighbour(row: Row) -> Neighbour:
    return Neighbour(
        id=row["uuid"],
        type=row["type"],
        weight=row["weight"],
        outgoing=bool(row["outgoing"]),
        summary=row["summary"],
        extractor=row["extractor"],
    )
