"""Values in sentences: times of day, weekdays, dates, numbers with their unit, names, code.

Pure. A value is compared in a normal form, so that "3 pm" equals "15:00" and "60 minutes" equals "1 hour".
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.statements.words import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TIME, WEEKDAY, DATE, NUMBER, NAME = "time", "weekday", "date", "number", "name"
STATE = "state"  # "is armed": compared with its negation only

_WEEKDAYS = {
    word: day
    for day, words in enumerate(
        (
            "monday mondays montag montags lundi lundis lunes 周一 星期一 礼拜一 月曜",
            "tuesday tuesdays tue dienstag dienstags mardi mardis martes 周二 星期二 礼拜二 火曜",
            "wednesday wednesdays mittwoch mittwochs mercredi mercredis miércoles 周三 星期三 礼拜三 水曜",
            "thursday thursdays thu donnerstag donnerstags jeudi jeudis jueves 周四 星期四 礼拜四 木曜",
            "friday fridays fri freitag freitags vendredi vendredis viernes 周五 星期五 礼拜五 金曜",
            "saturday saturdays samstag samstags sonnabend samedi samedis sábado sábados 周六 星期六 礼拜六 土曜",
            "sunday sundays sonntag sonntags dimanche dimanches domingo domingos 周日 星期日 星期天 礼拜天 日曜",
        )
    )
    for word in words.split()
}
_MONTHS = {
    word: month
    for month, words in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février febrero",
            "march mar märz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août agosto",
            "september sept sep septembre septiembre",
            "october oct oktober octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember décembre diciembre",
        ),
        start=1,
    )
    for word in words.split()
}
_NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        (
            "two zwei deux dos 两 二",
            "three drei trois tres 三",
            "four vier quatre cuatro 四",
            "five fünf cinq cinco 五",
            "six sechs seis 六",
            "seven sieben sept siete 七",
            "eight acht huit ocho 八",
            "nine neun neuf nueve 九",
            "ten zehn dix diez 十",
            "eleven elf onze once",
            "twelve zwölf douze doce",
        ),
        start=2,
    )
    for word in words.split()
}
# Units of time in seconds, of data in bytes: values in different units are compared.
_SCALES = {
    unit: (dimension, scale)
    for dimension, units in {
        "seconds": (
            ("ms millisecond milliseconds millisekunden millisecondes milisegundos 毫秒 ミリ秒", 0.001),
            ("s sec second seconds sekunde sekunden seconde secondes segundo segundos 秒", 1),
            ("min mins minute minutes minuten minuto minutos 分钟 分 分間", 60),
            ("h hour hours hr hrs stunde stunden heure heures hora horas 小时 時間", 3600),
            ("d day days tag tage tagen jour jours día días dia dias 天 日 日間", 86400),
            ("week weeks woche wochen semaine semaines semana semanas 周 週間", 604800),
            ("month months monat monate monaten mois mes meses 个月 か月 ヶ月", 2629746),
            ("year years jahr jahre jahren an ans année années año años 年 年間", 31556952),
        ),
        "bytes": (("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12), ("kib", 1024), ("mib", 2**20), ("gib", 2**30)),
        "dollars": (("$ dollar dollars usd 美元 ドル", 1),),
        "euros": (("€ euro euros eur 欧元 ユーロ", 1),),
        "pounds": (("£ gbp", 1),),
        "yuan": (("元 块 人民币 yuan", 1),),
        "yen": (("¥ 円 日元 yen", 1),),
        "francs": (("chf franken", 1),),
        "percent": (("% percent prozent", 1),),
    }.items()
    for names, scale in units
    for unit in names.split()
}
# Words after a number that are not its unit.
_NO_UNITS = frozenset(
    """
    on in at to for and or of is was are were per by from with the as until since now not but instead if when than
    um am im auf für und oder ist war pro von mit ab bis seit statt nicht jetzt
    à en le la les et ou est pour par au de du depuis pas dans
    a y o es por para el desde no ahora del al
    """.split()  # noqa: SIM905 - words read better
)

_EUROPEAN_DAYS = "|".join(sorted((word for word in _WEEKDAYS if word[0] < "一"), key=len, reverse=True))
_MONTH_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBERS = "|".join(sorted((word for word in _NUMBER_WORDS if word[0] < "一"), key=len, reverse=True))
# In the order in which they are looked for: a date is not a number.
_TYPED = rf"""(?ix)
    (?P<iso>\b\d{{4}}-\d\d-\d\d\b)
  | (?P<numeric>\b\d{{1,2}}\.\s?\d{{1,2}}\.(?:\d{{4}}\b|(?=\s\w)))
  | (?P<day_month>\b\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+)?(?:{_MONTH_NAMES})\b)
  | (?P<month_day>\b(?:{_MONTH_NAMES})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!:))
  | (?P<han_date>\d{{1,2}}月\d{{1,2}}[日号])
  | (?P<clock>\b\d{{1,2}}[:h.]\d\d(?!\d|\.\d)\s*(?:[ap]\.?m\b\.?|uhr\b)?
      |\b\d{{1,2}}\s*(?:[ap]\.?m\b\.?|uhr\b(?:\s\d\d\b)?|h\b|o'clock\b|heures\b(?=\W*$)))
  | (?P<han_clock>(?:上午|下午|晚上|早上|中午|午前|午後|夜|朝)?\s*
      (?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})[点時时](?!間)(?:半|\d{{1,2}}分|钟)?)
  | (?P<han_day>周[一二三四五六日]|星期[一二三四五六日天]|礼拜[一二三四五六天]|[月火水木金土日]曜日?)
  | (?P<weekday>\b(?:{_EUROPEAN_DAYS})\b)
  | (?P<code>(?<![\w.])(?:[a-z][\w.+-]*[\d@/_:][\w./:@+-]*\w|https?://\S+|\d+(?:\.\d+){{2,}}|v\d+(?:\.\d+)*|/[\w./-]+\w)(?!\w))
  | (?P<money>[$€£¥]\s?\d[\d.,]*\d?\s?[km]?\b)
  | (?P<number>(?<![\w.-])-?(?:\d[\d.,' ]*\d|\d)(?:\s?(?P<scale>k|m|million|millionen|millions|millones|万|億|亿)\b)?)
  | (?P<number_word>\b(?:{_NUMBERS})\b(?=\s+\w))
    """
_UNIT = r"(?i)\s?(?:(%|€|\$|£|°\s?[CF]?)|-?([^\W\d_]+)|([分秒元块年天周円]|小时|時間|毫秒|个月|か月|週間))"
_HAN_UNIT = (
    r"\s?(小时|分钟|毫秒|秒|美元|欧元|元|块|天|周|个月|年|時間|分|円|日|週間|か月|ヶ月|ドル|ユーロ"
    r"|[个個名人台件次回]|%)"
)
_DIGITS = r"\d+"
_HAN_NUMBERS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
HALF_DAY, DAY = 12, 24


# What is in each text in which `_TYPED` finds something.
_MAY_HOLD = r"[\d@_]|\w/|/\w"
_WORDS_OF_VALUES = frozenset(
    word + end for word in (*_WEEKDAYS, *_NUMBER_WORDS) for end in ("", ".", ",", "!", "?", ";", ":", ")")
)


class Value(Record):
    """One typed value and its place in the sentence."""

    kind: str
    form: str  # normal form: equal values have equal forms
    number: float | None = None
    unit: str = ""  # "seconds", "euros", or the stem of the word that follows
    start: int = 0
    end: int = 0


def may_hold_values(text: str) -> bool:
    """Whether a text in a European language may hold a typed value."""
    return bool(compiled(_MAY_HOLD).search(text)) or not _WORDS_OF_VALUES.isdisjoint(text.lower().split())


def typed_values(text: str, *, is_han: bool = False) -> Iterator[Value]:
    """Times, weekdays, dates, numbers and code in a text, in their order."""
    if not is_han and not may_hold_values(text):
        return
    end = 0
    for found in compiled(_TYPED).finditer(text):
        if found.start() < end:
            continue
        value = _value(found, text, is_han=is_han)
        if value is not None:
            end = value.end
            yield value


def _value(found: re.Match[str], text: str, *, is_han: bool) -> Value | None:
    kind, written = found.lastgroup or "", found[0]
    if kind == "scale":
        kind = "number"
    start, end = found.span()
    if kind in ("iso", "numeric", "day_month", "month_day", "han_date"):
        return Value(kind=DATE, form=_date(kind, written), start=start, end=end)
    if kind in ("clock", "han_clock"):
        return Value(kind=TIME, form=_time(written), start=start, end=end)
    if kind in ("han_day", "weekday"):
        day = written.lower().removesuffix("日") if written[:1] in "月火水木金土日" else written.lower()
        return Value(kind=WEEKDAY, form=str(_WEEKDAYS.get(day, day)), start=start, end=end)
    if kind == "code":
        return Value(kind=NAME, form=written.lower(), start=start, end=end)
    return _number(found, text, is_han=is_han)


def _number(found: re.Match[str], text: str, *, is_han: bool) -> Value | None:
    """A number with its unit. "1.500" is 1500 only where three digits follow and nothing else does."""
    written = found[0].lower()
    if found["money"]:
        unit, scale = _SCALES[written[0]]
        digits, end = written[1:].strip(), found.end()
    else:
        digits, unit, scale, end = written, "", 1.0, found.end()
        follows = compiled(_HAN_UNIT if is_han else _UNIT).match(text, found.end())
        if follows:
            name = next(group for group in follows.groups() if group).lower()
            if name not in _NO_UNITS:
                unit, scale = _SCALES.get(name, (unit_stem(name), 1.0))
                end = follows.end()
    number = float(_NUMBER_WORDS[digits]) if digits in _NUMBER_WORDS else _as_number(digits)
    return (
        None
        if number is None
        else Value(
            kind=NUMBER,
            form=f"{round(number * scale, 6):g}",
            number=round(number * scale, 6),
            unit=unit,
            start=found.start(),
            end=end,
        )
    )


def unit_stem(word: str) -> str:
    """The word without a plural ending."""
    return word.removesuffix("s") if len(word) > len("gas") else word


def _as_number(digits: str) -> float | None:
    multiplier = 1.0
    for ending, factor in (
        ("k", 1e3),
        ("million", 1e6),
        ("millionen", 1e6),
        ("millions", 1e6),
        ("m", 1e6),
        ("万", 1e4),
        ("亿", 1e8),
        ("億", 1e8),
    ):
        if digits.endswith(ending):
            digits, multiplier = digits.removesuffix(ending).strip(), factor
            break
    plain = re.sub(r"[' ](?=\d{3}\b)", "", digits)
    plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", plain).replace(",", ".")
    try:
        return float(plain) * multiplier
    except ValueError:
        return None


def _date(kind: str, written: str) -> str:
    """Month and day, which are named more often than the year."""
    numbers = [int(number) for number in compiled(_DIGITS).findall(written)]
    if kind in ("iso",):
        return f"{numbers[1]}-{numbers[2]}"
    if kind == "numeric":
        return f"{numbers[1]}-{numbers[0]}"
    if kind == "han_date":
        return f"{numbers[0]}-{numbers[1]}"
    month = next(number for word in re.findall(r"[^\W\d_]+", written.lower()) if (number := _MONTHS.get(word)))
    return f"{month}-{numbers[0]}"


def _time(written: str) -> str:
    """Minutes since midnight. A time without "am" or "pm" is taken as written."""
    lower = written.lower()
    numbers = [int(number) for number in compiled(_DIGITS).findall(lower)]
    if not numbers:
        numbers = [_han_number("".join(sign for sign in lower if sign in _HAN_NUMBERS))]
    hours, minutes = numbers[0], numbers[1] if len(numbers) > 1 else 30 * ("半" in lower)
    is_afternoon = bool(re.search(r"p\.?m", lower)) or any(word in lower for word in ("下午", "晚上", "午後", "夜"))
    is_morning = bool(re.search(r"a\.?m", lower))
    if is_afternoon and hours < HALF_DAY:
        hours += HALF_DAY
    if is_morning and hours == HALF_DAY:
        hours = 0
    return str(hours % DAY * 60 + minutes)


def _han_number(written: str) -> int:
    """A number up to 99: "十二" is 12."""
    tens, ten, ones = written.rpartition("十")
    if ten:
        return _HAN_NUMBERS.get(tens, 1) * 10 + _HAN_NUMBERS.get(ones, 0)
    return _HAN_NUMBERS.get(written, 0)
