"""Finding and resolving date expressions."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.dates import parse_dates
from jotsam.pipeline.dates.calendar import DAY_MS, utc_day
from jotsam.pipeline.dates.parse_dates import find_dates
from jotsam.pipeline.dates.periods import Period, may_name_dates
from jotsam.pipeline.dates.rule import Rule, words_of

WEDNESDAY = int(datetime(2026, 3, 18, 15, 30, tzinfo=UTC).timestamp() * 1000)


def day(ms: int) -> str:
    return str(date(1970, 1, 1) + timedelta(ms // DAY_MS))


def written(period: Period) -> str:
    """2026-03-01 for one day, 2026-03-01/2026-03-31 for more."""
    first, last = day(period.first), day(period.until - DAY_MS)
    return first if first == last else f"{first}/{last}"


EXPRESSIONS = [
    ("on 2026-03-01", "2026-03-01"),
    ("since 2026-02", "2026-02-01/2026-02-28"),
    ("2024/2/29 was fine", "2024-02-29"),
    ("on 17/03/2026 or so", "2026-03-17"),
    ("on 3/17/2026 or so", "2026-03-17"),
    ("am 17.03.2026", "2026-03-17"),
    ("May 7, 2023", "2023-05-07"),
    ("7 May 2023", "2023-05-07"),
    ("the 7th of May", "2026-05-07"),
    ("Sept. 9", "2026-09-09"),
    ("in March", "2026-03-01/2026-03-31"),
    ("since early March 2025", "2025-03-01/2025-03-31"),
    ("last March", "2025-03-01/2025-03-31"),
    ("next February", "2027-02-01/2027-02-28"),
    ("May 3-7, 2026", "2026-05-03/2026-05-07"),
    ("from March 1 to March 5", "2026-03-01/2026-03-05"),
    ("between March and May 2026", "2026-03-01/2026-05-31"),
    ("today", "2026-03-18"),
    ("It was last night.", "2026-03-17"),
    ("yesterday's talk", "2026-03-17"),
    ("the day before yesterday", "2026-03-16"),
    ("tomorrow", "2026-03-19"),
    ("last Tuesday", "2026-03-17"),
    ("on Wednesday", "2026-03-11"),
    ("this past Friday", "2026-03-13"),
    ("next Friday", "2026-03-20"),
    ("this Sunday", "2026-03-22"),
    ("Fri was good", "2026-03-13"),
    ("last week", "2026-03-09/2026-03-15"),
    ("this week", "2026-03-16/2026-03-22"),
    ("next weekend", "2026-03-28/2026-03-29"),
    ("over the weekend", "2026-03-14/2026-03-15"),
    ("by Friday", "2026-03-20"),
    ("until Friday we are closed", "2026-03-20"),
    ("She stayed until Friday.", "2026-03-13"),
    ("We finished it by Friday.", "2026-03-13"),
    ("We will ship it on Friday.", "2026-03-20"),
    ("I'll call her Monday", "2026-03-23"),
    ("They won. It will rain. On Friday we ate.", "2026-03-13"),
    ("last Friday the 13th", "2026-03-13"),
    ("on Friday the 13th", "2026-03-13"),
    ("next Friday the 13th", "2026-11-13"),
    ("from 3 to 5 March 2025", "2025-03-03/2025-03-05"),
    ("between the 3rd and 5th of March 2025", "2025-03-03/2025-03-05"),
    ("3-5 March 2025", "2025-03-03/2025-03-05"),
    ("May 3 to 7, 2026", "2026-05-03/2026-05-07"),
    ("1.5 years ago", "2024-09-01/2024-09-30"),
    ("half a year ago", "2025-09-01/2025-09-30"),
    ("two and a half years ago", "2023-09-01/2023-09-30"),
    ("a year and a half ago", "2024-09-01/2024-09-30"),
    ("2.5 weeks ago", "2026-02-23/2026-03-01"),
    ("in half a year", "2026-09-01/2026-09-30"),
    ("two weeks ago", "2026-03-02/2026-03-08"),
    ("a couple of days ago", "2026-03-16"),
    ("3 months ago", "2025-12-01/2025-12-31"),
    ("in ten days", "2026-03-28"),
    ("two years from now", "2028-01-01/2028-12-31"),
    ("the last 7 days", "2026-03-11/2026-03-18"),
    ("the past few years", "2023-03-19/2026-03-18"),
    ("for three years now", "2023-01-01/2023-12-31"),
    ("on the 15th", "2026-03-15"),
    ("on the 21st", "2026-02-21"),
    ("last month", "2026-02-01/2026-02-28"),
    ("last summer", "2025-06-01/2025-08-31"),
    ("this winter", "2026-12-01/2027-02-28"),
    ("in summer 2024", "2024-06-01/2024-08-31"),
    ("Q2", "2026-04-01/2026-06-30"),
    ("Q4 2025", "2025-10-01/2025-12-31"),
    ("last quarter", "2025-10-01/2025-12-31"),
    ("last year", "2025-01-01/2025-12-31"),
    ("in 2022", "2022-01-01/2022-12-31"),
    ("In 2024 the shop moved.", "2024-01-01/2024-12-31"),
    ("In 2024 Ana moved.", "2024-01-01/2024-12-31"),
    ("what did we decide in 2023 about the port?", "2023-01-01/2023-12-31"),
    ("by the end of 2022", "2022-10-01/2022-12-31"),
    ("at the beginning of the year 2022", "2022-01-01/2022-03-31"),
    ("in early 2025", "2025-01-01/2025-04-30"),
    ("mid-2024", "2024-05-01/2024-08-31"),
    ("the second half of 2024", "2024-07-01/2024-12-31"),
    ("from 2019 to 2021", "2019-01-01/2021-12-31"),
    ("between 2019 and 2021 we met", "2019-01-01/2021-12-31"),
    ("in the 1990s", "1990-01-01/1999-12-31"),
    ("the late 1980s", "1987-01-01/1989-12-31"),
    ("since the '80s", "1980-01-01/1989-12-31"),
    ("in 1815 the battle", "1815-01-01/1815-12-31"),
    ("in the year 2048", "2048-01-01/2048-12-31"),
    ("last Christmas", "2025-12-25"),
    ("New Year’s Eve 2024", "2024-12-31"),
    ("昨天我们决定了", "2026-03-17"),
    ("大前天", "2026-03-15"),
    ("上周", "2026-03-09/2026-03-15"),
    ("上上周", "2026-03-02/2026-03-08"),
    ("上周五", "2026-03-13"),
    ("下个星期三", "2026-03-25"),
    ("这周末", "2026-03-21/2026-03-22"),
    ("三月", "2026-03-01/2026-03-31"),
    ("去年十二月", "2025-12-01/2025-12-31"),
    ("2026年3月5日", "2026-03-05"),
    ("十二月二十五日", "2026-12-25"),
    ("上个月", "2026-02-01/2026-02-28"),
    ("三天前", "2026-03-15"),
    ("两个月前", "2026-01-01/2026-01-31"),
    ("去年", "2025-01-01/2025-12-31"),
    ("2023年", "2023-01-01/2023-12-31"),
]


def found(text: str) -> list[str]:
    return [written(period) for period in find_dates(text, said_at=WEDNESDAY)]


def test_a_date_expression_is_resolved_to_days() -> None:
    assert {text: days for text, expected in EXPRESSIONS if (days := found(text)) != [expected]} == {}


def test_no_rule_that_reads_a_date_is_skipped_for_want_of_its_words() -> None:
    """A rule is not run on a text that lacks its words, so these have to be in each text that it matches."""
    texts = [text for text, _ in EXPRESSIONS] + [
        "Due MAY 4, or in 2.5 years",
        "in 'the ’90s",
        "am 12. Q3/2025",
        "上週五",
    ]
    texts += [text.upper() for text in texts] + [f"{text},{other}" for text, other in pairwise(texts)]
    missed = []
    for text in texts:
        words = words_of(text)
        for rule, read in parse_dates._RULES:
            matches = rule._pattern.finditer(text)
            reads = any(read(match, utc_day(WEDNESDAY)) for match in matches)
            if reads and not any(rule.matches(text, words)):
                missed.append((text, rule._pattern.pattern))
    assert missed == []


def test_a_text_that_names_a_date_is_told_from_others_without_the_rules() -> None:
    texts = [text for text, _ in EXPRESSIONS] + ["上週五", "今早", "昨晚"]
    assert [text for text in texts if found(text) and not may_name_dates(text)] == []


def test_a_pattern_is_compiled_when_a_text_first_has_its_words() -> None:
    rule, broken = (Rule(pattern, frozenset(("monday",))) for pattern in ("on (monday)", "on (monday"))
    assert [*broken.matches("on Tuesday", words_of("on Tuesday"))] == []
    with pytest.raises(re.error):
        broken.matches("on Monday", words_of("on Monday"))
    assert [match[1] for match in rule.matches("on Monday", words_of("on Monday"))] == ["Monday"]


NOT_DATES = [
    "",
    "You may use 2 may-flies; march on, and sat down in the sun.",
    "May I? This may help. Version 2 may fail.",
    "It took 2048 tokens, 2000 lines and 1999 rows in 2000 files.",
    "v2.2026.1 at 10.0.0.1, port 2020",
    "in 2024 rows, 2024 items, from 2000 lines, late 2024 rows, by 1500 users",
    "RFC 2024, ISO 2024, page 2024, in version 2024, error 1999, the 2024 budget",
    "It grew by 2000, was reduced from 3000 to 1500, resulted in 2000, one in 1500.",
    "a limit of 2024. up to 2024. in 2048, after 2024ms, in 2024x, $2024 in, in 2024.5, in 2024%",
    "from 2000 to 2050 rows",
    "after 2000s, in 1990s houses, in the 90s timeout",
    "2026-13-01 and 31.02.2026 and February 30",
    "the other day, soon, sometime, one day",
    "in a day of work",
    "一天一个苹果",
    "99999 years ago",
]


def test_other_numbers_and_vague_expressions_are_not_dates() -> None:
    assert {text: days for text in NOT_DATES if (days := found(text))} == {}


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("what was true as of 2026-03-01", "as of"),
        ("since March", "since"),
        ("after the 3rd of March", "after"),
        ("before last week", "before"),
        ("until Friday", "until"),
        ("in March", "in"),
        ("2026-03-01", "in"),
        ("since 2023 and on", "since"),
        ("as of 2023", "as of"),
        ("by the end of 2022", "until"),
        ("before 2020", "before"),
        ("from March 1 to March 5", "in"),
        ("from 2019 to 2021", "in"),
    ],
)
def test_the_preposition_before_a_date_is_its_sense(text: str, sense: str) -> None:
    assert [period.sense for period in find_dates(text, said_at=WEDNESDAY)] == [sense]


def test_a_period_has_its_expression_and_offset() -> None:
    text = "We met last Tuesday and again on 2026-03-17, then yesterday."
    (period,) = find_dates(text, said_at=WEDNESDAY)
    assert (period.text, period.start) == ("last Tuesday", text.index("last"))


def test_at_most_three_periods_are_found_in_the_order_of_the_text() -> None:
    text = "In 2019, in 2020, in 2021, in 2022."
    assert [written(period)[:4] for period in find_dates(text, said_at=WEDNESDAY)] == ["2019", "2020", "2021"]
    assert len(find_dates(text, said_at=WEDNESDAY, limit=9)) == 4


@given(st.text(max_size=60), st.integers(-50_000_000_000_000, 200_000_000_000_000))
def test_periods_are_whole_days_for_any_text_and_time(text: str, said_at: int) -> None:
    for period in find_dates(text, said_at=said_at):
        assert period.first < period.until
        assert period.first % DAY_MS == period.until % DAY_MS == 0


HOUR_MS = 3_600_000
RECENT = [
    ("the last 24 hours", 24 * HOUR_MS),
    ("in the last 2 hours", 2 * HOUR_MS),
    ("Past hour", HOUR_MS),
    ("the past couple of hours", 2 * HOUR_MS),
    ("last 90 minutes", 1.5 * HOUR_MS),
    ("最近三个小时", 3 * HOUR_MS),
    ("过去30分钟", HOUR_MS / 2),
]


def test_the_last_hours_end_at_the_millisecond_of_the_question() -> None:
    at = WEDNESDAY + 20 * HOUR_MS + 17
    wrong = [
        (text, [(period.first - at, period.until - at) for period in find_dates(f"x {text} y", said_at=at)])
        for text, length in RECENT
        if [(p.first, p.until) for p in find_dates(f"x {text} y", said_at=at)] != [(at - length, at + 1)]
    ]
    assert wrong == []
    (since,) = find_dates("since the last 3 hours", said_at=at)
    assert since.sense == "since"
    assert [written(period) for period in find_dates("the hours of last week", said_at=at)] == ["2026-03-09/2026-03-15"]


WORDS = [
    "last ",
    "week ",
    "March ",
    "3 ",
    "2026",
    "-",
    "in ",
    "two ",
    "years ago ",
    "to ",
    "between ",
    "上",
    "周",
    "月",
    "三",
]


@given(
    st.lists(st.sampled_from(WORDS), max_size=12).map("".join), st.integers(-62_135_596_800_000, 253_402_300_799_999)
)
def test_periods_are_not_empty_for_time_words_in_any_order(text: str, said_at: int) -> None:
    for period in find_dates(text, said_at=said_at):
        assert period.first < period.until
