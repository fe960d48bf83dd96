"""The rules of gitleaks, read from its `gitleaks.toml` and run with `re`: keywords, expression, entropy, allow lists.

Its expressions are those of Go. A flag in the middle of a group holds to the end of the group, which `re` spells
otherwise. Allow lists of paths do not apply to texts without one.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?([imsU]+(?:-[ims]+)?|-[ims]+)\)|[()]|.", re.DOTALL)


class Rule:
    def __init__(self, values: dict[str, Any]) -> None:
        self.keywords = [word.lower() for word in values.get("keywords", [])]
        self.pattern = re.compile(as_python(values["regex"]))
        self.entropy = values.get("entropy", 0)
        self.group = values.get("secretGroup", 0)
        lists = values.get("allowlists", [])
        self.allowed = [re.compile(as_python(one)) for each in lists for one in each.get("regexes", [])]
        self.stop_words = [word.lower() for each in lists for word in each.get("stopwords", [])]

    def found(self, text: str, lower: str) -> Iterator[str]:
        if self.keywords and not any(word in lower for word in self.keywords):
            return
        for match in self.pattern.finditer(text):
            secret = match[self.group] if self.group else next((one for one in match.groups() if one), match[0])
            is_allowed = any(one.search(secret) or one.search(match[0]) for one in self.allowed)
            if not is_allowed and entropy(secret) >= self.entropy and not self._has_stop_word(secret.lower()):
                yield secret

    def _has_stop_word(self, secret: str) -> bool:
        return any(word in secret for word in self.stop_words)


def rules(path: Path) -> list[Rule]:
    return [Rule(values) for values in tomllib.loads(path.read_text())["rules"] if "regex" in values]


def found(text: str, all_rules: list[Rule]) -> set[str]:
    lower = text.lower()
    return {secret for rule in all_rules for secret in rule.found(text, lower)}


def as_python(pattern: str) -> str:
    pieces, closing = [], [0]
    for token in _TOKEN.finditer(pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z")):
        if token[1]:
            closing[-1] += 1
            pieces.append(f"(?{token[1]}:")
            continue
        if token[0] == ")":
            pieces.append(")" * closing.pop())
        elif token[0] == "(":
            closing.append(0)
        pieces.append(token[0].replace("[:alnum:]", "A-Za-z0-9"))
    return "".join(pieces) + ")" * closing[0]


def entropy(text: str) -> float:
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
