"""`Jotsam.knowledge`: entities, facts, patterns and links of a tenant, its redactions and allowed secrets."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import CATEGORIES, LINK_TYPES, as_type
from jotsam.core.records import AllowedSecret, Link, MemoryGraph, Neighbour
from jotsam.memory import batches
from jotsam.memory.show import memory_row
from jotsam.pipeline.facts.predicates import normalise_predicate
from jotsam.pipeline.redaction.redact import fingerprint, redact
from jotsam.pipeline.text.slugs import slug
from jotsam.storage import allowed_secrets as allowed
from jotsam.storage import entities, facts, graph, patterns, redactions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Unpack

    from jotsam.core.records import Fact, ItemResult, NamedEntity, Pattern, Redaction
    from jotsam.memory.options import EntityCategory, FactOptions, LinkItem
    from jotsam.storage.database import Database, Row, Transaction

MAX_NEIGHBOURS = 200
_LINK_ITEM = frozenset(("source", "type", "target", "weight"))
MIN_PREFIX = 8  # characters of a fingerprint


class Knowledge:
    """The knowledge graph of one tenant, and what its redaction removed and allows."""

    def __init__(self, database: Database, *, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def entities(
        self, *, category: EntityCategory | None = None, words: str | None = None, limit: int = 50
    ) -> tuple[NamedEntity, ...]:
        """Entities, those that most memories mention first. `words` is part of the name. Raises `InvalidInput`."""
        validate.check_choice("category", category, CATEGORIES)
        validate.check_optional_text("words", words)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return entities.every(tx, category=category, words=words, limit=limit)

    def merge(self, name: str, *, into: str) -> str:
        """Merge two entities: `name` becomes an alias of `into`. Returns the tag of `into`. `split` undoes it.

        A name is a slug, a name as written, or `category:slug`. Raises `NotFound`, and `InvalidInput` for a name that
        exists in several categories or is an alias already, and for entities of different categories, unless both are
        given as `category:slug`.
        """
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other = self._entity(tx, name), self._entity(tx, into)
            if one["category"] != other["category"] and not (_names_category(name) and _names_category(into)):
                raise InvalidInput(
                    f"{_tag(one)} and {_tag(other)} are of different categories: to merge them anyway, "
                    f"name them {_short(one)} and {_short(other)}"
                )
            return _tag(entities.merge(tx, entity=one, into=other))

    def split(self, name: str) -> str:
        """Undo `merge`. Returns the tag of the entity that it was merged into. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            return _tag(entities.split(tx, entity=self._entity(tx, name)))

    def facts(self, *, limit: int = 50, **options: Unpack[FactOptions]) -> list[Fact]:
        """Facts that are valid now, the latest first.

        Options: `subject` and `object` (parts of them), `words` (part of either), `predicate`, `project`; `history`
        includes facts that are no longer valid, or not yet. Raises `InvalidInput`.
        """
        wanted: dict[str, Any] = {**options}
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
        """Recurring themes of memories of one type, the most frequent first. Raises `InvalidInput`."""
        validate.check_optional_text("type", type)
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return patterns.every(tx, type=type and as_type(type), limit=limit)

    def graph(self, id: str) -> MemoryGraph:
        """A memory with its links in both directions, entities and patterns. `id` as for `Jotsam.show`.

        Raises `NotFound`, `InvalidInput`.
        """
        with self._database.snapshot(tenant=self._tenant) as tx:
            row = memory_row(tx, id=id)
            found = graph.neighbours(tx, row["id"], limit=MAX_NEIGHBOURS)
            return MemoryGraph(
                id=row["uuid"],
                summary=row["summary"] or row["body"][:120],
                neighbours=tuple(_neighbour(other) for other in found),
                entities=graph.mentions(tx, row["id"]),
                patterns=patterns.of_memory(tx, row["id"]),
            )

    def link(self, source: str, type: str, target: str, *, weight: float = 1.0) -> Link:
        """Link two memories: LEADS_TO, CONTRADICTS, PART_OF, ... (see `names.LINK_TYPES`). `unlink` undoes it.

        Ids as for `Jotsam.show`; `weight` is above 0 and at most 1. Linking again changes the weight. Reprocessing
        keeps the link. A link hides nothing from recall; `Jotsam.supersede` does. Raises `NotFound`, `InvalidInput`.
        """
        with self._database.transaction(tenant=self._tenant) as tx:
            return self._link(tx, source, type, target, weight)

    def link_many(self, items: Iterable[LinkItem]) -> list[ItemResult]:
        """Link up to 500 pairs of memories in one commit, each as by `link`, in order.

        An item is a dict of `source`, `type`, `target`, and perhaps `weight`. Returns a result for each: its link, or
        the error because of which it is not created, which does not affect the others. Raises `InvalidInput`.
        """
        found = batches.check_items(items)

        def link(item: object) -> Link:
            fields = batches.check_item(item, required=("source", "type", "target"), allowed=_LINK_ITEM)
            return self._link(tx, fields["source"], fields["type"], fields["target"], fields.get("weight", 1.0))

        with self._database.transaction(tenant=self._tenant) as tx:
            return batches.link_each(found, link)

    def unlink(self, source: str, type: str, target: str) -> Link:
        """Delete a link that `link` created. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            one, other, kind = self._ends(tx, source, type, target)
            weight = graph.unlink_manual(tx, source=one["id"], target=other["id"], type=kind)
        if weight is None:
            raise NotFound(f"there is no link {one['uuid']} {kind} {other['uuid']}: `jotsam graph` shows links")
        return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=weight)

    def allow(self, secret: str, *, reason: str) -> str:
        """Allow a text that looks like a secret: it is not redacted from now on.

        Stores its fingerprint and the reason, not the text. Returns the fingerprint. Raises `InvalidInput`.
        """
        if not validate.check_text("text", secret).strip() or not validate.check_text("reason", reason).strip():
            raise InvalidInput("the text or the reason is empty: give a text, and the reason why it is not a secret")
        mark = fingerprint(secret)
        with self._database.transaction(tenant=self._tenant) as tx:
            allowed.allow(tx, fingerprint=mark, reason=redact(reason.strip())[0])
        return mark

    def allow_redacted(self, prefix: str, *, reason: str) -> str:
        """Allow a text that was redacted, by the prefix of its fingerprint. Returns the fingerprint.

        Stored texts stay redacted: add them again. Raises `NotFound`, `InvalidInput`.
        """
        _check(prefix)
        if not validate.check_text("reason", reason).strip():
            raise InvalidInput("the reason is empty: state why it is not a secret")
        with self._database.transaction(tenant=self._tenant) as tx:
            found = redactions.matching(tx, prefix=prefix)
            if not found:
                raise NotFound(f"there is no redaction with the fingerprint {prefix!r}: `jotsam redacted` lists them")
            if len(found) > 1:
                raise InvalidInput(f"fingerprint {prefix!r} is ambiguous: give more characters")
            allowed.allow(tx, fingerprint=found[0], reason=redact(reason.strip())[0])
        return found[0]

    def redactions(self, *, limit: int = 50) -> tuple[Redaction, ...]:
        """Redactions of accepted texts, the latest first; never the secret. Raises `InvalidInput`."""
        validate.check_int("limit", limit, 1)
        with self._database.snapshot(tenant=self._tenant) as tx:
            return redactions.latest(tx, limit=limit)

    def forbid(self, prefix: str) -> int:
        """Undo `allow` for all fingerprints with this prefix. Returns how many. Raises `InvalidInput`."""
        _check(prefix)
        with self._database.transaction(tenant=self._tenant) as tx:
            return allowed.forbid(tx, prefix=prefix)

    def allowed(self) -> tuple[AllowedSecret, ...]:
        """The allowed texts: fingerprints and reasons."""
        with self._database.snapshot(tenant=self._tenant) as tx:
            return tuple(AllowedSecret(**row) for row in allowed.every(tx))

    def _link(self, tx: Transaction, source: str, type: str, target: str, weight: float) -> Link:
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not (is_number and 0 < weight <= 1):
            raise InvalidInput(f"invalid weight {weight!r}: must be a number above 0 and at most 1")
        one, other, kind = self._ends(tx, source, type, target)
        graph.link(tx, source=one["id"], target=other["id"], type=kind, weight=float(weight))
        return Link(source=one["uuid"], target=other["uuid"], type=kind, weight=float(weight))

    def _ends(self, tx: Transaction, source: str, type: str, target: str) -> tuple[Row, Row, str]:
        """The rows of two memories, and the link type as stored."""
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
    if not validate.check_text("fingerprint", prefix).isalnum() or len(prefix) < MIN_PREFIX:
        raise InvalidInput(f"invalid fingerprint {prefix!r}: must be at least its first {MIN_PREFIX} characters")


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
