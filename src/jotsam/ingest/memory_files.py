"""Recognises exports, and the files and servers of other memory programs, by how they or their addresses begin."""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput
from jotsam.ingest import files, session_files

FALKORDB = ("falkordb://", "falkordbs://")
QDRANT = ("qdrant://", "qdrants://")
BEGINNING = 65_536
SQLITE, GZIP = b"SQLite format 3\0", b"\x1f\x8b"


def detect(path: str) -> str | None:
    """One of `names.MEMORY_FORMATS`; None for anything else, such as sessions, or a file that cannot be read."""
    if path.startswith(FALKORDB):
        return "falkordb"
    if path.startswith(QDRANT):
        return "qdrant"
    if os.path.isdir(path):
        has_notes = files.below(path, ("*.md",)).matching and not files.below(path, ("*.jsonl",)).matching
        return "basic-memory" if has_notes else None
    try:
        with files.open_regular(path) as file:
            data = file.read(BEGINNING)
    except InvalidInput:
        return None
    if data.startswith(SQLITE):
        return None if session_files.has_sessions(path) else "claude-mem"
    if data.startswith(GZIP):
        return "automem"
    if data.startswith(b"---") and path.endswith(".md"):
        return "basic-memory"
    return _of_json(data)


def _of_json(data: bytes) -> str | None:
    """By the first line of JSON lines, or by the first keys of one JSON value over many lines."""
    first = data.lstrip().split(b"\n", 1)[0]
    if b'"jotsam-export"' in first:
        return "jotsam"
    if first.startswith(b"{") and _has(first, b'"type"', b'"entityType"'):
        return "server-memory"
    if first.startswith(b"{") and _has(first, b'"type"', b'"relationType"'):
        return "server-memory"
    opening, _, rest = data.lstrip().partition(b'"')
    key = rest.partition(b'"')[0] if opening.strip() == b"{" else b""
    if key == b"memories" or (key == b"timestamp" and _has(data, b'"graph_name"', b'"nodes"')):
        return "automem"
    if key == b"results" or opening.split() == [b"[", b"{"] or opening.strip() == b"[{":
        return "mem0" if _has(data, b'"memory"', b'"id"') else None
    return None


def _has(data: bytes, *names: bytes) -> bool:
    return all(name in data for name in names)
