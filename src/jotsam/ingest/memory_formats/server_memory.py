"""The knowledge graph of the MCP server `memory`: a file of JSON lines.

A line is `{"type": "entity", "name", "entityType", "observations": [...]}` or `{"type": "relation", "from", "to",
"relationType"}`. There are no times. An entity becomes a memory with its name and type, each observation a memory that
is PART_OF it, and a relation a memory that states it, and a link.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory
from jotsam.ingest import files
from jotsam.ingest.memory_formats.items import Item, ItemLink, Rejected, link_type, mark, parsed, text_of, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SOURCE = "server-memory"


def read_items(path: str) -> Iterator[Item | ItemLink | Rejected]:
    with files.open_regular(path) as file:
        for number, data in enumerate(file, 1):
            if not data.strip():
                continue
            try:
                yield from _line(parsed(data, name=f"line {number}"))
            except InvalidInput as error:
                yield Rejected(line=number, reason=str(error))


def _line(entry: Any) -> Iterator[Item | ItemLink]:
    kind = entry.get("type") if isinstance(entry, dict) else None
    if kind == "entity" and text_of(entry.get("name")):
        yield from _entity(
            text_of(entry["name"]), text_of(entry.get("entityType")), texts_of(entry.get("observations"))
        )
    elif kind == "relation" and all(text_of(entry.get(name)) for name in ("from", "to", "relationType")):
        yield from _relation(text_of(entry["from"]), text_of(entry["relationType"]), text_of(entry["to"]))
    else:
        raise InvalidInput("neither an entity with a name nor a relation with from, to and relationType")


def _entity(name: str, type: str, observations: tuple[str, ...]) -> Iterator[Item | ItemLink]:
    tags = (type,) if type else ()
    about = {"entity": name, "entityType": type} if type else {"entity": name}
    text = f"{name} ({type})" if type else name
    yield Item(key=_key(name), memory=Memory(text=text, source=SOURCE, tags=tags, metadata=about))
    for observation in observations:
        key = f"server-memory:{mark(name, observation)}"
        text = observation if name.lower() in observation.lower() else f"{name}: {observation}"
        yield Item(key=key, memory=Memory(text=text, source=SOURCE, section=name, tags=tags, metadata=about))
        yield ItemLink(source=key, type="PART_OF", target=_key(name))


def _relation(source: str, type: str, target: str) -> Iterator[Item | ItemLink]:
    text = f"{source} {type.replace('_', ' ')} {target}"
    yield Item(key=f"server-memory:{mark(source, type, target)}", memory=Memory(text=text, source=SOURCE))
    yield ItemLink(source=_key(source), type=link_type(type), target=_key(target))


def _key(entity: str) -> str:
    return f"server-memory:{mark(entity)}"
