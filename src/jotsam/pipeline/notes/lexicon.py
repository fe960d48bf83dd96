"""Words that mean the same or belong together, in several languages. Read from files beside it.

Each line of `concepts.txt` is a concept; a word may be in several. Texts that share no word are compared by concepts.
Each line of `products.txt` has products of one kind, of which a project has one at a time, mostly: a later one replaces
an earlier one. Before the colon is what such a product is asked for by. A concept or a kind is named by its first word.
Each line of `kinds.txt` has the words of a subject, and after the colon what a project may use for it, perhaps several:
products, formats, commands. They find notes and end none.
Each line of `alike.txt` has the stem of an English word and of words that are used alike, the closest first. Each line
of `usual.txt` has a stem that is usual in prompts of any project, and how much it says.

A hook asks for a few words only, so a word is looked for in the text of the file, and no table is made.
"""

from __future__ import annotations

from functools import cache

_HERE = __file__.rpartition("lexicon")[0]


@cache
def _text(name: str) -> str:
    """A file with a blank around each line."""
    with open(f"{_HERE}{name}", encoding="utf-8") as file:
        return "\n " + file.read().replace("\n", " \n ")


def _lines_with(word: str, name: str) -> list[str]:
    text, found, at = _text(name), [], -1
    while (at := text.find(f" {word} ", at + 1)) >= 0:
        end = text.index("\n", at)
        found.append(text[text.rindex("\n", 0, at + 1) + 1 : end])
        at = end - 1
    return found


@cache
def concepts_of(word: str) -> tuple[str, ...]:
    """The concepts of a word in lower case without diacritics."""
    return tuple(line.split()[0] for line in _lines_with(word, "concepts.txt"))


@cache
def _kinds(word: str) -> tuple[str, tuple[str, ...]]:
    """The kind of a product, or ""; and the kinds that a word asks for."""
    own, asked = "", []
    for line in _lines_with(word, "products.txt"):
        labels, _, products = line.partition(" : ")
        first = products.split()[0]
        own = own or (first if word in products.split() else "")
        asked += [first] if word in labels.split() else []
    return own, tuple(asked)


def kind_of(product: str) -> str:
    """The kind of a product by its name in lower case, or ""."""
    return _kinds(product)[0]


def kinds_asked(word: str) -> tuple[str, ...]:
    """The kinds of products that a word asks for: "database", "payments"."""
    return _kinds(word)[1]


def rivals_of(product: str) -> frozenset[str]:
    """What a project may use for the same as a product: the products beside it in `kinds.txt`."""
    found: set[str] = set()
    for line in _lines_with(product, "kinds.txt"):
        things = line.partition(" : ")[2].split()
        found.update(things if product in things else ())
    return frozenset(found - {product})


@cache
def kin_of(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a project may use for the subjects of a word, and the words of these subjects."""
    used: set[str] = set()
    beside: set[str] = set()
    for line in _lines_with(word, "kinds.txt"):
        subject, _, things = line.partition(" : ")
        said = subject.split()
        beside.update(said)
        (used if word in said else beside).update(things.split())
    return frozenset(used), frozenset(beside - {word})


@cache
def alike(stem: str) -> tuple[str, ...]:
    """The stems of words that are used as those of a stem, the closest first."""
    return tuple(_behind(stem, "alike.txt"))


@cache
def says(stem: str) -> float:
    """How much a word says of what a prompt is about: 1 if it is not usual in prompts."""
    return next((int(part) / 100 for part in _behind(stem, "usual.txt")), 1.0)


def _behind(stem: str, name: str) -> list[str]:
    """What is behind a stem in its line of a file."""
    lines, sought = _lines(name), f"\n{stem} ".encode("utf-8", "surrogatepass")
    at = lines.find(sought) + len(sought)
    return [] if at < len(sought) else lines[at : lines.index(b"\n", at)].decode().split()


@cache
def _lines(name: str) -> bytes:
    """A file with a line break before each line. It is searched as it is, because decoding a large one takes longer."""
    with open(f"{_HERE}{name}", "rb") as file:
        return b"\n" + file.read()
