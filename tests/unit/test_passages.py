"""The passages of a text, of which excerpts are made."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.retrieval.present.passages import passages


def parts(text: str) -> list[tuple[str, str | None]]:
    """Each passage, and the one that names what it is."""
    found = passages(text)
    texts = [text[one.start : one.end] for one in found]
    return [(texts[place], None if one.under is None else texts[one.under]) for place, one in enumerate(found)]


def test_rows_of_a_table_are_under_its_first_row_and_that_under_its_heading() -> None:
    head = "| name | default |\n|---|---|"
    assert parts(f"# Options\n\n{head}\n| a | 1 |\n| b | 2 |\n") == [
        ("# Options", None),
        (head, "# Options"),
        ("| a | 1 |", head),
        ("| b | 2 |", head),
    ]


def test_items_of_a_list_keep_their_further_lines() -> None:
    assert [part for part, _ in parts("Steps:\n- one\n  and more\n- two\n1. three")] == [
        "Steps:",
        "- one\n  and more",
        "- two",
        "1. three",
    ]


def test_a_short_block_of_code_is_one_passage_and_a_long_one_is_its_lines() -> None:
    short = "```sh\nexport A=1\n\nrun\n```"
    assert [part for part, _ in parts(f"Do this:\n\n{short}\n\nThen wait.")] == ["Do this:", short, "Then wait."]
    lines = [f"step_{n} = make_the_step_with_a_long_name({n})" for n in range(30)]
    assert [part for part, _ in parts("\n".join(("```", *lines, "```")))] == ["```", *lines, "```"]


def test_a_long_paragraph_is_its_sentences_and_a_short_one_is_one_passage() -> None:
    sentences = [f"This is sentence number {n} of a paragraph that is rather long." for n in range(6)]
    assert [part for part, _ in parts(" ".join(sentences))] == sentences
    assert [part for part, _ in parts("One. Two.\nThree.")] == ["One. Two.\nThree."]


@given(st.text(st.sampled_from("ab .!|-#`\n\t*1。"), max_size=400))
def test_passages_are_in_order_and_leave_out_white_space_only(text: str) -> None:
    place = 0
    for one in passages(text):
        assert one.start >= place
        assert not text[place : one.start].strip(" \t\n\"'*_`)]")
        assert one.start < one.end
        place = one.end
    assert not text[place:].strip()
