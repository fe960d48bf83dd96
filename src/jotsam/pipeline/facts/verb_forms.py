"""The forms of common English verbs, for finding the finite verb of a clause without a tagger.

A word is looked up by `FORMS`. Nothing here says what a verb means: predicates are normalised by `predicates`.
"""

from __future__ import annotations

# How a form is used: third person singular, plain, past, participle. "ing" forms are recognised by their ending.
SINGULAR, PLAIN, PAST, PARTICIPLE = "singular", "plain", "past", "participle"

_REGULAR = """
accept access achieve acquire act add address adopt advise affect agree aim align allow analyse analyze announce
answer apply appoint approve archive arrange arrive ask assemble assess assign assume attach attend audit automate
avoid award back bake balance base batch belong benefit block book boost borrow bump bundle cache calculate call
cancel capture care carry cause celebrate certify change charge check clean climb close cluster coach collect combine
commission commit compare compete compile complete compose compress compute concern conduct configure confirm connect
consider consist consume contact contain continue contribute control convert cook coordinate copy correct cost count
cover crash create cure customise customize cycle damage dance debug decide declare decline decode decorate decrease
define delay delegate delete deliver demand demonstrate depend deploy deprecate describe design destroy detect
determine develop diagnose differ disable disappear discover discuss dislike display distribute divide document donate
double download draft drain drop dump duplicate earn edit elect email embed embrace emit employ enable encode
encourage encrypt end enforce engage enjoy enrol ensure enter escape establish estimate evaluate evolve examine exceed
exchange exclude execute exist expand expect expire explain explore expose export express extend extract face fail
favour favor fetch fill filter finance finish fire fix flag focus follow force form format found fund gain garden
gather generate govern graduate grant greet group guarantee guard guide handle happen harden hate head help highlight
hike hire hook host identify ignore implement import improve include increase indicate inform inherit initialise
initialize inject insert inspect inspire install instruct integrate intend interview introduce invent invest
investigate invite invoice involve isolate issue join judge jump justify kick knit label lack land last launch lease
lecture license like live limit link list listen load locate lock log look love lower maintain manage mandate map mark
market marry match matter measure mention merge migrate miss mix mock model modernise modify monitor mount move
multiply name need negotiate normalise normalize note notice notify number obtain occupy occur offer omit open operate
optimise optimize order organise organize outline overlap own pack package paint parse participate pass patch pause
perform persist photograph pick pin place plan plant play point pool populate port possess post postpone practise
practice prefer prepare present preserve press prevent print process produce profile program prohibit project promise
promote propose protect prove provide provision publish pull purchase push qualify query question queue quote raise
range rank reach react realise realize receive recommend record recover recruit redesign reduce refactor refer refine
reflect refresh refuse register reject relate relax release rely reload relocate remain remember remind remove rename
render renew rent reopen repair repeat replace replicate reply report represent reproduce request require rescue
research reserve reset resolve respond rest restart restore restrict restructure result resume retain retire retrieve
retry return reuse reveal reverse review revise reward rotate route sample save scale scan schedule score search
secure select separate serialise serialize serve settle shape share shift ship shop show sign simplify simulate skip
slow smoke solve sort sound source speed sponsor stabilise stage start state stay step stop store stream strengthen
stress structure study submit subscribe succeed suffer suggest suit supersede supply support surround survive suspend
switch sync synchronise synchronize tag talk target taste teach test thank tolerate touch tour track trade train
transfer transform translate transport travel treat trigger trim trust try tune turn type undergo unify unite update
upgrade upload use utilise utilize vacate validate value vary verify visit ban benchmark bisect brew cap clone commute
die downgrade fork halve hurt insure interview invoice kill mirror onboard owe pair paint rank reboot rebase redeploy
refund renovate reschedule revert roll sew squash swap throttle tweak volunteer vote wait walk want warn wash watch
weigh welcome work worry wrap yield
"""
# plain, past and participle (the past if it is left out)
_IRREGULAR = """
arise arose arisen, beat beat beaten, become became become, begin began begun, bind bound, bite bit bitten, bleed
bled, blow blew blown, break broke broken, breed bred, bring brought, broadcast broadcast, build built, burn burnt,
buy bought, catch caught, choose chose chosen, come came come, cost cost, cut cut, deal dealt, dig dug, do did done,
draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight
fought, find found, fit fit, fly flew flown, forbid forbade forbidden, forget forgot forgotten, freeze froze frozen,
get got gotten, give gave given, go went gone, grow grew grown, hang hung, have had, hear heard, hide hid hidden, hit
hit, hold held, keep kept, know knew known, lay laid, lead led, learn learned, learn learnt, leave left, lend lent,
let let, lie lay lain, lose lost, make made, mean meant, meet met, outgrow outgrew outgrown, overcome overcame
overcome, override overrode overridden, oversee oversaw overseen, overwrite overwrote overwritten, pay paid, put put,
quit quit, read read, rebuild rebuilt, redo redid redone, rerun reran rerun, rewrite rewrote rewritten, ride rode
ridden, ring rang rung, rise rose risen, run ran run, say said, see saw seen, seek sought, sell sold, send sent, set
set, shoot shot, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke spoken, spin
spun, spend spent, split split, spread spread, stand stood, steal stole stolen, stick stuck, strike struck, swim swam
swum, take took taken, tell told, think thought, throw threw thrown, understand understood, undo undid undone, wake
woke woken, wear wore worn, win won, withdraw withdrew withdrawn, write wrote written
"""
_DOUBLED = frozenset(
    """
    bar batch plan ship stop drop trim pin map log tag wrap jump skip step spot stub swap run cut get set put sit win
    dig commit submit admit permit refer prefer defer occur transfer control patrol equip debug plug unplug dump clip
    """.split()  # noqa: SIM905 - forty quoted words are harder to read than their text
) - {"batch", "jump", "dump"}
# Verbs of saying and thinking: what follows is a clause of its own, so they have no fact of their own.
REPORTING = frozenset(
    """
    say think believe ask hope guess mean suppose wonder tell feel assume see hear notice realise realize show forget
    imagine let consider expect thank worry agree matter happen seem appear sound remain understand forbid warn try
    fail do remind refuse argue claim confirm note
    """.split()  # noqa: SIM905 - fifty quoted words are harder to read than their text
)


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in _DOUBLED else verb) + "ed"


def _forms() -> dict[str, dict[str, str]]:
    """Each form to its uses, and each use to its plain form."""
    forms: dict[str, dict[str, str]] = {}

    def add(form: str, use: str, verb: str) -> None:
        forms.setdefault(form, {}).setdefault(use, verb)

    for entry in _IRREGULAR.split(","):
        verb, past, *participle = entry.split()
        add(verb, PLAIN, verb)
        add(_third_person(verb) if verb != "have" else "has", SINGULAR, verb)
        add(past, PAST, verb)
        add(participle[0] if participle else past, PARTICIPLE, verb)
    for verb in _REGULAR.split():
        add(verb, PLAIN, verb)
        add(_third_person(verb), SINGULAR, verb)
        add(_past(verb), PAST, verb)
        add(_past(verb), PARTICIPLE, verb)
    return forms


FORMS = _forms()


def uses_of(word: str) -> dict[str, str]:
    """The uses of a word as a verb, each with its plain form; empty for an unknown verb.

    >>> uses_of("kept"), uses_of("re-read")["past"]
    ({'past': 'keep', 'participle': 'keep'}, 're-read')
    """
    found = FORMS.get(word)
    if found is None and word.startswith("re-"):
        return {use: "re-" + verb for use, verb in FORMS.get(word[3:], {}).items()}
    return found or {}


def third_person(verb: str) -> str:
    """The third person singular of a plain form: "keep" gives "keeps"."""
    return "has" if verb == "have" else _third_person(verb)
