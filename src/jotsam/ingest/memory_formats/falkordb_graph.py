"""The graph of AutoMem on its FalkorDB server, read page by page. It reads only, and holds one page at a time."""

from __future__ import annotations

from itertools import pairwise

from jotsam.core.errors import InvalidInput
from jotsam.engines.falkordb_connection import Connection, check_library
from jotsam.ingest.memory_formats import automem
from jotsam.ingest.memory_formats.items import Item, ItemLink, Progress, Rejected, items_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_GRAPH = "memories"  # as AutoMem's
PAGE = 500
MAX_SHOWN = 10  # names of graphs in a message

COUNT = "match (m:Memory) return count(m)"

# One row, because a server can be configured to cut answers of many rows.
NODES = """
match (m:Memory)
where id(m) > $after
with m
order by id(m)
limit $limit
return collect([id(m), labels(m), properties(m)])
"""

RELATIONS = """
match (m:Memory)-[r]->(n:Memory)
where id(m) > $after and id(m) <= $last
return collect([m.id, type(r), n.id, properties(r)])
"""

PROJECTED = "match (m:Memory) where m.digest is not null and m.version is not null return m.id limit 1"


def read_items(
    address: str, *, password: str | None = None, ca_file: str | None = None
) -> Iterator[Item | ItemLink | Progress | Rejected]:
    """Memories first, then their relations. The address names the graph, by default AutoMem's.

    Raises `InvalidInput`, and `ProviderUnavailable` if the server cannot be used.
    """
    check_library()
    connection = Connection(address, password=password, ca_file=ca_file)
    try:
        yield from _read(connection, connection.address.graph or DEFAULT_GRAPH)
    finally:
        connection.close()


def _read(connection: Connection, graph: str) -> Iterator[Item | ItemLink | Progress | Rejected]:
    counted = connection.read_rows(graph, COUNT)
    if counted is None:
        known = ", ".join(sorted(connection.graphs())[:MAX_SHOWN]) or "none"
        place = connection.address.shown()
        raise InvalidInput(f"{place} has no graph {graph!r}: write {place}/GRAPH; its graphs are: {known}")
    if connection.read_rows(graph, PROJECTED):
        raise InvalidInput(
            f"the graph {graph!r} is made by Jotsam from a database of its own: import an export of that database"
        )
    total, done, ends = int(counted[0][0]), 0, [-1]
    while True:
        rows = connection.read_rows(graph, NODES, {"after": ends[-1], "limit": PAGE})
        nodes = rows[0][0] if rows else []
        if not nodes:
            break
        own = [properties for _, labels, properties in nodes if automem.is_memory(labels)]
        yield from items_of(own, automem.item_of, name="memory")
        done += len(nodes)
        ends.append(nodes[-1][0])
        yield Progress(done=done, total=max(total, done))
    for after, last in pairwise(ends):
        yield from _relations(connection, graph, after, last)


def _relations(connection: Connection, graph: str, after: int, last: int) -> Iterator[ItemLink]:
    rows = connection.read_rows(graph, RELATIONS, {"after": after, "last": last})
    for source, type, target, said in rows[0][0] if rows else ():
        if text_of(source) and text_of(target) and (link := automem.link_of(source, type, target, said)):
            yield link
