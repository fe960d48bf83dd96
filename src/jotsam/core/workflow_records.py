"""Workflows that sessions repeat."""

from __future__ import annotations

from jotsam.core.records import Record

COMMAND, SCRIPT, CONVENTION, SKILL = WORKFLOW_KINDS = ("command", "script", "convention", "skill")


class WorkflowQuote(Record):
    """Where a workflow was seen."""

    session: str
    memory: str  # UUID
    at: int
    text: str


class Workflow(Record):
    """A proposal: what was repeated, and where it was seen."""

    id: str
    kind: str  # of `WORKFLOW_KINDS`
    title: str
    lines: tuple[str, ...]  # commands in order, then instructions
    sessions: tuple[str, ...]
    quotes: tuple[WorkflowQuote, ...]  # the first of each session
    first_at: int
    last_at: int
    covered_by: str | None = None  # a file that says it already


class Distilled(Record):
    """Proposals, and what they were looked for in."""

    workflows: tuple[Workflow, ...]
    sessions: int
    examined: int  # memories
    is_complete: bool  # there are no older ones
