"""Counts what an import of memories adds, skips and rejects."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.ingest.sessions import MAX_PROBLEMS, ImportProblem


class MemoryImport(Record):
    """The result of importing memories: lines, or items of a foreign format, by kind."""

    format: str
    added: dict[str, int]
    duplicates: dict[str, int]  # stored already
    skipped: dict[str, int]  # what is not imported, by kind
    forgotten: dict[str, int]  # what is not imported because it was forgotten for good, by kind
    redacted: int = 0  # secrets that were removed
    invalid: int = 0
    problems: tuple[ImportProblem, ...] = ()  # the first ten
    dry_run: bool = False


class Tally:
    """Counts what was imported."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.added: dict[str, int] = {}
        self.duplicates: dict[str, int] = {}
        self.skipped: dict[str, int] = {}
        self.forgotten: dict[str, int] = {}
        self.redacted = self.invalid = 0
        self.problems: list[ImportProblem] = []

    def add(self, kind: str, number: int = 1) -> None:
        self.added[kind] = self.added.get(kind, 0) + number

    def repeat(self, kind: str, number: int = 1) -> None:
        self.duplicates[kind] = self.duplicates.get(kind, 0) + number

    def skip(self, kind: str, number: int = 1) -> None:
        self.skipped[kind] = self.skipped.get(kind, 0) + number

    def forget(self, kind: str, number: int = 1) -> None:
        self.forgotten[kind] = self.forgotten.get(kind, 0) + number

    def retract(self, kind: str, number: int = 1) -> None:
        """Of this kind, fewer were imported than was counted."""
        counts = self.added if self.added.get(kind, 0) >= number else self.duplicates
        counts[kind] = max(counts.get(kind, 0) - number, 0)

    def redact(self, number: int) -> None:
        self.redacted += number

    def reject(self, line: int | None, reason: str) -> None:
        self.invalid += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ImportProblem(path=self._path, line=line, reason=reason))

    def result(self, format: str, *, dry_run: bool) -> MemoryImport:
        added = {kind: number for kind, number in self.added.items() if number}
        duplicates = {kind: number for kind, number in self.duplicates.items() if number}
        return MemoryImport(
            format=format,
            added=added,
            duplicates=duplicates,
            redacted=self.redacted,
            forgotten={kind: number for kind, number in self.forgotten.items() if number},
            skipped={kind: number for kind, number in self.skipped.items() if number},
            invalid=self.invalid,
            problems=tuple(self.problems),
            dry_run=dry_run,
        )
