"""The recorded fingerprint of each migration is the one of its script."""

from __future__ import annotations

import hashlib
import re

from jotsam.storage import migrations


def computed(script: str) -> str:
    """Comments and white space may change."""
    statements = " ".join(re.sub(r"--.*", "", script).split())
    return hashlib.sha256(statements.encode()).hexdigest()[:12]


def test_each_script_has_its_recorded_fingerprint() -> None:
    """Put the values of the failure into `FINGERPRINTS`. Never for a version that was released: add a migration."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for dialect in ("sqlite", "postgres"):
        wanted = {schema: migrations.newest(dialect, schema) for schema in ("copying", "memory", "queue")}
        steps = list(migrations.outstanding(dialect, found={}, wanted=wanted))
        found[dialect] = {}
        for schema, newest in wanted.items():
            scripts = {step.version: computed(step.script) for step in steps if step.schema == schema}
            # A number that no migration has is empty.
            found[dialect][schema] = tuple(scripts.get(version, "") for version in range(1, newest + 1))
    assert found == migrations.FINGERPRINTS
