"""Nothing but SQLite: an FTS5 table with the Porter stemmer, bm25, and any word of the question but stop words."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DISTRIBUTION = ""
REQUIREMENTS = ()
ROWS: dict[str, dict[str, Any]] = {"bare FTS5, porter": {}}

STOP = """
a about after again all also am an and any are as at be because been before being between both but by can could did do
does doing done down during each few for from further had has have having he her here hers him his how i if in into is
it its just me more most my no nor not now of off on once only or other our ours out over own same she should so some
such than that the their theirs them then there these they this those through to too under until up very was we were
what when where which while who whom whose why will with would you your yours
"""


class Store:
    def __init__(self, folder: str, **_: Any) -> None:
        self._connection = sqlite3.connect(Path(folder) / "fts5.db", isolation_level=None)
        self._connection.executescript(
            "pragma journal_mode = wal; pragma synchronous = full;"
            "create virtual table if not exists stored using fts5(id unindexed, body, tokenize = 'porter unicode61');"
        )

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            self._connection.execute("insert into stored values (?, ?)", (text["id"], text["text"]))

    def ask(self, question: str, k: int) -> Iterator[str]:
        said = re.findall(r"\w+", question.lower())
        words = [word for word in said if word not in STOP.split()] or said
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        query = "select id from stored where stored match ? order by rank limit ?"
        return (id for (id,) in self._connection.execute(query, (match, k)))
