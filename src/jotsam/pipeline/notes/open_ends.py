"""Open ends: tasks and questions that a session leaves, each with what it is about. Pure."""

from __future__ import annotations

import re

from jotsam.core.names import OPEN
from jotsam.core.note_records import FoundNote, Turn
from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.sentences import cut, sentences_of, split
from jotsam.pipeline.notes.words import plain, terms

MAX_TEXT, MIN_TERMS, MIN_LISTED = 180, 1, 2
_AND = lazy_pattern(
    r", (?:and|und|et|y) (?:then |also )?(?=(?:the|a|an|die|der|das|ein|eine|le|la|el)\b)", re.IGNORECASE
)
_MARKED = lazy_pattern(
    r"(?:^|\b)(?:still )?(?:on the list|noted(?: as (?:an? )?open(?: question| point| item)?)?"
    r"|i (?:have )?note(?:d)?(?: it| that)?(?: down)?|written down"
    r"|open(?: (?:points?|questions?|items?|tasks?|todos?|end))?|todos?"
    r"|to ?do(?: (?:for )?later)?|to-?dos?|next(?: steps?| up)?|follow-?ups?|left(?: (?:open|to do"
    r"|over))?|remaining|later|pending|missing|still missing|backlog|parked|postponed"
    r"|not (?:yet )?(?:done|begun|started)|offen|noch offen|bleibt offen|es fehlt|fehlt noch"
    r"|naechster schritt|"
    r"reste a faire|a faire|prochaine etape|en suspens|pendiente|por hacer|queda pendiente"
    r"|siguiente paso|da fare|in sospeso|pendente|falta fazer|do zrobienia|zostalo"
    r"|nastepny krok)\s*(?:\([^)]*\))?(?:(?:for|until|till|after|fuer|bis) [^:]{2,40})?"
    r"(?:\s*[:=]\s+|\s+[-–—]\s+)(?P<what>.+)"
)
_LEFT = lazy_pattern(
    r"\b(?:i|we) (?:have )?(?:left|leave|parked|postponed|kept) (?:it |this |that |them )?(?:open"
    r"|for later|for now|out|aside)\b\s*[:,-]?\s*(?P<a>.*)"
    r"|\b(?<!that )(?<!which )(?:is|are|remains?|stays?|still) (?:still )?(?:open|missing|pending|to be done|to do"
    r"|unfinished|unresolved|undecided|untested|outstanding|not (?:yet )?(?:done|implemented|covered|written"
    r"|decided|begun|started|tested|fixed)|offen)\b"
    r"|\b(?:put|add|write) .{2,60} (?:on|to) (?:the|my|our) (?:list|backlog|todos?)\b|\bwrite it down\b"
    r"|\b(?:still|yet) (?:needs?|has|have) to\b|\bstill needs?\b|\bneeds? (?:still )?to be (?:done"
    r"|written|decided|fixed|tested|migrated|updated)\b|\bnot (?:yet )?(?:done|implemented|written"
    r"|covered|decided) yet\b|\bwe still have to\b|\bi still (?:have|need) to\b"
    r"|(?:^|\b(?:we(?:'re| are)|i(?:'m| am)|still) )(?:blocked (?:on|by)|waiting (?:for|on))\b"
    r"|\b(?:has|have|is|are) (?:not|never) (?:been )?(?:tried|tested|decided|settled|verified|measured|connected)"
    r"(?: yet\b|$)|\bhas no tests?\b|\bleft to (?:do|decide|try|write|check|fix)\b"
    r"|\bremains? to be\b|\bloose ends?\b"
    r"|\b(?:until|till) (?!i |you |we |an? |another |any|each |every|some|the )[\w' ]{2,30} (?:has |have )?"
    r"(?:answer|decid|repli|confirm|agre)(?:s|ed|es|e)\b"
    r"|\b(?:remind me|dont forget|don'?t forget|(?<!i )remember) (?:to |of |about |that )(?P<b>.+)|\b(?:we|i"
    r"|you)(?:'ll| will| should| must)? (?:do|make|write|build|need|have to|fix|add|look at|handle"
    r"|tackle|finish|migrate) .{2,80}\b(?:later|next (?:week|time|sprint|month)|another (?:day|time)"
    r"|tomorrow|after the|some ?day|in a second step|not today|but not (?:now|today))\b"
    r"|\b(?:write|add|make|build|do|fix) .{2,80}\b(?:,? but not (?:now|today)|later|tomorrow|next week"
    r"|another day)\b"
    r"|\b(?:steht noch aus|fehlt noch|muss noch|muessen noch|noch (?:nicht )?(?:zu tun|gemacht"
    r"|erledigt)|machen wir (?:erst |dann )?(?:spaeter|nach|morgen|naechste)|erst nach)\b|\b(?:reste a"
    r"|il faut encore|plus tard|pas encore fait)\b|\b(?:falta|queda por|hay que .{2,60} (?:despues"
    r"|luego|manana))\b|\b(?:ainda falta|falta (?:fazer|testar)|depois a gente|manca ancora|resta da"
    r"|trzeba jeszcze|jeszcze trzeba)\b|以后再|待办|还没|未完成|あとで|まだ.{0,20}(?:ていない|必要)"
)
_ITEM = lazy_pattern(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(?P<what>.+)")
_HEADS = lazy_pattern(r"\b(?:open|offen|left|missing|pending|to ?do|(?:from|on) the list)\b.{0,20}:")
_WHILE = lazy_pattern(r"\b(?:while|when|whenever|if|once|unless|until)\b[^,.]*$")
_QUESTIONS = lazy_pattern(
    r"\b(?:questions?|points?|things|decisions?) (?:are|is|remain|remains"
    r"|stay) (?:still )?open\b.*?[:,-]\s*(?P<what>.+)"
)
_QUESTION = lazy_pattern(
    r"(?:what|why|how|who|when|where|which|is it|are there|do i|do we|does|did|was|wie|warum|wer|wann|wo"
    r"|welche\w*|que|qui|quoi|comment|como|por que|cuando|quando|o que)\b"
)
_REFERS = lazy_pattern(
    r"(?:still |noch )?(?:open|offen|not (?:yet )?(?:done|begun|started))\b|(?:it|that|this|es|das) (?:is"
    r"|stays|remains|bleibt|ist)\b"
)
_NOTHING = lazy_pattern(
    r"^(?:not (?:yet )?(?:done|begun|started)(?: yet)?|nothing|none|no|nichts|rien|nada|niente"
    r"|nic)\b[\s.!]*$"
)
_DONE = lazy_pattern(
    r"\b(?:done|finished|completed|fixed|works now|solved|resolved|closed|settled|struck|crossed off"
    r"|erledigt|fertig|behoben|getestet"
    r"|off the list|fait|termine|hecho|listo|terminado|feito|pronto|concluido|fatto|zrobione|gotowe)\b"
)
_THERE = lazy_pattern(
    r"\b(?:is|are|have|has) (?:here|there|arrived|merged|shipped|delivered|signed|live|running|in)\b"
    r"|\b(?:i|we|he|she|they|colleague) (?:already )?(?:did|made|merged|bought|ordered|sent|got|wrote"
    r"|fixed|sorted) (?:it|that|them|this)\b|\b(?:sind|ist) (?:da|drin|gemacht|angekommen)\b|\b(?:ya esta"
    r"|ya llego|llegaron|chegou|chegaram|est arrive|sont la)\b|\bits merged\b"
)
# What a user did, or what came: it closes what is open if it is about that.
_HAPPENED = lazy_pattern(
    r"^(?:[a-z]+ ){0,3}(?:ran|got|made|sent|did|came|went|wrote|bought"
    r"|merged|pushed|signed|moved|switched|renewed|uploaded|deployed|installed|updated|upgraded|sorted|paid|ordered|replied"
    r"|answered|shipped|released|checked|translated|transferred|changed|put|set up)\b"
    r"|\b(?:came in|went through|went live|arrived|has (?:moved|answered|replied|paid|signed))\b"
)
_NOT_DONE = lazy_pattern(
    r"\b(?:not|nicht|pas|no|n't|nao|non|nie|noch|still|yet|todavia|aun|ainda|open|offen|todo|later)\b"
)
_REPORT = lazy_pattern(
    r"^(?:done|added|created|implemented|built|wrote|written|fixed|moved|removed|set up|updated"
    r"|migrated|finished|committed|i (?:have |'ve )?(?:added|created|implemented|built|wrote|fixed"
    r"|moved|removed|set|updated|migrated|finished|replaced)|erledigt|gebaut|fertig|fait|ajoute|hecho"
    r"|listo|anadido|feito|adicionado|fatto|zrobione|dodane?)\b"
    r"|\b(?:is|are|was|were) (?:done|finished|added|built|in place|implemented|written|fixed|merged"
    r"|deployed|live|ready|tested|covered|migrated|set up|automated|gone|signed|renewed|sent|paid|uploaded|published"
    r"|translated|connected|installed|updated|verified|measured|moved|documented)\b|\bworks?\b(?! (?:not"
    r"|on it))|\bpass(?:es|ed)?\b|\bgetestet\b|\bschaltet\b|\blaeuft\b|\b(?:off|from) the list\b"
)


def open_ends_of(turn: Turn) -> list[FoundNote]:
    """The tasks and questions that a turn says are open."""
    found = [] if turn.by_user else [_note(turn, part, 0.8) for part in _listed(turn.text)]
    listed = {one.text for one in found}
    for sentence in sentences_of(turn):
        text = plain(sentence)
        if text.endswith(("?", ":")) or len(text) > 400 or text[:1] in "'\"`" or _QUESTION.match(text):
            continue
        match = _MARKED.search(text) or _QUESTIONS.search(text)
        if match is not None:
            what = sentence[len(sentence) - len(match["what"]) :] if len(sentence) == len(text) else match["what"]
        elif _is_left(text) and not (_DONE.search(text) and not _NOT_DONE.search(text)):
            what = sentence
        else:
            continue
        what = what.strip(" .")
        if match is None and _REFERS.match(text):
            continue  # "Still open" is about what was said before.
        if _NOTHING.match(plain(what)) or sum(len(one) > 2 and one[:1].isalpha() for one in terms(what)) < MIN_TERMS:
            continue
        for part in _parts(what) if match is not None else [what]:
            note = _note(turn, part, 0.8 if match else 0.6)
            found += [note] if note.text not in listed else []
    return found


def _note(turn: Turn, text: str, sure: float) -> FoundNote:
    shown = cut(" ".join(text.split()), MAX_TEXT)
    return FoundNote(kind=OPEN, text=shown, ref=turn.ref, at=turn.at, names=terms(text), sure=sure)


def _listed(text: str) -> list[str]:
    """The first sentences of the items of a list below a line that says that they are open: "Both noted as open:"."""
    found: list[str] = []
    is_open_list = False
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item is not None and is_open_list:
            found += split(item["what"])[:1]
        elif line.strip():
            is_open_list = line.rstrip().endswith(":") and _HEADS.search(plain(line)) is not None
    return [one.strip(" .") for one in found if len(terms(one)) >= MIN_LISTED]


def _is_left(text: str) -> bool:
    """Whether a sentence says that something is left, and not only while or when."""
    match = _LEFT.search(text)
    return match is not None and not _WHILE.search(text[: match.start()])


def _parts(listed: str) -> list[str]:
    """Two matters of a list are open by themselves: "the number from Bernd, and the comparison of the two runs"."""
    parts = _AND.split(listed)
    return parts if all(len(terms(part)) >= MIN_LISTED for part in parts) else [listed]


def is_open(sentence: str) -> bool:
    """Whether a sentence says that something is open."""
    text = plain(sentence)
    return _MARKED.search(text) is not None or _is_left(text)


def closes(text: str, *, by_user: bool) -> bool:
    """Whether a sentence says that something is done."""
    text = plain(text)
    if text.endswith("?"):
        return False
    if _DONE.search(text) or (by_user and (_THERE.search(text) or _HAPPENED.search(text))):
        return not _NOT_DONE.search(text)
    return not by_user and _REPORT.search(text) is not None and not _LEFT.search(text) and not _MARKED.search(text)
