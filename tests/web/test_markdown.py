"""Markdown as HTML: what it looks like, and that nothing in it becomes more than text."""

from __future__ import annotations

import re
import time

import pytest

from jotsam.surfaces.web.pages.markdown import LONG_CODE, MAX_RENDERED, plain_line, render

HARD = (
    *("[" * 20_000, "*a " * 9_000, "> " * 9_000, "`" * 20_000, "![[" * 9_000, "[a](b" * 5_000, "<" * 20_000),
    *("a**b" * 6_000, "|a" * 9_000 + "\n" + "|-" * 5_000 + "\n", "[x]: y\n" * 4_000, "&#x0;" * 5_000),
)


def test_what_agents_write_is_shown_as_they_mean_it() -> None:
    shown = render(
        "# Plan\n\n- **one**\n- `two`\n\n| a | n |\n|---|--:|\n| x | 1 |\n\n[docs](https://example.org/a?b=1&c=2)"
    )
    for expected in (
        "<h3>Plan</h3>",
        "<li><strong>one</strong></li>",
        "<code>two</code>",
        '<td class="number">1</td>',
        '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">docs</a>',
    ):
        assert expected in shown


def test_headings_are_below_those_of_the_page_and_leave_no_level_out() -> None:
    assert re.findall(r"<h\d>", render("# a\n\n#### b\n\n## c\n\n# d", 4)) == ["<h4>", "<h5>", "<h5>", "<h4>"]


def test_the_lines_of_what_was_typed_are_kept_and_those_of_a_file_are_filled() -> None:
    assert "<br>" in render("one\ntwo", keeps_lines=True)
    assert "<br>" not in render("one\ntwo")


def test_long_code_is_folded_and_can_be_scrolled_with_the_keyboard() -> None:
    assert "<details>" not in render("```\n" + "x\n" * LONG_CODE + "```")
    shown = render("```py\n" + "x\n" * (LONG_CODE + 1) + "```")
    assert "<summary>py, 21 lines</summary>" in shown
    assert '<pre tabindex="0">' in shown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[x](javascript:alert(1)) [y](data:text/html,x) [z](vbscript:x) [w](/ui/forget) [v](//evil.example)",
        "[x]: javascript:alert(1)\n\n[x] <javascript:alert(1)>",
        '![a" onload="x](https://example.org/i.png "t\\" onerror=1")',
        '[a](https://example.org/"onclick="x)',
        '```"><script>\nx\n```',
        "&lt;script&gt;",
        "| a |\n|:-:|\n| <b onclick=x> |",
    ],
)
def test_nothing_in_a_text_becomes_html_or_leads_elsewhere(text: str) -> None:
    shown = str(render(text))
    tags = re.findall(r"<(\w+)([^>]*)>", shown)
    assert {name for name, _ in tags} <= {"p", "a", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "div"}
    allowed = r'(?: (?:tabindex="0"|class="(?:table-wrap|number)"|rel="[a-z ]+"|href="https://example\.org/[^"]*"))*'
    assert [more for _, more in tags if not re.fullmatch(allowed, more)] == []


def test_an_image_is_a_link_because_a_page_loads_nothing() -> None:
    assert render("![the plan](https://example.org/i.png)").count("<img") == 0
    assert ">the plan</a>" in render("![the plan](https://example.org/i.png)")


def test_no_text_takes_long() -> None:
    began = time.process_time()
    for text in HARD:
        render(text)
    assert time.process_time() - began < 10
    assert render("*a* " * MAX_RENDERED).startswith('<p class="text">')


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# **Load** what [is](https://example.org) known\nA new tenant", "Load what is known"),
        ("---\n\n1. speed up `test_reconcile`", "speed up test_reconcile"),
        ("```\ncode\n```\nThen this", "Then this"),
        ("- [x] a __b__ c*d and snake_case", "a b c*d and snake_case"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_line_without_marks(text: str, title: str) -> None:
    assert plain_line(text) == title
