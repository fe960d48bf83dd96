"""Rewrite the dates of a question in German, French, Spanish, Chinese or Japanese into English, which
`pipeline.dates` reads: "avant juillet 2024" becomes "before July 2024".

Pure. Only for questions: what a text is dated is not read with it. It must not change a question without such a date.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MONTHS = {
    word: name
    for name, words in {
        "January": "januar janvier enero",
        "February": "februar février fevrier febrero",
        "March": "märz maerz mars marzo",
        "April": "avril abril",
        "May": "mai mayo",
        "June": "juni juin junio",
        "July": "juli juillet julio",
        "August": "août aout agosto",
        "September": "septembre septiembre",
        "October": "oktober octobre octubre",
        "November": "novembre noviembre",
        "December": "dezember décembre decembre diciembre",
    }.items()
    for word in words.split()
}
_ENGLISH_MONTHS = "|".join((*dict.fromkeys(_MONTHS.values()),))
_DAYS = {
    word: name
    for name, words in {
        "Monday": "montag lundi lunes",
        "Tuesday": "dienstag mardi martes",
        "Wednesday": "mittwoch mercredi miércoles",
        "Thursday": "donnerstag jeudi jueves",
        "Friday": "freitag vendredi viernes",
        "Saturday": "samstag samedi sábado",
        "Sunday": "sonntag dimanche domingo",
    }.items()
    for word in words.split()
}
_UNITS = {
    word: name
    for name, words in {
        "days": "tag tage tagen jour jours día días",
        "weeks": "woche wochen semaine semaines semana semanas",
        "months": "monat monate monaten mois mes meses",
        "years": "jahr jahre jahren an ans année années año años",
    }.items()
    for word in words.split()
}
_COUNTS = {
    word: str(number)
    for number, words in enumerate(
        (
            "einem einer ein eine un une una uno",
            "zwei deux dos",
            "drei trois tres",
            "vier quatre cuatro",
            "fünf cinq cinco",
            "sechs six seis",
        ),
        start=1,
    )
    for word in words.split()
}
# Words for a time of their own, the longer ones first.
_RELATIVE = {
    "day before yesterday": r"vorgestern|avant-hier|anteayer|antes de ayer|前天|一昨日|おととい",
    "yesterday": r"gestern|hier(?! (?:ist|sind|wird|steht|liegt|haben|hat|im|in|bei|war))|ayer|昨天|昨日|きのう",
    "today": r"heute|aujourd'hui|今天|今日",
    "last week": r"(?:letzte|vergangene|vorige)[rn]? woche|(?:la )?semaine (?:dernière|passée)|(?:la )?semana pasada"
    r"|上周|上个星期|上星期|先週",
    "last month": r"(?:letzten|vergangenen|vorigen) monat|(?:le )?mois (?:dernier|passé)|(?:el )?mes pasado"
    r"|上个月|上月|先月",
    "last year": r"(?:letztes|vergangenes|voriges) jahr|l'an(?:née)? derni(?:er|ère)|(?:el )?año pasado|去年|昨年",
    "this week": r"diese[rn]? woche|cette semaine|esta semana|这周|本周|今週",
    "this month": r"diesen monat|ce mois-ci|este mes|这个月|本月|今月",
    "this year": r"dieses jahr|cette année|este año|今年",
}
_SENSES = {
    "as of": r"stand(?: vom)?|zum stand(?: vom)?|à la date du|en date du|a fecha de|a día de|per",
    "before": r"vor|avant|antes del?",
    "after": r"nach|après|despu[eé]s del?",
    "since": r"seit|ab|depuis|à partir d[eu]|desde",
    "until": r"bis(?: zum)?|jusqu'(?:en|au|à)|hasta",
    "in": r"im|in|am|en|au|le|el",
}
_HAN_SENSES = {
    "before": r"之前|以前|より前|前",
    "after": r"之后|以后|之後|以後|より後|后|後",
    "since": r"以来|以降|から|起",
    "until": r"まで|为止",
    "as of": r"時点|のとき|时的|的时候|时",
}
# One of these is in each question that is rewritten. Words, because compiling the rules takes longer than most answers.
_CUES = frozenset((*_MONTHS, *_DAYS, *_UNITS)) | frozenset(
    """
    vor nach seit bis ab am im zwischen gestern vorgestern heute stand
    avant après depuis hier avant-hier aujourd'hui il jusqu'en jusqu'au jusqu'à entre en
    antes despues después desde hasta hace ayer anteayer hoy fecha
    """.split()  # noqa: SIM905 - words read better
)
_HAN_CUES = frozenset("年月日天周週")
_A_DATE = rf"(?=(?:the )?(?:\d|{_ENGLISH_MONTHS}\b))"
_THE = r"(?:\s+(?:dem|den|der|das|le|la|el|l'))?\s+"


def _words(table: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, table), key=len, reverse=True))


def _han_date(found: re.Match[str]) -> str:
    """ "2024年5月3日之前" as "before 2024-05-03", "2024年5月" as "May 2024"."""
    year, month, day, sense = found["year"], found["month"], found["day"], found["sense"]
    word = next((name for name, forms in _HAN_SENSES.items() if sense and re.fullmatch(forms, sense)), "")
    if month and day:
        date = f"{year}-{int(month):02}-{int(day):02}"
    elif month:
        date = f"{_ENGLISH_MONTHS.split('|')[(int(month) - 1) % 12]} {year}"
    else:
        date = year
    return f" {word or ('as of' if found['until'] else 'in')} {date} "


def _month(found: re.Match[str]) -> str:
    """The month in English, if it is part of a date: "mars" alone may be a planet."""
    before = found.string[: found.start()].lower().split()[-2:]
    is_dated = found[1] or re.match(r"\s*\d", found.string[found.end() :]) or not _BEFORE_MONTHS.isdisjoint(before)
    return " ".join(filter(None, (found[1], _MONTHS[found[2].lower()]))) if is_dated else found[0]


_BEFORE_MONTHS = frozenset(
    """
    vor nach seit ab bis im zwischen und avant après depuis jusqu'en en entre et antes después despues desde hasta y
    """.split()  # noqa: SIM905 - words read better
)
_Rule = tuple[str, "str | Callable[[re.Match[str]], str]"]


@cache
def _rules() -> tuple[_Rule, ...]:
    """Patterns and what replaces them, in their order. Built when a question needs them."""
    return (
        (
            r"(?P<until>截至|截止)?(?P<year>(?:19|20)\d\d)年(?:(?P<month>\d{1,2})月)?(?:(?P<day>\d{1,2})[日号號])?(?:份)?"
            rf"(?P<sense>{'|'.join(_HAN_SENSES.values())})?",
            _han_date,
        ),
        *((rf"(?<![^\W一-鿿぀-ヿ])(?:{forms})(?![a-zà-ÿ-])", f" {name} ") for name, forms in _RELATIVE.items()),
        (
            rf"\b(?:vor|il y a|hace)\s+(\d+|{_words(_COUNTS)})\s+({_words(_UNITS)})\b",
            lambda found: f"{_COUNTS.get(found[1].lower(), found[1])} {_UNITS[found[2].lower()]} ago",
        ),
        (rf"\bletzten ({_words(_DAYS)})\b", lambda found: f"last {_DAYS[found[1].lower()]}"),
        (rf"\b({_words(_DAYS)}) (?:dernier|pasado)\b", lambda found: f"last {_DAYS[found[1].lower()]}"),
        (rf"\b(?:(\d{{1,2}})(?:\.|er|º)?\s+(?:de\s+)?)?({_words(_MONTHS)})\b(?:\s+(?:de|del)(?=\s+\d))?", _month),
        *((rf"\b(?:{forms}){_THE}{_A_DATE}", f"{name} ") for name, forms in _SENSES.items()),
        (rf"\b(?:zwischen|entre){_THE}{_A_DATE}", "between "),
        (rf"(?<=\w)\s+(?:und|et|y){_THE}{_A_DATE}", " and "),
    )


def translate_dates(question: str) -> str:
    """The question with its dates in English. Never raises."""
    if _CUES.isdisjoint(question.lower().replace("?", " ").split()) and _HAN_CUES.isdisjoint(question):
        return question
    for pattern, replacement in _rules():
        question = re.sub(pattern, replacement, question, flags=re.IGNORECASE)
    return question
