"""The texts that are stored, the questions, and which texts answer each.

A set of our own lies beside this file: messages of 160 commits of this project, and 36 questions that were written
before any system was asked. LoCoMo and the documents are the user's own copies: docs/comparison.md says where they are
to be had. Of LoCoMo only two conversations are taken, those of the open half with which Jotsam's weights were not
chosen; they were at hand while it was built all the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.recall.data_sets import Turn, body, locomo

OWN = Path(__file__).parent / "sets" / "commits.json"
CONVERSATIONS = ("conv-42", "conv-43")
LONGEST = 1_200  # characters of a part of a document
FIRST, CUT_OFFS, BUDGETS = 100, (5, 10, 25), (500, 1_000, 2_000)


@dataclass(frozen=True, kw_only=True)
class Asked:
    text: str
    parts: Sequence[frozenset[str]]  # each part of the answer, and the texts that hold it


@dataclass(frozen=True, kw_only=True)
class TextSet:
    name: str
    texts: Sequence[dict[str, Any]]
    questions: Sequence[Asked]

    def described(self) -> dict[str, Any]:
        """Its sizes, and a digest: another run with the same one has the same texts and questions, and counts alike."""
        asked = [[one.text, [sorted(part) for part in one.parts]] for one in self.questions]
        ids = [text["id"] for text in self.texts]
        chance = [Random(place).sample(ids, min(FIRST, len(ids))) for place in range(len(asked))]
        said = json.dumps([self.texts, asked, scores(self, chance)], sort_keys=True)
        digest = hashlib.sha256(said.encode()).hexdigest()
        return {"texts": len(self.texts), "questions": len(self.questions), "digest": digest}


def own() -> TextSet:
    told = json.loads(OWN.read_text())
    asked = [
        Asked(text=one["question"], parts=[frozenset(part) for part in one["evidence"]]) for one in told["questions"]
    ]
    return TextSet(name="commits", texts=told["texts"], questions=asked)


def conversations(path: Path) -> TextSet:
    """Both conversations in one memory. Each text says who said it and when, and `said` has that in fields."""
    texts: list[dict[str, Any]] = []
    asked: list[Asked] = []
    for told in locomo(path):
        if told.id not in CONVERSATIONS:
            continue
        for session, turns in groupby(told.turns, key=lambda turn: turn.session):
            texts += [_text(turn, told.id, 1_000 * int(session[1:]) + place) for place, turn in enumerate(turns)]
        for one in told.questions:
            parts = [frozenset([f"{told.id}/{id}"]) for id in sorted(one.evidence)]
            asked.append(Asked(text=one.text, parts=parts))
    return TextSet(name="LoCoMo", texts=texts, questions=asked)


def documents(folder: Path) -> TextSet:
    """Files below `documents`, cut into parts of the same kind for all, and questions with literal answers."""
    texts: list[dict[str, Any]] = []
    below = folder / "documents"
    for path in sorted(one for one in below.rglob("*") if one.is_file()):
        name = path.relative_to(below).as_posix()
        parts = cut(path.read_text(encoding="utf-8"))
        texts += [{"id": f"{name}#{place}", "text": f"{name}\n\n{part}"} for place, part in enumerate(parts)]
    flat = {text["id"]: _flat(text["text"]) for text in texts}
    asked: list[Asked] = []
    for one in json.loads((folder / "questions.json").read_text(encoding="utf-8"))["questions"]:
        parts = [_holders(gold, flat) for gold in one["gold"]]
        if len(parts) == 1:
            parts = [parts[0].union(*(_holders(gold, flat) for gold in one["also"]))]
        if all(parts):
            asked.append(Asked(text=one["question"], parts=parts))
    return TextSet(name="documents", texts=texts, questions=asked)


def cut(text: str) -> list[str]:
    """Parts of whole paragraphs, up to `LONGEST` characters; a heading of Markdown begins one."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        begins = paragraph.lstrip().startswith("#") or not parts
        if begins or len(parts[-1]) + len(paragraph) > LONGEST:
            parts.append(paragraph.strip())
        else:
            parts[-1] += "\n\n" + paragraph.strip()
    return [part for part in parts if part]


def scores(given: TextSet, found: Sequence[Sequence[str]]) -> dict[str, float]:
    """Percent of the parts of an answer, the mean of all questions, by the columns of `score`."""
    tokens = tokens_of(given.texts)
    summed: dict[str, float] = {}
    for asked, ids in zip(given.questions, found, strict=True):
        for name, part in score(asked, ids, tokens).items():
            summed[name] = summed.get(name, 0.0) + part
    return {name: 100 * total / len(given.questions) for name, total in summed.items()}


def score(asked: Asked, ids: Sequence[str], tokens: Mapping[str, int]) -> dict[str, float]:
    """The share of the parts of an answer among the first `CUT_OFFS` texts, and in whole texts within `BUDGETS`."""
    reached = _within(ids, tokens)
    figures = {f"first {k}": set(ids[:k]) for k in CUT_OFFS}
    figures |= {f"{budget:,} tokens": {id for id in ids if reached[id] <= budget} for budget in BUDGETS}
    return {name: sum(bool(part & had) for part in asked.parts) / len(asked.parts) for name, had in figures.items()}


def tokens_of(texts: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """About how many tokens each text has, by its id."""
    return {text["id"]: 1 + len(text["text"]) // 4 for text in texts}


def _within(ids: Sequence[str], tokens: Mapping[str, int]) -> dict[str, int]:
    """How many tokens there are up to the end of each text."""
    reached, total = {}, 0
    for id in ids:
        total += tokens.get(id, 0)
        reached[id] = total
    return reached


def _text(turn: Turn, conversation: str, position: int) -> dict[str, Any]:
    said = {"text": body(turn), "actor": turn.speaker, "session": f"{conversation}/{turn.session}"}
    return {
        "id": f"{conversation}/{turn.id}",
        "text": f"{turn.when:%d %B %Y}, {turn.speaker}: {body(turn)}",
        "said": said | {"position": position, "said_at": turn.when.isoformat()},
    }


def _holders(gold: dict[str, Any], flat: dict[str, str]) -> frozenset[str]:
    found = {id for id, text in flat.items() if _of(id, gold) and _flat(gold["answer"]) in text}
    return frozenset(found).union(*(_holders(other, flat) for other in gold.get("or", ())))


def _of(id: str, gold: dict[str, Any]) -> bool:
    return id.rpartition("#")[0] == gold["document"]


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[`*]", "", re.sub(r"(?m)^>\s*", "", text)).split())
