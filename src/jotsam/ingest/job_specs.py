"""Job specifications of the two jobs that memory starts with: chunk a document, enrich a memory."""

from __future__ import annotations

from jotsam.core.job_records import JobSpec
from jotsam.core.names import ENRICH, INGEST

ENRICH_ATTEMPTS = 3  # default of the setting `enrich_attempts`
REPROCESS_PRIORITY = -10  # of memories that are enriched again: behind newly accepted texts


def ingest(document: str, *, tenant: str) -> JobSpec:
    """The job that chunks the document with this id."""
    return JobSpec(queue=INGEST, kind=INGEST, payload=f'"{document}"', tenant=tenant)


def enrich(memory: str, *, tenant: str, attempts: int = ENRICH_ATTEMPTS, priority: int = 0) -> JobSpec:
    """The job that enriches the memory with this id. After `attempts` failures it is dead."""
    payload = f'"{memory}"'
    return JobSpec(queue=ENRICH, kind=ENRICH, payload=payload, tenant=tenant, priority=priority, max_receive=attempts)
