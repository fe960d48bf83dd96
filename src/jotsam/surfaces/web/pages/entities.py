"""Entities: a list, and merging them."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from jotsam.core.names import CATEGORIES, ENTITY
from jotsam.memory.graph.entity_details import MAX_LISTED, entity_details, latest_entities
from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect, Undo, page_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import NamedEntity
    from jotsam.memory.graph.entity_details import EntityDetails

PAGE_SIZE = 50
MAX_PAGES = MAX_LISTED // PAGE_SIZE


def entities(call: PageCall) -> Page:
    """Entities that the latest memories mention."""
    words, category = call.query.get("words", "").strip(), call.query.get("category", "")
    number = page_number(call, most=MAX_PAGES)
    found = latest_entities(
        call.jot.database,
        tenant=call.principal.tenant,
        category=category or None,
        words=words or None,
        skip=(number - 1) * PAGE_SIZE,
        limit=PAGE_SIZE,
    )
    filters = {name: value for name, value in (("words", words), ("category", category)) if value}
    return Page(
        template="entities.html",
        values={
            "found": found,
            "words": words,
            "category": category,
            "categories": CATEGORIES,
            "address": address,
            "most": max((one.memories for one in found.entities), default=1),
            "first": f"/ui/entities?{urlencode(filters)}" if number > 1 else None,
            "next": _page_address(filters, number + 1) if found.has_more and number < MAX_PAGES else None,
            "number": number,
        },
    )


def ask_merge(call: PageCall) -> Page | Confirm:
    """Ask into which entity to merge, or whether to."""
    found, into = _details(call, call.path["name"]), call.query.get("into", "").strip()
    if not into:
        return Page(
            template="entity_merge.html",
            values={"entity": found.entity, "here": address(found.entity), "name": name_of(found.entity)},
        )
    other = _details(call, into).entity
    lines = [
        f"{found.entity.name} becomes an alias of {other.name}: the {found.entity.memories:,} memories that mention "
        f"{found.entity.name} are found as memories about {other.name} too.",
        "Nothing is deleted, and splitting takes it back.",
    ]
    if found.entity.category != other.category:
        lines.insert(0, f"The first is one of {found.entity.category}, the second one of {other.category}.")
    return Confirm(
        title=f"Merge {found.entity.name} into {other.name}?",
        lines=lines,
        button="Merge",
        back=address(found.entity),
        fields={"into": name_of(other)},
    )


def merge(call: PageCall) -> Redirect:
    """Merge an entity into another one."""
    name = call.path["name"]
    into = call.jot.knowledge.merge(name, into=call.form.get("into", "")).removeprefix(ENTITY)
    undo = Undo(action=f"/ui/entities/{quote(name, safe=':')}/split", label="Split again")
    return Redirect(to=f"/ui/entities/{quote(into, safe=':')}", said=f"Merged {name} into {into}.", undo=undo)


def ask_split(call: PageCall) -> Confirm:
    """Ask whether to take a merge back."""
    name, found = call.path["name"], _details(call, call.path["name"]).entity
    return Confirm(
        title=f"Split {name} from {found.name}?",
        lines=[f"{name} is an entity of its own again. Memories that mention it by its own name keep it."],
        button="Split",
        back=address(found),
    )


def split(call: PageCall) -> Redirect:
    """Take a merge back."""
    name = call.path["name"]
    before = call.jot.knowledge.split(name).removeprefix(ENTITY)
    to = f"/ui/entities/{quote(name, safe=':')}"
    undo = Undo(action=f"{to}/merge", fields={"into": before}, label="Merge again")
    return Redirect(to=to, said=f"Split {name} from {before}.", undo=undo)


def address(entity: NamedEntity | str) -> str:
    """The page of an entity, by its record or its tag."""
    name = entity.removeprefix(ENTITY) if isinstance(entity, str) else name_of(entity)
    return f"/ui/entities/{quote(name, safe=':')}"


def name_of(entity: NamedEntity) -> str:
    return f"{entity.category}:{entity.slug}"


def _details(call: PageCall, name: str) -> EntityDetails:
    return entity_details(call.jot.database, tenant=call.principal.tenant, name=name)


def _page_address(filters: dict[str, str], number: int) -> str:
    return f"/ui/entities?{urlencode({**filters, 'page': number})}"


ROUTES = (
    PageRoute(method="GET", path="/ui/entities", handler=entities),
    PageRoute(method="GET", path="/ui/entities/{name}/merge", handler=ask_merge, scope="write"),
    PageRoute(method="POST", path="/ui/entities/{name}/merge", handler=merge, scope="write"),
    PageRoute(method="GET", path="/ui/entities/{name}/split", handler=ask_split, scope="write"),
    PageRoute(method="POST", path="/ui/entities/{name}/split", handler=split, scope="write"),
)
