"""Selections of memories: checks the options of a caller, and resolves ids into the rows they name."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.comparisons import comparisons
from jotsam.core.errors import NotFound
from jotsam.core.selection import Selection
from jotsam.ingest.validation import check_actor, check_line
from jotsam.memory.reading.show import locate
from jotsam.pipeline.tags import clean_tags
from jotsam.storage.memories import memories, projects, selection
from jotsam.storage.memories.selection import Chosen, as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.memory.reading.show import Located
    from jotsam.storage.database import Transaction

NAMES = ("source", "project", "session", "actor")
MAX_LISTED = 100  # tags or types
MAX_IDS = 10_000


def checked(options: Mapping[str, object]) -> Selection:
    """A selection from the options of a caller. Raises `InvalidInput`."""
    validate.check_fields(options, Selection._fields)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in {"ids", "tags", "types"} & given.keys():
        given[name] = _texts(name, given[name])
    for name in {"document", *NAMES} & given.keys():
        given[name] = check_actor(given[name]) if name == "actor" else check_line(name, given[name])
    for name in {"since", "until", "before"} & given.keys():
        given[name] = parse_time(given[name], name=name)
    if "every_tag" in given:
        given["every_tag"] = validate.check_bool("every_tag", given["every_tag"])
    if "min_importance" in given:
        given["min_importance"] = validate.check_share("min_importance", given["min_importance"])
    if "metadata" in given:
        comparisons("metadata", given["metadata"])
    return Selection(**given)


def _texts(name: str, value: object) -> tuple[str, ...]:
    listed = validate.check_list(name, value)
    limit = MAX_IDS if name == "ids" else MAX_LISTED
    validate.check_int(f"number of {name}", len(listed), 0, limit)
    if name == "tags":
        return clean_tags(listed)
    return tuple(dict.fromkeys(validate.check_identifier(name, text) for text in listed))


def resolve(
    tx: Transaction, wanted: Selection, *, history: bool = True, archived: bool = True, order: str | None = None
) -> Chosen:
    """The selection with its ids looked up, ready for the queries of `storage.memories.selection`.

    `history=False` leaves out what is superseded or not valid now, `archived=False` what is archived. `order` is that
    of the pages of a list, one of `selection.ORDERS`.
    Raises `NotFound`, and `InvalidInput` for a prefix that is not unique.
    """
    groups = [[tag] for tag in wanted.tags] if wanted.every_tag else [list(wanted.tags)] if wanted.tags else []
    pairs = [(place, tag) for place, tags in enumerate(groups) for tag in _lower(tags)]
    chosen = Chosen(
        **{name: getattr(wanted, name) for name in (*NAMES, "since", "until", "before", "min_importance")}
        | {"project": projects.asked(tx, wanted.project)},
        tags=as_json(pairs) if pairs else None,
        groups=len(groups),
        types=as_json(_lower(wanted.types)) if wanted.types else None,
        history=int(history),
        archived=int(archived),
        metadata=() if wanted.metadata is None else comparisons("metadata", wanted.metadata),
    )
    if wanted.document is not None:
        found = _located(tx, wanted.document)
        if found.kind != "document":
            raise NotFound(f"{wanted.document!r} is a {found.kind}: give the id of a document")
        chosen = chosen.replace(document=found.row["id"])
    if wanted.ids:
        chosen = _with_ids(tx, chosen, wanted.ids)
    return selection.narrow(tx, chosen, order=order)


def _with_ids(tx: Transaction, chosen: Chosen, ids: tuple[str, ...]) -> Chosen:
    """The selection of these memories, and of these documents with their chunks."""
    rows, documents = [], []
    for id in ids:
        found = _located(tx, id)
        if found.kind == "memory":
            rows.append(found.row["id"])
        elif found.kind == "document":
            documents.append(found.row["id"])
            rows += [chunk["id"] for chunk in memories.of_document(tx, found.row["id"])]
        else:
            raise NotFound(f"{id!r} is a {found.kind}: give ids of memories and documents")
    return chosen.replace(narrowed=as_json(dict.fromkeys(rows)), documents=as_json(dict.fromkeys(documents)))


def _located(tx: Transaction, id: str) -> Located:
    found = locate(tx, id=id)
    if found is None:
        raise NotFound(f"there is no document or memory {id!r}: `jotsam list` and `jotsam recall` show ids")
    return found


def _lower(names: list[str] | tuple[str, ...]) -> list[str]:
    """Names in lower case, in the spellings that are equal for SQLite, which lowers ASCII letters only."""
    spellings = (spelling for name in names for spelling in (name, name.lower(), name.upper(), name.capitalize()))
    return list(dict.fromkeys(_ascii_lower(spelling) for spelling in spellings))


def _ascii_lower(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)
