"""Texts with secrets and texts that only look like it, for `benchmarks.redaction` and the tests.

`open.txt` was written before the rules and used for them. `closed.txt` was written earlier still, and is only counted.
A case begins with a line `== secret: NAME` or `== clean: NAME`. The secret is in «». `{hex40}` is replaced by 40 random
characters, always the same, and `{base64:TEXT}` by the encoded text, so that no file has the form of a real key.
"""

from __future__ import annotations

import base64
import random
import re
import string
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
_ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "mix": string.ascii_letters + string.digits,
    "up": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "low": string.ascii_lowercase + string.digits,
    "b64x": string.ascii_letters + string.digits + "+/",
    "b64u": string.ascii_letters + string.digits + "-_",
    "b32x": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
}
_PLACE = rf"\{{(?:({'|'.join(_ALPHABETS)})(\d+)|base64:((?:[^{{}}]|\{{[^}}]*\}})*)|(uuid))\}}"


@dataclass(frozen=True, kw_only=True)
class Case:
    name: str
    text: str
    secrets: tuple[str, ...]  # none if the text only looks like it

    def is_found_in(self, redacted: str) -> bool:
        """Whether neither a secret nor a half of a long one is left."""
        pieces = [piece for secret in self.secrets for piece in _halves(secret)]
        return not any(piece in redacted for piece in pieces)


def cases(name: str) -> list[Case]:
    """The cases of a set: `open` or `closed`."""
    blocks = re.split(r"(?m)^== ", (FOLDER / f"{name}.txt").read_text())[1:]
    return [_case(*block.partition("\n")[::2]) for block in blocks]


def _case(head: str, body: str) -> Case:
    name = head.partition(": ")[2]
    chance = random.Random(name)
    text = re.sub(_PLACE, lambda place: _filled(place, chance), body.rstrip("\n"))
    secrets = tuple(re.findall("«(.*?)»", text, re.DOTALL))
    assert bool(secrets) == head.startswith("secret"), head
    return Case(name=name, text=re.sub("[«»]", "", text), secrets=secrets)


def _filled(place: re.Match[str], chance: random.Random) -> str:
    if place[3] is not None:
        return base64.b64encode(place[3].replace("\\n", "\n").encode()).decode()
    if place[4]:
        digits = "".join(chance.choice(_ALPHABETS["hex"]) for _ in range(32))
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
    return "".join(chance.choice(_ALPHABETS[place[1]]) for _ in range(int(place[2])))


def _halves(secret: str) -> list[str]:
    middle = len(secret) // 2
    return [secret] if len(secret) < 12 else [secret, secret[:middle], secret[middle:]]
