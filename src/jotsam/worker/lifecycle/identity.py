"""The step `identity`: writes a short text about each entity from its current facts, when these have changed."""

from __future__ import annotations

import json

from jotsam.pipeline.lifecycle.identity_text import KnownFact, identity_text
from jotsam.storage.graph import entities
from jotsam.storage.lifecycle import identities
from jotsam.worker.lifecycle.step import Change, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.lifecycle.identity_text import IdentityText
    from jotsam.storage.database import Row, Transaction
    from jotsam.worker.lifecycle.step import StepContext

ENTITIES = 200  # of a part
FACTS = 200  # of an entity, the latest
BY_RULES = "rules/1"


class Identities:
    def plan(self, context: StepContext, place: str | None) -> Part:
        after = tuple(json.loads(place)) if place else ("", "")
        with context.database.snapshot(tenant=context.tenant) as tx:
            rows = identities.entities(tx, after=after, limit=ENTITIES)
            found = [_change(row, _text(tx, row)) for row in rows]
        last = json.dumps([rows[-1]["category"], rows[-1]["slug"]]) if len(rows) == ENTITIES else None
        return Part(changes=tuple(one for one in found if one), examined=len(rows), place=last)


def _text(tx: Transaction, row: Row) -> IdentityText | None:
    """The text about an entity; None if it is an alias, or if another one of its name is mentioned more often."""
    if row["canonical_id"] is not None or (row["rivals"] and identities.first_rival(tx, slug=row["slug"]) != row["id"]):
        return None
    aliases = [one["name"] for one in entities.merged_into(tx, row["id"])]
    names = [row["name"], *aliases, row["slug"], row["slug"].replace("-", " ")]
    facts = identities.facts(tx, names, limit=FACTS)
    return identity_text(row["name"], [KnownFact(**{name: one[name] for name in KnownFact._fields}) for one in facts])


def _change(row: Row, text: IdentityText | None) -> Change | None:
    before = row["hash"]
    if (text.hash if text else None) == before:
        return None
    if text is None:
        why, after = "no current fact says enough any longer", None
    else:
        number = len(text.sources)
        why = f"{'made' if before is None else 'made again'} of {number} fact{'' if number == 1 else 's'}"
        after = {"body": text.body, "sources": json.dumps(text.sources), "hash": text.hash, "made_by": BY_RULES}
    return Change(
        kind="identity",
        ids=(f"entity:{row['category']}:{row['slug']}", text.hash if text else ""),
        why=why,
        data={"entity": row["id"], "before": before, "after": after},
    )
