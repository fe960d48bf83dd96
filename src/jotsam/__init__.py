"""Durable background memory for AI agents.

    from jotsam import Jotsam

    with Jotsam() as jot:
        jot.add("We chose PostgreSQL over MongoDB for the user service.", source="adr-004.md")
        print(jot.recall("which database did we choose?"))

Importing this package reads nothing, connects to nothing and prints nothing. Each name is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.answers import Answer, Brief, BriefLine, Coverage, Hit
    from jotsam.core.crystal_records import Crystal, Distilled, Workflow, WorkflowQuote
    from jotsam.core.engine_records import EngineComparison, EngineDifference, EngineStatus, TenantComparison
    from jotsam.core.errors import (
        BuryJob,
        Conflict,
        DatabaseBusy,
        DatabaseClosed,
        DatabaseFull,
        DatabaseReadOnly,
        DatabaseReplaced,
        DatabaseUnavailable,
        DatabaseUnusable,
        InvalidInput,
        JobCancelled,
        JobError,
        JotsamError,
        KeyReused,
        LeaseLost,
        NotADatabase,
        NotFound,
        ProviderUnavailable,
        RetryJob,
        SchemaTooNew,
        SchemaTooOld,
        TenantMoved,
    )
    from jotsam.core.event_records import Event
    from jotsam.core.fence import restore_marks
    from jotsam.core.graph_records import (
        GraphOverview,
        KnowledgeStatistics,
        LinkStatistics,
        MergeCandidate,
        Neighbourhood,
        PeriodStatistics,
        ReviewedEntity,
        ShareStatistics,
        SimilarMemory,
        StatedPreference,
        TypeStatistics,
    )
    from jotsam.core.job_records import CommandResult, Delivery, Job, QueueDepth, Sent
    from jotsam.core.lifecycle_records import (
        LifecycleChange,
        LifecyclePlan,
        LifecycleRun,
        LifecycleRunDetails,
        LifecycleStep,
        MemoryTheme,
    )
    from jotsam.core.note_records import Note
    from jotsam.core.records import (
        AllowedSecret,
        Document,
        Entity,
        EntityText,
        Fact,
        ItemResult,
        Link,
        Memory,
        MemoryBlock,
        MemoryGraph,
        MemoryVersion,
        NamedEntity,
        Neighbour,
        Page,
        Pattern,
        Receipt,
        Redaction,
        ReplicaState,
        StoredMemory,
        UpdateReceipt,
        UpsertReceipt,
        UpsertResult,
    )
    from jotsam.core.selection import Selection
    from jotsam.core.session_records import Conversation, GivenText, Session, SessionPage, SessionTurn
    from jotsam.core.settings import Settings
    from jotsam.core.store_records import StoreChange, StoredItem, StoreNamespace
    from jotsam.core.token_records import AuditEntry, NewToken, Token
    from jotsam.core.version import VERSION as __version__
    from jotsam.ingest.sessions import ImportProblem, ImportResult
    from jotsam.memory.api.admin_client import Admin
    from jotsam.memory.api.async_client import AsyncJotsam
    from jotsam.memory.api.async_methods import (
        AsyncAdmin,
        AsyncBlocks,
        AsyncCrystals,
        AsyncKnowledge,
        AsyncLifecycle,
        AsyncNotes,
        AsyncStore,
    )
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.api.crystals import Crystals
    from jotsam.memory.api.knowledge import Knowledge
    from jotsam.memory.api.lifecycle_client import Lifecycle
    from jotsam.memory.api.notes import Notes
    from jotsam.memory.api.store import Store
    from jotsam.memory.forgetting.forget_records import (
        ForgetPlan,
        ForgetReceipt,
        ForgetSample,
        Leftover,
        PersonPart,
        PersonPlace,
        PersonPlan,
    )
    from jotsam.memory.forgetting.retention import Expired
    from jotsam.memory.jobs.job_details import JobDetails
    from jotsam.memory.jobs.jobs import FailureGroup, JobChange, StuckJob
    from jotsam.memory.jobs.reprocess import ReprocessPlan
    from jotsam.memory.lifecycle.distil import write_proposals
    from jotsam.memory.reading.projects import Project, ProjectChange
    from jotsam.memory.reading.show import Attempt, Details, MemoryPeriod, ModelUsage
    from jotsam.memory.status.health import Finding, PausedQueue
    from jotsam.memory.status.status import DailyCost, LifecycleRunState, Spending, StageStatus, Status
    from jotsam.memory.transfer.backup import Backup
    from jotsam.memory.transfer.export import ExportResult
    from jotsam.memory.transfer.import_tally import MemoryImport
    from jotsam.memory.transfer.trash import ForgottenBatch
    from jotsam.memory.writing.blocks import Blocks
    from jotsam.memory.writing.supersede import SupersedeResult
    from jotsam.queueing.processor import Processor, Task
    from jotsam.queueing.queue import Queue, QueueStats
    from jotsam.remote.async_client import AsyncClient
    from jotsam.remote.client import Client
    from jotsam.worker.enrichment.agent_extraction import AppliedExtraction
    from jotsam.worker.enrichment.llm_extraction import CostEstimate


__all__ = [
    "Admin",
    "AllowedSecret",
    "Answer",
    "AppliedExtraction",
    "AsyncAdmin",
    "AsyncBlocks",
    "AsyncClient",
    "AsyncCrystals",
    "AsyncJotsam",
    "AsyncKnowledge",
    "AsyncLifecycle",
    "AsyncNotes",
    "AsyncStore",
    "Attempt",
    "AuditEntry",
    "Backup",
    "Blocks",
    "Brief",
    "BriefLine",
    "BuryJob",
    "Client",
    "CommandResult",
    "Conflict",
    "Conversation",
    "CostEstimate",
    "Coverage",
    "Crystal",
    "Crystals",
    "DailyCost",
    "DatabaseBusy",
    "DatabaseClosed",
    "DatabaseFull",
    "DatabaseReadOnly",
    "DatabaseReplaced",
    "DatabaseUnavailable",
    "DatabaseUnusable",
    "Delivery",
    "Details",
    "Distilled",
    "Document",
    "EngineComparison",
    "EngineDifference",
    "EngineStatus",
    "Entity",
    "EntityText",
    "Event",
    "Expired",
    "ExportResult",
    "Fact",
    "FailureGroup",
    "Finding",
    "ForgetPlan",
    "ForgetReceipt",
    "ForgetSample",
    "ForgottenBatch",
    "GivenText",
    "GraphOverview",
    "Hit",
    "ImportProblem",
    "ImportResult",
    "InvalidInput",
    "ItemResult",
    "Job",
    "JobCancelled",
    "JobChange",
    "JobDetails",
    "JobError",
    "Jotsam",
    "JotsamError",
    "KeyReused",
    "Knowledge",
    "KnowledgeStatistics",
    "LeaseLost",
    "Leftover",
    "Lifecycle",
    "LifecycleChange",
    "LifecyclePlan",
    "LifecycleRun",
    "LifecycleRunDetails",
    "LifecycleRunState",
    "LifecycleStep",
    "Link",
    "LinkStatistics",
    "Memory",
    "MemoryBlock",
    "MemoryGraph",
    "MemoryImport",
    "MemoryPeriod",
    "MemoryTheme",
    "MemoryVersion",
    "MergeCandidate",
    "ModelUsage",
    "NamedEntity",
    "Neighbour",
    "Neighbourhood",
    "NewToken",
    "NotADatabase",
    "NotFound",
    "Note",
    "Notes",
    "Page",
    "Pattern",
    "PausedQueue",
    "PeriodStatistics",
    "PersonPart",
    "PersonPlace",
    "PersonPlan",
    "Processor",
    "Project",
    "ProjectChange",
    "ProviderUnavailable",
    "Queue",
    "QueueDepth",
    "QueueStats",
    "Receipt",
    "Redaction",
    "ReplicaState",
    "ReprocessPlan",
    "RetryJob",
    "ReviewedEntity",
    "SchemaTooNew",
    "SchemaTooOld",
    "Selection",
    "Sent",
    "Session",
    "SessionPage",
    "SessionTurn",
    "Settings",
    "ShareStatistics",
    "SimilarMemory",
    "Spending",
    "StageStatus",
    "StatedPreference",
    "Status",
    "Store",
    "StoreChange",
    "StoreNamespace",
    "StoredItem",
    "StoredMemory",
    "StuckJob",
    "SupersedeResult",
    "Task",
    "TenantComparison",
    "TenantMoved",
    "Token",
    "TypeStatistics",
    "UpdateReceipt",
    "UpsertReceipt",
    "UpsertResult",
    "Workflow",
    "WorkflowQuote",
    "__version__",
    "restore_marks",
    "write_proposals",
]

# Where each name is defined; errors are in `core.errors`.
_MODULES: dict[str, tuple[str, ...]] = {
    "core.answers": ("Answer", "Brief", "BriefLine", "Coverage", "Hit"),
    "core.engine_records": ("EngineComparison", "EngineDifference", "EngineStatus", "TenantComparison"),
    "core.event_records": ("Event",),
    "core.graph_records": (
        "GraphOverview",
        "KnowledgeStatistics",
        "LinkStatistics",
        "MergeCandidate",
        "Neighbourhood",
        "PeriodStatistics",
        "ReviewedEntity",
        "ShareStatistics",
        "SimilarMemory",
        "StatedPreference",
        "TypeStatistics",
    ),
    "core.job_records": ("CommandResult", "Delivery", "Job", "QueueDepth", "Sent"),
    "core.lifecycle_records": (
        "LifecycleChange",
        "LifecyclePlan",
        "LifecycleRun",
        "LifecycleRunDetails",
        "LifecycleStep",
        "MemoryTheme",
    ),
    "core.records": (
        "AllowedSecret",
        "Document",
        "Entity",
        "EntityText",
        "Fact",
        "ItemResult",
        "Link",
        "Memory",
        "MemoryBlock",
        "MemoryGraph",
        "MemoryVersion",
        "NamedEntity",
        "Neighbour",
        "Page",
        "Pattern",
        "Receipt",
        "Redaction",
        "ReplicaState",
        "StoredMemory",
        "UpdateReceipt",
        "UpsertReceipt",
        "UpsertResult",
    ),
    "core.crystal_records": (
        "Crystal",
        "Distilled",
        "Workflow",
        "WorkflowQuote",
    ),
    "core.selection": ("Selection",),
    "core.session_records": ("Conversation", "GivenText", "Session", "SessionPage", "SessionTurn"),
    "core.settings": ("Settings",),
    "core.store_records": ("StoreChange", "StoreNamespace", "StoredItem"),
    "core.token_records": ("AuditEntry", "NewToken", "Token"),
    "ingest.sessions": ("ImportProblem", "ImportResult"),
    "memory.api.admin_client": ("Admin",),
    "memory.api.async_client": ("AsyncJotsam",),
    "memory.api.async_methods": (
        "AsyncAdmin",
        "AsyncBlocks",
        "AsyncCrystals",
        "AsyncKnowledge",
        "AsyncLifecycle",
        "AsyncNotes",
        "AsyncStore",
    ),
    "memory.transfer.backup": ("Backup",),
    "memory.api.client": ("Jotsam",),
    "memory.forgetting.forget_records": (
        *("ForgetPlan", "ForgetReceipt", "ForgetSample", "Leftover", "PersonPart", "PersonPlace", "PersonPlan"),
    ),
    "core.fence": ("restore_marks",),
    "memory.lifecycle.distil": ("write_proposals",),
    "memory.transfer.export": ("ExportResult",),
    "memory.transfer.import_tally": ("MemoryImport",),
    "memory.jobs.job_details": ("JobDetails",),
    "memory.jobs.jobs": ("FailureGroup", "JobChange", "StuckJob"),
    "memory.writing.blocks": ("Blocks",),
    "memory.api.crystals": ("Crystals",),
    "memory.api.knowledge": ("Knowledge",),
    "memory.api.lifecycle_client": ("Lifecycle",),
    "memory.api.notes": ("Notes",),
    "memory.api.store": ("Store",),
    "core.note_records": ("Note",),
    "memory.reading.projects": ("Project", "ProjectChange"),
    "memory.jobs.reprocess": ("ReprocessPlan",),
    "memory.forgetting.retention": ("Expired",),
    "memory.reading.show": ("Attempt", "Details", "MemoryPeriod", "ModelUsage"),
    "memory.status.health": ("Finding", "PausedQueue"),
    "memory.status.status": ("DailyCost", "LifecycleRunState", "Spending", "StageStatus", "Status"),
    "memory.writing.supersede": ("SupersedeResult",),
    "memory.transfer.trash": ("ForgottenBatch",),
    "queueing.processor": ("Processor", "Task"),
    "queueing.queue": ("Queue", "QueueStats"),
    "remote.async_client": ("AsyncClient",),
    "remote.client": ("Client",),
    "worker.enrichment.agent_extraction": ("AppliedExtraction",),
    "worker.enrichment.llm_extraction": ("CostEstimate",),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `jotsam add` does not load the whole package."""
    if name not in __all__:
        raise AttributeError(f"module 'jotsam' has no attribute {name!r}")
    from importlib import import_module

    if name == "__version__":
        return import_module("jotsam.core.version").VERSION
    module = next((module for module, names in _MODULES.items() if name in names), "core.errors")
    return getattr(import_module(f"jotsam.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
