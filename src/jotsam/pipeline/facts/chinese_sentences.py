"""Facts of a few unambiguous Chinese sentence patterns: 我们使用PostgreSQL, 我住在柏林."""

from __future__ import annotations

from collections.abc import Iterator

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Fact
from jotsam.pipeline.facts.annotated_text import AnnotatedText

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金"
    "石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤"
)
# Common words that begin with a surname.
_WORDS = (
    "任务|任何|程序|程度|方法|方案|方式|方面|高级|高度|金额|马上|许多|顾客|余额|何时|曾经|白色|万一|段落"
    "|石头|严格|史上|黄色"
)
# A person: a full name, or a surname with a familiar prefix. Common nouns such as "系统" do not match.
_NAME = rf"(?<![\u4e00-\u9fff])(?!{_WORDS})(?:[小老阿][{_SURNAMES}]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
_SENTENCES = (
    (
        lazy_pattern(
            r"(我们|我|[\u4e00-\u9fff]{2,4}|[A-Za-z][\w.+-]*)\s*(?:决定|決定)(?:要)?([^，。；！？,;\n]{2,40})"
        ),
        "decided",
    ),
    (lazy_pattern(rf"(我们|我|{_NAME}|[A-Za-z][\w.+-]*)\s*(?:使用|采用了?)\s*([A-Za-z][\w.+#-]*)"), "uses"),
    (lazy_pattern(r"([A-Za-z][\w.+-]*)\s*(?:依赖于?)\s*([A-Za-z][\w.+#-]*)"), "depends_on"),
    (lazy_pattern(rf"(我们|我|{_NAME})(?:更)?(?:喜欢|偏好)([^，。；！？,;\n]{{1,20}})"), "prefers"),
    (lazy_pattern(rf"(我|{_NAME})(?:现在)?住在([\u4e00-\u9fff]{{2,8}})"), "lives_in"),
)
_HAN = lazy_pattern(r"[\u4e00-\u9fff]")
_MODAL = lazy_pattern(r"[不没沒别如果吗？]")


def chinese_facts(annotated: AnnotatedText) -> Iterator[Fact]:
    """The facts of the Chinese sentences of a text."""
    if annotated.text.isascii() or _HAN.search(annotated.text) is None:
        return
    for pattern, predicate in _SENTENCES:
        for match in pattern.finditer(annotated.text):
            if _MODAL.search(annotated.text[max(0, match.start() - 4) : match.end() + 1]):
                continue
            subject = annotated.actor if annotated.actor and match[1] == "我" else match[1]
            yield Fact(subject=subject, predicate=predicate, object=match[2].strip(), confidence=0.6)
