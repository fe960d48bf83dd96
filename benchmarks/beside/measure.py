"""What is measured of one system: a process stores a set and answers its questions, and another one is killed."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from benchmarks.beside.environments import Environment, short, size
from benchmarks.beside.sets import FIRST, TextSet, scores
from benchmarks.child import Child, environment

SIDE_SECONDS = 300  # for one set of a system; one that needs longer is a row with that as its reason
KILLED_AFTER = 40  # texts that were accepted before
PROBES = 5  # texts that are stored alone into a full memory, and asked for until they are found
MAX_REASON = 160
OFFLINE = {
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "TELEMETRY_DISABLED": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OPENAI_API_KEY": "none",
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
}


class DidNotRun(Exception):
    """The message is the reason."""


class TooSlow(DidNotRun):
    """It did not end in time, so a larger set is not tried."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A way in which a system is measured."""

    name: str
    peer: ModuleType
    options: dict[str, Any]
    installed: Environment
    source: str | None = None


def measured(row: Row, given: TextSet, embedder: Child, address: str) -> dict[str, float]:
    """Store a set and ask its questions. Raises `DidNotRun`."""
    with tempfile.TemporaryDirectory(prefix="jotsam-beside-", ignore_cleanup_errors=True) as home:
        with _side(row, home, address) as side:
            embedder.ask("spent")
            stored = side.ask("store", texts=given.texts)["cpu"]
            embedded = embedder.ask("spent")
            asked = side.ask("ask", questions=[one.text for one in given.questions], k=FIRST)
            asked_embedded = embedder.ask("spent")
            seconds = [side.ask("find", **_probe(row.name, number)) for number in range(PROBES)]
            memory = side.ask("memory")
            side.ask("close")
        disk = size(Path(home) / "data")
    return {
        **scores(given, asked["found"]),
        "store CPU": stored / len(given.texts),
        "store CPU of the embedder": embedded / len(given.texts),
        "ask CPU": asked["cpu"] / len(given.questions),
        "ask CPU of the embedder": asked_embedded / len(given.questions),
        "seconds until found": median(seconds) if min(seconds) >= 0 else -1.0,
        "memory": memory,
        "disk": disk,
    }


def kept_after_kill(row: Row, given: TextSet, address: str) -> dict[str, Any]:
    """Kill a process that stores one text after the other, and ask another one for each that was accepted before."""
    accepted, next_one = given.texts[:KILLED_AFTER], given.texts[KILLED_AFTER : KILLED_AFTER + 1]
    with tempfile.TemporaryDirectory(prefix="jotsam-beside-", ignore_cleanup_errors=True) as home:
        with _side(row, home, address) as side:
            for text in accepted:
                side.ask("store", texts=[text])
            pids = side.ask("opened")
            side.begin("store", texts=next_one)
            _kill(pids)
        try:
            with _side(row, home, address) as side:
                found = side.ask("ask", questions=[text["text"][:200] for text in accepted], k=10)["found"]
        except DidNotRun as reason:
            return {"accepted": len(accepted), "found": 0, "reason": str(reason)}
    return {
        "accepted": len(accepted),
        "found": sum(text["id"] in ids for text, ids in zip(accepted, found, strict=True)),
    }


@contextmanager
def _side(row: Row, home: str, address: str) -> Iterator[Child]:
    """A process of the system with a home of its own, ended with all that it started."""
    data = Path(home) / "data"
    data.mkdir(exist_ok=True)
    said = Path(home) / "said"
    own = environment(HOME=home, OPENAI_BASE_URL=address, **OFFLINE)
    options = row.options | ({"source": row.source} if row.source else {})
    given = (short(row.peer), str(data), address if _embeds(row) else "", json.dumps(options))
    with open(said, "a") as errors:
        side = Child(
            "benchmarks.beside.side",
            *given,
            python=row.installed.python,
            env=own,
            stderr=errors,
            start_new_session=True,
        )
    late = threading.Timer(SIDE_SECONDS, _kill, ([side.pid],))
    late.start()
    pids = [side.pid]
    try:
        pids = side.ask("opened")
        yield side
    except (RuntimeError, BrokenPipeError) as error:
        if not late.is_alive():
            raise TooSlow(f"it did not end within {SIDE_SECONDS} seconds") from error
        raise DidNotRun(_last(error, said)) from error
    finally:
        late.cancel()
        _kill(pids)
        side.close()


def _embeds(row: Row) -> bool:
    return getattr(row.peer, "EMBEDS", False) or row.options.get("embeds", False)


def _kill(groups: Sequence[int]) -> None:
    for group in groups:
        with suppress(ProcessLookupError):
            os.killpg(os.getpgid(group), signal.SIGKILL)


def _last(error: Exception, said: Path) -> str:
    """The last line of what went wrong."""
    lines = [line.strip() for line in (str(error) + "\n").splitlines() if line.strip()]
    if lines and "ended without an answer" in lines[-1]:
        lines = [line.strip() for line in said.read_text(errors="replace").splitlines() if line.strip()] or lines
    return lines[-1][:MAX_REASON]


def _probe(name: str, number: int) -> dict[str, Any]:
    """A text that no embedder has seen, and the question that it answers."""
    word = f"quillfeather{number}"
    text = f"The {word} of {name} is kept in drawer {number} of the map room."
    return {"text": {"id": f"probe {number}", "text": text}, "question": f"Where is the {word} of {name} kept?"}


def of_embedder(folder: str) -> Child:
    """The embedder, started."""
    return Child("benchmarks.beside.embedding", folder, python=sys.executable)


def rows_of(peer: ModuleType, installed: Environment, source: str | None) -> Sequence[Row]:
    return [
        Row(name=name, peer=peer, options=options, installed=installed, source=source)
        for name, options in peer.ROWS.items()
    ]
