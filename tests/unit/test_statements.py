"""What plain sentences state, and whether two of them contradict each other."""

from __future__ import annotations

import pytest

from jotsam.pipeline.statements.compare import contradict
from jotsam.pipeline.statements.read import MAX_CHARACTERS, read_statements

# (language, one, other): both cannot hold at one time.
CONTRADICTIONS = (
    ("en", "The gate code is 4711.", "The gate code is 8090."),
    ("en", "The lead of the museum team is Olga Brandt.", "The museum team's lead is Petr Novak."),
    ("en", "A day pass costs $14.", "The price of a day pass is $18."),
    ("en", "The choir meets on Tuesday at 19:00.", "The choir meets on Tuesday at 7:30 pm."),
    ("en", "The kiln lasts two weeks.", "The kiln lasts 10 days."),
    ("en", "Our newsletter goes out every Monday.", "Our newsletter goes out every Thursday."),
    ("en", "I live in Porto.", "I live in Braga."),
    ("en", "Retry limit: 3", "The retry limit is 5."),
    ("en", "The rehearsal is at 10:00.", "The rehearsal moved to 11:30."),
    ("en", "The accent colour is teal.", "The accent color is orange."),
    ("en", "The gate code is 4711.", "The gate code is not 4711."),
    ("en", "The back door is locked.", "The back door is not locked."),
    ("en", "The archive uses Redis.", "The archive does not use Redis."),
    ("en", "The gate code is 4711.", "The gate code is 8090, previously it was 4711."),
    ("en", "Elena wears shoe size 38.", "Elena wears shoe size 39."),
    ("de", "Das Archiv nutzt Redis.", "Das Archiv nutzt kein Redis."),
    ("de", "Der Torcode ist 4711.", "Der Torcode lautet jetzt 8090."),
    ("de", "Das Archiv liegt in Bremen.", "Das Archiv liegt in Kassel."),
    ("de", "Eine Tageskarte kostet 14 €.", "Seit Mai kostet eine Tageskarte 18 €."),
    ("de", "Die Probe beginnt um 19 Uhr.", "Die Probe beginnt um 20:30 Uhr."),
    ("de", "Der Chor trifft sich am Dienstag.", "Der Chor trifft sich am Freitag."),
    ("fr", "Le code du portail est 4711.", "Le code du portail est maintenant 8090."),
    ("fr", "Les archives se trouvent à Lille.", "Les archives se trouvent à Metz."),
    ("fr", "La répétition commence à 19h.", "La répétition commence à 20h30."),
    ("fr", "Le forfait journée coûte 14 €.", "Le forfait journée coûte 18 €."),
    ("es", "El código de la puerta es 4711.", "El código de la puerta es ahora 8090."),
    ("es", "El archivo está en Vigo.", "El archivo está en Cádiz."),
    ("es", "El ensayo empieza a las 19:00.", "El ensayo empieza a las 20:30."),
    ("es", "La entrada cuesta 14 €.", "La entrada cuesta 18 €."),
    ("es", "La gerente del taller es Nuria.", "La gerente del taller pasó a ser Berta."),
    ("fr", "Nous utilisons Sentry pour le blog.", "Nous n'utilisons plus Sentry pour le blog."),
    ("de", "Der Rohrdurchmesser ist 80 Millimeter.", "Vielleicht ist der Rohrdurchmesser 100 Millimeter."),
    ("en", "The keynote is given by Professor Adeyemi.", "The keynote is given by Professor Castellano."),
    ("zh", "大门密码是4711。", "大门密码改为8090。"),
    ("zh", "档案室在三楼。", "档案室在五楼。"),
    ("zh", "排练时间是下午7点。", "排练时间是晚上8点。"),
    ("zh", "合唱团的负责人是陈静。", "合唱团负责人是刘洋。"),
    ("zh", "门票价格是14元。", "门票价格是18元。"),
    ("zh", "档案室在三楼。", "档案室不在三楼。"),
    ("ja", "門の暗証番号は4711です。", "門の暗証番号は8090に変わりました。"),
    ("ja", "資料室は3階にあります。", "資料室は5階にあります。"),
    ("ja", "練習は19時からです。", "練習は20時に変更されました。"),
    ("ja", "合唱団の代表は佐藤さんです。", "合唱団の代表は高橋さんです。"),
    ("ja", "門の暗証番号は4711です。", "門の暗証番号は4711ではない。"),
)
# (language, one, other, reason why both may hold)
BOTH_HOLD = (
    ("en", "The gate code is 4711.", "The garage code is 8090.", "another thing"),
    ("en", "The staging gate uses port 4711.", "The production gate uses port 8090.", "another environment"),
    ("en", "The late fee is 14 dollars for members.", "The late fee is 18 dollars for guests.", "another part"),
    ("en", "The lead is Olga Brandt.", "The lead is Olga.", "a part of the name"),
    ("en", "The kiln lasts two weeks.", "The kiln lasts 14 days.", "the same in another unit"),
    ("en", "The choir meets at 7 pm.", "The choir meets at 19:00.", "the same in another form"),
    ("en", "The choir meets on Friday.", "The choir meets in Leeds.", "values of another kind"),
    ("en", "The gate code is 4711.", "The gate code used to be 8090.", "the past"),
    ("en", "The gate code is 4711.", "The gate code was 8090 before.", "the past"),
    ("en", "The gate code is 4711.", "The old gate code is 8090.", "the past"),
    ("en", "The gate code is 4711.", "The gate code will be 8090.", "a plan"),
    ("en", "The gate code is 4711.", "The gate code should be 8090.", "a wish"),
    ("en", "The gate code is 4711.", "Is the gate code 8090?", "a question"),
    ("en", "The gate code is 4711.", "If the gate code is 8090, call Ann.", "a condition"),
    ("en", "The gate code is 4711.", 'The sign says "the gate code is 8090".', "a quotation"),
    ("en", "The gate code is 4711.", "The gate code is not 8090.", "a negation"),
    ("en", "The pool temperature is 24 °C.", "The pool temperature is 26 °C.", "two readings"),
    ("en", "The choir has 14 guests today.", "The choir has 18 guests today.", "the state of a day"),
    ("en", "The archive uses Redis and Kafka.", "The archive uses Vault and Nomad.", "lists"),
    ("en", "Ann met Bob on Monday.", "Ann met Bob on Friday.", "what happened once"),
    ("en", "Ann is German.", "Ann is Catholic.", "descriptions"),
    ("en", "My cat is tired.", "My cat is grey.", "descriptions"),
    ("en", "Kangaroo number 1 was fed.", "Kangaroo number 2 was fed.", "another thing"),
    ("en", "Another gate code is 4711.", "Another gate code is 8090.", "no certain thing"),
    ("en", "It is 4711.", "It is 8090.", "a pronoun"),
    ("en", "The pool opens at 9 on Saturdays.", "The pool opens at 7 on weekdays.", "another part"),
    ("en", "Bread baked in oven two: 64 loaves.", "Bread baked in oven two: 80 loaves.", "entries of a log"),
    ("en", "The back door is locked.", "The back door is green.", "descriptions"),
    ("en", "The gate code is not 4711.", "The gate code is not 8090.", "two negations"),
    ("en", "The pool opens at 9:00 on Saturdays.", "The pool opens at 7:00 on Sundays.", "another part"),
    ("en", "The late fee is 14 dollars.", "The late fee is 18 dollars for guests.", "another part"),
    ("en", "Updated the parser to v2.1.0.", "Updated the parser to v2.2.0.", "two changes"),
    ("en", "The gate code is 4711.", "Example for the docs: the gate code is 8090.", "an example"),
    ("fr", "La fanfare a joué à Lille.", "La fanfare a joué à Metz.", "what happened once"),
    ("de", "Der Torcode ist 4711.", "Der Torcode war früher 8090.", "the past"),
    ("de", "Der Torcode ist 4711.", "Der Torcode soll 8090 werden.", "a plan"),
    ("de", "Der Torcode ist 4711.", "Ist der Torcode 8090?", "a question"),
    ("de", "Das Projekt ist ein Erfolg.", "Das Projekt ist ein Fehlschlag.", "descriptions"),
    ("de", "Die Karte kostet 14 € für Gäste.", "Die Karte kostet 8 € für Kinder.", "another part"),
    ("fr", "Le code du portail est 4711.", "Le code du portail était 8090.", "the past"),
    ("fr", "Le code du portail est 4711.", "Le code du garage est 8090.", "another thing"),
    ("fr", "Le code du portail est 4711.", "Le code du portail devrait être 8090.", "a wish"),
    ("es", "El código de la puerta es 4711.", "El código de la puerta era 8090.", "the past"),
    ("es", "El código de la puerta es 4711.", "¿El código de la puerta es 8090?", "a question"),
    ("es", "El archivo está en Vigo.", "El taller está en Cádiz.", "another thing"),
    ("zh", "大门密码是4711。", "以前大门密码是8090。", "the past"),
    ("zh", "大门密码是4711。", "车库密码是8090。", "another thing"),
    ("zh", "大门密码是4711。", "大门密码是8090吗？", "a question"),
    ("zh", "大门密码是4711。", "下个月大门密码改为8090。", "a plan"),
    ("ja", "門の暗証番号は4711です。", "以前、門の暗証番号は8090でした。", "the past"),
    ("ja", "門の暗証番号は4711です。", "車庫の暗証番号は8090です。", "another thing"),
    ("ja", "門の暗証番号は4711です。", "門の暗証番号は8090ですか。", "a question"),
    ("ja", "門の暗証番号は4711です。", "来月、門の暗証番号は8090になる予定です。", "a plan"),
)
HEDGED = (
    "I think the gate code is 8090.",
    "Someone said the gate code is 8090.",
    "The gate code is probably 8090.",
    "Ich glaube, der Torcode ist 8090.",
    "Der Torcode ist angeblich 8090.",
    "Je crois que le code du portail est 8090.",
    "Creo que el código de la puerta es 8090.",
    "Saw in a mail that the gate code is 8090, could be a mistake.",
    "听说大门密码是8090。",
    "うわさでは、門の暗証番号は8090らしいです。",
    "門の暗証番号はたぶん8090です。",
)


def do_contradict(one: str, other: str) -> bool:
    return any(contradict(mine, theirs) for mine in read_statements(one) for theirs in read_statements(other))


def test_two_values_of_one_thing_contradict_each_other() -> None:
    missed = [pair for pair in CONTRADICTIONS if not (do_contradict(*pair[1:]) and do_contradict(*pair[:0:-1]))]
    assert not missed
    assert not [pair for pair in CONTRADICTIONS if do_contradict(pair[1], pair[1]) or do_contradict(pair[2], pair[2])]


def test_statements_that_can_both_hold_do_not_contradict_each_other() -> None:
    assert not [pair for pair in BOTH_HOLD if do_contradict(pair[1], pair[2]) or do_contradict(pair[2], pair[1])]


def test_a_guess_and_hearsay_are_hedged_and_contradict_all_the_same() -> None:
    unmarked = [text for text in HEDGED if not any(one.hedged for one in read_statements(text))]
    assert not unmarked
    assert all(do_contradict("The gate code is 4711.", text) for text in HEDGED if "gate code" in text)
    assert do_contradict("大门密码是4711。", "听说大门密码是8090。")
    assert do_contradict("門の暗証番号は4711です。", "うわさでは、門の暗証番号は8090らしいです。")
    certain = [texts for _, *texts in CONTRADICTIONS if "Vielleicht" not in texts[1]]
    assert not any(one.hedged for texts in certain for text in texts for one in read_statements(text))


def test_a_statement_names_its_thing_its_value_and_its_part() -> None:
    (stated,) = read_statements("Correction: the late fee in staging costs 20 dollars for guests.")
    assert (stated.attribute, stated.value, stated.kind) == ("price", "20 dollars", "number")
    assert stated.about >= {"late", "price", "staging", "guest"}
    assert stated.qualifiers == {"staging", "guest"}
    assert (stated.values[0].number, stated.values[0].unit) == (20.0, "dollars")


def test_a_sentence_that_changes_a_value_names_the_old_one() -> None:
    (stated,) = read_statements("The rehearsal moved from 10:00 to 11:30.")
    assert (stated.changes, stated.old_value, stated.value) == (True, "10:00", "11:30")


@pytest.mark.parametrize(
    "text", ["", " ", "?", ":", "is", "The is.", "= =", "は", "是", "\x00", "a" * 10_000, "「」は。"]
)
def test_odd_texts_state_nothing(text: str) -> None:
    assert read_statements(text) == ()
    assert read_statements(text * MAX_CHARACTERS) == ()
