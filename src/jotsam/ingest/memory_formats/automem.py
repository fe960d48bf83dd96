"""Exports of AutoMem: the archive of its `/backup`, the graph inside it, or a JSON list of memories of its API.
`falkordb_graph` reads the same nodes and relations from its server.

The graph is `{"nodes": [{"id", "labels", "properties"}], "relationships": [{"source_id", "type", "target_id",
"properties"}]}`, in JSON or compressed. What AutoMem had extracted (tags `entity:...`, similar memories) is left out,
because it is extracted again.
"""

from __future__ import annotations

import gzip
import tarfile
import zlib

from jotsam.core.errors import InvalidInput
from jotsam.core.names import LINK_PROPERTIES, LINK_TYPES
from jotsam.core.records import Memory
from jotsam.ingest import files
from jotsam.ingest.memory_formats.items import (
    MAX_BYTES,
    Item,
    ItemLink,
    Rejected,
    items_of,
    object_of,
    parsed,
    share_of,
    text_of,
    texts_of,
    time_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

GZIP = b"\x1f\x8b"
ENDS = ("source_id", "target_id")
EXTRACTED = ("entities", "enrichment")  # in metadata


def read_items(path: str) -> Iterator[Item | ItemLink | Rejected]:
    value = parsed(_graph(path), name=path)
    memories = value.get("memories") if isinstance(value, dict) else None
    if isinstance(memories, list):
        yield from items_of(memories, item_of, name="memory")
        return
    nodes, edges = (value.get(name) if isinstance(value, dict) else None for name in ("nodes", "relationships"))
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise InvalidInput(f"{path}: not an export of AutoMem: it has neither memories, nor nodes and relationships")
    own = [node for node in nodes if isinstance(node, dict) and is_memory(texts_of(node.get("labels")))]
    yield from items_of((object_of(node.get("properties")) for node in own), item_of, name="node")
    ids = {_id(node): text_of(object_of(node.get("properties")).get("id")) for node in own}
    for number, edge in enumerate(edges, 1):
        if not isinstance(edge, dict) or not all(_id(edge, name) for name in ENDS) or not text_of(edge.get("type")):
            yield Rejected(line=None, reason=f"relationship {number:,}: it has no source_id, target_id or type")
            continue
        source, target = (ids.get(_id(edge, name)) for name in ENDS)
        if source and target and (link := link_of(source, edge["type"], target, object_of(edge.get("properties")))):
            yield link


def is_memory(labels: Iterable[str]) -> bool:
    """Whether a node is a memory that AutoMem shows: its summaries of clusters never are."""
    return "Memory" in labels and "MetaMemory" not in labels


def link_of(source: str, type: str, target: str, said: Mapping[str, Any]) -> ItemLink | None:
    """A relation between two memories, by their ids. None if it is of a type that only AutoMem itself creates."""
    if type not in LINK_TYPES:
        return None
    return ItemLink(
        source=_key(source),
        type=type,
        target=_key(target),
        weight=share_of(said.get("strength")) or 1.0,
        properties={name: said[name] for name in LINK_PROPERTIES.get(type, ()) if name in said},
    )


def _id(part: dict[str, Any], name: str = "id") -> str:
    """A number or text that identifies a node in the file; else empty."""
    value = part.get(name)
    return repr(value) if isinstance(value, int | str) and value != "" else ""


def _graph(path: str) -> bytes:
    """The JSON text of the graph."""
    with files.open_regular(path) as file:
        begin = file.read(2)
        file.seek(0)
        if begin != GZIP:
            return file.read(MAX_BYTES)
        try:
            plain = gzip.GzipFile(fileobj=file)
            if plain.read(1) in (b"{", b"["):
                file.seek(0)
                return gzip.GzipFile(fileobj=file).read(MAX_BYTES)
            file.seek(0)
            with tarfile.open(fileobj=file, mode="r:gz") as archive:
                for member in archive:
                    if member.name.startswith("jotsam/"):
                        hint = f"run `tar -xzOf {path} > memory.jsonl`, and import that file"
                        raise InvalidInput(f"{path}: a backup of Jotsam, not of AutoMem: {hint}")
                    if member.isfile() and "falkordb" in member.name and (found := archive.extractfile(member)):
                        return gzip.GzipFile(fileobj=found).read(MAX_BYTES)
        except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
            raise InvalidInput(f"{path}: cannot be decompressed: {error}") from error
    raise InvalidInput(f"{path}: not a backup of AutoMem: it contains no falkordb/*.json.gz")


def item_of(entry: Mapping[str, Any]) -> Item:
    """A memory by the properties of its node. Raises `InvalidInput`."""
    text, id = text_of(entry.get("content")), text_of(entry.get("id"))
    if not text or not id:
        raise InvalidInput("it has no id or no content")
    said_at = time_of(entry.get("timestamp"), name="timestamp")
    valid_from = time_of(entry.get("t_valid"), name="t_valid")
    metadata = {name: value for name, value in object_of(entry.get("metadata")).items() if name not in EXTRACTED}
    valid_until = time_of(entry.get("t_invalid"), name="t_invalid")
    if valid_until is None and entry.get("archived") is True:  # AutoMem hides it without a time of its own.
        valid_until = time_of(entry.get("archived_at"), name="archived_at")
    if valid_from is not None and valid_until is not None and valid_until < valid_from:
        valid_from = valid_until  # It was never valid.
    type = text_of(entry.get("type"))
    memory = Memory(
        text=text,
        source="automem",
        external_id=id,
        type=type if type not in ("", "Memory") else None,
        tags=tuple(tag for tag in texts_of(entry.get("tags")) if not tag.startswith("entity:")),
        importance=share_of(entry.get("importance")),
        confidence=share_of(entry.get("confidence")),
        metadata=metadata or None,
        said_at=said_at,
        valid_from=valid_from if valid_from != said_at else None,  # AutoMem sets it to the time of the memory.
        valid_until=valid_until,
    )
    return Item(key=_key(id), memory=memory)


def _key(id: str) -> str:
    return f"automem:{id}"
