"""Chunks follow the structure of a document and lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import superlinear
from jotsam.core.errors import InvalidInput
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.text import markdown
from jotsam.pipeline.text.words import estimate_tokens, normalise_newlines

LINES = [
    "# One",
    "## Two",
    "### Three",
    "#### Four",
    "Title",
    "===",
    "---",
    "```",
    "````",
    "~~~",
    "    ```",
    "",
    "",
    " \t",
]
LINES += [
    "A sentence. And another one! Really? Yes.",
    "- item one",
    "  - item two",
    "| a | b |",
    "数据库迁移。完成了！好。",
]
LINES += ["word " * 30, "x" * 90, "key: value", "> quoted text", "Intro:", "\u3000", "#no heading", "1. first"]

LARGE = [("", piece, "") for piece in ("a", "word and ", "数据库迁移", "```\n", "## x\n", "a\n---\n\n", ".", "#")]
LARGE += [("```\nx\n\n", "x\n\n", ""), ("x", " ", "y")]

documents = st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=30).map("\n".join)


def sections(text: str, limit: int = 500) -> list[tuple[str, str]]:
    return [(piece.section, piece.text) for piece in chunk(text, limit=limit)]


@given(documents, st.integers(1, 60))
def test_joined_chunks_give_the_document_and_have_its_offsets(text: str, limit: int) -> None:
    chunks = chunk(text, limit=limit)
    assert "".join(piece.text for piece in chunks) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in chunks)
    assert [piece.position for piece in chunks] == list(range(len(chunks)))


@given(documents, st.integers(1, 60))
def test_no_chunk_exceeds_the_limit_or_is_only_white_space(text: str, limit: int) -> None:
    chunks = chunk(text, limit=limit)
    assert all(estimate_tokens(piece.text.strip()) <= limit for piece in chunks)
    assert len(chunks) == 1 or all(piece.text.strip() for piece in chunks)


@given(documents)
def test_chunks_are_deterministic(text: str) -> None:
    assert chunk(text, limit=20) == chunk(text, limit=20)


def test_headings_of_the_first_two_levels_begin_chunks_and_the_preamble_has_no_section() -> None:
    """MB-15 splits at `##` only. `#` begins a chunk here too, because it changes the subject even more."""
    text = "before\n\n# One\n\ntext\n\n## A\n\na\n\n### deeper\n\n## B\n\nb\n\n# Two\n\nend\n"
    assert sections(text) == [
        ("", "before\n\n"),
        ("One", "# One\n\ntext\n\n"),
        ("One > A", "## A\n\na\n\n### deeper\n\n"),
        ("One > B", "## B\n\nb\n\n"),
        ("Two", "# Two\n\nend\n"),
    ]


def test_underlined_headings_begin_chunks() -> None:
    text = "Guide\n=====\n\ntext\n\nInstall\n---\n\nmore\n"
    assert sections(text) == [("Guide", "Guide\n=====\n\ntext\n\n"), ("Guide > Install", "Install\n---\n\nmore\n")]


@pytest.mark.parametrize(
    "text",
    [
        "text\n\n---\n\ntext",
        "one line\nand another\n---\ntext",
        "- item\n---\ntext",
        "| a | b |\n---\ntext",
        "#hashtag\n####### seven\n    # indented code",
        "---\ntitle: x\n# a comment\n---\ntext",
        "a <!-- no\n#heading --> b",
    ],
)
def test_a_line_similar_to_a_heading_is_not_a_boundary(text: str) -> None:
    assert sections(text) == [("", text)]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "   ```"])
def test_a_heading_in_a_fenced_block_is_not_a_boundary(fence: str) -> None:
    """MB-15."""
    text = f"## A\n\n{fence}sh\n# comment\n## more\n{fence}\n\n## B\n\nb\n"
    assert [section for section, _ in sections(text)] == ["A", "B"]


@pytest.mark.parametrize(
    "inside",
    [
        "```\n## x\n~~~\n## y\n```",
        "````\n```\n## x\n````",
        "~~~\n```\n## x\n~~~",
        "```\n``` not closing\n## x\n```",
        "```\n## x",
    ],
)
def test_a_fence_is_closed_only_by_its_own_mark_or_the_end_of_the_text(inside: str) -> None:
    assert [section for section, _ in sections(f"## A\n\n{inside}\n")] == ["A"]


def test_a_line_of_inline_code_does_not_open_a_fence() -> None:
    assert [section for section, _ in sections("```code``` is inline\n\n## A\n\na\n")] == ["", "A"]


def test_crlf_and_cr_are_normalised_to_line_feeds() -> None:
    """MB-15."""
    text = "## A\n\na\n\n## B\n\nb\n"
    assert normalise_newlines(text.replace("\n", "\r\n")) == text
    assert normalise_newlines(text.replace("\n", "\r")) == text


@pytest.mark.parametrize("text", ["", " \n\n\t\n", "\n" * 5000])
def test_a_text_without_words_is_one_chunk(text: str) -> None:
    """MB-15: empty text, one empty chunk."""
    assert sections(text) == [("", text)]


@pytest.mark.parametrize("text", ["plain text without any heading", "数据库迁移。"])
def test_a_short_plain_text_is_one_chunk(text: str) -> None:
    assert sections(text) == [("", text)]


def test_a_heading_without_text_is_in_the_chunk_of_the_heading_below() -> None:
    """Unlike in MB-15, a title without text is not a separate chunk."""
    assert sections("\n# Title\n\n## A\n\na\n") == [("Title > A", "\n# Title\n\n## A\n\na\n")]
    assert sections("# One\n\n## A\n\n# Two\n\ntext\n") == [("Two", "# One\n\n## A\n\n# Two\n\ntext\n")]


def test_many_headings_without_text_do_not_make_a_chunk_each() -> None:
    for heading in ("x\n===\n", "# x\n", "# x\n## y\n", "x\n---\n\n"):
        assert len(sections(heading * (20_000 // len(heading)))) <= 25, heading


RST = """Guide
=====

Install
~~~~~~~

text

Use it
~~~~~~~~~~

text

API
~~~

::

    ~~~
    not a fence
    ~~~

Notes
-----

end
"""


def test_a_title_of_restructuredtext_underlined_with_tildes_is_no_fence() -> None:
    outline = markdown.outline(RST)
    titles = [(heading.level, heading.title) for heading in outline.headings]
    assert titles == [(1, "Guide"), (3, "Install"), (3, "Use it"), (3, "API"), (2, "Notes")]
    assert outline.fences == ()
    fenced = ["text\n\n~~~\n# x\n~~~\n", "Example:\n~~~~~~~~\n# x\n~~~~~~~~\n", "Run\n~~~~\n# x\n~~~~\n"]
    fenced += ["Run this\n~~~sh\n# x\n~~~\n", "a\nRun\n~~~\n# x\n~~~\n", "~~~\n# x\n~~~\n"]
    assert [markdown.outline(text).headings for text in fenced] == [()] * len(fenced)


def test_a_section_title_has_no_markup() -> None:
    assert [section for section, _ in sections("#  The [Guide](https://example.com/x)  ##\n\nx\n\n## C# ##\n\ny")] == [
        "The Guide",
        "The Guide > C#",
    ]


def test_an_oversize_section_is_split_at_deeper_headings_and_numbered() -> None:
    """MB-16."""
    part = "word " * 60
    text = (
        f"# Guide\n\n## Install\n\n### Linux\n\n{part}\n\n### macOS\n\n{part}\n\n### Windows\n\n{part}\n\n## Use\n\nx\n"
    )
    cut = sections(text, limit=100)
    assert [section for section, _ in cut] == [
        "Guide > Install > Linux",
        "Guide > Install > macOS",
        "Guide > Install > Windows",
        "Guide > Use",
    ]
    assert [piece.lstrip("# ").split("\n")[0] for _, piece in cut] == ["Guide", "macOS", "Windows", "Use"]


def test_a_chunk_with_several_deeper_headings_is_numbered_and_one_below_a_single_heading_names_it() -> None:
    short, long = "word " * 20, "\n\n".join(["word " * 30] * 4)
    text = f"# FAQ\n\n### One\n\n{short}\n\n### Two\n\n{short}\n\n### Three\n\n{long}\n\n#### Deep\n\n{long}\n"
    assert [section for section, _ in sections(text, limit=80)] == [
        "FAQ",
        "FAQ > Three (1/2)",
        "FAQ > Three (2/2)",
        "FAQ > Three > Deep (1/2)",
        "FAQ > Three > Deep (2/2)",
    ]


def test_titles_of_restructuredtext_underlined_with_carets_and_quotation_marks_are_headings() -> None:
    text = 'Guide\n=====\n\nUse\n---\n\nExamples\n^^^^^^^^\n\ntext\n\nMore\n""""\n\ntext\n'
    titles = [(heading.level, heading.title) for heading in markdown.outline(text).headings]
    assert titles == [(1, "Guide"), (2, "Use"), (4, "Examples"), (5, "More")]
    for other in ("select wrong\n^^^\n\n", "x = 1\n^^^^^\nSyntaxError\n", 'text\nmore\n""""\n\n'):
        assert markdown.outline(other).headings == ()


def test_paragraphs_are_packed_up_to_the_limit() -> None:
    paragraphs = [f"{letter * 40}\n\n" for letter in "abcdef"]
    assert sections("".join(paragraphs), limit=25) == [
        ("", "".join(paragraphs[:2])),
        ("", "".join(paragraphs[2:4])),
        ("", "".join(paragraphs[4:])),
    ]


@pytest.mark.parametrize(
    ("text", "limit", "first"),
    [
        ("One sentence here. Another sentence here. A third one.", 10, "One sentence here. "),
        ("He said “stop.” Then he left for good. And so on.", 8, "He said “stop.” "),
        ("数据库迁移完成。明天继续工作！真的吗？", 9, "数据库迁移完成。"),
        ("one two three four five six seven eight nine ten", 4, "one two three "),
        ("x" * 100, 4, "x" * 16),
        ("数据库" * 10, 4, "数据库数"),
    ],
)
def test_an_oversize_paragraph_is_split_at_sentences_then_words_then_characters(
    text: str, limit: int, first: str
) -> None:
    assert sections(text, limit=limit)[0] == ("", first)


def test_a_fenced_block_that_fits_is_not_split() -> None:
    """MB-16."""
    fence = "```py\n" + "x = 1\n\n" * 12 + "```\n"
    text = f"{'word ' * 30}\n\n{fence}\n{'word ' * 30}\n"
    assert any(fence in piece for _, piece in sections(text, limit=30))


def test_a_larger_fenced_block_a_table_and_a_list_are_split_at_lines() -> None:
    rows = [f"| row {number} | {'cell ' * 3}|" for number in range(20)]
    items = [f"- item {number}. Its second sentence is here." for number in range(20)]
    code = ["```", *(f"call({number}); print('a b c')" for number in range(20)), "```"]
    for lines in (rows, items, code):
        pieces = [piece for _, piece in sections("\n".join(lines), limit=40)]
        assert len(pieces) > 2
        assert [line for piece in pieces for line in piece.splitlines()] == lines


@pytest.mark.parametrize("introduction", ["### Next", "For example:", "**For example:**"])
def test_an_introduction_stays_with_the_next_block(introduction: str) -> None:
    text = f"{'a' * 60}\n\n{introduction}\n\n{'b' * 60}\n"
    assert [piece for _, piece in sections(text, limit=24)] == [f"{'a' * 60}\n\n", f"{introduction}\n\n{'b' * 60}\n"]


def test_a_large_text_is_chunked_in_linear_time() -> None:
    def split(text: str) -> None:
        assert "".join(piece.text for piece in chunk(text, limit=50)) == text

    assert superlinear(split, LARGE, characters=100_000, times_prose=2) == []


def test_a_subsection_that_fits_is_not_split() -> None:
    paragraph = "word " * 8 + "\n\n"
    subsection = f"### A\n\n{paragraph}{paragraph}"
    assert [piece for _, piece in sections(f"## S\n\n{paragraph}{subsection}", limit=25)] == [
        f"## S\n\n{paragraph}",
        subsection,
    ]


def test_white_space_after_a_full_chunk_stays_in_it() -> None:
    fence = "```\nabcd\n```"
    assert [piece for _, piece in sections(f"{'x' * 12}\n\n{fence}\n\n\n", limit=3)] == [
        "x" * 12 + "\n\n",
        fence + "\n\n\n",
    ]


def test_a_limit_below_one_token_is_rejected() -> None:
    with pytest.raises(InvalidInput, match="invalid limit 0"):
        chunk("text", limit=0)
