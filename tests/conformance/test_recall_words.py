"""What a question's words find, and what of it are no words to be found: on every database."""

from __future__ import annotations

import pytest

from jotsam.core.records import Memory
from jotsam.ingest import accept


def texts(answer) -> list[str]:
    return [hit.text for hit in answer.hits]


HOME = "/x/home/projects/shop"


@pytest.mark.parametrize("project", [None, "shop"])
@pytest.mark.parametrize("is_cut", [False, True])
def test_folders_above_a_project_are_not_indexed_with_its_files(jot, project: str | None, is_cut: bool) -> None:
    for name in ("colours.md", "docs/prices.md"):
        jot.add(f"All of {name} is about paint.", source=f"{HOME}/{name}", project=project)
    if is_cut:
        jot.work()
    for question in ("what did I eat at home?", "projects", "shop", "~/x/home"):
        assert jot.recall(question).coverage.total == 0, question
    for source in ("~/projects/shop/notes.md", "C:\\Users\\ann\\notes.md", "file:///x/home/notes.md"):
        jot.add("A note about glue.", source=source)
    for question in ("projects", "users ann", "home"):
        assert jot.recall(question).coverage.total == 0, question


@pytest.mark.parametrize("question", ["retrieval/parse.py", "/x/home/projects/shop/retrieval/parse.py", "parse.py"])
@pytest.mark.parametrize("project", [None, "shop"])
def test_a_file_is_found_by_its_path_and_by_its_name(jot, question: str, project: str | None) -> None:
    jot.add("Nothing here says what it is called.", source=f"{HOME}/retrieval/parse.py", project=project)
    jot.add("Another one.", source=f"{HOME}/retrieval/legs.md", project=project)
    assert jot.recall(question).hits[0].source == f"{HOME}/retrieval/parse.py"


def test_folders_within_a_project_are_indexed(jot) -> None:
    jot.add("Nothing here says where it is.", source=f"{HOME}/kitchen/colours.md", project="shop")
    assert jot.recall("kitchen").coverage.total == 1
    jot.add("Nor here.", source="cellar/glue.md")
    assert jot.recall("cellar").coverage.total == 1


DAY = 86_400_000


@pytest.fixture
def five(jot, clock) -> None:
    """Five memories; the newest is a day old and was accepted first."""
    for days, type, text in (
        (1, "Decision", "We decided to keep the queue in one table."),
        (400, "Preference", "Always use the latest version of Node for builds."),
        (30, "Decision", "We chose blue for the shop."),
        (90, "Context", "The oven stands in the kitchen."),
        (200, "Pattern", "Retries fail at night."),
    ):
        jot.remember(text, type=type, said_at=clock.now - days * DAY)


NEWEST = ["We decided", "We chose", "The oven", "Retries", "Always use"]


@pytest.mark.parametrize(
    "question",
    [
        *("what's the latest?", "latest", "newest", "what changed?", "what is new", "What's new?", "anything new?"),
        *(
            "the current state",
            "what do we know",
            "what happened?",
            "the",
            "what is it?",
            "的",
            "是什么",
            "latest news",
        ),
    ],
)
def test_a_question_for_the_latest_returns_the_newest_by_date(jot, five, question: str) -> None:
    answer = jot.recall(question)
    found = texts(answer)
    assert [any(text.startswith(start) for start in NEWEST) for text in found] == [True] * 5
    assert [next(start for start in NEWEST if text.startswith(start)) for text in found] == NEWEST
    assert (answer.question, answer.coverage.total) == ("", 5)
    assert {next(iter(hit.scores)) for hit in answer.hits} == {"newest"}


@pytest.mark.parametrize("question", ["what is the latest decision?", "most recent decisions", "last decision"])
def test_the_latest_of_a_type_are_its_newest_by_date(jot, five, question: str) -> None:
    answer = jot.recall(question)
    assert texts(answer) == ["We decided to keep the queue in one table.", "We chose blue for the shop."]
    assert answer.coverage.total == 2


def test_words_that_ask_for_the_latest_are_not_searched_for(jot, five) -> None:
    assert texts(jot.recall("latest version of Node")) == ["Always use the latest version of Node for builds."]
    assert texts(jot.recall('what says "latest"?')) == ["Always use the latest version of Node for builds."]
    assert texts(jot.recall("what is the current oven?")) == ["The oven stands in the kitchen."]
    assert texts(jot.recall("what's new in the kitchen?")) == ["The oven stands in the kitchen."]
    assert texts(jot.recall("the latest incident")) == []


def test_a_question_for_what_changed_since_a_time_is_about_that_time(jot, five, clock) -> None:
    (hit,) = jot.recall("what changed last year?", limit=1).hits
    assert hit.text.startswith("Always use") or hit.text.startswith("Retries")


def test_decision_finds_what_was_decided(jot, five) -> None:
    assert texts(jot.recall("which decision about the queue?"))[0].startswith("We decided")
    assert texts(jot.recall("decision")) == ["We decided to keep the queue in one table."]


def test_a_quoted_phrase_ranks_above_its_single_words(jot) -> None:
    jot.remember("Visibility, visibility and timeout, timeout: a timeout of visibility.")
    jot.remember("A visibility timeout hides a message from others " + "for as long as somebody has it in hand " * 12)
    assert texts(jot.recall('"visibility timeout"'))[0].startswith("A visibility timeout")
    jot.remember("数据 的 库 据库 数据 据库")
    jot.remember("这是一个关于数据库的长句子，它还说了很多别的事情。")
    assert texts(jot.recall('"visibility timeout"'))[0].startswith("A visibility timeout")
    assert texts(jot.recall('timeout visibility "visibility timeout" visibility'))[0].startswith("A visibility timeout")
    assert texts(jot.recall("「数据库的长」"))[0].startswith("这是")
    assert jot.recall('"of visibility"').hits[0].text.startswith("Visibility")


def test_a_word_in_most_texts_still_scores(jot) -> None:
    jot.remember("The replication lag was four seconds on Monday.")
    jot.remember("Replication lag is measured at noon.")
    jot.remember("Replication of the catalogue: the lag is small.")
    jot.remember("The migration is planned.")
    scores = {hit.text: hit.scores["text"] for hit in jot.recall("replication lag migration").hits}
    assert min(scores.values()) > 0.2


def test_memories_of_another_tenant_change_no_order(open_jot) -> None:
    ours, theirs = open_jot(tenant="a"), open_jot(tenant="b")
    ours.remember("Gamma rays are measured in the cellar.")
    ours.remember("Delta waves are measured in the cellar.")
    ours.remember("Delta again, and something else here.")
    before = [(hit.text, round(hit.scores["text"], 6)) for hit in ours.recall("gamma delta").hits]
    with theirs.database.transaction() as tx:
        for number in range(30):
            accept.remember(tx, Memory(text=f"gamma gamma number {number}", tenant="b"))
    after = [(hit.text, round(hit.scores["text"], 6)) for hit in ours.recall("gamma delta").hits]
    assert [text for text, _ in after] == [text for text, _ in before]
    assert after[0][0].startswith("Gamma")


def test_versions_sharp_s_and_korean_words_with_particles_are_found(jot):
    texts = (
        "We shipped v1.2.3 out.",
        "Build 4.5.6 failed.",
        "Ana wohnt in der Hauptstraße.",
        "우리는 서울에서 만났다.",
    )
    for text in texts:
        jot.remember(text)
    asked = {
        "1.2.3": 0,
        "v1.2.3": 0,
        "v4.5.6": 1,
        "4.5.6": 1,
        "hauptstrasse": 2,
        "Hauptstraße": 2,
        "서울": 3,
        "서울은": 3,
    }
    found = {word: [hit.text for hit in jot.recall(word).hits] for word in asked}
    assert found == {word: [texts[place]] for word, place in asked.items()}


def test_words_of_metadata_are_found_at_any_depth_after_an_update_too(jot):
    text = "The rollout is on Tuesday."
    metadata = {"ticket": "Zanzibar handover", "by": {"teams": ["Kilimanjaro", 7]}, "city": "서울에서", "token": True}
    id = jot.remember(text, metadata=metadata).id
    jot.remember("The kettle is in the kitchen.")
    words = ("zanzibar", "kilimanjaro", "서울")
    assert [[hit.text for hit in jot.recall(word).hits] for word in words] == [[text]] * 3
    jot.update(id, add_metadata={"ticket": "Serengeti handover"})
    assert [hit.text for hit in jot.recall("serengeti").hits] == [text]
    assert jot.recall("zanzibar").hits == ()


def test_a_word_of_the_text_outweighs_the_same_word_of_metadata(jot):
    jot.remember("The rollout is on Tuesday afternoon.", metadata={"place": "Zanzibar"})
    jot.remember("Zanzibar is far away from here.")
    jot.remember("The kettle is in the kitchen now.", metadata={"place": "Nairobi"})
    assert jot.recall("zanzibar").hits[0].text == "Zanzibar is far away from here."


def test_a_capital_sharp_s_is_found_as_two_letters(jot):
    jot.remember("GROẞE STRAẞE")
    assert len(jot.recall("strasse").hits) == len(jot.recall("Straße").hits) == 1
