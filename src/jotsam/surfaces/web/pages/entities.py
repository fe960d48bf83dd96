"""Entities: a list, one with its facts and what is mentioned with it, and merging them."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from jotsam.core.names import CATEGORIES
from jotsam.memory.graph.entity_details import MAX_LISTED, entity_details, latest_entities
from jotsam.surfaces.web.drawings.graph_layout import Edge, Node, place
from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect, Undo, page_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.graph_records import MergeCandidate
    from jotsam.core.records import Fact, NamedEntity
    from jotsam.memory.graph.entity_details import EntityDetails
    from jotsam.surfaces.web.drawings.graph_layout import Drawing

PAGE_SIZE = 50
MAX_PAGES = MAX_LISTED // PAGE_SIZE
MEMORIES = 20  # that mention an entity, and are listed
DRAWN_FACTS, DRAWN_NEIGHBOURS = 40, 40
BOX_WIDTH = 200


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


def entity(call: PageCall) -> Page:
    """One entity."""
    found = _details(call, call.path["name"])
    tag = f"entity:{name_of(found.entity)}"
    page = call.jot.list(tags=[tag], history=True, archived=True, limit=MEMORIES)
    return Page(
        template="entity.html",
        values={
            "found": found,
            "entity": found.entity,
            "tag": tag,
            "page": page,
            "drawing": draw(found),
            "address": address,
            "candidates": [_candidate(found.entity, one) for one in found.candidates],
            "here": address(found.entity),
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
    into = call.jot.knowledge.merge(name, into=call.form.get("into", "")).removeprefix("entity:")
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
    before = call.jot.knowledge.split(name).removeprefix("entity:")
    to = f"/ui/entities/{quote(name, safe=':')}"
    undo = Undo(action=f"{to}/merge", fields={"into": before}, label="Merge again")
    return Redirect(to=to, said=f"Split {name} from {before}.", undo=undo)


def address(entity: NamedEntity | str) -> str:
    """The page of an entity, by its record or its tag."""
    name = entity.removeprefix("entity:") if isinstance(entity, str) else name_of(entity)
    return f"/ui/entities/{quote(name, safe=':')}"


def name_of(entity: NamedEntity) -> str:
    return f"{entity.category}:{entity.slug}"


def draw(found: EntityDetails) -> Drawing:
    """The entity, what facts say of it to the right, and what is mentioned with it to the left."""
    centre = Node(key="centre", label=found.entity.name, look="step-0")
    known = {one.name.casefold(): one for one in found.related}
    own = {name.casefold() for name in (found.entity.name, *found.entity.aliases)}
    right, edges = [], []
    for fact in [one for one in found.facts if one.superseded_at is None][:DRAWN_FACTS]:
        node = _fact_node(fact, is_subject=fact.subject.casefold() in own)
        if near := known.get(node.label.casefold()):
            node = node.replace(href=address(f"{near.category}:{near.slug}"))
        right.append(node)
        edges.append(Edge(source="centre", target=node.key, look="order"))
    left = [
        Node(key=name, label=one.name, href=address(name), look="step-2", column=-1)
        for one in found.related[:DRAWN_NEIGHBOURS]
        for name in (f"{one.category}:{one.slug}",)
    ]
    edges += [Edge(source="centre", target=one.key, look="similar") for one in left]
    return place([centre, *left, *right], edges, box_width=BOX_WIDTH)


def _fact_node(fact: Fact, *, is_subject: bool) -> Node:
    predicate = fact.predicate.replace("_", " ")
    other, note = (fact.object, predicate) if is_subject else (fact.subject, f"{predicate}:")
    return Node(key=f"fact:{fact.id}", label=other, note=note, title=f"{note} {other}", column=1)


def _candidate(entity: NamedEntity, one: MergeCandidate) -> dict[str, object]:
    """What the page shows of a candidate, and why it is one."""
    mine = f"entity:{name_of(entity)}"
    reasons = [f"the names are {one.likeness:.0%} alike"]
    if one.shared:
        reasons.append(f"{one.shared:.0%} of the memories of the rarer one mention both")
    if one.is_ambiguous:
        reasons.append("several full names begin with this one")
    return {
        "other": (one.into if one.name == mine else one.name).removeprefix("entity:"),
        "merge": f"{address(one.name)}/merge?{urlencode({'into': one.into.removeprefix('entity:')})}",
        "reason": ", ".join(reasons),
        "confidence": one.confidence,
        "is_likely": one.is_likely,
    }


def _details(call: PageCall, name: str) -> EntityDetails:
    return entity_details(call.jot.database, tenant=call.principal.tenant, name=name)


def _page_address(filters: dict[str, str], number: int) -> str:
    return f"/ui/entities?{urlencode({**filters, 'page': number})}"


ROUTES = (
    PageRoute(method="GET", path="/ui/entities", handler=entities),
    PageRoute(method="GET", path="/ui/entities/{name}", handler=entity),
    PageRoute(method="GET", path="/ui/entities/{name}/merge", handler=ask_merge, scope="write"),
    PageRoute(method="POST", path="/ui/entities/{name}/merge", handler=merge, scope="write"),
    PageRoute(method="GET", path="/ui/entities/{name}/split", handler=ask_split, scope="write"),
    PageRoute(method="POST", path="/ui/entities/{name}/split", handler=split, scope="write"),
)
