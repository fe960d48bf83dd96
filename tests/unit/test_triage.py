"""What is worth keeping in a text, and which claims say the same: silence is better than noise."""

from __future__ import annotations

import pytest

from jotsam.pipeline.lifecycle.agreement import Said, conflicts_of, group, paths, problem_with, title_of
from jotsam.pipeline.lifecycle.triage import GENERALLY, claims, is_quoted, judge

LASTING = {
    "preference": (
        "Never push to main directly.",
        "Don't use mocks in the tests.",
        "Please always answer in German.",
        "Use tabs, not spaces.",
        "Keep functions below 60 lines.",
        "Tests must not touch the network.",
        "I prefer short answers without emojis.",
        "Every page must meet the contrast rules.",
        "Secrets come from Vault, never from a file.",
        "记住：不要使用 mock。",
        "发布之前必须先运行迁移测试。",
    ),
    "decision": ("We decided to use uv instead of pip.", "我们决定使用 PostgreSQL。"),
    "procedure": ("Run make lint before each commit.", "To deploy, run make ship and wait for the smoke tests."),
    "learning": ("The import fails when the file has a BOM.", "Gotcha: the cache ignores the query string."),
    "fact": (
        "We vendor the parser because upstream is gone.",
        "Dates are always UTC in the database.",
        "We use PostgreSQL for billing.",
        "I'm allergic to peanuts.",
        "The CI runs on Python 3.12.",
    ),
}
NOTHING = (
    "Ok, thanks a lot!",
    "Run the tests.",
    "Please commit and push.",
    "Let me run the linter before the commit.",
    "I'll always be there for you.",
    "Never give up, you are almost there!",
    "Don't worry about it, it happens.",
    "Taking care of yourself is so important.",
    "Should we always run the tests first?",
    "All tests pass now.",
    "We lost the connection to the server.",
    "We need the report for the meeting.",
    "It must have been amazing to see the colours.",
    "好的，谢谢你的帮助。",
)


def test_lasting_statements_have_their_kind() -> None:
    found = {text: judge(text, actor="user").kind for texts in LASTING.values() for text in texts}
    assert found == {text: kind for kind, texts in LASTING.items() for text in texts}


def test_talk_claims_nothing() -> None:
    assert [text for text in NOTHING if claims(text, actor="user")] == []


def test_an_order_of_the_day_is_no_rule() -> None:
    texts = ("Use the fixture instead of the constant.", "Never push to main directly.")
    assert [claims(text)[0].confidence >= GENERALLY for text in texts] == [False, True]


def test_plans_and_events_are_known_and_claim_nothing() -> None:
    kinds = {text: judge(text) for text in ("We plan to drop the old table.", "Yesterday the deploy broke.")}
    assert [(one.kind, one.claim) for one in kinds.values()] == [("plan", None), ("event", None)]


def test_an_assistant_decides_and_prefers_nothing_and_a_tool_says_nothing() -> None:
    text = "We decided to use uv instead of pip. The import fails when the file has a BOM."
    assert [claim.kind for claim in claims(text, actor="user")] == ["decision", "learning"]
    assert [claim.kind for claim in claims(text, actor="assistant")] == ["learning"]
    assert claims(text, actor="tool") == ()


def test_a_mark_makes_a_claim_surer() -> None:
    plain, marked = (claims(text)[0] for text in ("Never push to main.", "Rule: never push to main."))
    assert plain.confidence < marked.confidence


def said(*texts: str) -> list[Said]:
    return [
        Said(memory=number, session=str(number), text=text, kind="fact", confidence=0.6, at=number)
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Always run the migration tests before a release", "Remember: run the migration tests before each release", 1),
        ("Never push to the release branch", "Always push to the release branch", 0),
        ("The staging port is 5432", "The staging port is 5433", 0),
        ("Use uv for the project environment", "Use tabs for the project indentation", 0),
        ("发布之前必须先运行迁移测试", "记住，发布之前必须先运行迁移测试", 1),
    ],
)
def test_claims_agree_by_their_words_numbers_and_negation(one: str, other: str, is_same: int) -> None:
    assert len(group(said(one, other))) == 2 - is_same


def test_different_values_of_one_thing_are_a_conflict_and_other_things_are_not() -> None:
    found = group(
        said("The staging database port is 5432", "The staging database port is 5433", "We use uv for builds")
    )
    assert {place: other.said[0].text for place, other in conflicts_of(found, found).items()} == {
        0: "The staging database port is 5433",
        1: "The staging database port is 5432",
    }


def test_sessions_count_once_and_so_do_copies_of_one_text() -> None:
    one = said("Always run the migration tests")[0]
    voices = [
        one.replace(session="a"),
        one.replace(session="a"),
        one.replace(session="b", copy_of="x"),
        one.replace(session="c", copy_of="x"),
        one.replace(session=None),
    ]
    assert [agreement.sessions() for agreement in group(voices)] == [2]


def test_what_must_not_be_promoted_is_named() -> None:
    rule = "Always run the migration tests"
    assert problem_with(rule, is_quote=True, sources=1) is None
    assert problem_with(rule, is_quote=False, sources=2) is None
    problems = (
        problem_with("ok thanks", is_quote=True, sources=3),
        problem_with(rule * 60, is_quote=True, sources=3),
        problem_with(rule, is_quote=False, sources=1),
    )
    assert [str(one).partition(":")[0] for one in problems] == ["vague", "too long", "no quote"]


def test_paths_titles_and_quotes() -> None:
    assert paths("See /etc/heron/lake.toml. Not https://a.b/c/d nor a/b/c or ~/x/y.") == ["/etc/heron/lake.toml"]
    assert title_of("heron " * 20) == "heron " * 11 + "heron..."
    assert is_quoted("Never push to main", "So: **never push** to main. Never  push to\nmain!")
    assert not is_quoted("Never push to main", "Always push to main.")
