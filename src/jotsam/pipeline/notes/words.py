"""The content words of notes and prompts, as they are compared. Pure."""

from __future__ import annotations

import re
import unicodedata

from jotsam.pipeline.notes.lexicon import CONCEPTS, PRODUCTS
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.words import bigrams

_WORD = re.compile(r"[^\W_]+(?:[._/:@+#-][^\W_]+)*[+#]*|_[a-z_]+")
_SAME = re.compile(r"\bend[- ]to[- ]end\b")
_UMLAUTS = {ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss", ord("’"): "'"}
_ENDINGS = ("ations", "ation", "ungen", "ings", "ung", "ing", "ies", "ern", "ed", "es", "en", "er", "s", "e", "n")
MIN_STEM = 4

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


def stem(word: str) -> str:
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word


def terms(text: str) -> frozenset[str]:
    """The stems of the content words, and of a joined word its parts too: "price_cents", "app/main.py"."""
    found: set[str] = set()
    for word in words(text):
        found.add(stem(word))
        if not word.isalpha():
            found.update(stem(part) for part in re.split(r"[^a-z0-9]+", word) if len(part) > 2 and not part.isdigit())
    return frozenset(found - EMPTY)


def concepts(text: str) -> frozenset[str]:
    """The concepts that the content words of a text belong to."""
    found: set[str] = set()
    for word in words(text):
        for part in (word, *re.split(r"[^a-z0-9]+", word)):
            found.update(CONCEPTS.get(part, ()))
    return frozenset(found)


_NAME = re.compile(r"`([^`\n]{2,40})`|(?<![\w./-])([A-Za-z][\w+#]*(?:[-./][A-Za-z0-9]\w*)*)")
_NO_NAMES = frozenset(
    """
    i the a an it this that these those then there here with for and or but so if when we you they he she one two three
    both all each done added created changed moved removed switched replaced fixed set open next yes no ok mail works
    option options use keep stay leave write move small large simple new my our your in on at by from to as is are was
    der die das ein eine und oder wir ich es le la les un une el los o os uma um as mit
    """.split()  # noqa: SIM905 - words read better
)


_UNITS = frozenset(["khz", "hz", "mhz", "ghz", "kb", "mb", "gb", "tb", "mbit", "kbit", "ma", "mv", "kw", "rpm", "dbm"])


def names(text: str) -> frozenset[str]:
    """The names in a text, in lower case: words with a capital letter or in code, and known products."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        word = match[1] or match[2]
        lower = plain(word)
        is_name = match[1] is not None or any(c.isupper() for c in word) or lower in PRODUCTS
        if is_name and lower not in _NO_NAMES and lower not in _UNITS and lower not in STOP_WORDS and len(lower) > 1:
            found.add(lower)
    return frozenset(found)


def products(text: str) -> list[tuple[str, str]]:
    """The known products in a text, as they are written, in order, and their kinds."""
    found = []
    listed = re.findall(r"[a-z0-9][\w+#]*(?:-[a-z0-9]\w*)*", plain(text))
    for word, following in zip(listed, [*listed[1:], ""], strict=True):
        joined = f"{word}-{following}"
        for written, key in ((f"{word} {following}", joined), (word, word), (word.split("-")[0], word.split("-")[0])):
            if key in PRODUCTS:
                found.append((written, PRODUCTS[key]))
                break
    return found
