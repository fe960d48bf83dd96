"""Computes the fingerprints of the migrations: `python -m tools.fingerprints` prints those that are missing or wrong.

Each build of the package runs this file as a hook of hatchling, and fails unless all of them are right. It reads the
sources without importing them, because a build has none of the dependencies.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from pathlib import Path
from typing import Any

STORAGE = Path(__file__).parent.parent / "src" / "jotsam" / "storage"
Fingerprints = dict[str, dict[str, tuple[str, ...]]]


def computed(storage: Path = STORAGE) -> Fingerprints:
    """By dialect and schema, those of the scripts in their order. Comments and white space may change."""
    found: Fingerprints = {}
    for dialect in ("sqlite", "postgres"):
        scripts: dict[str, list[tuple[int, str]]] = {}
        for path in (storage / "sql" / dialect / "migrations").iterdir():
            schema, number = path.name.split("_")[:2]
            files = sorted(path.iterdir()) if path.is_dir() else [path]
            script = "\n".join(file.read_text(encoding="utf-8") for file in files)
            scripts.setdefault(schema, []).append((int(number), _fingerprint(script)))
        found[dialect] = {schema: tuple(mark for _, mark in sorted(marks)) for schema, marks in scripts.items()}
    return found


def recorded(storage: Path = STORAGE) -> Fingerprints:
    """The value of `FINGERPRINTS` in the sources."""
    tree = ast.parse((storage / "migrations.py").read_text(encoding="utf-8"))
    assigned = {ast.unparse(node.target): node.value for node in tree.body if isinstance(node, ast.AnnAssign)}
    found: Fingerprints = ast.literal_eval(assigned["FINGERPRINTS"] or "")
    return found


def problems(storage: Path = STORAGE) -> list[str]:
    """A line for each fingerprint that is missing or wrong. A released migration never changes: add another one."""
    right, found = computed(storage), recorded(storage)
    return [
        f"{dialect} {schema}: FINGERPRINTS in storage/migrations.py has {has}, its scripts are {marks}"
        for dialect, schemas in right.items()
        for schema, marks in schemas.items()
        if (has := found.get(dialect, {}).get(schema)) != marks
    ]


def get_build_hook() -> type[Any]:
    """Called by hatchling."""
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class FingerprintHook(BuildHookInterface):  # type: ignore[type-arg]
        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if wrong := problems(Path(self.root) / "src" / "jotsam" / "storage"):
                raise ValueError("\n".join(wrong))

    return FingerprintHook


def _fingerprint(script: str) -> str:
    statements = " ".join(re.sub(r"--.*", "", script).split())
    return hashlib.sha256(statements.encode()).hexdigest()[:12]


if __name__ == "__main__":
    sys.exit("\n".join(problems()))
