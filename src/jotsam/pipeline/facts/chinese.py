"""The few Chinese sentences that surely say a fact: 我们使用PostgreSQL, 我住在柏林.

It must not know any other language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jotsam.pipeline.facts.page import Page
from jotsam.records import Fact

_SENTENCES = (
    (
        re.compile(r"(我们|我|[\u4e00-\u9fff]{2,4}|[A-Za-z][\w.+-]*)\s*(?:决定|決定)(?:要)?([^，。；！？,;\n]{2,40})"),
        "decided",
    ),
    (re.compile(r"(我们|我|[A-Za-z][\w.+-]*)\s*(?:使用|采用了?)\s*([A-Za-z][\w.+#-]*)"), "uses"),
    (re.compile(r"([A-Za-z][\w.+-]*)\s*(?:依赖于?)\s*([A-Za-z][\w.+#-]*)"), "depends_on"),
    (re.compile(r"(我们|我|[\u4e00-\u9fff]{2,3})(?:更)?(?:喜欢|偏好)([^，。；！？,;\n]{1,20})"), "prefers"),
    (re.compile(r"(我|[\u4e00-\u9fff]{2,3})(?:现在)?住在([\u4e00-\u9fff]{2,8})"), "lives_in"),
)
_MODAL = re.compile(r"[不没沒别如果吗？]")


def chinese(page: Page) -> Iterator[Fact]:
    if page.text.isascii():
        return
    for pattern, predicate in _SENTENCES:
        for match in pattern.finditer(page.text):
            if _MODAL.search(page.text[max(0, match.start() - 4) : match.end() + 1]):
                continue
            subject = page.actor if page.actor and match[1] == "我" else match[1]
            yield Fact(subject=subject, predicate=predicate, object=match[2].strip(), confidence=0.6)
