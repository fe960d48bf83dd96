"""Types of the keyword options of the public calls, for type checkers.

Importing this module imports `typing`, which is slow: the package imports it under `TYPE_CHECKING` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict

# ISO 8601, or milliseconds since 1970 UTC. A time without a zone is UTC.
Timestamp: TypeAlias = str | int | datetime | date

SessionFormat: TypeAlias = Literal["claude-code", "codex", "gemini", "opencode", "cursor", "plain"]
MemoryFormat: TypeAlias = Literal[
    "jotsam", "automem", "server-memory", "basic-memory", "mem0", "claude-mem", "falkordb", "qdrant"
]
JobState: TypeAlias = Literal["ready", "leased", "waiting", "dead", "blocked"]
ListOrder: TypeAlias = Literal["newest", "importance"]
EntityCategory: TypeAlias = Literal["people", "organizations", "tools", "concepts", "projects"]


class MemoryOptions(TypedDict, total=False):
    """Options of `Jotsam.remember`: fields of `Memory`."""

    type: str | None  # such as Decision, Preference, Insight; found by rules if it is not given
    tags: Iterable[str]
    importance: float | None  # 0 to 1
    confidence: float | None  # 0 to 1
    metadata: Mapping[str, Any] | None
    actor: str | None  # the person, agent or user of a service
    session: str | None  # of a conversation
    position: int | None  # order within the session
    said_at: Timestamp | None  # when it was said
    valid_from: Timestamp | None  # from when on it holds
    valid_until: Timestamp | None  # until when it holds
    external_id: str | None  # its id in another system; it can be read by it too
    project: str | None  # a label
    source: str | None  # a path, a URL, or any name


class DocumentOptions(TypedDict, total=False):
    """Options of `Jotsam.add`: fields of `Document`."""

    source: str | None  # a path, a URL, or any name
    project: str | None
    date: Timestamp | None  # when it was written
    actor: str | None
    session: str | None


class TurnOptions(TypedDict, total=False):
    """Options of `Jotsam.add_turn`."""

    actor: str | None  # who said it
    position: int | None  # order within the session
    said_at: Timestamp | None  # when it was said
    project: str | None
    source: str | None  # the program
    type: str | None


class DocumentItem(DocumentOptions):
    """An item of `Jotsam.add_many`."""

    text: Required[str]
    key: NotRequired[str | None]


class MemoryItem(MemoryOptions):
    """An item of `Jotsam.remember_many`."""

    text: Required[str]
    key: NotRequired[str | None]


class UpsertItem(MemoryOptions):
    """An item of `Jotsam.upsert_many`."""

    key: Required[str]
    text: Required[str]


class LinkItem(TypedDict):
    """An item of `Knowledge.link_many`."""

    source: str
    type: str
    target: str
    weight: NotRequired[float]
    properties: NotRequired[Mapping[str, Any] | None]  # see `names.LINK_PROPERTIES`


class StoreItem(TypedDict):
    """An item of `Store.put_many`: the arguments of `Store.put`."""

    namespace: Iterable[str]
    key: str
    value: Any
    text: NotRequired[str | None]
    ttl_ms: NotRequired[int | None]
    vectors: NotRequired[Iterable[Iterable[float]] | None]
    version: NotRequired[int | None]


class StoreDeletion(TypedDict):
    """An item that `Store.put_many` deletes: the arguments of `Store.delete`."""

    namespace: Iterable[str]
    key: str
    version: NotRequired[int | None]


class RecallOptions(TypedDict, total=False):
    """Options of `Jotsam.recall`: filters, and what is added to the results."""

    project: str | None  # only this project
    prefer: str | None  # rank this project first; default: the project of the settings
    tags: Iterable[str]  # with at least one of these tags
    every_tag: bool  # with all of them instead
    tag_prefix: bool  # a tag matches every tag that starts with it
    without: Iterable[str]  # with none of these tags
    types: Iterable[str]
    metadata: Mapping[str, Any] | None  # {"key": value}, or {"key": {"$gte": 3, "$lt": 5}}; equal as text
    session: str | None
    source: str | None  # only from this file, folder or other source; * matches any text
    actor: str | None  # only memories of this person, agent or user of a service
    when: str | None  # from, or about, a time in words: "last week"
    since: Timestamp | None  # at this time or later
    until: Timestamp | None  # before this time
    as_of: Timestamp | None  # what was known and valid at that time
    history: bool  # include superseded and invalid memories
    archived: bool  # include archived memories
    min_score: float | None  # least evidence of a hit; 0: all; default: all, or a few if nothing is known
    expand: Iterable[Literal["entities", "relations"]]  # also what the hits lead to: entities, relations
    expand_limit: int
    min_weight: float
    min_importance: float
    pinned: Iterable[str]  # ids that are always included
    after: str | None  # the next page of the same question: the `next` of the answer before
    hit_tokens: int | None  # maximum of the text of one hit; default: by its score, at most 600 or a third of `tokens`


class UpdateOptions(TypedDict, total=False):
    """Options of `Jotsam.update`. What is not given stays; None removes it."""

    text: str
    tags: Iterable[str]  # instead of the tags given before
    add_tags: Iterable[str]
    remove_tags: Iterable[str]
    metadata: Mapping[str, Any] | None  # instead of the stored one
    add_metadata: Mapping[str, Any]  # merged into the stored one: these keys are set, others stay
    type: str | None
    importance: float | None  # 0 to 1
    confidence: float | None  # 0 to 1
    valid_from: Timestamp | None
    valid_until: Timestamp | None


class SelectionOptions(TypedDict, total=False):
    """Which memories and documents: those that match every given option. Fields of `Selection`."""

    ids: Iterable[str]  # of memories and documents: UUIDs, their prefixes, or external ids
    document: str | None  # this document and its chunks
    source: str | None
    project: str | None
    session: str | None
    actor: str | None
    tags: Iterable[str]  # with at least one of them, ignoring case
    every_tag: bool  # with all of them instead
    types: Iterable[str]  # of one of these types, ignoring case
    since: Timestamp | None  # at this time or later
    until: Timestamp | None  # before this time
    before: Timestamp | None  # stored before this time
    min_importance: float | None  # 0 to 1
    metadata: Mapping[str, Any] | None  # {"key": value}, or {"key": {"$gte": 3, "$lt": 5}}; equal as text


class FactOptions(TypedDict, total=False):
    """Options of `Knowledge.facts`."""

    words: str | None  # part of the subject or the object
    subject: str | None  # part of the subject
    object: str | None  # part of the object
    predicate: str | None
    project: str | None
    actor: str | None  # only from memories of this actor
    history: bool  # include facts that no longer hold, or do not hold yet
    archived: bool  # include facts of archived memories


class ReprocessOptions(TypedDict, total=False):
    """Options of `Jotsam.plan_reprocess`: which memories."""

    project: str | None
    source: str | None
    type: str | None
    extractor: str | None  # prefix of the name of the last extractor
    degraded: bool  # only those of which the model or a rule failed


class ImportSessionsOptions(TypedDict, total=False):
    """Options of `Jotsam.import_sessions`."""

    format: SessionFormat | None  # default: detected from the lines
    project: str | None
    session: str | None  # for turns that name no session
    dry_run: bool


class ImportMemoriesOptions(TypedDict, total=False):
    """Options of `Jotsam.import_memories`."""

    format: MemoryFormat | None  # default: detected from the content
    project: str | None  # of memories of another program that name none
    reprocess: bool  # extract again what an export holds as extracted
    dry_run: bool
