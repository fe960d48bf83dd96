"""What a later note makes of an earlier one: it replaces, closes or repeats it. Pure.

Each pair of notes is judged by itself, so the order in which sessions are read does not matter.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.names import CLOSED, DECISION, DONE, FIX, OPEN, PERSON_SCOPE, REPEATED, REPLACED, RULE
from jotsam.core.note_records import Ended, FoundNote
from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.names import products
from jotsam.pipeline.notes.rule_changes import contradicts, refused_names, replaces, same_words, takes_back
from jotsam.pipeline.notes.words import EMPTY, plain, terms

SAME = 0.6  # of the terms of the shorter note in another: they say the same
CLOSING = 0.3  # of the terms of an open end
SURE, TOLD = 0.8, 1.0
RESTATED_MS = 600_000

# Which kinds a note of a kind is compared with.
COMPARED = {
    RULE: (RULE, DONE),
    DECISION: (DECISION, OPEN),
    OPEN: (OPEN, DECISION, FIX, DONE),
    FIX: (FIX, OPEN),
    DONE: (OPEN, RULE),
}


def ends(earlier: FoundNote, later: FoundNote) -> Ended | None:
    """How one of two notes ends the other; None if both hold."""
    if earlier.ref == later.ref or earlier.at > later.at:
        return None
    if earlier.kind == RULE and later.kind in (RULE, DONE):
        return _ends_rule(earlier, later)
    if earlier.kind == OPEN and later.kind in (DONE, DECISION, FIX):
        return Ended(how=CLOSED) if _closes(earlier, later) else None
    if earlier.kind != later.kind or earlier.kind == DONE:
        return None
    if earlier.kind == DECISION and (names := dead_names(later, earlier)):
        return Ended(how=REPLACED, names=names)
    if _alike(earlier, later):
        return Ended(how=REPEATED)
    return None


def _ends_rule(earlier: FoundNote, later: FoundNote) -> Ended | None:
    # A rule of a project holds there, beside one of the person, which may be taken back in any.
    is_elsewhere = earlier.scope != later.scope and (later.kind == RULE or _HERE.search(plain(later.text)) is not None)
    if later.kind == DONE and not takes_back(later.text):
        return None
    if replaces_rule(later, earlier):
        found = dead_names(later, earlier) | refused_names(later.text, earlier.text)
        return None if is_elsewhere else Ended(how=REPLACED, names=found)
    if later.kind == RULE and _alike(earlier, later) and not contradicts(later.text, earlier.text):
        # A rule keeps its first words unless a person stored it, or said it of every project.
        return Ended(how=REPEATED, is_earlier=later.sure == TOLD or (is_elsewhere and later.scope == PERSON_SCOPE))
    return None


def replaces_rule(new: FoundNote, old: FoundNote) -> bool:
    """Whether a rule takes the place of another, wherever both hold."""
    return bool(dead_names(new, old)) or replaces(new.text, old.text)


def _alike(one: FoundNote, other: FoundNote) -> bool:
    shared, fewest = len(one.names & other.names), min(len(one.names), len(other.names))
    if one.kind == RULE:
        shared, fewest = same_words(one.text, other.text)
    if one.kind == OPEN and abs(other.at - one.at) < RESTATED_MS and shared >= min(2, fewest) > 0:
        return True  # The assistant notes what the user asked for.
    if not fewest or shared < max(min(2, fewest), SAME * fewest):
        return False
    return {value[:2] for value in measures(one.text)} == {value[:2] for value in measures(other.text)}


def _closes(opened: FoundNote, done: FoundNote) -> bool:
    if done.kind == DONE and takes_back(done.text):
        return False
    shared = opened.names & done.names
    return len(shared) >= max(1, CLOSING * len(opened.names))


def dead_names(new: FoundNote, old: FoundNote) -> frozenset[str]:
    """The names and values of an earlier note that no longer hold because of a later one, as they are written."""
    # What was decided for is removed, perhaps by a part of its name: "netcdf" of "netcdf-4".
    found = frozenset(head for head in old.heads - new.heads if head in new.against or terms(head) & new.against)
    if old.against & new.heads - old.heads and (new.is_change or new.sure > SURE or not old.heads & new.heads):
        found |= old.heads - new.heads  # What was decided against is decided for.
    if new.kind == RULE or found:
        return found
    ours = next((one for one in products(new.text) if one[0] not in new.against), None)
    theirs = next(iter(products(old.text)), None)
    is_rival = ours and theirs and ours[1] == theirs[1] and ours[0] != theirs[0] and theirs[0] not in new.heads
    if theirs and is_rival and (new.is_change or new.sure > SURE):
        return frozenset((theirs[0],))
    return _replaced_state(new.text, old.text) or frozenset(map(plain, replaced_values(new, old)))


def _replaced_state(new: str, old: str) -> frozenset[str]:
    """The name by which an earlier note says what something is, if a later one says it of the same by another name."""
    pairs = ((a, b) for b in _states(old) for a in _states(new) if plain(a["subject"]) == plain(b["subject"]))
    ours, theirs = next(pairs, (None, None))
    if ours is None or theirs is None:
        return frozenset()
    is_code = [one["name"].startswith("`") for one in (ours, theirs)]  # A path is no other name of a product.
    name = plain(theirs["name"].strip("`"))
    return frozenset() if name in plain(new) or is_code[0] != is_code[1] else frozenset((name,))


def _states(text: str) -> list[re.Match[str]]:
    """The parts of a text that say what something is."""
    return [match for part in _CLAUSES.split(text) if (match := _STATE.match(part))]


def replaced_values(new: FoundNote, old: FoundNote) -> list[str]:
    """The values of an earlier note that a later one gives otherwise, as they are written."""
    ours, theirs = measures(new.text), measures(old.text)
    words = {term for term in new.names & old.names if not term[:1].isdigit()}
    constants = [frozenset(_CONSTANT.findall(one.text)) for one in (new, old)]
    if all(constants) and constants[0].isdisjoint(constants[1]):
        words = set()  # The values are of different things.
    found: list[str] = []
    for kind, number, written in theirs:
        rivals = {other for one, other, _ in ours if one == kind}
        if not rivals or number in rivals:
            continue
        if kind.startswith(("= ", "v ")) or (new.is_change and words) or (kind == "time" and new.is_change):
            found.append(written)
    return found


@lru_cache(maxsize=4_096)
def measures(text: str) -> frozenset[tuple[str, str, str]]:
    """The values in a text: what is measured, the number, and how it is written.

    What is measured is "= NAME" for an identifier with a value, "v NAME" for a version of a name, "time", or a unit.
    """
    found: set[tuple[str, str, str]] = set()
    for match in _ASSIGNED.finditer(text):
        found.add((f"= {match['name'].lower()}", match["n"], match[0].replace("`", "")))
    lower = plain(text)
    for match in _HOUR.finditer(lower):
        hour = _WORDS.index(match["word"]) if match["word"] in _WORDS else int(match["word"])
        late = match["part"] in ("evening", "afternoon", "pm", "p.m.", "abends", "nachmittags") and hour < 12
        found.add(("time", f"{hour + 12 * late:02}:00", match[0]))
    for match in _VALUE.finditer(lower):
        unit, number = match["unit"] or "", match["n"]
        if re.fullmatch(r"\d{1,2}:\d\d", number):
            found.add(("time", number, number))
        elif unit in _UNITS:
            found.add((_UNITS[unit], number, match[0]))
    for match in (*_VERSION.finditer(lower), *_RELEASE.finditer(lower)):
        if match["name"] not in EMPTY and match["name"] not in _UNITS:
            found.add((f"v {match['name']}", match["n"].removesuffix(".0"), match[0]))
    return frozenset(found)


# "Search runs on Meilisearch now", "the product is `pro_monthly`": of what, and the name that is its value.
_STATE = lazy_pattern(
    r"(?:[Tt]he |[Oo]ur )?(?P<subject>[\w./`-]+(?: [\w./`-]+){0,2}?) "
    r"(?:now )?(?:(?:is|are) (?:now )?(?:in |on |at )?|runs? (?:on|through|via|in) |uses? |lives? in )"
    r"(?P<name>`[^`\n]+`|[A-Z][\w.+#-]+|\w+_\w+)"
)
_CLAUSES = lazy_pattern(r"[,;.] (?:and )?")
_HERE = lazy_pattern(r"\b(?:here|this (?:repo|repository|project|codebase)|hier|aqui|ici)\b")
_VALUE = lazy_pattern(r"(?P<n>\d+(?:[.:]\d+)*) ?(?P<unit>[a-z%]+(?:/s)?)?")
_ASSIGNED = lazy_pattern(
    r"\b(?=\w*?(?:\w_\w|[a-z][A-Z]))(?P<name>[A-Za-z]\w*)`? (?:is|are|=|from .{1,12} to"
    r"|ist) (?:now )?`?(?P<n>\d[\d.]*)`?"
)
_CONSTANT = lazy_pattern(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_VERSION = lazy_pattern(r"\b(?P<name>[a-z][a-z+#-]{2,40}) v?(?P<n>\d+(?:\.\d+)+|\d{1,2}(?= (?:lts|it is)))\b")
# What has a version of one number, if no noun follows: "Node 22", not "Node 3 times".
_RELEASED = (
    *("ios", "ipados", "android", "macos", "windows", "ubuntu", "debian", "fedora", "node", "nodejs", "java", "jdk"),
    *(
        "python",
        "php",
        "postgresql",
        "postgres",
        "mysql",
        "mongodb",
        "redis",
        "angular",
        "react",
        "vue",
        "next",
        "nuxt",
    ),
    *("svelte", "rails", "django", "laravel", "spring", "dotnet", "xcode", "swift", "qt", "gradle", "electron"),
    *("tailwind", "bootstrap", "webpack", "vite", "eslint", "elasticsearch", "kafka", "terraform", "openssl"),
)
_RELEASE = lazy_pattern(
    rf"\b(?P<name>{'|'.join(_RELEASED)}) v?(?P<n>\d{{1,2}})"
    r"(?=$|[,;:!?)]|\.(?!\d)|\s+(?:and|as|for|from|in|instead|is|now|on|only|or|since|then|to|und|y|et|e)\b)"
)
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_HOUR = lazy_pattern(
    rf"\b(?P<word>{'|'.join(_WORDS)}|\d{{1,2}}) ?(?:o'clock )?(?:in the )?"
    r"(?P<part>evening|morning|afternoon|pm|am|p\.m\.|a\.m\.|uhr|abends|morgens)\b"
)
_UNITS = {
    word: line.split()[0]
    for line in """ms
s sec secs second seconds sekunden
min mins minute minutes minuten
h hour hours stunden horas heures
day days tage dias jours
week weeks wochen
month months monate meses mois
year years jahre
hz
khz
mhz
kb
mb
gb
mbit/s mbit
v
ma
mm
cm
px
rem
fps
% percent prozent
eur euro euros
baud
dbm
replicates""".splitlines()
    for word in line.split()
}
