"""Statements of sentences in Chinese and Japanese."""

from __future__ import annotations

import re

from jotsam.pipeline.statements.statement import Statement
from jotsam.pipeline.statements.values import NAME, NUMBER, Value, typed_values
from jotsam.pipeline.statements.words import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SUBJECT, MAX_VALUE = 30, 24  # characters
CHANGE = "change"

_KANA = r"[぀-ヿ]"
_HAN = r"[㐀-鿿぀-ヿ]"
_SENTENCE = r"(?<=[。！？!?])|\n+|[；;]"

_CHINESE_CLASSES = {
    "": "是 为 等于 设为 设置为 定在 定于 安排在 ： :",
    "place": "位于 在 设在 放在",
    "use": "使用 采用 用",
    "run": "运行在 部署在 托管在",
    "live": "住在",
    "work": "就职于 任职于",
    "price": "售价 价格是 要价",
    "name": "叫 叫做 名叫",
    "lead": "由",
    "start": "开始于 从",
    CHANGE: "改为 改成 改到 换成 换到 变成 变为 调整为 调到 搬到 迁到 推迟到 提前到 延长到 延至 升到 涨到 降到 更名为"
    " 改用",
}
_CHINESE_VERBS = {verb: name for name, verbs in _CHINESE_CLASSES.items() for verb in verbs.split()}
_CHINESE_FORMS = "|".join(sorted(map(re.escape, _CHINESE_VERBS), key=len, reverse=True))
_CHINESE = rf"^(.{{1,{MAX_SUBJECT}}}?)(?:已经|已|现在|目前|都|就|仍然|仍|还|被|将)*({_CHINESE_FORMS})\s*(.+)$"
_CHINESE_DROPPED = (
    r"^(?:更正|注意|备注|通知|提醒|更新)[：:，,]?|从今天起|从现在起|从[^，,]{1,12}(?:起|开始)[，,]?|我们团队的?|我们公司的?|我们|咱们|现在|目前|当前|如今|其实|实际上|的|了"
    r"|已经|，|,|\s|「|」|“|”"
)
_CHINESE_FLAGS = {
    "hedged": (r"可能|也许|大概|好像|似乎|听说|据说|应该是|我觉得|我想|我猜|估计|不确定|有人说|传闻|不太清楚|记得"),
    "plan": (
        r"将|打算|计划|准备|想要|希望|建议|提议|应该|如果|要是|假如|下周|下个?月|明年|明天|草案|草稿|考虑|会不会|预计|目标|被否|拒绝|撤回|例如|比如|可以用|要不"
    ),
    "past": (r"以前|曾经?|过去|之前|原来|原先|当时|去年|上个?月|上周|旧的?|前任|本来|曾任"),
    "negated": (r"不是|没有|没|不再|并非|不用|不在|别|未|无"),
    "measured": (r"今天|今早|今晚|昨天|测得|测量|读数|本次|体温|体重|气温|血压"),
    "vague": (r"另一|其他|别的|有些|某个|某些|有的|这|那|它|他|她"),
}

_JAPANESE = (
    rf"^(.{{1,{MAX_SUBJECT}}}?)は、?(?:現在|今は|今|いま)?、?(.+?)(?:(です|だ|である|となっています|になっています|でございます)"
    r"|(にあります|に位置しています|で行われます|で開催されます|で行います)|(を使っています|を使用しています|を使う|を利用しています|を使います)"
    r"|(で動いています|で稼働しています|で動く)|(に住んでいます|に住んでいる)|(で働いています|に勤めています|に勤務しています)"
    r"|(かかります|かかる)|(から始まります|に始まります|から始まる|に始まる|開始です)|(が担当しています|が担当です|が担当)"
    r"|(と呼ばれています|といいます)|(に閉まります|に終わります|に終わる)"
    r"|(に変わりました|に変更されました|に変更になりました|になりました|に移りました|に移転しました|に延期されました|に変更しました|に切り替えました|に引っ越しました|へ移りました|に上がりました"
    r"|に下がりました))?。?$"
)
_JAPANESE_CLASSES = ("", "place", "use", "run", "live", "work", "last", "start", "lead", "name", "end", CHANGE)
_JAPANESE_DROPPED = (
    r"^(?:訂正|注意|お知らせ|更新|メモ)[：:、]?|私たち|我々|弊社|当社|うち|現在|今|いま|の|、|\s|「|」|実は|実際"
)
_JAPANESE_FLAGS = {
    "hedged": (
        r"たぶん|多分|おそらく|かもしれ|らしい|ようです|だそう|そうです|と思い|と思う|はず|でしょう|だろう|聞きました|聞いた|とのこと|気がし|確かでは|噂"
    ),
    "plan": (
        r"予定|つもり|計画|たい(?:です)?[。]?$|べき|しよう|ほしい|提案|来週|来月|来年|明日|もし|なら|たら|検討|案です|草案|例えば|目標|見込み"
    ),
    "past": (r"以前|かつて|昔|前は|当時|元々|もともと|去年|先月|先週|だった|でした|ていました|旧|前の|前任"),
    "negated": (r"ではな|じゃな|ません|ない|なくな"),
    "measured": (r"今日|本日|今朝|昨日|測定|計測|体温|体重|気温|血圧"),
    "vague": (r"他の|別の|ある人|いくつか|^それ|^これ|^あれ|^彼|^この|^その|^あの|誰か"),
}
_LATIN_NAME = r"^[A-Za-z][\w.+#/-]*(?:\s[\w.+#/-]+){0,3}"
_LISTED = r"[、和与及]|と(?=.)|以及|或|や(?=.)"
_NOT_A_VALUE = (
    r"^(?:一[个种位家]|很|不|非常|一番|とても|最|为了|因为)|的$|了$|吗|か$|よう|こと$|もの$|ため$"
    r"|ところ$|好|良い|いい|重要|必要|大切|[くにでを]$"
)
_QUOTATION = r"[说道写][：:，]?[“「\"]|^[“「\"]|」と(?:言|書|述)|^\s*>"
_FROM = r"^(?:从|由)?(.{1,16}?)(?:から|到|→)"


def is_han(text: str) -> bool:
    """Whether a text is Chinese or Japanese."""
    return compiled(_HAN).search(text) is not None


def read_sentences(text: str) -> Iterator[Statement]:
    """What the sentences of a text state."""
    is_japanese = compiled(_KANA).search(text) is not None
    for sentence in compiled(_SENTENCE).split(text):
        if sentence and sentence.strip():
            found = _read(sentence.strip(), is_japanese=is_japanese)
            if found:
                yield found


def _read(sentence: str, *, is_japanese: bool) -> Statement | None:
    """What a sentence states. The statement of a guess leaves out the words of doubt."""
    flags = _JAPANESE_FLAGS if is_japanese else _CHINESE_FLAGS
    read = _japanese if is_japanese else _chinese
    if not compiled(flags["hedged"]).search(sentence):
        return read(sentence)
    plain = (
        compiled(_JAPANESE_DOUBT).sub("です", compiled(_HEARSAY).sub("", sentence))
        if is_japanese
        else compiled(_CHINESE_DOUBT).sub("", sentence)
    )
    found = read(plain)
    return found.replace(text=sentence, hedged=True) if found else None


_HEARSAY = r"(?:うわさ|噂|話|記事|人)(?:では|によると|によれば)、?|たぶん、?|多分、?|おそらく、?"
_JAPANESE_DOUBT = (
    r"(?:です|だ)?(?:かもしれません|かもしれない|でしょう|だろう|らしいです|らしい|のようです|ようです|だそうです|そうです|はずです"
    r"|と思います|と思う|と聞きました|と聞いた|とのことです|という噂です)"
)
_CHINESE_DOUBT = r"(?:我)?(?:听说|据说|传闻|有人说|我觉得|我想|我猜|估计|好像|似乎|可能|也许|大概|应该|记得)[，,：:]?"


def _chinese(sentence: str) -> Statement | None:
    start = _clause(sentence)
    found = compiled(_CHINESE).match(start)
    if found is None:
        return None
    attribute = _CHINESE_VERBS[found[2]]
    value = found[3]
    if attribute == "lead":
        by = re.match(r"(.{1,12}?)(?:负责|管理|领导)", value)
        if by is None:
            return None
        value = by[1]
    return _statement(sentence, found[1], attribute, value, dropped=_CHINESE_DROPPED, flags=_CHINESE_FLAGS)


def _japanese(sentence: str) -> Statement | None:
    found = compiled(_JAPANESE).match(sentence)
    if found is None:
        return None
    groups = found.groups()[2:]
    attribute = next((name for name, group in zip(_JAPANESE_CLASSES, groups, strict=True) if group), None)
    value = found[2]
    if attribute is None:
        if not any(True for _ in typed_values(value, is_han=True)):
            return None
        attribute = ""
    before = re.match(r"^(.{1,16}?)から(.+)$", value) if attribute == CHANGE else None
    statement = _statement(
        sentence,
        found[1],
        attribute,
        before[2] if before else value,
        dropped=_JAPANESE_DROPPED,
        flags=_JAPANESE_FLAGS,
    )
    return statement.replace(old_value=before[1]) if statement and before else statement


def _clause(sentence: str) -> str:
    """The sentence without its end, and without a reason after a comma."""
    whole = sentence.rstrip("。！!？? ")
    first, comma, _ = whole.partition("，")
    if not comma:
        return whole
    return whole if re.search(r"^(?:更正|注意|备注|通知|提醒|从|自)|[起始]$", first) else first


def _statement(
    sentence: str,
    subject: str,
    attribute: str,
    value: str,
    *,
    dropped: str,
    flags: dict[str, str],
) -> Statement | None:
    name = compiled(dropped).sub("", subject).strip("：:は ")
    values = _values(value)
    if not name or values is None:
        return None
    found = {
        flag: bool(compiled(pattern).search(subject if flag == "vague" else sentence))
        for flag, pattern in flags.items()
    }
    is_first = any(word in subject for word in ("我的", "我", "私の", "僕")) and "我们" not in subject
    kind = "" if attribute in ("", CHANGE) else attribute
    statement = Statement(
        text=sentence,
        about=frozenset((name, kind)) if kind else frozenset((name,)),
        attribute=kind,
        value=value,
        kind=values[0].kind,
        values=values,
        speaker="i" if is_first else "",
        changes=attribute == CHANGE,
        question=sentence.rstrip().endswith(("?", "？", "吗", "か。", "か", "呢")),
        quotation=bool(compiled(_QUOTATION).search(sentence)),
        listed=bool(compiled(_LISTED).search(value)) and values[0].kind == NAME,
    )
    return statement.replace(**found)


def _values(written: str) -> tuple[Value, ...] | None:
    """The typed values of what follows the verb; a short name if it has no values."""
    written = written.strip(" 。「」“”'\"`")
    typed = [*typed_values(written, is_han=True)]
    latin = compiled(_LATIN_NAME).match(written)
    if latin and (not typed or typed[0].start > 0 or typed[0].kind == NAME):
        return (Value(kind=NAME, form=latin[0].lower().strip()),)
    if typed:
        kinds: dict[str, Value] = {}
        for value in typed:
            kinds.setdefault(value.kind, value)
        number = kinds.get(NUMBER)
        return (number,) if number and typed[0].kind == NUMBER else tuple(kinds.values())
    if len(written) > MAX_VALUE // 2 or compiled(_NOT_A_VALUE).search(written):
        return None
    return (Value(kind=NAME, form=written),)
