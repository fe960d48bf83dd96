"""Handlers of declared operations that do more than call the method, and bodies that follow from no signature."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import InvalidInput
from jotsam.core.operations import Queued
from jotsam.core.records import Record, StoredMemory
from jotsam.memory.api.bulk_methods import MAX_IDS
from jotsam.memory.forgetting.forget_records import ForgetPlan, PersonPlan
from jotsam.memory.jobs.reprocess import ReprocessPlan
from jotsam.memory.lifecycle import lifecycle
from jotsam.surfaces.http.requests import access
from jotsam.surfaces.http.requests.route import Call, Reply, given, wants_wait
from jotsam.surfaces.http.v1.accepting import RETRY_AFTER_S
from jotsam.surfaces.http.v1.fields import Time, options_of
from jotsam.surfaces.http.v1.staleness import brief_with_staleness, pending_header, with_staleness

Names = Annotated[list[str], Meta(min_length=1, max_length=50)]
Ids = Annotated[list[str], Meta(max_length=MAX_IDS)]


class PersonBody(Struct):
    """The person of a plan. What else it tells is not read."""

    names: Names


class ForgetPlanBody(Struct):
    """A plan of `/v1/forget/plan`. Its counts are not read."""

    memories: Ids
    documents: Ids
    person: PersonBody | None = None


class ForgetBody(Struct, forbid_unknown_fields=True):
    """The plan to carry out, and how."""

    plan: ForgetPlanBody
    never_again: bool = False
    trash: bool = False


class ReprocessPlanBody(Struct):
    """A plan of `/v1/reprocess/plan`. Its counts are not read."""

    due: Ids
    documents: Ids
    extractor: str = ""


class ReprocessBody(Struct, forbid_unknown_fields=True):
    """The plan to carry out."""

    plan: ReprocessPlanBody
    clear: bool = False


def forget(call: Call) -> Reply:
    named = call.body.plan
    person = named.person and PersonPlan(names=tuple(named.person.names))
    plan = ForgetPlan(memories=tuple(named.memories), documents=tuple(named.documents), person=person)
    return Reply(body=call.jot.forget(plan, never_again=call.body.never_again, trash=call.body.trash))


def reprocess(call: Call) -> Reply:
    named = call.body.plan
    plan = ReprocessPlan(extractor=named.extractor, due=tuple(named.due), documents=tuple(named.documents))
    return Reply(body=Queued(queued=call.jot.reprocess(plan, clear=call.body.clear)))


class TokenBody(Struct, forbid_unknown_fields=True):
    """A token to create for the tenant of this one."""

    name: str
    scope: Literal["read", "write", "admin", "operator"] = "write"
    expires_at: Time = UNSET
    rate: float | UnsetType | None = UNSET
    max_bytes: int | UnsetType | None = UNSET


def create_token(call: Call) -> Reply:
    """Create a token with at most the scope of the one that asks."""
    access.check_grants(call.principal, call.body.scope)
    return Reply(body=call.jot.admin.create_token(**given(call.body)))


def revoke_token(call: Call) -> Reply:
    """Refuse a token from now on. One of an operator is revoked by an operator."""
    id = call.path["id"]
    for one in call.jot.admin.tokens():
        if one.id == id:
            access.check_grants(call.principal, one.scope)
    return Reply(body=call.jot.admin.revoke_token(id))


class MemoryPage(Record):
    """A page of memories. `pending`: selected documents that are not split into memories yet."""

    items: tuple[StoredMemory, ...]
    next_cursor: str | None
    pending: int


def recall(call: Call) -> Reply:
    """The best hits, and what the answer covers."""
    options = options_of(call.query if call.body is None else call.body)
    began = monotonic_ms()
    answer = call.jot.recall(options.pop("question"), **options)
    took_ms = monotonic_ms() - began
    call.server.events.recalled(call.principal.tenant, results=len(answer.hits), elapsed_ms=took_ms)
    body, headers = with_staleness(answer)
    return Reply(body=body, headers=headers)


def brief(call: Call) -> Reply:
    """What was decided, preferred and left open in a project."""
    body, headers = brief_with_staleness(call.jot.brief(**given(call.query)))
    return Reply(body=body, headers=headers)


def listed(call: Call) -> Reply:
    """A page of memories."""
    options = options_of(call.query)
    try:
        page = call.jot.list(after=options.pop("cursor"), **options)
    except InvalidInput as error:  # In Python, the cursor is `after`, and `next` of a page.
        message = str(error).replace("invalid after", "invalid cursor").replace("`next`", "`next_cursor`")
        raise InvalidInput(message) from error
    body = MemoryPage(items=page.memories, next_cursor=page.next, pending=page.pending)
    return Reply(body=body, headers=pending_header(page.pending))


def get_by_key(call: Call) -> Reply:
    """The memory that was stored with a key."""
    found = call.jot.get(key=call.path["key"], **given(call.query))
    return Reply(body=found, headers={"ETag": f'"{found.version}"'})


def run_step(call: Call) -> Reply:
    """Have a worker run a step. A run that waits already is returned instead of a second one."""
    added = call.jot.lifecycle.run(call.body.step)
    headers = {"Location": f"/v1/lifecycle/runs/{added.id}", "Retry-After": str(RETRY_AFTER_S)}
    return Reply(body=added, headers=headers)


def show_run(call: Call) -> Reply:
    """A run with what it changed. With `Prefer: wait=n` the answer waits until it has ended, for n seconds at most."""
    wait_ms, id = wants_wait(call.headers) * 1_000, call.path["id"]

    def shown(_: bool = True) -> Reply:
        return Reply(body=call.jot.lifecycle.show(id, **given(call.query)))

    def pending() -> bool:
        return lifecycle.is_live(call.jot.database, id, tenant=call.principal.tenant)

    return Reply(wait_while=pending, wait_ms=wait_ms, waited=shown) if wait_ms else shown()
