"""One entity as an article: what is known of it and what it was. A verdict on a fact acts at once."""

from __future__ import annotations

from urllib.parse import urlencode

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import ENTITY
from jotsam.memory.graph.article import article
from jotsam.memory.graph.entity_details import entity_details
from jotsam.memory.writing.fact_verdicts import judge_fact
from jotsam.surfaces.web.drawings.graph_layout import Edge, Node, place
from jotsam.surfaces.web.drawings.value_strip import draw_strip
from jotsam.surfaces.web.pages.entities import address, name_of
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.graph_records import MergeCandidate
    from jotsam.core.records import Fact, NamedEntity
    from jotsam.memory.graph.entity_details import EntityDetails
    from jotsam.memory.writing.fact_verdicts import JudgedFact
    from jotsam.surfaces.web.drawings.graph_layout import Drawing

MEMORIES = 20  # that mention an entity, and are listed
DRAWN_FACTS, DRAWN_NEIGHBOURS = 40, 40
BOX_WIDTH = 200
SHOWN = 8  # values of a predicate; more are folded


def entity(call: PageCall) -> Page:
    """One entity."""
    return _page(call)


def judge(call: PageCall) -> Page | Redirect:
    """Say of a fact that it never held, when it ended, or that it holds; an empty verdict takes that back."""
    form, tenant = call.form, call.principal.tenant
    verdict, on = form.get("verdict", "") or None, form.get("on", "").strip() or None
    ids = call.form_many("fact")
    try:
        done = judge_fact(call.jot.database, tenant=tenant, ids=ids, verdict=verdict, on=on)
    except InvalidInput as error:
        return _page(call, error=str(error))
    to = f"/ui/entities/{call.path['name']}"
    before = {"verdict": form.get("before", ""), "on": form.get("before_on", "")}
    undo = Undo(action=f"{to}/facts", fields={"fact": ids, **before})
    return Redirect(to=to, said=_said(done), undo=undo)


def _said(done: JudgedFact) -> str:
    says = f"{done.subject} {done.predicate.replace('_', ' ')} {done.object}"[:160]
    texts = f"{done.statements:,} {'statement' if done.statements == 1 else 'statements'}"
    if done.verdict == "wrong":
        return f"Wrong: {says}. It is gone from what is known, also when its {texts} are read again."
    if done.verdict == "ended":
        return f"Ended on {format_time(done.on or 0)[:10]}: {says}."
    if done.verdict == "kept":
        return f"Confirmed: {says}. It holds, also when a later text would end it."
    return f"Taken back: what memories say decides again whether {says}."


def _page(call: PageCall, *, error: str = "") -> Page:
    tenant, project = call.principal.tenant, call.query.get("project") or None
    found = entity_details(call.jot.database, tenant=tenant, name=call.path["name"])
    known = article(call.jot.database, tenant=tenant, name=call.path["name"], project=project)
    tag = f"{ENTITY}{name_of(found.entity)}"
    scope = {"project": project} if project else {}
    page = call.jot.list(tags=[tag], history=True, archived=True, limit=MEMORIES, **scope)  # type: ignore[arg-type]
    return Page(
        template="entity.html",
        status=400 if error else 200,
        values={
            "found": found,
            "entity": found.entity,
            "known": known,
            "strips": {one.predicate: draw_strip(one) for one in known.groups if one.is_single and one.former},
            "links": _links(found),
            "shown": SHOWN,
            "project": project,
            "error": error,
            "tag": tag,
            "page": page,
            "drawing": draw(found),
            "address": address,
            "candidates": [_candidate(found.entity, one) for one in found.candidates],
            "here": address(found.entity),
        },
    )


def _links(found: EntityDetails) -> dict[str, str]:
    """The pages of the entities that the same memories mention, by their names in lower case."""
    return {one.name.casefold(): address(f"{one.category}:{one.slug}") for one in reversed(found.related)}


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
    mine = f"{ENTITY}{name_of(entity)}"
    is_same = one.name.partition(":")[2].partition(":")[2] == one.into.partition(":")[2].partition(":")[2]
    reasons = ["the same name in another category" if is_same else f"the names are {one.likeness:.0%} alike"]
    if one.shared:
        reasons.append(f"{one.shared:.0%} of the memories of the rarer one mention both")
    if one.is_ambiguous:
        reasons.append("several full names begin with this one")
    return {
        "other": (one.into if one.name == mine else one.name).removeprefix(ENTITY),
        "merge": f"{address(one.name)}/merge?{urlencode({'into': one.into.removeprefix('entity:')})}",
        "reason": ", ".join(reasons),
        "confidence": one.confidence,
        "is_likely": one.is_likely,
    }


ROUTES = (
    PageRoute(method="GET", path="/ui/entities/{name}", handler=entity),
    PageRoute(method="POST", path="/ui/entities/{name}/facts", handler=judge, scope="write"),
)
