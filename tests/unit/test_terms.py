"""Search terms, ids and the parsed question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.answers import Terms
from jotsam.retrieval.question.parse import ParsedQuestion
from jotsam.retrieval.question.parse import parse as parse_at
from jotsam.retrieval.question.stems import irregular_forms
from jotsam.retrieval.question.terms import MAX_TERMS, uuid_prefix

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def parse(question: str) -> ParsedQuestion:
    return parse_at(question, now=1_750_000_000_000)


def spaced(*words: str) -> Terms:
    return Terms(words=words)


def unspaced(*grams: str) -> Terms:
    return Terms(grams=grams)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Which database did the team use?", spaced("database", "team", "use")),
        ("PostgreSQL postgresql", spaced("postgresql")),
        ("to be or not to be", spaced()),
        ('"to be or not to be"', spaced("to be or not to be")),
        ("naïve café", spaced("naïve", "café")),
        ("Где живёт кот?", spaced("где", "живёт", "кот")),
        ("don't panic", spaced("panic")),
        ("C++", spaced("c")),
        ("k8s", spaced("k8s")),
    ],
)
def test_stop_words_are_left_out_unless_they_are_quoted(question: str, terms: Terms) -> None:
    assert parse(question).terms == terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("foo_bar.py", spaced("foo", "bar", "py", "foo bar py")),
        ("v1.2.3", spaced("v1", "v1 2 3", "1 2 3")),
        ("/etc/nginx/conf", spaced("etc", "nginx", "conf", "etc nginx conf")),
        ("run pre-commit", spaced("run", "ran", "pre", "commit", "pre commit")),
    ],
)
def test_a_compound_is_searched_as_a_phrase_and_by_its_parts(question: str, terms: Terms) -> None:
    assert parse(question).terms == terms


def test_quoted_phrases_are_kept_in_addition_to_their_words() -> None:
    assert parse('the "soft cap" warning').terms == spaced("soft", "cap", "warning", "soft cap")
    assert parse("“the soft cap”").terms == spaced("soft", "cap", "the soft cap")
    assert parse('an open "quote').terms == spaced("open", "quote")


@pytest.mark.parametrize(
    "operator", ["AND", "OR", "NOT", "NEAR(a b, 2)", "^a", "a*", "body:a", "-a", "+a", '"', "(", "{body}:"]
)
def test_a_term_never_contains_an_operator_of_an_index(operator: str) -> None:
    """MB-22: all other characters are removed."""
    terms = parse(f"{operator} x1").terms
    assert "x1" in terms.words
    assert all(word.replace(" ", "").isalnum() for word in terms.words)


@pytest.mark.parametrize("question", ["", "   ", "???", "!?.,;:-_*()[]{}\"'", "☃ 🙂", "\u200b"])
def test_a_question_without_letters_or_digits_has_nothing_to_search_for(question: str) -> None:
    parsed = parse(question)
    assert (parsed.text, parsed.terms, parsed.words) == ("", Terms(), ())


def test_irregular_forms_are_searched_together() -> None:
    assert parse("choose").terms == spaced("choose", "chose", "chosen")
    assert parse("what did we choose?").terms == spaced("choose", "chose", "chosen")
    assert irregular_forms("went") == ("go", "gone")
    assert irregular_forms("database") == ()


def test_a_verb_that_frames_the_question_is_searched_as_it_is_written() -> None:
    """Its other forms are rare, and would outweigh what is asked about."""
    assert parse("how long does the migration take").terms == spaced("long", "migration", "take")
    assert parse("what has it taken?").terms == spaced("taken", "take", "took")


def test_chinese_is_searched_by_bigrams_without_function_words() -> None:
    """MB-21."""
    assert parse("为什么选择数据库").terms.grams == ("选择", "择数", "数据", "据库")
    assert parse("我们用的是什么数据库？").terms == unspaced("用", "数据", "据库")
    assert parse("データベースはどこにありますか").terms.grams == ("デー", "ータ", "タベ", "ベー", "ース")


def test_function_words_inside_other_words_are_kept() -> None:
    assert parse("目的").terms == unspaced("目的")
    assert parse("就绪状态").terms == unspaced("就绪", "绪状", "状态")
    assert parse("是什么").terms == unspaced()


def test_a_single_character_is_searched_by_itself() -> None:
    assert parse("猫").terms == unspaced("猫")


def test_a_question_in_two_scripts_is_split_by_script() -> None:
    parsed = parse("SQLite数据库 backup")
    assert parsed.terms == Terms(words=("sqlite", "backup"), grams=("数据", "据库"))
    assert parsed.words == ("sqlite", "backup", "数据", "据库")


def test_one_of_many_bigrams_is_no_match_but_a_separate_word_is() -> None:
    """MB-21: a Chinese question without a match finds nothing, although texts share single bigrams by accident."""
    assert parse("数据库").terms.shares == ()
    assert set(parse("支付供应商合同续签").terms.shares) == {50}
    terms = parse("支付供应商合同 更换 Stripe").terms
    shares = dict(zip(terms.grams, terms.shares, strict=True))
    assert (shares["更换"], shares["支付"]) == (100, 50)


def test_a_long_question_keeps_its_beginning_and_the_longest_of_the_rest() -> None:
    noise = " ".join(f"x{number}" for number in range(500))
    parsed = parse(f"why does the ingestion worker fail {noise} ConnectionRefusedError {'q' * 80}")
    assert len(parsed.terms.words) <= MAX_TERMS
    assert {"ingestion", "worker", "fail", "connectionrefusederror"} <= set(parsed.words)
    assert "q" * 80 not in parsed.words
    assert parsed.words.index("worker") < parsed.words.index("connectionrefusederror")


@pytest.mark.parametrize(
    ("text", "uuid"),
    [
        (UUID, UUID),
        (UUID.upper().replace("-", ""), UUID),
        ("0f8f", "0f8f"),
        ("0F8FAD5BD9", "0f8fad5b-d9"),
        ("0f8fad5b-d9c", "0f8fad5b-d9c"),
        ("0f8", None),
        ("decade", "decade"),
        ("decides", None),
        (UUID + "0", None),
        ("", None),
    ],
)
def test_a_uuid_or_uuid_prefix_is_recognised(text: str, uuid: str | None) -> None:
    assert uuid_prefix(text) == uuid


def test_a_uuid_prefix_in_a_sentence_needs_as_many_digits_as_answers_show() -> None:
    assert parse(f"what became of {UUID}?").ids == (UUID,)
    assert parse("see 0f8fad5b.").ids == ("0f8fad5b",)
    assert parse("a decade of beef").ids == ()


@given(st.text())
def test_any_text_is_parsed_into_a_bounded_number_of_plain_terms(question: str) -> None:
    terms = parse(question).terms
    assert bool(parse(question).text) == bool(terms.words or terms.grams)
    assert max(len(terms.words), len(terms.grams)) <= MAX_TERMS
    assert terms.shares == () or len(terms.shares) == len(terms.grams)
    assert not {'"', "'", "\\", "\0"}.intersection("".join(terms.words + terms.grams))
