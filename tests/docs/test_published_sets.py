"""The loaders of public sets of questions, each with a small file in the published form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from benchmarks.recall import data_sets, published
from benchmarks.recall.data_sets import Conversation

LOCOMO_TURN = {"dia_id": "D1:1", "speaker": "Ann", "text": "The kangaroo escaped.", "blip_caption": "a fence"}
LOCOMO = [
    {
        "sample_id": id,
        "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [LOCOMO_TURN]},
        "qa": [
            {"question": "Who escaped?", "answer": "a kangaroo", "evidence": ["D1:01"], "category": 4},
            {"question": "Who was fed?", "adversarial_answer": "", "evidence": ["D1:1"], "category": 5},
        ],
    }
    for id in ("conv-26", "conv-42", "conv-50")
]
LONGMEMEVAL = [
    {
        "question_id": "a1",
        "question_type": "single-session-user",
        "question": "Which bike do I have?",
        "answer": "a Brompton",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "Good morning."}],
            [
                {"role": "user", "content": "My bike is a Brompton.", "has_answer": True},
                {"role": "assistant", "content": "A fine one.", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["s2"],
    }
]
REALTALK = {
    "name": {"speaker_1": "Ann", "speaker_2": "Bob"},
    "session_1": [
        {"clean_text": "I moved to Porto.", "speaker": "Ann", "date_time": "29.12.2023, 22:42:04", "dia_id": "D1:1"},
        {"clean_text": "When?", "speaker": "Bob", "date_time": "30.12.2023, 00:32:20", "dia_id": "D1:2"},
    ],
    "events_session_1": {},
    "session_1_date_time": "29.12.2023, 22:42:04",
    "qa": [{"question": "Where does Ann live?", "answer": "Porto", "evidence": ["D1:1"], "category": 1}],
}
BEAM = [
    {
        "batch_number": 1,
        "turns": [
            [
                {"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "I use Flask.", "index": "1,1"},
                {"role": "assistant", "id": 1, "content": "Then use Blueprints."},
            ]
        ],
        "time_anchor": None,
    }
]
BEAM_ASKED = {
    "abstention": [{"question": "What does my dog eat?", "ideal_response": "not said"}],
    "knowledge_update": [
        {"question": "What do I use?", "source_chat_ids": {"original_info": [0], "updated_info": [1]}}
    ],
}


def loaded(name: str, at: Path, told: Any) -> list[Conversation]:
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_text(json.dumps(told))
    folder = {"realtalk": at.parent, "beam": at.parents[1]}
    return list(data_sets.LOADERS[name](folder.get(name, at)))


def asked(given: list[Conversation]) -> Iterator[tuple[str, str, str, list[str]]]:
    for conversation in given:
        for one in conversation.questions:
            yield conversation.id, one.text, one.kind, sorted(one.evidence)


def test_locomo_says_what_each_conversation_was_for_jotsam(tmp_path: Path) -> None:
    given = loaded("locomo", tmp_path / "locomo10.json", LOCOMO)
    assert [one.group for one in given] == [
        "its weights were chosen with them",
        "seen while it was built",
        "not seen",
    ]
    assert list(asked(given[:1])) == [("conv-26", "Who escaped?", "one turn", ["D1:1"])]
    assert (given[0].turns[0].caption, given[0].turns[0].when) == ("a fence", datetime(2023, 5, 8, 13, 56))


def test_the_evidence_of_longmemeval_is_the_marked_turns(tmp_path: Path) -> None:
    given = loaded("longmemeval", tmp_path / "longmemeval_s.json", LONGMEMEVAL)
    assert list(asked(given)) == [("a1", "Which bike do I have?", "single-session-user", ["1/s2/0"])]
    assert [turn.when for turn in given[0].turns[:2]] == [datetime(2023, 5, 20, 2, 21), datetime(2023, 5, 21, 10)]


def test_turns_of_realtalk_have_times_of_their_own(tmp_path: Path) -> None:
    given = loaded("realtalk", tmp_path / "Chat_1_Ann_Bob.json", REALTALK)
    assert list(asked(given)) == [("Chat_1_Ann_Bob", "Where does Ann live?", "several turns", ["D1:1"])]
    assert given[0].turns[1].when == datetime(2023, 12, 30, 0, 32, 20)


def test_evidence_of_beam_can_be_in_groups_and_plans(tmp_path: Path) -> None:
    loaded_file = tmp_path / "100K" / "1" / "probing_questions" / "probing_questions.json"
    loaded_file.parent.mkdir(parents=True)
    loaded_file.write_text(json.dumps(BEAM_ASKED))
    given = loaded("beam", tmp_path / "100K" / "1" / "chat.json", BEAM)
    assert list(asked(given)) == [("1", "What do I use?", "knowledge update", ["0", "1"])]
    assert [turn.when for turn in given[0].turns] == [datetime(2024, 3, 15)] * 2
    plans = loaded("beam", tmp_path / "100K" / "1" / "chat_trunecated.json", [{"plan-1": BEAM, "plan-2": None}])
    assert [turn.session for turn in plans[0].turns] == ["plan-1/1", "plan-1/1"]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"cannot read .*locomo10.json: No such file"):
        list(data_sets.locomo(tmp_path / "locomo10.json"))
    with pytest.raises(SystemExit, match=r"holds no Chat_\*.json: name the folder of the data"):
        list(data_sets.realtalk(tmp_path))


def test_questions_are_asked_and_counted_by_group_and_kind(tmp_path: Path) -> None:
    given = loaded("locomo", tmp_path / "locomo10.json", LOCOMO[1:])
    lines = published.table(published.measured(given)).splitlines()
    assert [line.split("|")[1:4] for line in lines[2:]] == [
        [" conversations: not seen ", " 1 ", " 100.0 "],
        [" conversations: seen while it was built ", " 1 ", " 100.0 "],
        [" questions: one turn ", " 2 ", " 100.0 "],
    ]
