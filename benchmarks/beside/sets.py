"""The texts that are stored, the questions, and which texts answer each.

A set of our own lies beside this file: messages of 160 commits of this project, and 36 questions that were written
before any system was asked. LoCoMo and the documents are the user's own copies: docs/comparison.md says where they are
to be had. Of LoCoMo only two conversations are taken, those of the open half with which Jotsam's weights were not
chosen; they were at hand while it was built all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "sets" / "commits.json"
CONVERSATIONS = ("conv-42", "conv-43")
ADVERSARIAL = 5  # the category of questions about what was never said
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
    for told in json.loads(path.read_text()):
        if told["sample_id"] not in CONVERSATIONS:
            continue
        turns = list(_turns(told["sample_id"], told["conversation"]))
        texts += turns
        known = {turn["id"] for turn in turns}
        for one in told["qa"]:
            named = {f"{told['sample_id']}/D{int(a)}:{int(b)}" for a, b in _places(one.get("evidence", []))}
            if one["category"] != ADVERSARIAL and named & known:
                asked.append(Asked(text=one["question"], parts=[frozenset([id]) for id in sorted(named & known)]))
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
    """Percent of the parts of an answer among the first texts, and within so many tokens of whole texts."""
    tokens = {text["id"]: 1 + len(text["text"]) // 4 for text in given.texts}
    summed: dict[str, float] = {}
    for asked, ids in zip(given.questions, found, strict=True):
        reached = _within(ids, tokens)
        figures = {f"first {k}": set(ids[:k]) for k in CUT_OFFS}
        figures |= {f"{budget:,} tokens": {id for id in ids if reached[id] <= budget} for budget in BUDGETS}
        for name, had in figures.items():
            part = sum(bool(part & had) for part in asked.parts) / len(asked.parts)
            summed[name] = summed.get(name, 0.0) + part
    return {name: 100 * total / len(given.questions) for name, total in summed.items()}


def _within(ids: Sequence[str], tokens: dict[str, int]) -> dict[str, int]:
    """How many tokens there are up to the end of each text."""
    reached, total = {}, 0
    for id in ids:
        total += tokens.get(id, 0)
        reached[id] = total
    return reached


def _turns(name: str, told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    numbers = sorted(int(key.split("_")[1]) for key in told if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        when = datetime.strptime(" ".join(told[f"session_{number}_date_time"].split()), "%I:%M %p on %d %B, %Y")
        for place, turn in enumerate(told[f"session_{number}"]):
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            body = f"{turn.get('text', '')}{caption}" or "[nothing]"
            said = {"text": body, "actor": turn["speaker"], "session": f"{name}/D{number}"}
            yield {
                "id": f"{name}/{turn['dia_id']}",
                "text": f"{when:%d %B %Y}, {turn['speaker']}: {body}",
                "said": said | {"position": 1_000 * number + place, "said_at": when.isoformat()},
            }


def _places(evidence: Sequence[str]) -> Iterator[tuple[str, str]]:
    """'D8:6; D9:17', 'D30:05' and 'D:11:26' occur in the data."""
    for one in evidence:
        yield from re.findall(r"D:?(\d+):(\d+)", one)


def _holders(gold: dict[str, Any], flat: dict[str, str]) -> frozenset[str]:
    found = {id for id, text in flat.items() if _of(id, gold) and _flat(gold["answer"]) in text}
    return frozenset(found).union(*(_holders(other, flat) for other in gold.get("or", ())))


def _of(id: str, gold: dict[str, Any]) -> bool:
    return id.rpartition("#")[0] == gold["document"]


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[`*]", "", re.sub(r"(?m)^>\s*", "", text)).split())
