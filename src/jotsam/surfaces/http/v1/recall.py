"""`/v1/recall` and `/v1/brief`: search memory, and start a session with it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.clock import monotonic_ms
from jotsam.surfaces.http.route import Call, Reply, Route, given
from jotsam.surfaces.http.v1.fields import Flag, Names, Text, Time, options_of
from jotsam.surfaces.http.v1.staleness import StaleAnswer, StaleBrief, brief_with_staleness, with_staleness


class RecallQuery(Struct, forbid_unknown_fields=True):
    """A question and its options."""

    question: str = ""
    tokens: int | UnsetType | None = UNSET  # the budget of the answer, 20 to 200,000
    limit: int | UnsetType = UNSET  # of hits, 1 to 1,000
    project: Text = UNSET  # only this project
    prefer: Text = UNSET  # rank this project first
    tags: Names = UNSET  # with at least one of these tags
    every_tag: Flag = UNSET  # with all of them instead
    tag_prefix: Flag = UNSET  # a tag matches every tag that starts with it
    without: Names = UNSET  # with none of these tags
    types: Names = UNSET
    session: Text = UNSET
    actor: Text = UNSET  # only memories of this person, agent or user of a service
    when: Text = UNSET  # from, or about, a time in words: last week
    since: Time = UNSET  # at this time or later
    until: Time = UNSET  # before this time
    as_of: Time = UNSET  # what was known and valid at that time
    history: Flag = UNSET  # include superseded and invalid memories
    archived: Flag = UNSET  # include archived memories
    min_score: float | UnsetType = UNSET
    expand: Names = UNSET  # also what the hits lead to: entities, relations
    expand_limit: int | UnsetType = UNSET
    min_weight: float | UnsetType = UNSET
    min_importance: float | UnsetType = UNSET
    pinned: Names = UNSET  # ids that are always included
    hit_tokens: int | UnsetType | None = UNSET  # maximum of the text of one hit


class RecallBody(RecallQuery, forbid_unknown_fields=True):
    """A question and its options."""

    metadata: dict[str, Any] | UnsetType | None = UNSET  # these keys have these values, compared as text


class BriefQuery(Struct, forbid_unknown_fields=True):
    """Of which project, and how long."""

    project: str | UnsetType = UNSET
    actor: Text = UNSET
    tokens: Annotated[int, Meta(ge=50, le=5_000)] = 300


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


ROUTES = (
    Route(
        method="POST",
        path="/v1/recall",
        handler=recall,
        scope="read",
        body=RecallBody,
        result=StaleAnswer,
        summary="Search memory",
    ),
    Route(
        method="GET",
        path="/v1/recall",
        handler=recall,
        scope="read",
        query=RecallQuery,
        result=StaleAnswer,
        summary="Search memory, with query parameters",
    ),
    Route(
        method="GET",
        path="/v1/brief",
        handler=brief,
        scope="read",
        query=BriefQuery,
        result=StaleBrief,
        summary="What a session should know about its project from the start",
    ),
)
