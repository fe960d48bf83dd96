"""The longest names that are allowed fit into the indexes of PostgreSQL, all at once."""

from __future__ import annotations

import random

from jotsam import Document, Jotsam, Memory, Queue
from jotsam.core.records import Fact
from jotsam.core.settings import Settings
from jotsam.core.validate import MAX_NAME_BYTES, MAX_SOURCE_BYTES
from jotsam.ingest import accept
from jotsam.storage.graph import facts


def test_the_longest_names_of_all_fields_are_stored_together(url):
    """Of random characters, because an index compresses its keys."""
    made = random.Random(1)

    def name(size: int = MAX_NAME_BYTES) -> str:
        return "".join(made.choices("абвгдежзийклмнопрстуфхцчшщъыьэюя", k=size // 2))

    tenant, source = name(), name(MAX_SOURCE_BYTES)
    names = {field: name() for field in ("project", "actor", "session")}
    tags = tuple("".join(made.choices("abcdefghijklmnopqrstuvwxyz", k=200)) for _ in range(3))
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, tenant=tenant)) as jot:
        with jot.database.transaction() as tx:
            accept.add(tx, Document(text="A chunk.", tenant=tenant, source=source, **names), key=name())
            memory = Memory(text="We use Redis.", tenant=tenant, source=source, type=name(), tags=tags, **names)
            accept.remember(tx, memory.replace(external_id=name()), key=name())
        jot.work()
        assert (jot.status().memories, jot.status().depth.failed, jot.status().depth.dead) == (2, 0, 0)
        assert jot.recall("Redis", session=names["session"]).coverage.total == 2
        with jot.database.transaction(tenant=tenant) as tx:
            (row,) = tx.execute("select id, uuid from memory where document_id is null")
            fact = Fact(subject=name(), predicate="uses", object=name(1_000))
            facts.save(tx, number=row["id"], memory=row["uuid"], facts=[fact])
    with Queue(url, name()) as queue:
        queue.send("x", kind=name(), key=name(), lane=name(), tenant=tenant)
        assert queue.receive() is not None
