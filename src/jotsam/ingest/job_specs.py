"""The jobs with which memory begins: cutting a document, reading a memory. Whoever sends one drafts it here.

The accept path imports this room, so it must import nothing but records.
"""

from __future__ import annotations

from jotsam.core.job_records import JobSpec
from jotsam.core.names import ENRICH, INGEST

ENRICH_ATTEMPTS = 3
"""After so many failures a memory's job is dead, unless the settings say otherwise."""


def ingest(document: str, *, tenant: str) -> JobSpec:
    """The job that cuts a document, by its id."""
    return JobSpec(queue=INGEST, kind=INGEST, payload=f'"{document}"', tenant=tenant)


def enrich(memory: str, *, tenant: str, attempts: int = ENRICH_ATTEMPTS, priority: int = 0) -> JobSpec:
    """The job that reads a memory, by its id. After `attempts` failures it is dead."""
    payload = f'"{memory}"'
    return JobSpec(queue=ENRICH, kind=ENRICH, payload=payload, tenant=tenant, priority=priority, max_receive=attempts)
