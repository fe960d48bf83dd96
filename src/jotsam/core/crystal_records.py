"""What the search for lasting knowledge found, and workflows that sessions repeat."""

from __future__ import annotations

from jotsam.core.records import Record

KINDS = ("decision", "preference", "procedure", "fact", "learning")
SHOWN_STATES = ("promoted", "retracted", "candidate", "refused")
COMMAND, SCRIPT, CONVENTION, SKILL = WORKFLOW_KINDS = ("command", "script", "convention", "skill")


class Crystal(Record):
    """Lasting knowledge, or what may become it."""

    id: str  # UUID of the crystal; of the memory that says it, while it is none
    state: str  # promoted, retracted, candidate, refused
    kind: str  # decision, preference, procedure, fact, learning
    title: str
    text: str
    confidence: float | None
    project: str | None
    created_at: int
    why: str | None = None  # what spoke for it
    reason: str | None = None  # why it was refused
    judged_by: str | None = None  # of a candidate and a refused one: a person, a model, or the version of the rules
    sources: tuple[str, ...] = ()  # UUIDs of the memories that it was made of


class Checkpoint(Record):
    """What one checkpoint did, or would do."""

    imported: int  # turns
    duplicates: int  # turns that were stored before
    problems: int  # files and lines that could not be imported
    judged: int  # memories
    promoted: int
    supported: int  # crystals with more sources
    refused: int
    left: int  # jobs that are not done yet, or dead
    state: str  # of the run: done, failed, waiting, running; "planned" in a dry run
    run: str | None = None  # id of the run, which `jotsam db lifecycle undo` takes back
    dry_run: bool = False


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
