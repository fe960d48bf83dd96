"""The cues of lasting knowledge that `classify` does not know: rules, procedures, causes, plans and events.

A cue is listed if it means its kind in nearly every sentence. A rule without a verb of work is left out, because
friends say "never give up" too.
"""

from __future__ import annotations

import re

DECISION, PREFERENCE, PROCEDURE, FACT, LEARNING, PLAN, EVENT, CONTEXT = KINDS = (
    *("decision", "preference", "procedure", "fact", "learning", "plan", "event", "context"),
)

# Kinds that stay true: only these become crystals. A plan is carried out or given up, and an event is over.
LASTING = frozenset((DECISION, PREFERENCE, PROCEDURE, FACT, LEARNING))

_WORK = (
    r"(?:use|commit|push|add|write|run|rerun|edit|change|touch|delete|remove|merge|deploy|install|create|mock|import|log|"
    r"store|call|rename|skip|amend|force|rebase|send|put|include|test|build|check|verify|format|lint|update|upgrade|"
    r"restart|review|document|pin|set|start|close|open|read|back up|reply|answer|quote|name|prefix|ship|release)"
)
_OBJECT = r"\s+(?!(?:it|this|that|them|me|up|out|on|in|off|your|my)\b)\S"


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


# In this order: the first that matches gives the kind.
CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (EVENT, _pattern(r"\b(?:yesterday|tonight|this morning|earlier today|last (?:night|week|month|year)|just now)\b")),
    (PLAN, _pattern(r"\b(?:todo|to do|next steps?|roadmap|backlog)\s*:", r"\bplan(?:s|ned|ning)? (?:to|on)\b")),
    (
        PLAN,
        _pattern(r"\b(?:will|going to|gonna|would like to|want to|wants to|hope to|hoping to|looking forward)\b"),
    ),
    (
        PREFERENCE,
        _pattern(
            rf"^(?:please |and |also |so |but |remember[:,]? (?:to )?|rule:? )*"
            rf"(?:always|never|do not|don['’]t ever|don['’]t)\s+{_WORK}\b{_OBJECT}",
            rf"\b(?:we|you|agents?|everyone|nobody)\s+(?:should |must |may |can )?(?:always|never)\s+{_WORK}s?\b",
            rf"\b(?:we|you|agents?|everyone|the team)\s+must(?: not)?\s+{_WORK}\b{_OBJECT}",
            r"^(?:please )?(?:always |never )?(?:answer|reply|write|respond)\s+in\s+\w",
            r"^(?:please )?use\s+\S[^.]{0,60}(?:, (?:and )?not\b|\binstead of\b|\brather than\b)",
            r"^(?:please )?keep\s+(?:the |all |your )?\w+ (?:below|under|short|small|sorted)\b",
            r"^(?!things|times|words|kids)\w+s must(?: not| never)? (?!be (?:so|very|really|such|proud|hard|tough))\w+",
            r"^(?:all|every|each|no|the|our)\s+\w[\w .-]{2,50}\bmust(?: not| never)? (?:be|have|use|pass|run|end)\b",
        ),
    ),
    (
        PROCEDURE,
        _pattern(
            rf"^(?:please |then |so )*{_WORK}\b[^.]{{2,90}}\b(?:before|after|and then|each time|every time|whenever)\b",
            rf"^(?:before|after|whenever|to)\s+\w[^,]{{2,60}},\s*(?:please |first |always |you |we )*{_WORK}\b",
            rf"^first,?\s+{_WORK}\b[^.]{{2,90}}\bthen\b",
        ),
    ),
    (
        LEARNING,
        _pattern(
            r"\b(?:fails?|breaks?|crashes|hangs|times out|deadlocks?)\s+(?:when|if|because|unless|with|on)\b",
            r"\bonly works?\s+(?:when|if|with|on|after)\b",
            r"^(?:gotcha|caveat|pitfall|lesson)s?\s*:",
        ),
    ),
    (
        FACT,
        _pattern(
            r"\bmy (?:\w+ )?(?:name|birthday|e-?mail(?: address)?|phone number|time ?zone|address|job) is\b",
            r"^(?:\w+, )?i(?:['’]m| am) (?:allergic to|a vegetarian|vegetarian|a vegan|vegan|based in)\b",
            r"^(?:\w+, )?i (?:live|work) (?:in|at|for|as)\b",
        ),
    ),
)

HAN_CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (EVENT, re.compile(r"昨天|今天早上|刚才|剛才|上周|上週|上个月")),
    (PLAN, re.compile(r"计划|計劃|下一步|待办|待辦|打算|准备要")),
    (DECISION, re.compile(r"决定|決定|定下来|改成|更正")),
    (
        PREFERENCE,
        re.compile(
            r"必须|必須|一律|禁止|不得|务必|^(?:请|以后|今后|记住|規則|规则)|不要(?:用|使用|提交|修改|删除|推送)"
        ),
    ),
    (LEARNING, re.compile(r"原因是|根本原因|会(?:报错|失败|崩溃)|导致|踩坑|教训")),
    (PROCEDURE, re.compile(r"先.{2,30}(?:再|然后|之后)|步骤")),
)

# The writer marks a sentence as worth keeping.
MARKED = re.compile(
    r"^\W*(?:remember|rule|decision|decided|fact|note|important|lesson|gotcha|convention)s?\s*[:,]"
    r"|^\W*(?:please )?remember (?:that|to)\b|\bfrom now on\b|^\W*(?:记住|规则|决定|事实|结论)\s*[:：,，]",
    re.IGNORECASE,
)

# What a writer does or feels just now. Nothing of it lasts.
PASSING = re.compile(
    r"^\W*(?:let me|let['’]s|i['’]?ll|i['’]?m|i am|i will|i have|i['’]ve|now i|now let|next,? i|thanks?|thank you|thx|"
    r"wow|hey|hi|hello|yeah|yes|yep|no|nope|sure|ok|okay|great|nice|cool|awesome|congrats|good|glad|sorry|well|oh|haha|"
    r"that['’]?s|that is|it['’]?s|it is|this is|these are|those are|there is|there are|there['’]s|here is|here['’]s|"
    r"what|how|why|when|where|who|which|can|could|would|should|do you|did you|are you|is (?:it|this|that|there)|done|"
    r"all)\b|^(?:好的|谢谢|嗯|是的|对|哈哈|让我|我来|现在)",
    re.IGNORECASE,
)
