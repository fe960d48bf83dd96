"""Durable background memory for AI agents.

    from jotsam import Jotsam

    with Jotsam() as jot:
        jot.add("We chose PostgreSQL over MongoDB for the user service.", source="adr-004.md")
        print(jot.recall("which database did we choose?"))

Importing this package reads nothing, connects nowhere and prints nothing; each name is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.answers import Answer, Coverage, Hit
    from jotsam.core.errors import (
        BuryJob,
        DatabaseBusy,
        DatabaseFull,
        DatabaseReadOnly,
        DatabaseUnavailable,
        DatabaseUnusable,
        InvalidInput,
        JobCancelled,
        JobError,
        JotsamError,
        LeaseLost,
        NotADatabase,
        NotFound,
        ProviderUnavailable,
        RetryJob,
        SchemaTooNew,
        SchemaTooOld,
    )
    from jotsam.core.job_records import Delivery, Job, Sent
    from jotsam.core.records import Document, Memory, Receipt
    from jotsam.core.settings import Settings
    from jotsam.memory.client import Jotsam
    from jotsam.queueing.processor import Processor, Task
    from jotsam.queueing.queue import Queue, QueueStats

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "BuryJob",
    "Coverage",
    "DatabaseBusy",
    "DatabaseFull",
    "DatabaseReadOnly",
    "DatabaseUnavailable",
    "DatabaseUnusable",
    "Delivery",
    "Document",
    "Hit",
    "InvalidInput",
    "Job",
    "JobCancelled",
    "JobError",
    "Jotsam",
    "JotsamError",
    "LeaseLost",
    "Memory",
    "NotADatabase",
    "NotFound",
    "Processor",
    "ProviderUnavailable",
    "Queue",
    "QueueStats",
    "Receipt",
    "RetryJob",
    "SchemaTooNew",
    "SchemaTooOld",
    "Sent",
    "Settings",
    "Task",
    "__version__",
]

_MODULES: dict[str, tuple[str, ...]] = {
    "core.answers": ("Answer", "Coverage", "Hit"),
    "memory.client": ("Jotsam",),
    "queueing.processor": ("Processor", "Task"),
    "queueing.queue": ("Queue", "QueueStats"),
    "core.job_records": ("Delivery", "Job", "Sent"),
    "core.records": ("Document", "Memory", "Receipt"),
    "core.settings": ("Settings",),
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: `jotsam add` must not pay for what it does not use."""
    if name not in __all__:
        raise AttributeError(f"module 'jotsam' has no attribute {name!r}")
    from importlib import import_module

    module = next((module for module, names in _MODULES.items() if name in names), "core.errors")
    return getattr(import_module(f"jotsam.{module}"), name)
