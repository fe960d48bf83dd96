"""Normalise predicates of facts: "using", "utilises" and "使用" all become `uses`.

Facts by rules and by language models both use it, so that a query finds either. The closed set of predicates is in
`core.predicates`; here is which other words mean one of it. Another predicate only gets a normal spelling: it is free.
"""

from __future__ import annotations

import re
import unicodedata

from jotsam.core.patterns import lazy_pattern
from jotsam.core.predicates import FUNCTIONAL, PREDICATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.records import Fact

    Key = tuple[str, str]  # subject key and predicate

MAX_CHARACTERS = 60  # characters

_SYNONYM_TABLE = """
uses: use, used, using, utilize, utilizes, utilized, utilizing, utilise, utilises, utilised, utilising, employs,
  makes use of, relies upon using, is using, 使用, 采用, 用, 利用, 使う, 使います, 사용, verwendet, nutzt, benutzt
decided: decide, decides, decided on, decided to use, has decided, chose, choose, chooses, has chosen, selected,
  selects, picked, picks, settled on, opted for, went with, 决定, 选择, 选用, 決定, 選ぶ
rejected: reject, rejects, decided against, ruled out, turned down, 拒绝, 放弃
prefers: prefer, preferred, likes, like, liked, loves, favours, favors, likes better, 喜欢, 偏好, 更喜欢, 好む
dislikes: dislike, disliked, hates, hate, does not like, doesn't like, avoids, 不喜欢, 讨厌
replaced_by: replaced by, is replaced by, was replaced by, superseded by, is superseded by, succeeded by, 被取代
replaces: replace, replaced, supersedes, superseded, takes the place of, 取代, 替代, 替换
depends_on: depend on, depends on, depends upon, depended on, relies on, rely on, relied on, requires, require, needs,
  need, needed, is dependent on, 依赖, 依赖于, 需要, 依存する
is: is a, is an, is the, are, was, were, be, is defined as, means, 是, 为
part_of: part of, is part of, is a part of, belongs to, belong to, is in, component of, is a component of, 属于
has: have, had, has a, has an, contains, contain, includes, include, including, consists of, 包含, 包括, 有
located_in: located in, is located in, based in, is based in, is situated in, resides in, 位于, 在
lives_in: lives in, live in, lived in, living in, home, residence, place of residence, lives at, 住在, 居住在
moved_to: moved to, move to, moves to, moving to, relocated to, relocates to, 搬到, 迁至
migrated_to: migrated to, migrate to, migrates to, migrating to, switched to, switches to, switch to, ported to, 迁移到
migrated_from: migrated from, switched from, moved from, ported from
works_at: works at, work at, worked at, works for, work for, worked for, is employed by, employed by, is employed at,
  employed at, employer, workplace, has employer, 就职于, 工作于
works_as: works as, work as, is working as, has the role, job title, profession, occupation
works_on: works on, work on, worked on, working on, is working on, 负责开发
works_with: works with, work with, worked with, collaborates with, collaborated with
owns: own, owned, owner of, is the owner of, is owned, 拥有
responsible_for: responsible for, is responsible for, in charge of, is in charge of, leads, lead, led, heads, manages,
  maintains, maintained, 负责
created_by: created by, was created by, is created by, written by, was written by, made by, built by, developed by,
  was developed by, authored by, 由
created: create, creates, wrote, writes, built, builds, made, makes, develops, developed, authored, 创建, 开发, 编写
written_in: written in, is written in, was written in, implemented in, is implemented in, coded in
runs_on: runs on, run on, ran on, running on, is hosted on, hosted on, hosted by, deployed on, deployed to, is deployed
  on, deploys to, 运行于, 部署在
stores_in: stores in, stored in, is stored in, are stored in, saved in, persists to, kept in, 存储在
connects_to: connects to, connect to, connected to, talks to, calls, communicates with, 连接
implements: implement, implemented, implementing, 实现
supports: support, supported, supporting, is compatible with, works under, 支持
causes: cause, caused, leads to, led to, results in, resulted in, 导致, 引起
caused_by: caused by, is caused by, was caused by, due to, because of, is due to, results from
fixes: fix, fixed, solves, solved, resolves, resolved, 修复, 解决
listens_on: listens on, listen on, is listening on, listens at
named: named, is named, called, is called, is known as, also known as, goes by, 叫, 名叫, 叫做, 称为
knows: know, knew, is acquainted with, 认识
met_with: met, met with, meets, meets with, spoke with, talked to, talked with, 见过, 会见
married_to: spouse, wife, husband, has spouse, married to, is married to, is the spouse of, 结婚
born_in: birthplace, place of birth, born in, was born in, is born in, 出生于
released_in: released in, was released in, released on, was released on, came out in
defaults_to: default to, defaults to, default, default value, has the default, 默认为
costs: cost, price, is priced at, 花费
version: has version, is at version, version is, runs version, version number, current version, is version
port: has port, port is, port number, listens on port, listening port, runs on port, uses port, is on port
timezone: time zone, is in timezone, has timezone
birthday: date of birth, was born on, born on, birth date, birthdate, has birthday
license: licence, is licensed under, licensed under, has license
budget: has budget, has a budget of, budget is
address: has address, address is
hometown: home town, comes from the town
status: has status, state, status is
timeout: has timeout, times out after
limit: has limit, is limited to, limited to
job: has job
deadline: due date, is due, is due on, due on, due by, has deadline, has the deadline, 截止
planned_for: planned for, is planned for, scheduled for, is scheduled for, takes place on, 计划于
"""

# A fact with one of these ends an earlier fact with either.
RESIDENCE = ("lives_in", "moved_to")

MIN_CONFIDENCE = 0.5  # for a fact to end or contradict another

# Predicates with subject and object exchanged: (Billing, owner, Ana) is (Ana, owns, Billing).
_INVERTED_TABLE = """
owns: owner, has owner, owned by, is owned by
responsible_for: maintainer, maintained by, is maintained by, managed by, is managed by, led by, is led by
works_at: employs, employee, has employee
"""
_PORT = lazy_pattern(r"(?:tcp |udp )?(?:port )?:?(\d{2,5})", re.IGNORECASE)

# Subjects that differ from memory to memory.
PRONOUNS = frozenset(("i", "we", "you", "he", "she", "it", "they", "this", "that"))

TOO_COMMON = frozenset(("is", "has"))
MAX_PHRASE_WORDS = 4  # words

_SEPARATORS = lazy_pattern(r"[\s_\-]+")
_PUNCTUATION = " \t\n.,;:!?\"'`()[]{}<>*"
_ADVERBS = lazy_pattern(
    r"\b(?:also|already|always|currently|now|still|usually|mainly|mostly|really|just|only|will|would|should|can|could|"
    r"may|must|has|have|had|been|being|to be|has been|have been|is currently|the)\b"
)


def _table(text: str) -> dict[str, str]:
    """The predicates of a table by each word for them, which is in its normal form."""
    table: dict[str, str] = {}
    for entry in text.strip().replace("\n  ", " ").splitlines():
        name, _, others = entry.partition(": ")
        for other in others.split(", "):
            table.setdefault(other, name)
    return table


def normalise_predicate(predicate: str) -> str:
    """The predicate in the form in which it is stored: `uses`, `depends_on`. "" for a predicate without letters.

    >>> normalise_predicate("Is Using"), normalise_predicate("使用"), normalise_predicate("was painted by")
    ('uses', 'uses', 'was_painted_by')
    """
    form = _normal_form(predicate)
    without_adverbs = " ".join(_ADVERBS.sub(" ", form).split())
    squeezed = (without_adverbs or form).translate(_NO_SIGNS)
    found = SYNONYMS.get(form) or SYNONYMS.get(without_adverbs) or _SQUEEZED.get(squeezed)
    return found or (without_adverbs or form)[:MAX_CHARACTERS].strip().replace(" ", "_")


def in_set(fact: Fact) -> Fact:
    """A fact with its predicate brought to the closed set, if it says the same as one of it.

    Turns around what is told from the other side ("owned by"), and reads the port that something listens on.
    """
    turned = _INVERTED.get(_normal_form(fact.predicate))
    if turned is not None:
        return fact.replace(subject=fact.object, predicate=turned, object=fact.subject)
    predicate = normalise_predicate(fact.predicate)
    port = _PORT.fullmatch(fact.object) if predicate in ("listens_on", "port") else None
    if port is not None:
        return fact.replace(predicate="port", object=port[1])
    return fact if predicate == fact.predicate else fact.replace(predicate=predicate)


def functional(keys: Iterable[Key]) -> set[Key]:
    """The (subject, predicate) keys that have one object at a time."""
    return {(subject, predicate) for subject, predicate in keys if predicate in FUNCTIONAL and subject not in PRONOUNS}


def competing_predicates(predicate: str) -> tuple[str, ...]:
    """The predicates whose facts end facts with `predicate`, including itself.

    >>> competing_predicates("works_at"), competing_predicates("moved_to")
    (('works_at',), ('lives_in', 'moved_to'))
    """
    return RESIDENCE if predicate in RESIDENCE else (predicate,)


def predicates_in_question(words: Sequence[str]) -> frozenset[str]:
    """The known predicates in the words of a question: "where does Ann live" gives `lives_in` and `moved_to`.

    A verb also matches without its preposition, which questions often omit. `is` and `has` are excluded, because they
    occur in most questions.
    """
    found: set[str | None] = set()
    for start, word in enumerate(words):
        for end in range(start + 1, min(len(words), start + MAX_PHRASE_WORDS) + 1):
            found.add(SYNONYMS.get(" ".join(words[start:end])))
        found |= {SYNONYMS.get(f"{word} {preposition}") for preposition in ("in", "at", "on", "to")}
    if "lives_in" in found:
        found |= {*RESIDENCE}
    return frozenset(name for name in found if name and name not in TOO_COMMON)


def _normal_form(predicate: str) -> str:
    """Lower case words separated by single spaces: the same for `usesTool`, `USES_TOOL` and "uses tool"."""
    text = unicodedata.normalize("NFKC", predicate)
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(_SEPARATORS.sub(" ", text.casefold()).strip(_PUNCTUATION).split())


_NO_SIGNS = str.maketrans("", "", " ./:")
SYNONYMS = {name.replace("_", " "): name for name in sorted(PREDICATES)} | _table(_SYNONYM_TABLE)
_INVERTED = _table(_INVERTED_TABLE)
# A predicate of the set whose words were not separated: "worksat". Short ones could be another word.
_SQUEEZED = {name.replace("_", ""): name for name in PREDICATES if len(name) > 5}
