"""The content words of notes and prompts, as they are compared. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.words import bigrams

_WORD = lazy_pattern(r"[^\W_]+(?:[._/:@+#-][^\W_]+)*[+#]*|_[a-z_]+")
_SAME = lazy_pattern(r"\bend[- ]to[- ]end\b")
_UMLAUTS = {ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss", ord("’"): "'"}
_ENDINGS = ("ations", "ation", "ungen", "ings", "ung", "ing", "ies", "ern", "ed", "es", "en", "er", "s", "e", "n")
MIN_STEM = 4
FIRST_HAN = "\u2e80"  # what comes before it has spaces between its words

# Words of requests and of talk, which say nothing about a subject.
EMPTY = STOP_WORDS | frozenset(
    """
    please pls plz ok okay yes yeah yep no nope ja nein si oui also again always never now yet today later still make
    makes made making add adds added adding write writes writing wrote use uses used using put get gets got give set
    sets do does did done want wants need needs needed like likes know think see look show tell say said let lets go
    goes going thing things stuff way ways lot bit one two first second new old good fine great nice thanks thank here
    there much many every each everything anything something nothing everywhere only without with via really maybe must
    should
    shall may might would could can cant dont doesnt isnt wont im ive youre its thats hello hi hey ciao day time week
    bring brings find found change changes changed create created creates current currently problem happen happens help
    next last best better big small quick quickly simple please want anything
    work works working run runs running try keep kept start stop
    ich du er sie es wir ihr der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ist sind
    war mit auf fuer von zu zum zur im in an am bei nach wie was wer wo wann warum immer nie bitte auch noch nur schon
    dann wenn dass hier da jetzt mach mache machen gut super so mal man mir mich dich uns bis aus als haben hat wird
    werden soll muss kann
    le la les un une des du de et ou mais pas ne est sont avec sur pour dans que qui ce cette il elle nous vous je tu on
    toujours jamais plus
    el los las una unos y o pero no es son con por para en que se lo al del siempre nunca
    il lo gli i uno e ma non per che di da sempre mai
    os as um uma uns nao com sempre e ou mas
    i w na z do nie sie jest to ze tak zawsze nigdy
    """.split()  # noqa: SIM905 - words read better
)


def plain(text: str) -> str:
    """Lower case, without diacritics; "ä" is "ae"."""
    text = text.lower().translate(_UMLAUTS)
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def words(text: str) -> list[str]:
    """The content words of a text, in order; of scripts without spaces, pairs of characters."""
    lower = _SAME.sub("e2e", plain(text))
    found = [word.strip(".:/-") for word in _WORD.findall(lower)]
    found = [word for word in found if word not in EMPTY and (len(word) > 1 or word.isdigit())]
    if not lower.isascii():
        found = [word for word in found if word[:1].isascii() or len(bigrams(word)) == 0] + bigrams(lower).split()
    return found


def has_words(text: str, number: int) -> bool:
    """Whether a text has so many words; in a script without spaces, about as many characters as they have."""
    return len(text.split()) >= number or (max(text, default="") >= FIRST_HAN and len(text) >= 3 * number)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=1_024)  # The parts of a turn are compared with several texts.
def terms(text: str) -> frozenset[str]:
    """The stems of the content words, and of a joined word its parts too: "price_cents", "app/main.py"."""
    found: set[str] = set()
    for word in words(text):
        found.add(stem(word))
        if not word.isalpha():
            found.update(stem(part) for part in re.split(r"[^a-z0-9]+", word) if len(part) > 2 and not part.isdigit())
    return frozenset(found - EMPTY)
