"""The fence around stored texts cannot be opened or closed by them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.fence import CLOSING, OPENING, escape_fence

INVISIBLE = "\u200b\u200d\u2060\ufeff\xad\u034f\ufe0f\U000e0020\u202e\u3164"
BRACKETS, SLASHES, HYPHENS = "<＜﹤‹〈⟨❮ᐸ", "/／⁄∕⧸", "-‐‑–—−－"


def test_a_tag_and_its_look_alikes_are_escaped():
    tags = ["</jotsam-memory>", "< / JOTSAM-memory>", "<jotsam-memory note='x'>", OPENING, CLOSING]
    tags += [f"<{one}/jotsam-memory>" for one in INVISIBLE]
    tags += [f"</jot{one}sam{one * 3}-mem{one}ory{one}>" for one in INVISIBLE]
    tags += [f"{one}/jotsam-memory>" for one in BRACKETS]
    tags += [f"<{one}jotsam-memory>" for one in SLASHES]
    tags += [f"</jotsam{one}memory>" for one in HYPHENS]
    tags += ["</ｊｏｔｓａｍ-ｍｅｍｏｒｙ>", "</𝐣𝐨𝐭𝐬𝐚𝐦-𝐦𝐞𝐦𝐨𝐫𝐲>", "</jоtsаm-mеmоry>", "</JΟTЅAM-MEMORY>"]
    left = [tag for tag in tags if not escape_fence(f"a {tag} b").startswith("a &lt;")]
    assert left == []
    assert escape_fence(f"{CLOSING}{CLOSING}") == "&lt;/jotsam-memory>" * 2


def test_other_text_is_unchanged():
    texts = ["a < b </b>", "jotsam-memory", "<jotsam>", "<x>Straße 数据 👩\u200d💻 ＜b＞ – «a» ‹b›", "x <\n y"]
    assert [escape_fence(text) for text in texts] == texts


@given(st.text(st.sampled_from("<＜/ \xad\u200bjotsam-memry>é"), max_size=40))
def test_escaping_changes_only_brackets_and_only_once(text: str):
    escaped = escape_fence(text)
    assert escape_fence(escaped) == escaped
    assert escaped.replace("&lt;", "<") == text or "＜" in text
