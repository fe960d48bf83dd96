"""The cues of lasting knowledge that `classify` does not know: rules, procedures, causes, plans and events.

A cue is listed if it means its kind in nearly every sentence. A rule without a verb of work is left out, because
friends say "never give up" too.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern

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
_NO_HABIT = (
    r"(?:need|should|shall|can|cannot|could|may|might|must|have|had|has|are|were|was|will|would|want|wanted|think|"
    r"thought|get|got|see|saw|did|made|found|went|came|took|gave|lost|lose|miss|hope|wish|just|all|both|finally|know|"
    r"knew|feel|felt|seem|did|didn['’]t|can['’]t|won['’]t|aren['’]t|haven['’]t|look|wait|try|love|really|also|ran|"
    r"met|sent|said|told|left|put|spent|saw|began|kept|chose|do|don['’]t)"
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
            rf"\b(?:we|agents?|everyone|the team)\s+must(?: not)?\s+{_WORK}\b{_OBJECT}",
            r"^(?:please )?(?:always |never )?(?:answer|reply|write|respond)\s+in\s+\w",
            r"^(?:please |remember (?:that )?)*(?:we )?use\s+\S[^.]{0,60}"
            r"(?:, (?:and )?not\b|\binstead of\b|\brather than\b)",
            r"^(?:please )?keep\s+(?:the |all |your )?\w+ (?:below|under|short|small|sorted)\b",
            r"^(?:our |the |all )*(?!things|times|words|kids)\w+s must(?: not| never)? "
            r"(?!be (?:so|very|really|such|proud|hard|tough))\w+",
            r"^(?:all|every|each|no|the|our)\s+\w[\w .-]{2,50}\bmust(?: not| never)? (?:be|have|use|pass|run|end)\b",
            r"^(?:all|every|each|no)\s+\w[\w .-]{2,50}\b(?:must|needs?|requires?|ha(?:s|ve) to)\b",
            r"^[^,;?]{8,80}[,;] (?:and )?never\s+\w",
        ),
    ),
    (
        PROCEDURE,
        _pattern(
            rf"^(?:please |always |so )*{_WORK}\b[^.]{{2,90}}\b"
            r"(?:(?:before|after|on|for|with)\s+(?:each|every|any|a|an)\s+\w"
            r"|each time|every time|whenever)",
            r"^(?:please )?always\s+\w+\s+[^.]{2,60}\b(?:before|after|when)\s+\w+ing\b",
            r"^(?:before|after|whenever|to)\s+(?!(?:the|this|that)\b)\w[^,]{2,60},\s*(?:first |always |you |we )*"
            rf"{_WORK}\b",
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
            # What "we" do, told in the present: "We store dates in UTC".
            rf"^we\s+(?:only |always |never |do not |don['’]t )?"
            rf"(?!{_NO_HABIT}\b)(?!\w+(?:ed|ing)\b)\w{{3,}}\s+\S+\s+\S",
            r"^(?!i\b)\w[\w '’.-]{2,50}\b(?:is|are) (?:always|never|only)\s+\w",
            r"\b(?:runs?|listens?) on port \d+\b",
            r"^(?:our|the)\s+[^.]{3,40}\s(?:is|are) (?:called|named)\s+\w",
            r"^(?:(?:all|our|the) )*\w[^.,]{2,40}\s(?:is|are) (?:stored|located|hosted|kept|documented) "
            r"(?:in|on|at|under)\b",
            r"\bmy (?:\w+ )?(?:name|birthday|e-?mail(?: address)?|phone number|time ?zone|address|job) is\b",
            r"^(?:\w+, )?i(?:['’]m| am) (?:allergic to|a vegetarian|vegetarian|a vegan|vegan|based in)\b",
            r"^(?:\w+, )?i (?:live|work) (?:in|at|for|as)\b",
        ),
    ),
)

HAN_CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (EVENT, lazy_pattern(r"昨天|今天早上|刚才|剛才|上周|上週|上个月")),
    (PLAN, lazy_pattern(r"计划|計劃|下一步|待办|待辦|打算|准备要")),
    (DECISION, lazy_pattern(r"决定|決定|定下来|改成|更正")),
    (
        PREFERENCE,
        lazy_pattern(
            r"必须|必須|一律|禁止|不得|务必|^(?:以后|今后|记住|規則|规则)|不要(?:直接|再|随便)?(?:用|使用|提交|修改|删除|推送)"
        ),
    ),
    (LEARNING, lazy_pattern(r"原因是|根本原因|会(?:报错|失败|崩溃)|导致|踩坑|教训")),
    (PROCEDURE, lazy_pattern(r"每次.{1,20}(?:都|先|要)|之前.{0,4}(?:先|都).{2}")),
)

# The writer marks a sentence as worth keeping.
MARKED = lazy_pattern(
    r"^\W*(?:remember|rule|decision|decided|fact|note|important|lesson|gotcha|convention)s?\s*[:,]"
    r"|^\W*(?:please )?remember (?:that|to)\b|\bfrom now on\b|^\W*(?:记住|规则|决定|事实|结论)\s*[:：,，]",
    re.IGNORECASE,
)

# Where a word of `MOMENTARY` points to its own sentence or project: the reason for what is said, and "small ones".
EXPLAINED = lazy_pattern(
    r",?\s+(?:because|since|as) (?:it|they|these|those|this|that)\b[^.;]*$"
    r"|\b(?:for|in|across) (?:this|our|the whole) (?:project|repo(?:sitory)?|codebase|monorepo|team|organi[sz]ation)\b"
    r"|\b(?:over|than|to) (?:\w+ )?ones\b",
    re.IGNORECASE,
)

# What holds for the moment, is about the work of the moment, or means something only beside what was said before it.
MOMENTARY = lazy_pattern(
    r"\b(?:this|these|that|those|other|haha|lol|step|now|currently|right now|at the moment|today|tomorrow|again|still|"
    r"yet|so far|line \d+|it|its|them|they|he|she|him|her|one|ones|here|there|first|second|third|last|next|previous|"
    r"existing|current|new|above|following|options?|approach(?:es)?|solutions?|versions?|way)\b"
    r"|\b(?:if|when|every time|because) (?:i|you)\b|\bbecause of an?\b|\bprefer to\b|\b(?:switched|moved) to the\b"
    r"|\b(?:decided|agreed) to (?:look|wait|skip|try|see|check|start|stop|go|leave|continue|the)\b|先看|每次.*报错"
    r"|\bfound out (?:why|how|what)\b|\b(?:we['’]ll|we will)\b"
    r"|^\W*(?:the|this|that|these|those|your|my)\s+(?:\w+ )?(?:errors?|bugs?|problems?|issues?|tests?|builds?|files?|"
    r"requests?|response|reason|cause|culprit|suite|time|user|branch(?:es)?|diffs?|changes?|commits?|prs?|functions?|"
    r"outputs?|results?|answers?|patch(?:es)?|fix(?:es)?)\b"
    r"|^\W*(?:it|the (?:\w+ )?(?:reason|problem|issue|cause|culprit))\b"
    r"|现在|目前|今天|第[一二三四五六七八九十]|这|那|方案",
    re.IGNORECASE,
)

# What a writer does or feels just now. Nothing of it lasts.
PASSING = lazy_pattern(
    r"^\W*(?:let me|let['’]s|i['’]?ll|i['’]?m|i am|i will|i have|i['’]ve|now i|now let|next,? i|thanks?|thank you|thx|"
    r"wow|hey|hi|hello|yeah|yes|yep|no|nope|sure|ok|okay|great|nice|cool|awesome|congrats|good|glad|sorry|well|oh|haha|"
    r"that['’]?s|that is|it['’]?s|it is|this is|these are|those are|there is|there are|there['’]s|here is|here['’]s|"
    r"what|how|why|when|where|who|which|can|could|would|should|do you|did you|are you|is (?:it|this|that|there)|done)\b"
    r"|^(?:好的|谢谢|嗯|是的|对|哈哈|让我|我来|现在)",
    re.IGNORECASE,
)

# What makes a sentence general. A claim without it is an order or a finding of the day as often as not: it counts for
# others that have it, and is never promoted by itself.
GENERAL: dict[str, re.Pattern[str]] = {
    PREFERENCE: lazy_pattern(
        r"\b(?:always|never|must|every|each|conventions?|rules?)\b|\b(?:i|we) (?:really |strongly )?prefer (?!the\b)"
        r"|\buse (?!the\b)\S[^.]{0,60}(?:, (?:and )?not|instead of|rather than)\b|\bin (?:[A-Z]\w+|the imperative)\b"
        r"|必须|必須|一律|禁止|不得|务必|以后|今后|记住|规则",
        re.IGNORECASE,
    ),
    DECISION: lazy_pattern(
        r"\b(?:we|team)\b[^.]{0,20}\b(?:decided|agreed|chose|chosen|switched|migrated|settled|opted)\b|\bdecision:"
        r"|(?:我们|我們|团队).{0,4}(?:决定|決定)",
        re.IGNORECASE,
    ),
    PROCEDURE: lazy_pattern(
        r"\b(?:always|each|every|any|whenever)\b|\b(?:before|after|for|on) an? \w|^to (?:deploy|release|publish)\b"
        r"|每次",
        re.IGNORECASE,
    ),
    LEARNING: lazy_pattern(
        r"\b(?:when|if|unless|because|only works?|gotcha|caveat|lesson)\b|会|导致|原因", re.IGNORECASE
    ),
    FACT: lazy_pattern(
        r"\b(?:we|our|my|i|ports?|url|domain|region|bucket|databases?|uses|hosted|stored|documented|located|kept)\b",
        re.IGNORECASE,
    ),
}
