"""Summaries: the first sentence of prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.extraction.summarise import summarise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith went home. He slept.", "Dr. Smith went home."),
        ("Released v1.2. It works.", "Released v1.2."),
        ("Dr. Smith went to v1.2. of Node.js. It worked.", "Dr. Smith went to v1.2. of Node.js."),
        ("Über 5. wird geredet. Mehr nicht.", "Über 5. wird geredet."),
        ("Am 5. Mai kam er. Dann ging er.", "Am 5. Mai kam er."),
        ("I am 5. She is 6.", "I am 5."),
        ("See Figs. 3 and 4 here. Then more.", "See Figs. 3 and 4 here."),
        ("Use e.g. this one. Then that.", "Use e.g. this one."),
        ("It grew by 3.5 percent. Then it fell.", "It grew by 3.5 percent."),
        ("See No. 5 there. And more.", "See No. 5 there."),
        ("J. R. R. Tolkien wrote it. We read it.", "J. R. R. Tolkien wrote it."),
        ("Acme Inc. in Berlin grew. It did.", "Acme Inc. in Berlin grew."),
        ("He works at Acme Inc. She does too.", "He works at Acme Inc."),
        ("Wait... what happened? Nothing.", "Wait... what happened?"),
        ('He said "Go!" Then he left.', 'He said "Go!"'),
        ("数据库迁移完成。明天继续。", "数据库迁移完成。"),
        ("真的好！是的。", "真的好！"),
        ("太好了！走吧。", "太好了！"),
        ("no end in sight", "no end in sight"),
        ("**2.** The second point. And more.", "2. The second point."),
    ],
)
def test_the_first_sentence_ends_at_its_final_mark_only(text: str, expected: str) -> None:
    """AM-11."""
    assert summarise(text) == expected


@pytest.mark.parametrize(
    "before",
    [
        "# Title\n\n",
        "Title\n=====\n\n",
        "---\ntitle: x\nauthor: y\n---\n\n",
        "```sh\nrun this. And that.\n```\n\n",
        "~~~\ncode\n~~~\n",
        "![a picture](x.png)\n\n",
        "[![badge](x.svg)](https://example.com)\n\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "<p align='center'>\n</p>\n\n",
        "<!-- a comment\nin lines -->\n",
        "***\n\n",
        ".. image:: x.png\n   :width: 160 px\n   :alt: a picture\n\n",
        "Example:\n\n",
        "- ",
        "1. ",
        "- [x] ",
        "> ",
    ],
)
def test_markup_before_the_prose_is_skipped(before: str) -> None:
    """AM-11."""
    assert summarise(f"{before}The prose begins. It goes on.\n") == "The prose begins."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Bold** and *soft* words. x", "Bold and soft words."),
        ("_A soft start_ with `code_name`. x", "A soft start with code_name."),
        ("Ana wrote [the guide](https://example.com/a.b). x", "Ana wrote the guide."),
        ("Files like *.py and *.js stay. x", "Files like *.py and *.js stay."),
        ("2 * 3 * 4 is 24. Yes", "2 * 3 * 4 is 24."),
        ("A sentence\nover two lines. x", "A sentence over two lines."),
        ("- first item\n- second item", "first item"),
    ],
)
def test_markup_is_removed_and_words_stay(text: str, expected: str) -> None:
    assert summarise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thanks a lot! The import works again.", "The import works again."),
        ("Monday, 3 March 2025\n\nThe lease ends in May.", "The lease ends in May."),
        ("Status: accepted\n\nEvents are kept in one table.", "Events are kept in one table."),
        ("$ pip install x\n\nThe package reads files.", "The package reads files."),
        ("> A tagline of words\n\nThe package reads files.", "The package reads files."),
        ("What does it do? It reads files and writes rows.", "It reads files and writes rows."),
        ("It has the following parts:\n\n- a reader of files", "a reader of files"),
        ("Can someone restart the box? It hangs.", "Can someone restart the box?"),
        ("Why is it slow?", "Why is it slow?"),
        ("Before the first run, start the server:\n\n```\nrun\n```", "Before the first run, start the server:"),
    ],
)
def test_the_first_sentence_that_says_something_is_the_summary(text: str, expected: str) -> None:
    assert summarise(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Hello everybody, good morning!",
        "2025-03-04",
        "Tuesday, 4 March",
        "Status: done",
        "# Only a heading\n",
        "# Call\n\n```\ncode\n```\n",
        "pip install -r requirements.txt",
        "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=",
        "[![badge][one]][two] ![other](x.svg)",
        "Features include:",
        "Fixed",
    ],
)
def test_a_text_that_says_nothing_has_no_summary(text: str) -> None:
    assert summarise(text) == ""


@pytest.mark.parametrize("text", ["", " \n", "!!! --- ...", "```\n```", "| |\n"])
def test_a_text_without_words_has_no_summary(text: str) -> None:
    assert summarise(text) == ""


def test_a_long_sentence_is_cut_at_a_word_and_the_ellipsis_counts_as_a_character() -> None:
    """AM-11: at most 240 characters, cut at a word."""
    assert summarise("one two three four", limit=12) == "one two…"
    assert summarise("one two three four", limit=14) == "one two three…"
    assert summarise("one two, three", limit=9) == "one two…"
    assert summarise("数" * 300) == "数" * 239 + "…"
    assert len(summarise("word " * 200)) <= 240
    assert summarise("as exactly", limit=10) == "as exactly"


@given(st.text(alphabet="ab .!?。\n#-*_`[]()数", max_size=200), st.integers(1, 60))
def test_a_summary_fits_the_limit_and_adds_no_characters(text: str, limit: int) -> None:
    summary = summarise(text, limit=limit)
    assert len(summary) <= limit
    assert "\n" not in summary
    assert set(summary) <= set(text) | set(" …")


@pytest.mark.parametrize(
    "text",
    [
        "See the documentation for more details.",
        "For more examples see [the guide](https://example.com).",
        "If you like it, please read the docs.",
        "New BSD. See the [License File](LICENSE).",
        "MIT",
        "Apache License 2.0",
        "Copyright 2019 Ana Lopez",
        "|version| |wheel|",
    ],
)
def test_a_licence_and_a_reference_to_another_page_are_no_summary(text: str) -> None:
    assert summarise(text) == ""
    assert summarise(text + "\n\nBo wrote the parser.") == "Bo wrote the parser."


@pytest.mark.parametrize(
    "text",
    [
        "MIT accepted my son.",
        "For more than ten years Ana led the team.",
        "Read a CSV file into a list of rows.",
        "Check if the entry point is available, and load its module.",
        ":warning: The project has no maintainer.",
    ],
)
def test_a_sentence_that_only_begins_like_a_licence_or_a_reference_is_a_summary(text: str) -> None:
    assert summarise(text) == text


def test_a_long_line_before_code_is_a_summary_if_there_is_no_statement() -> None:
    text = "This package can be invoked as a module to print a list of classifiers"
    assert summarise(text + "::\n\n    run it") == text + ":"
    assert summarise(text + ":\n\nIt is fast and small.") == "It is fast and small."


def test_roles_and_links_of_restructuredtext_are_removed() -> None:
    assert (
        summarise("The `pool <https://acme.test>`_ is a :py:class:`Pool` of `Acme`_.") == "The pool is a Pool of Acme."
    )
    assert summarise("`GET /memory/{id}` returns `text`, see.") == "GET /memory/{id} returns text, see."
