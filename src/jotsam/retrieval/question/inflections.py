"""Irregular inflections of English words, which no stemmer relates: a search for "choose" also finds "chose".

Pure. Forms that the Porter stemmer relates are not listed. Synonyms do not belong here.
"""

from __future__ import annotations

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
datum data, criterion criteria, schema schemata
"""

# Verbs and their nouns that no stemmer relates, with all forms a question may have.
_NOUNS = "decide decides decided deciding: decision decisions"

_GROUPS = tuple(tuple(group.split()) for group in _FORMS.split(","))
_BY_FORM = {form: group for group in _GROUPS for form in group}
_VERB_FORMS, _NOUN_FORMS = (side.split() for side in _NOUNS.split(":"))
_BY_FORM |= {form: (form, _NOUN_FORMS[0]) for form in _VERB_FORMS}
_BY_FORM |= {form: (form, _VERB_FORMS[0]) for form in _NOUN_FORMS}


def irregular_forms(word: str) -> tuple[str, ...]:
    """The other irregular forms of a lower-case word. Of forms that a stemmer relates, one is returned."""
    return tuple(form for form in _BY_FORM.get(word, ()) if form != word)
