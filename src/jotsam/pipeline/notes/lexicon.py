"""Words of software talk that mean the same or belong together, in several languages. Read from two files beside it.

Each line of `concepts.txt` is a concept; a word may be in several. Texts that share no word are compared by concepts.
Each line of `products.txt` has products of one kind, of which a project has one at a time, mostly: a later one replaces
an earlier one. Before the colon is what such a product is asked for by.
"""

from __future__ import annotations

_HERE = __file__.rpartition("lexicon")[0]


def _lines(name: str) -> list[str]:
    with open(f"{_HERE}{name}", encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line]


def _by_word() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for line in _lines("concepts.txt"):
        concept = line.partition(" ")[0]
        for word in dict.fromkeys(line.split()):
            table[word] = (*table.get(word, ()), concept)
    return table


def _products() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    kinds: dict[str, str] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for line in _lines("products.txt"):
        asked, _, listed = line.partition(":")
        first, *others = listed.split()
        kinds |= dict.fromkeys((first, *others), first)
        labels |= {label: (*labels.get(label, ()), first) for label in asked.split()}
    return kinds, labels


CONCEPTS = _by_word()
"""The concepts of a word in lower case without diacritics."""

PRODUCTS, KINDS = _products()
"""The kind of a product by its name, which is the first name of its line; and the kinds that a word asks for."""
