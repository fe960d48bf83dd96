"""The cues of memory types, as data for `classify`: which words to look for, and the pattern that must then match.

A cue is listed if it means its type in nearly every text. Who decides, likes or does it regularly is part of the cue.
"""

from __future__ import annotations

import re

from jotsam.core.names import TYPES
from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record

DECISION, PREFERENCE, PATTERN, STYLE, HABIT, INSIGHT, CONTEXT = TYPES


class Cue(Record):
    """A cue: its type and its pattern. It is one sign, however often it matches."""

    type: str
    pattern: re.Pattern[str]


_US = r"\b(?:i|we|they|he|she|(?:the |our )?team|(?-i:[A-Z])[\w-]+)(?:['’](?:ve|re|m|ll)| have| has| are| am| will)?"
_WHO = r"\b(?:i|we|he|she|they|everybody|everyone|(?:my|our) \w+|(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)"
_WHOSE = r"\b(?:my|our|his|her|their|\w+['’]s)\s+(?:\w+ )?"
_STRESS = r"(?: (?:really|also|still|always|much|usually|generally|clearly|just|do|don['’]t|doesn['’]t))*"
_TIMES = (
    r"(?:day|morning|evening|night|afternoon|week|weekend|month|sprint|winter|summer|spring|autumn|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_LIKED = r"(?!\s+(?:to|it|when|how|what|that|this|these|your|you)\b)"
_COMMIT = r"\A(?:\w+(?:\([^)\n]*\))?!?: )?(?:replace|switch|migrate|adopt|drop support)\b[^.\n]{4,70}(?:\n\n|\Z)"
# Type, the words of which one must be in the text, and the patterns of which one must match.
_CUES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        DECISION,
        "decided agreed",
        (r"(?<!not )(?<!n['’]t )(?<!never )\b(?:decided|agreed)\s+(?:to|on|against|that|upon|not)\b", r"\bagreed:"),
    ),
    (DECISION, "decision", (r"\bdecision\s*:", r"\b(?:the|our|final|my)\s+decision\s+(?:is|was)\b", r"^#+ decision\b")),
    (
        DECISION,
        "chose chosen picked selected",
        (
            _US + r"\s+(?:finally |now )?(?:chose|chosen|picked|selected)\b",
            r"\b(?:picked|selected|chosen)\s+\S+\s+over\b",
        ),
    ),
    (
        DECISION,
        "went going go stick sticking",
        (_US + r"\s+(?:went|going|go|stick|sticking)\s+with\b", r"\blet['’]s\s+(?:go|stick)\s+with\b"),
    ),
    (DECISION, "opted settled", (r"\bopted\s+(?:for|to)\b", _US + r"\s+settled\s+on\b")),
    (
        DECISION,
        "will ll let s",
        (
            r"\b(?:we|i)(?:\s+will|['’]ll)\s+(?:now\s+)?(?:use|switch|adopt|drop|replace|migrate|go for)\b",
            r"\blet['’]s\s+(?:use|switch|adopt|drop|replace|migrate)\b",
        ),
    ),
    (
        DECISION,
        "switched switching migrated migrating moving",
        (_US + r"\s+(?:now )?(?:switched|switching|migrated|migrating|moving)\s+(?:\S+ ){0,5}?(?:to|from)\b",),
    ),
    (
        DECISION,
        "replaced replace switch migrate drop adopt",
        (_US + r"\s+replaced\s+\S+(?: \S+){0,3}?\s+(?:with|by)\b", _COMMIT),
    ),
    (DECISION, "from", (r"\bfrom now on\b",)),
    (DECISION, "consequences", (r"^\W*consequences\b\s*(?::|$)",)),
    (PREFERENCE, "prefer prefers preferred", (_WHO + _STRESS + r"\s+prefer(?:s|red)?\b",)),
    (PREFERENCE, "preference preferences", (r"\b(?:my|our)\s+(?:\w+ )?preferences?\b",)),
    (PREFERENCE, "rather", (r"\b(?:would|['’]d)\s+(?:much )?rather\b", r"\bprefer\w*\b[^.\n]{0,60}\brather than\b")),
    (PREFERENCE, "favourite favorite", (_WHOSE + r"favou?rite\b",)),
    (
        PREFERENCE,
        "like love hate dislike enjoy likes loves hates dislikes enjoys",
        (
            r"\b(?:i|we)" + _STRESS + r"\s+(?:like|love|hate|dislike|enjoy)\b" + _LIKED,
            r"\b(?:he|she|(?-i:(?!(?:If|You|It|That|This)\b)[A-Z])[\w-]+)\s+(?:really |also )?"
            r"(?:likes|loves|hates|dislikes|enjoys)\b" + _LIKED,
        ),
    ),
    (PREFERENCE, "stand fan", (r"\bcan['’]?(?:no)?t stand\b", r"\b(?:not a|big|huge|no) fan of\b")),
    (
        PREFERENCE,
        "wants want",
        (_WHO + r"\s+(?:only |always |just )?wants?\s+(?:fewer|less|more|no|only|everything|all|plain|short)\b",),
    ),
    (PREFERENCE, "always never", (r"\A(?:please )?(?:always|never) use\b",)),
    (HABIT, "every each", (_WHO + r"\s+[^.\n]{2,80}\b(?:every|each)\s+(?:\w+ )?" + _TIMES + r"\b",)),
    (HABIT, "every each", (r"(?:^|[.!?] )(?:every|each)\s+(?:\w+ )?" + _TIMES + r"\b[^.\n]{0,30} (?:i|we|he|she)\b",)),
    (HABIT, "time", (r"\bevery\s+time\s+(?:i|we)\b",)),
    (HABIT, "always", (r"\b(?:i|we)\s+always\s+(?!fail|break|happen|be\b)\w+",)),
    (HABIT, "habit habits routine", (_WHOSE + r"(?:habits?|routine)\b", r"\b(?:a|the) habit of\b")),
    (
        HABIT,
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends mornings evenings",
        (
            _WHO
            + r"\s+[^.\n]{2,80}\b(?:on|at|in the)\s+(?:\w+ )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends"
            r"|mornings|evenings)\b",
        ),
    ),
    (INSIGHT, "turns turned", (r"\bturns\s+out\b", r"\bturned\s+out\b")),
    (INSIGHT, "realized realised realize realise", (_WHO + r"(?: (?:just|finally|now|have|has))*\s+reali[sz]ed?\b",)),
    (INSIGHT, "figured found", (r"\b(?:figured|found)\s+out\b(?!\s+(?:how|if|whether|more|about))",)),
    (
        INSIGHT,
        "discovered learned learnt noticed",
        (_WHO + r"(?:['’]ve| have| has)?\s+(?:just )?(?:discovered|learn(?:ed|t)|noticed)\s+(?:that|why)\b",),
    ),
    (INSIGHT, "lesson lessons", (r"\blessons?(?:\s+learn(?:ed|t)|:| here| for next)",)),
    (INSIGHT, "cause culprit", (r"\broot\s+cause\b", r"\bthe\s+(?:\w+\s+)?cause\s+(?:is|was)\b", r"\bculprit\b")),
    (INSIGHT, "reason", (r"\bthe\s+(?:real\s+|actual\s+|main )?reason\s+(?:is|was)\b",)),
    (INSIGHT, "problem bug issue", (r"\bthe\s+(?:real |actual )?(?:problem|bug|issue)\s+(?:was|came from)\b",)),
    (INSIGHT, "explains", (r"\b(?:which|that|this)\s+explains\b",)),
    (
        INSIGHT,
        "insight insights finding findings takeaway takeaways",
        (r"\b(?:key|main)\s+(?:insight|finding|takeaway)s?\b", r"^(?:insight|finding|takeaway)s?:"),
    ),
    (PATTERN, "usually typically", (r"\b(?:usually|typically)\b",)),
    (PATTERN, "tends tend", (r"\btends?\s+to\b",)),
    (PATTERN, "most", (r"\bmost\s+of\s+the\s+time\b",)),
    (PATTERN, "recurring", (r"\brecurring\b",)),
    (PATTERN, "whenever", (r"\bwhenever\b(?! you| possible| necessary| needed)",)),
    (PATTERN, "time", (r"\b(?:every|each)\s+time\s+(?!i\b|we\b|you\b)\w+",)),
    (PATTERN, "again", (r"\bagain\s+and\s+again\b",)),
    (PATTERN, "keeps", (r"\bkeeps\s+(?:on )?\w+ing\b",)),
    (
        PATTERN,
        "always",
        (r"\b(?:it|this|that|the \w+)\s+always\s+(?:fails?|breaks?|happens?|drops?|goes|ends?|takes?)\b",),
    ),
    (STYLE, "convention conventions", (r"\b(?:coding|writing|naming|code|comment|commit|house)\s+conventions?\b",)),
    (
        STYLE,
        "style",
        (r"\b(?:coding|writing|naming|code|comment|commit|house) style\b(?!:)", r"\bstyle\s+(?:guide|rule)s?\b"),
    ),
    (STYLE, "snake_case camelcase kebab pascalcase snake camel", (r"\b(?:snake|camel|kebab|pascal)[_ -]?case\b",)),
    (STYLE, "tone voice", (r"\b(?:tone|active voice|passive voice)\b",)),
    (STYLE, "bullet sentence title oxford", (r"\b(?:bullet points|sentence case|title case|oxford comma)\b",)),
    (STYLE, "emoji emojis", (r"\b(?:no|without) emojis?\b",)),
    (STYLE, "concise concisely formatted", (r"\bconcise(?:ly)?\b", r"\bformatted\s+(?:as|with|like)\b")),
    (STYLE, "imperative tense", (r"\bin the imperative\b", r"\bimperative mood\b", r"\b(?:present|past) tense\b")),
    (
        STYLE,
        "written writes write",
        (
            r"\b(?:messages?|comments?|docs|documentation|reports?|letters?|names?|titles?|headings?)\s+"
            r"(?:are|is|must be|should be|get)\s+(?:always )?written in\b",
            r"\beverything (?:that )?\w+ writes is\b",
            r"(?:^|[.!?] )(?:please )?write\s+(?:\w+ ){1,3}in\b",
        ),
    ),
)
HAN_CUES = tuple(
    Cue(type=name, pattern=lazy_pattern(pattern))
    for name, pattern in (
        (DECISION, r"决定|選定|选定|选择了|采用了|改用|決めた"),
        (PREFERENCE, r"喜欢|偏好|更愿意|讨厌|好き"),
        (HABIT, r"每天|每次|每周|每週|每晚|总是|總是|习惯|習慣"),
        (INSIGHT, r"意识到|發現|发现|原来|明白了|根本原因"),
        (PATTERN, r"通常|往往|经常|經常"),
        (STYLE, r"风格|風格|语气|口吻"),
    )
)


def _by_word() -> dict[str, tuple[Cue, ...]]:
    table: dict[str, tuple[Cue, ...]] = {}
    for name, words, patterns in _CUES:
        cue = Cue(type=name, pattern=lazy_pattern("|".join(patterns), re.IGNORECASE | re.MULTILINE))
        for word in words.split():
            table[word] = (*table.get(word, ()), cue)
    return table


CUES = _by_word()
"""The cues by each of their words, in lower case."""
