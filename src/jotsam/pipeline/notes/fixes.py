"""Problems with their fix: what a user complains of or pastes, and what the assistant found and changed. Pure."""

from __future__ import annotations

from jotsam.core.names import FIX
from jotsam.core.note_records import FoundNote, Turn
from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.sentences import MAX_TURN, answered, cut, prose, split
from jotsam.pipeline.notes.words import has_words, plain, terms

MAX_PROBLEM, MAX_FIX = 110, 300
MAX_READ = 2_000  # characters of a turn by whose words a problem is found again
_PROBLEM = lazy_pattern(
    r"\b(?:errors?|(?<!no )(?<!without )exceptions?|panic\w*|traceback|segfaults?|crash\w*|fails?|failed|failing"
    r"|failure|broken?|breaks|broke|red\b|hangs?|hung|stuck|(?<!full )stops?|stopped|slow|leak\w*|wrong|missing|denied"
    r"|refused|timeout|times? out|timed out|not found|cannot|can't|cant|couldn'?t|doesn'?t|doesnt"
    r"|does not|don'?t arrive|dont arrive|won'?t|wont|isn'?t|not working|no longer works|unexpected"
    r"|undefined|null|nan|deadlock\w*|flaky|flicker\w*|jitter\w*|stutter\w*|conflict\w*|corrupt\w*"
    r"|loses?|lost|drops?|goes off|is off|bug|warning|expected .* (?:received|got)|oom|out of memory"
    r"|killed|4\d\d|5\d\d"
    r"|fehler|kaputt|geht nicht|funktioniert nicht|zittert|langsam|haengt|falsch|stuerzt|bricht ab"
    r"|erreur|plante|marche pas|cassee?|lente?|bloque\w*|error|falla|fallo|no funciona|roto|lento"
    r"|se cuelga|erro|quebr\w+|nao funciona|travou|errore|non funziona|rotto|blad|nie dziala"
    r"|zepsut\w+)\b|报错|错误|失败|エラー|失敗|動かない"
)
_FIX = lazy_pattern(
    r"\b(?:cause|caused|because|reason|culprit|the (?:problem|issue|bug) (?:was|is)|was (?:missing"
    r"|wrong|not|never|too|set|declared|still|stale|cached|blocked|listed|a|the|on)|were (?:missing"
    r"|not|wrong)|had (?:no|only|a|an|the|\d)|fixed|fix(?:es)? (?:it|this|that)|solved|now|instead"
    r"|raised|increased|added|set|switched|changed|replaced|moved|pinned|disabled|enabled|needed"
    r"|turned out|has no|have no|blocked"
    r"|ursache|lag an|weil|behoben|jetzt|begrenze|fehlte|cause|parce que|manquait|corrige|maintenant"
    r"|causa|porque|faltaba|arreglado|ahora|era|faltava|corrigido|agora|mancava|risolto|adesso"
    r"|przyczyna|brakowalo|naprawione|teraz)\b|原因|因为|已修复|原因は|修正"
)


# What an assistant says that needs to know more of a problem.
_NEEDS_MORE = lazy_pattern(
    r"\b(?:send|show|paste|give|tell) me\b|\bi (?:need|would have) to see\b"
    r"|\bi (?:cannot|can'?t) (?:see|tell|reproduce)\b"
    r"|\bschick\w* mir\b|\bich muesste\b|\benvoie-moi\b|\bmandame\b|\bpasame\b"
)
# A line of a change, of source or of a form is pasted for something else.
_SOURCE = lazy_pattern(
    r"[-+@]{2,}|[-+]\s*\w+|diff --git|index [0-9a-f]{7}|new file:|\(fix conflicts|(?:var|func|def|return|class|const"
    r"|let|import|public|private|if|for|else)\b.*[(){};=:]$|\w+(?:, \w+)* :?= |//|#|/\*"
)


def fix_of(turn: Turn, before: Turn | None, after: Turn | None, asked: Turn | None) -> FoundNote | None:
    """The problem in a turn of a user with its fix in the assistant's next turn; None if there is none.

    If the assistant asked back, the problem is in the turn of the user before that: `asked` and `before`.
    """
    if after is None:
        return None
    problem, said = _problem(turn.text), turn.text[:MAX_READ]
    if asked is not None and before is not None and _asks_back(before.text):
        problem, said = _problem(asked.text) or problem, f"{asked.text[:MAX_READ]}\n{said}"
    if problem is None:
        return None
    sentences = [one for one in answered(after.text) if not one.endswith("?")]
    good = [at for at, one in enumerate(sentences[:8]) if _FIX.search(plain(one))]
    if not good:
        return None
    good.insert(0, good[0] - 1)  # The sentence before it has the cause.
    chosen = [sentences[at] for at in good if at >= 0]
    text: list[str] = []
    size = 0
    for one in chosen:
        if size + len(one) <= MAX_FIX or not text:
            text.append(cut(one, MAX_FIX))
            size += len(one)
    fix = " ".join(text)
    return FoundNote(
        kind=FIX,
        text=fix,
        ref=turn.ref,
        at=turn.at,
        names=terms(problem) | terms(said),
        problem=problem,
        sure=0.7,
    )


def _asks_back(answer: str) -> bool:
    """Whether an assistant ends with a question, or needs to know more of a problem."""
    return answer.rstrip().endswith(("?", "？")) or _NEEDS_MORE.search(plain(answer)) is not None


def is_problem(text: str) -> bool:
    return _problem(text) is not None


def _problem(text: str) -> str | None:
    # The words of a person before those of a log.
    for sentence in (*split(prose(text))[:40], *split(text[:MAX_TURN])[:40]):
        if has_words(sentence, 2) and not _SOURCE.match(sentence) and _PROBLEM.search(plain(sentence)):
            return cut(sentence, MAX_PROBLEM)
    return None
