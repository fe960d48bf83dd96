"""Whether a prompt needs nothing of a project, by a linear model of its words and of its form. Pure.

Phrases know the usual questions about the world, edits and farewells; a model knows how such prompts are built. It has
no patterns and no vectors, because a hook asks it. `tools/train_sentences.py` makes the weights of the examples in
`tools/sentences/prompts.txt`.
"""

from __future__ import annotations

from jotsam.pipeline.notes.model_weights import STEP, number_of, weights
from jotsam.pipeline.notes.words import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WORLD = "world.bin"
ALWAYS = "always"  # a feature of each prompt
MAX_TOKENS = 40
_LENGTHS = (2, 3, 4, 6, 8, 12, 20)
_PREFIX = 5
_SIGNS = str.maketrans({sign: f" {sign} " for sign in '?!,;:()"`=*<>|&$@'})
_OURS = frozenset(
    ["we", "our", "ours", "us", "we're", "we've", "here", "wir", "unser", "unsere", "nous", "notre", "nos"]
)
# Words that make the form of a prompt.
_FORM = frozenset(
    """
    a an the this that these those it its it's they them there here we our us i my me you your he she his her who
    what what's whats which how how's hows why when where where's wheres whether if then else than so as at by for from
    in into of off on onto out over to under up with without via per between through before after until till since
    during while because not no never none nothing all any both each every some most more less only just even also too
    again still yet already now today tomorrow tonight later once first last next another same other or and but is are
    was were be been do does did don't have has had can can't could should shall will would may might must need let
    let's please pls
    der die das den ein eine ist sind was wie wo wer wann warum welche und oder nicht el la los las un una es que como
    donde cuando le les une est quel quelle ou comment o os um uma qual il lo cosa come
    """.split()  # noqa: SIM905 - words read better
)


def needs_nothing(prompt: str) -> float:
    """How likely a prompt is about the world or the edit of a place, on a scale on which 0 is as likely as not."""
    known, _ = weights(WORLD)
    return sum(known[number] for number in {*map(number_of, features(prompt))}) / STEP


def features(prompt: str) -> Iterator[str]:
    yield ALWAYS
    found = plain(prompt).translate(_SIGNS).split()
    tokens = ["<", *(word.rstrip(".") or "." for word in found[:MAX_TOKENS]), ">"]
    form = [*map(_form, tokens)]
    for number, token in enumerate(tokens):
        yield f"w {token}"
        yield f"p {token[:_PREFIX]}"
        if number:
            yield f"b {tokens[number - 1]} {token}"
            yield f"f {form[number - 1]} {form[number]}"
        if number > 1:
            yield f"t {' '.join(form[number - 2 : number + 1])}"
    yield f"first {tokens[1]}"
    yield f"begins {' '.join(form[1:4])}"
    yield f"last {tokens[-2]}"
    length = sum(len(found) >= one for one in _LENGTHS)
    yield f"length {length}"
    yield f"length {length} {form[1]}"
    if not _OURS.isdisjoint(tokens):
        yield "ours"


def _form(token: str) -> str:
    if token in _FORM or token in "<>" or not token[0].isalnum():
        return token if len(token) < 2 or token in _FORM else "sign"
    if token[0].isdigit():
        return "#"
    return "code" if any(sign in token for sign in "._/-+#") or not token.isascii() else "W"
