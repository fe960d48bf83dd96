"""Public sets of conversations and questions, read from the user's own copy: LoCoMo, LongMemEval, REALTALK and BEAM.

Each loader yields conversations: turns, and questions with the ids of the turns that hold the answer. A question
without such turns, because nobody said the answer or because the data name none, is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

ADVERSARIAL = 5  # the category of LoCoMo's questions about what was never said
KINDS = {1: "several turns", 2: "dates", 3: "common sense", 4: "one turn"}  # of LoCoMo and REALTALK
LOCOMO_CHOSEN, LOCOMO_SEEN = ("conv-26", "conv-30", "conv-41"), ("conv-42", "conv-43")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What `benchmarks.recall.adapter` stores as one memory."""

    id: str
    session: str
    n: int  # its position in the conversation
    when: datetime
    speaker: str
    text: str
    caption: str = ""


@dataclass(frozen=True, kw_only=True)
class Question:
    text: str
    kind: str
    evidence: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Conversation:
    id: str
    group: str = "all"
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def add_question(self, text: str, kind: str, evidence: Iterable[str]) -> None:
        if known := frozenset(evidence) & {turn.id for turn in self.turns}:
            self.questions.append(Question(text=text, kind=kind, evidence=known))


def body(turn: Any) -> str:
    """What is stored of a turn: its text, and what its image shows."""
    return with_caption(turn.text, turn.caption)


def with_caption(text: str, caption: str) -> str:
    return f"{text} [image: {caption}]" if caption else text or "[nothing]"


def locomo(path: Path) -> Iterator[Conversation]:
    """`locomo10.json`. The groups say what the conversations were for Jotsam."""
    for told in _read(path):
        yield _numbered(
            told["sample_id"],
            locomo_group(told["sample_id"]),
            told["conversation"],
            told["qa"],
            "%I:%M %p on %d %B, %Y",
        )


def locomo_group(id: str) -> str:
    """What a conversation of LoCoMo was for Jotsam."""
    if id in LOCOMO_CHOSEN:
        return "its weights were chosen with them"
    return "seen while it was built" if id in LOCOMO_SEEN else "not seen"


def realtalk(folder: Path) -> Iterator[Conversation]:
    """`data/Chat_*.json`."""
    for path in _files(folder, "Chat_*.json"):
        told = _read(path)
        yield _numbered(path.stem, "all", told, told.get("qa", ()), "%d.%m.%Y, %H:%M:%S")


def longmemeval(path: Path) -> Iterator[Conversation]:
    """`longmemeval_s.json` or `_m`, each question with its own sessions. Evidence is the turns with `has_answer`."""
    for told in _read(path):
        conversation = Conversation(id=told["question_id"])
        evidence = []
        sessions = zip(told["haystack_session_ids"], told["haystack_dates"], told["haystack_sessions"], strict=True)
        for number, (name, date, turns) in enumerate(sessions):
            when = datetime.strptime(re.sub(r"\s*\(\w+\)", "", date), "%Y/%m/%d %H:%M")
            for place, turn in enumerate(turns):
                id = f"{number}/{name}/{place}"
                evidence += [id] if turn.get("has_answer") else []
                _add_turn(conversation, id, f"{number}/{name}", when, turn["role"], turn["content"])
        conversation.add_question(told["question"], told["question_type"], evidence)
        yield conversation


def beam(folder: Path) -> Iterator[Conversation]:
    """A folder of chats of one size, `chats/100K`: `chat.json`, cut to the length where that is a file of its own."""
    for questions in _files(folder, "*/probing_questions/probing_questions.json"):
        chat = questions.parents[1]
        conversation = Conversation(id=chat.name)
        cut = chat / "chat_trunecated.json"  # spelled so
        when = datetime.min
        for batch, message in _messages(_read(cut if cut.exists() else chat / "chat.json"), ""):
            if anchor := message.get("time_anchor"):
                when = datetime.strptime(anchor, "%B-%d-%Y")
            _add_turn(conversation, str(message["id"]), batch, when, message["role"], message["content"])
        for kind, asked in _read(questions).items():
            for one in asked:
                evidence = map(str, _numbers(one.get("source_chat_ids", ())))
                conversation.add_question(one["question"], kind.replace("_", " "), evidence)
        yield conversation


LOADERS: Mapping[str, Callable[[Path], Iterator[Conversation]]] = {
    "locomo": locomo,
    "longmemeval": longmemeval,
    "realtalk": realtalk,
    "beam": beam,
}


def _numbered(id: str, group: str, told: Mapping[str, Any], asked: Iterable[Any], dates: str) -> Conversation:
    """The form of LoCoMo, and of REALTALK: lists `session_1`, `session_2`, ... of turns with a `dia_id`."""
    conversation = Conversation(id=id, group=group)
    for number in sorted(int(key.split("_")[1]) for key in told if re.fullmatch(r"session_\d+", key)):
        when = datetime.strptime(" ".join(told[f"session_{number}_date_time"].split()), dates)
        for turn in told[f"session_{number}"]:
            said = datetime.strptime(turn["date_time"], dates) if "date_time" in turn else when
            text = turn.get("clean_text", turn.get("text", ""))
            caption = turn.get("blip_caption") or ""
            _add_turn(conversation, turn["dia_id"], f"D{number}", said, turn["speaker"], text, caption)
    for one in asked:
        if one["category"] != ADVERSARIAL:
            # "D8:6; D9:17", "D30:05" and "D:11:26" occur in the data.
            named = re.findall(r"D:?(\d+):(\d+)", " ".join(one.get("evidence", ())))
            conversation.add_question(
                one["question"], KINDS[one["category"]], (f"D{int(session)}:{int(turn)}" for session, turn in named)
            )
    return conversation


def _add_turn(
    conversation: Conversation, id: str, session: str, when: datetime, speaker: str, text: str, caption: str = ""
) -> None:
    n = len(conversation.turns)
    turn = Turn(id=id, session=session, n=n, when=when, speaker=speaker, text=text, caption=caption)
    conversation.turns.append(turn)


def _messages(told: Any, batch: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Messages of lists in batches; chats of ten million tokens have plans of batches."""
    if isinstance(told, list):
        for one in told:
            yield from _messages(one, batch)
    elif "role" in told:
        yield batch, told
    elif "turns" in told:
        yield from _messages(told["turns"], f"{batch}{told['batch_number']}")
    else:
        for plan, batches in told.items():
            yield from _messages(batches or [], f"{plan}/")


def _numbers(told: Any) -> Iterator[int]:
    if isinstance(told, int):
        yield told
    else:
        for one in told.values() if isinstance(told, Mapping) else told:
            yield from _numbers(one)


def _files(folder: Path, pattern: str) -> list[Path]:
    if found := sorted(folder.glob(pattern)):
        return found
    raise SystemExit(f"{folder} holds no {pattern}: name the folder of the data")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error.strerror}") from None
