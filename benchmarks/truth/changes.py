"""Whether an answer gives what a later text made of an earlier one, on cases in other people's words.

    python -m benchmarks.truth.changes            the open set
    python -m benchmarks.truth.changes --held     the other: rules were written without a look at it
    python -m benchmarks.truth.changes -v         each case that fails, with what is wrong

A case is a few texts with their dates, and questions with what the answer must hold and must not. In some an earlier
text must be hidden, marked or put behind; in the others, which look like these, it must not. `needs_llm` says that
words alone do not tell: these are counted apart.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.report import grid
from jotsam import Hit, Jotsam

SETS = Path(__file__).parent / "sets"
SHOWN, WITHIN = 5, 3
CHANGE = ("forbid", "pair", "superseded", "conflict")


def wrong(asked: dict[str, Any], hits: list[Hit]) -> list[str]:
    """What an answer lacks, or has too much."""
    texts = [" ".join(hit.text.split()) for hit in hits]

    def where(part: str) -> list[int]:
        return [place for place, text in enumerate(texts) if part in text]

    def marked(part: str, how: str) -> bool:
        return any(hits[place].conflicts if how == "conflict" else hits[place].superseded_at for place in where(part))

    within = asked.get("within", WITHIN)
    found = [f"not on top: {one}" for one in asked.get("expect_top", ()) if 0 not in where(one)]
    found += [f"missing: {one}" for one in asked.get("expect_in", ()) if min(where(one), default=within) >= within]
    found += [f"shown: {one}" for one in asked.get("forbid", ()) if where(one)]
    for how in ("superseded", "conflict"):
        found += [f"not {how}: {one}" for one in asked.get(how, ()) if not marked(one, how)]
        without = asked.get(f"not_{how}", asked.get(f"no_{how}", ()))
        found += [f"{how}: {one}" for one in without if marked(one, how)]
    if "pair" in asked:
        new, old = asked["pair"]
        first = min(where(new), default=within)
        is_known = all(place > first and (hits[place].conflicts or hits[place].superseded_at) for place in where(old))
        found += [f"not after it, marked: {old}"] if first >= within or not is_known else []
    return found


def play(case: dict[str, Any], noise: list[dict[str, Any]]) -> list[str]:
    """Store the texts of a case in an empty memory, ask its questions, and tell what is wrong."""
    with tempfile.TemporaryDirectory() as folder, Jotsam(f"{folder}/jotsam.db", worker="off") as jot:
        for one in (*noise, *case["inputs"]):
            about = {key: one[key] for key in ("source", "project", "actor", "session")}
            at = one["date"] if "T" in one["date"] else f"{one['date']}T12:00:00Z"
            if one["kind"] == "document":
                jot.add(one["text"], date=at, **about)
            else:
                jot.remember(one["text"], said_at=at, **about)
        jot.work()
        found = []
        for asked in case["questions"]:
            as_of = f"{asked['as_of']}T12:00:00Z" if "as_of" in asked else None
            history = asked.get("history", False)
            answer = jot.recall(asked["ask"], limit=SHOWN, history=history, as_of=as_of, tokens=20_000)
            found += wrong(asked, list(answer.hits))
        return found


def is_change(case: dict[str, Any]) -> bool:
    return any(key in asked for asked in case["questions"] for key in CHANGE)


def rows(content: dict[str, Any], *, is_shown: bool = False) -> list[tuple[str, str]]:
    count: Counter[str] = Counter()
    for case in content["cases"]:
        kind = "must change" if is_change(case) else "must not change"
        kind = f"{kind}, words do not tell" if case["needs_llm"] else kind
        found = play(case, content["noise"])
        count[kind] += 1
        count[f"{kind}, right"] += not found
        if found and is_shown:
            print(f"{case['id']}: {'; '.join(found)}")
    kinds = [kind for kind in count if not kind.endswith("right")]
    return [(kind, f"{count[f'{kind}, right']} of {count[kind]}") for kind in kinds]


def main() -> None:
    name = "held.json" if "--held" in sys.argv else "open.json"
    content = json.loads((SETS / name).read_text(encoding="utf-8"))
    print(grid((f"{name}, {datetime.now(UTC):%Y-%m-%d}", "right"), rows(content, is_shown="-v" in sys.argv)))


if __name__ == "__main__":
    main()
