"""`/v1/forget`, `/v1/reprocess`, `/v1/trash` and `/v1/extract-*`: a plan first, then what it lists is done."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.records import Record
from jotsam.memory.forget_records import ForgetPlan, ForgetReceipt, PersonPlan
from jotsam.memory.reprocess import ReprocessPlan
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.fields import SelectionFields, Text, options_of

MAX_IDS = 100_000
Names = Annotated[list[str], Meta(min_length=1, max_length=50)]
Ids = Annotated[list[str], Meta(max_length=MAX_IDS)]


class ForgetSelection(SelectionFields, forbid_unknown_fields=True):
    """What to forget: what matches every field; with `query`, the hits of a recall that do."""

    query: Text = UNSET  # what a recall of it finds
    limit: int | UnsetType = UNSET  # of its hits
    person: Names | UnsetType = UNSET  # names of one person, and nothing else: all of them


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


class AllowAgainBody(Struct, forbid_unknown_fields=True):
    """A text, key or external id that was forgotten for good."""

    text: str


class ReprocessSelection(Struct, forbid_unknown_fields=True):
    """What to enrich again."""

    ids: Ids = []
    force: bool = False
    project: Text = UNSET
    source: Text = UNSET
    type: Text = UNSET
    extractor: Text = UNSET  # prefix of the name of the last extractor
    degraded: bool | UnsetType = UNSET  # only those of which the model or a rule failed


class ReprocessPlanBody(Struct):
    """A plan of `/v1/reprocess/plan`. Its counts are not read."""

    due: Ids
    documents: Ids
    extractor: str = ""


class ReprocessBody(Struct, forbid_unknown_fields=True):
    """The plan to carry out."""

    plan: ReprocessPlanBody
    clear: bool = False


class ExtractIds(Struct, forbid_unknown_fields=True):
    """Memories and documents to extract from."""

    ids: Annotated[list[str], Meta(max_length=500)]


class ExtractBody(Struct, forbid_unknown_fields=True):
    """The reply of an agent to a prompt, as JSON text."""

    text: str
    by: str = ""


class Allowed(Record):
    """How many were forgotten for good, and are accepted again."""

    allowed: int


class Queued(Record):
    """How many were queued."""

    queued: int


class Prompt(Record):
    """A prompt with which an agent extracts itself."""

    prompt: str


def plan_forget(call: Call) -> Reply:
    return Reply(body=call.jot.plan_forget(**options_of(call.body)))


def forget(call: Call) -> Reply:
    named = call.body.plan
    person = named.person and PersonPlan(names=tuple(named.person.names))
    plan = ForgetPlan(memories=tuple(named.memories), documents=tuple(named.documents), person=person)
    return Reply(body=call.jot.forget(plan, never_again=call.body.never_again, trash=call.body.trash))


def allow_again(call: Call) -> Reply:
    return Reply(body=Allowed(allowed=call.jot.allow_again(call.body.text)))


def plan_reprocess(call: Call) -> Reply:
    return Reply(body=call.jot.plan_reprocess(**given(call.body)))


def reprocess(call: Call) -> Reply:
    named = call.body.plan
    plan = ReprocessPlan(extractor=named.extractor, due=tuple(named.due), documents=tuple(named.documents))
    return Reply(body=Queued(queued=call.jot.reprocess(plan, clear=call.body.clear)))


def extract_prompt(call: Call) -> Reply:
    return Reply(body=Prompt(prompt=call.jot.extract_prompt(call.body.ids)))


def extract_apply(call: Call) -> Reply:
    return items(call.jot.extract_apply(call.body.text, by=call.body.by))


ROUTES = (
    Route(
        method="POST",
        path="/v1/forget/plan",
        handler=plan_forget,
        scope="read",
        body=ForgetSelection,
        result=ForgetPlan,
        summary="What would be forgotten",
    ),
    Route(
        method="POST",
        path="/v1/forget",
        handler=forget,
        scope="write",
        body=ForgetBody,
        result=ForgetReceipt,
        summary="Forget what a plan lists",
    ),
    Route(
        method="POST",
        path="/v1/forget/allow-again",
        handler=allow_again,
        scope="write",
        body=AllowAgainBody,
        result=Allowed,
        summary="Accept again what was forgotten for good",
    ),
    Route(
        method="POST",
        path="/v1/reprocess/plan",
        handler=plan_reprocess,
        scope="write",
        body=ReprocessSelection,
        result=ReprocessPlan,
        summary="What would be enriched again, and what it may cost",
    ),
    Route(
        method="POST",
        path="/v1/reprocess",
        handler=reprocess,
        scope="write",
        body=ReprocessBody,
        result=Queued,
        status=202,
        summary="Enrich again what a plan lists",
    ),
    Route(
        method="POST",
        path="/v1/extract-prompt",
        handler=extract_prompt,
        scope="read",
        body=ExtractIds,
        result=Prompt,
        summary="A prompt with which an agent extracts itself",
    ),
    Route(
        method="POST",
        path="/v1/extract-apply",
        handler=extract_apply,
        scope="write",
        body=ExtractBody,
        result="AppliedExtraction[]",
        summary="Save an agent's reply to that prompt",
    ),
)
