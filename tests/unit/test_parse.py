"""From a question to what the index is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.answers import Terms
from jotsam.retrieval.question.inflections import forms
from jotsam.retrieval.question.terms import MOST_TERMS, as_uuid, parse

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


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
def test_stop_words_are_left_out_unless_they_stand_in_quotes(question: str, terms: Terms) -> None:
    assert parse(question).terms == terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("foo_bar.py", spaced("foo", "bar", "py", "foo bar py")),
        ("v1.2.3", spaced("v1", "v1 2 3")),
        ("/etc/nginx/conf", spaced("etc", "nginx", "conf", "etc nginx conf")),
        ("run pre-commit", spaced("run", "ran", "pre", "commit", "pre commit")),
    ],
)
def test_what_is_written_as_one_piece_is_asked_as_a_phrase_and_by_its_parts(question: str, terms: Terms) -> None:
    assert parse(question).terms == terms


def test_quoted_phrases_are_kept_in_addition_to_their_words() -> None:
    assert parse('the "soft cap" warning').terms == spaced("soft", "cap", "warning", "soft cap")
    assert parse("“the soft cap”").terms == spaced("soft", "cap", "the soft cap")
    assert parse('an open "quote').terms == spaced("open", "quote")


@pytest.mark.parametrize(
    "operator", ["AND", "OR", "NOT", "NEAR(a b, 2)", "^a", "a*", "body:a", "-a", "+a", '"', "(", "{body}:"]
)
def test_no_operator_of_an_index_is_ever_in_a_term(operator: str) -> None:
    """MB-22: whatever is typed is letters and digits, or nothing."""
    terms = parse(f"{operator} x1").terms
    assert "x1" in terms.words
    assert all(word.replace(" ", "").isalnum() for word in terms.words)


@pytest.mark.parametrize("question", ["", "   ", "???", "!?.,;:-_*()[]{}\"'", "☃ 🙂", "\u200b"])
def test_a_question_without_letters_or_digits_asks_nothing(question: str) -> None:
    parsed = parse(question)
    assert (parsed.text, parsed.terms, parsed.words) == ("", Terms(), ())


def test_irregular_forms_are_asked_together_because_no_stemmer_joins_them() -> None:
    assert parse("choose").terms == spaced("choose", "chose", "chosen")
    assert forms("went") == ("go", "gone")
    assert forms("database") == ()


def test_chinese_is_asked_by_pairs_without_its_function_words() -> None:
    """MB-21."""
    assert parse("为什么选择数据库").terms.grams == ("选择", "择数", "数据", "据库")
    assert parse("我们用的是什么数据库？").terms == unspaced("用", "数据", "据库")
    assert parse("データベースはどこにありますか").terms.grams == ("デー", "ータ", "タベ", "ベー", "ース")


def test_function_words_inside_of_other_words_stay() -> None:
    assert parse("目的").terms == unspaced("目的")
    assert parse("就绪状态").terms == unspaced("就绪", "绪状", "状态")
    assert parse("是什么").terms == unspaced()


def test_a_single_character_stands_alone() -> None:
    assert parse("猫").terms == unspaced("猫")


def test_a_mixed_question_is_asked_by_script() -> None:
    parsed = parse("SQLite数据库 backup")
    assert parsed.terms == Terms(words=("sqlite", "backup"), grams=("数据", "据库"))
    assert parsed.words == ("sqlite", "backup", "数据", "据库")


def test_of_many_pairs_one_is_not_enough_but_a_word_set_apart_is() -> None:
    """MB-21: a Chinese question without a match finds nothing, though one pair is always shared by accident."""
    assert parse("数据库").terms.shares == ()
    assert set(parse("支付供应商合同续签").terms.shares) == {50}
    terms = parse("支付供应商合同 更换 Stripe").terms
    shares = dict(zip(terms.grams, terms.shares, strict=True))
    assert (shares["更换"], shares["支付"]) == (100, 50)


def test_a_long_question_keeps_its_beginning_and_the_longest_of_the_rest() -> None:
    noise = " ".join(f"x{number}" for number in range(500))
    parsed = parse(f"why does the ingestion worker fail {noise} ConnectionRefusedError {'q' * 80}")
    assert len(parsed.terms.words) <= MOST_TERMS
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
def test_a_uuid_or_its_beginning_is_known_by_its_form(text: str, uuid: str | None) -> None:
    assert as_uuid(text) == uuid


def test_an_id_may_stand_in_a_sentence_when_it_is_as_long_as_answers_show_it() -> None:
    assert parse(f"what became of {UUID}?").ids == (UUID,)
    assert parse("see 0f8fad5b.").ids == ("0f8fad5b",)
    assert parse("a decade of beef").ids == ()


@given(st.text())
def test_any_text_can_be_parsed_into_few_and_simple_terms(question: str) -> None:
    terms = parse(question).terms
    assert bool(parse(question).text) == bool(terms.words or terms.grams)
    assert max(len(terms.words), len(terms.grams)) <= MOST_TERMS
    assert terms.shares == () or len(terms.shares) == len(terms.grams)
    assert not {'"', "'", "\\", "\0"}.intersection("".join(terms.words + terms.grams))
