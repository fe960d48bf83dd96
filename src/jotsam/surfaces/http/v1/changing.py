"""What the routes of `/v1/forget` and `/v1/reprocess` read of a plan."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from jotsam.core.operations import Queued
from jotsam.memory.bulk_methods import MAX_IDS
from jotsam.memory.forget_records import ForgetPlan, PersonPlan
from jotsam.memory.reprocess import ReprocessPlan
from jotsam.surfaces.http.route import Call, Reply

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
