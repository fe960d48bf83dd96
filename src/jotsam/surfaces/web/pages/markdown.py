"""Texts that agents and people wrote in Markdown, as HTML that is safe to show: headings, lists, tables, code, links.

Nothing in a text becomes HTML of its own, loads anything, or leads anywhere but to http, https and mail. The HTML has
no style and no id. This module renders text; what a page shows of it is decided by the page.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

MAX_RENDERED = 30_000  # characters: a longer text is shown as it is, because reading it takes long
MAX_NESTING = 20  # lists in lists and quotes in quotes; what is deeper is left out
LONG_CODE = 20  # lines of a code block that are shown without folding
DEEPEST = 6  # h6
ALIGNED_RIGHT = "text-align:right"

_SCHEMES = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_MARKS = re.compile(r"^(?:\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|\[[ xX]\])\s+)+")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_RULE = re.compile(r"^\s*[-*_=| :]+$")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}\)")
_EMPHASIS = re.compile(r"(\*\*|__|~~|`+)(?=\S)(.{1,500}?)(?<=\S)\1")


def render(text: str, top: int = 3, *, keeps_lines: bool = False) -> Markup:
    """A text as HTML. Its highest heading is of level `top`, below those of the page.

    With `keeps_lines` a line stays one, as in what was typed; without, lines of a paragraph are filled, as in a file.
    """
    if len(text) > MAX_RENDERED:
        return Markup('<p class="text">{}</p>').format(text)
    return _rendered(text, top, keeps_lines)


def plain_line(text: str) -> str:
    """The first line of a text that says something, without the marks of Markdown: a title."""
    is_code = False
    for line in text.splitlines()[:200]:
        if _FENCE.match(line):
            is_code = not is_code
        elif line.strip() and not is_code and not _RULE.match(line):
            return _without_marks(line[:2_000])
    return " ".join(text[:2_000].split())


def _without_marks(line: str) -> str:
    plain = _IMAGE_OR_LINK.sub(r"\1", _MARKS.sub("", line))
    plain = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", plain))
    return " ".join(plain.split()) or line.strip()


@lru_cache(maxsize=256)  # A page is loaded again at each event.
def _rendered(text: str, top: int, keeps_lines: bool) -> Markup:
    parser, env = _parser(), {"keeps_lines": keeps_lines}
    tokens = parser.parse(text, env)
    _lower_headings(tokens, top)
    return Markup(parser.renderer.render(tokens, parser.options, env))  # The parser has escaped the text.


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    found = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    found.validateLink = lambda url: _SCHEMES.match(url) is not None  # type: ignore[method-assign]
    for name, rule in _RULES.items():
        found.add_render_rule(name, rule)
    return found


def _lower_headings(tokens: Sequence[Token], top: int) -> None:
    """Give headings the levels below those of the page, without leaving one out."""
    above: list[int] = []
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
            above = [one for one in above if one < level]
            above.append(level)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(DEEPEST, top + len(above) - 1)}"


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A link to an image, which a page does not load."""
    url = str(tokens[at].attrGet("src") or "")
    label = self.renderInlineAsText(tokens[at].children or [], options, env).strip() or "image"
    return str(_link(url) + escape(label) + Markup("</a>"))


def _link_open(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return str(_link(str(tokens[at].attrGet("href") or "")))


def _link(url: str) -> Markup:
    return Markup('<a href="{}" rel="noopener noreferrer nofollow">').format(url)


def _code(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Code, which can be scrolled with the keyboard; folded if it is long."""
    code = Markup('<pre tabindex="0"><code>{}</code></pre>\n').format(tokens[at].content)
    lines = tokens[at].content.count("\n")
    if lines <= LONG_CODE:
        return str(code)
    name = tokens[at].info.split()[0][:40] if tokens[at].info.split() else "Text"
    return str(Markup("<details><summary>{}, {:,} lines</summary>{}</details>\n").format(name, lines, code))


def _table_open(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="table-wrap" tabindex="0"><table>\n'


def _table_close(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def _cell(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A cell. Its alignment is a class, because the policy of the pages allows no style."""
    number = ' class="number"' if tokens[at].attrGet("style") == ALIGNED_RIGHT else ""
    return f"<{tokens[at].tag}{number}>"


def _softbreak(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "<br>\n" if env["keeps_lines"] else "\n"


_RULES = {
    "image": _image,
    "link_open": _link_open,
    "fence": _code,
    "code_block": _code,
    "table_open": _table_open,
    "table_close": _table_close,
    "th_open": _cell,
    "td_open": _cell,
    "softbreak": _softbreak,
}
