"""Word stems: what excerpts and match scores look for inside a text, and irregular inflections of English words.

Pure. A stem only cuts endings off, which is simpler than the stemmer of the text index but finds the same words. It
must not know what the stems are compared with. By the inflections a search for "choose" also finds "chose", and by the
British and American spellings one for "licence" also "license"; forms that the Porter stemmer relates are not listed,
and synonyms do not belong here.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_FORMS = """
arise arose arisen, bear bore born borne, beat beaten, become became, begin began begun, bend bent, bind bound,
bite bit bitten, blow blew blown, break broke broken, bring brought, build built, burn burnt, buy bought, catch caught,
choose chose chosen, cling clung, come came, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk,
drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, fly flew flown,
forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone,
grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, know knew known, lay laid,
lead led, learn learnt, leave left, lend lent, lie lay lain, lose lost, make made, mean meant, meet met, pay paid,
ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent,
shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
sleep slept, speak spoke spoken, spend spent, spin spun, stand stood, steal stole stolen, stick stuck, strike struck,
swear swore sworn, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
think thought, throw threw thrown, understand understood, undo undid undone, wake woke woken, wear wore worn, win won,
withdraw withdrew withdrawn, write wrote written,
child children, foot feet, goose geese, man men, mouse mice, person people, tooth teeth, woman women, life lives,
wife wives, leaf leaves, half halves, index indices, vertex vertices, matrix matrices, analysis analyses,
datum data, criterion criteria, schema schemata,
analyse analyze, artefact artifact, behaviour behavior, catalogue catalog, centre center, colour color, defence defense,
favourite favorite, flavour flavor, grey gray, honour honor, initialise initialize, judgement judgment, labour labor,
licence license, litre liter, metre meter, mum mom, neighbour neighbor, offence offense, optimise optimize,
organise organize, practise practice, programme program, realise realize, recognise recognize, summarise summarize,
theatre theater
"""

# Verbs and their nouns that no stemmer relates, with all forms a question may have.
_NOUNS = "decide decides decided deciding: decision decisions"

_GROUPS = tuple(tuple(group.split()) for group in _FORMS.split(","))
_BY_FORM = {form: group for group in _GROUPS for form in group}
_VERB_FORMS, _NOUN_FORMS = (side.split() for side in _NOUNS.split(":"))
_BY_FORM |= {form: (form, _NOUN_FORMS[0]) for form in _VERB_FORMS}
_BY_FORM |= {form: (form, _VERB_FORMS[0]) for form in _NOUN_FORMS}
MIN_STEM = 3
# Endings that the text index removes too, longest first.
ENDINGS = "ations ation ingly ments ings ions ment edly ing ion ies ers ed es er ly s e y".split()  # noqa: SIM905 - endings read better


def irregular_forms(word: str) -> tuple[str, ...]:
    """The other irregular forms of a lower-case word. Of forms that a stemmer relates, one is returned."""
    return tuple(form for form in _BY_FORM.get(word, ()) if form != word)


def stems(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct stems of words: lower case, without diacritics and endings. Order is kept."""
    return tuple(dict.fromkeys(_stem(fold(word)) for word in words))


def fold(text: str) -> str:
    """Lower case without diacritics, and with one form of sigma. The result has the same length as the text."""
    if text.isascii():
        return text.lower()
    return text.translate({ord(c): _fold(c.lower()) for c in set(text) if not c.isascii() or c.isupper()})


def _fold(character: str) -> str:
    """The base letter. A Korean syllable decomposes into letters, not into a letter and marks, so it is kept."""
    if character == "ς":
        return "σ"
    parts = unicodedata.normalize("NFD", character)
    return parts[0] if all(map(unicodedata.combining, parts[1:])) else character[0]


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word
