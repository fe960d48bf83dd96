"""Facts by rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.records import Fact
from jotsam.pipeline.extraction.extract import RULES, extract
from jotsam.pipeline.facts.clear_facts import is_clear
from jotsam.pipeline.facts.find_facts import MAX_FACTS, find_facts
from jotsam.pipeline.facts.predicates import FUNCTIONAL, MIN_CONFIDENCE, SYNONYMS, normalise_predicate

WEDNESDAY = 1_773_847_800_000  # 2026-03-18
DAY_MS = 86_400_000


def triples(text: str, actor: str | None = None) -> list[tuple[str, str, str]]:
    return [(fact.subject, fact.predicate, fact.object) for fact in find_facts(text, said_at=WEDNESDAY, actor=actor)]


Triple = tuple[str, str, str]


def wrong(table: Iterable[tuple[str, Sequence[Triple]]], actor: str | None = None) -> dict[str, list[Triple]]:
    """The facts of each text whose facts are not the expected ones."""
    return {text: got for text, expected in table if (got := triples(text, actor)) != expected}


SENTENCES = [
    ("We decided to use PostgreSQL, because it scales.", [("we", "decided", "use PostgreSQL")]),
    ("We chose PostgreSQL over MongoDB.", [("we", "decided", "PostgreSQL")]),
    (
        "The importer depends on Redis and Kafka.",
        [("importer", "depends_on", "Redis"), ("importer", "depends_on", "Kafka")],
    ),
    ("Our team uses Slack, Jira and Notion.", [("team", "uses", thing) for thing in ("Slack", "Jira", "Notion")]),
    ("Redis was replaced by Valkey.", [("Redis", "replaced_by", "Valkey")]),
    ("Jotsam is written in Python.", [("Jotsam", "written_in", "Python")]),
    ("Acme Corp uses `pgbouncer` in production.", [("Acme Corp", "uses", "pgbouncer")]),
    ("Alice works at Google. Bob lives in Berlin.", [("Alice", "works_at", "Google"), ("Bob", "lives_in", "Berlin")]),
    ("Sarah owns the billing service.", [("Sarah", "owns", "billing service")]),
    ("Maria Lopez moved to Madrid last month.", [("Maria Lopez", "moved_to", "Madrid")]),
    (
        "We migrated from MySQL to PostgreSQL.",
        [("we", "migrated_from", "MySQL"), ("we", "migrated_to", "PostgreSQL")],
    ),
    ("Ann moved from Paris to Berlin.", [("Ann", "migrated_from", "Paris"), ("Ann", "moved_to", "Berlin")]),
    ("We replaced MySQL with PostgreSQL.", [("MySQL", "replaced_by", "PostgreSQL")]),
    ("Ana replaced Docker with Podman.", [("Docker", "replaced_by", "Podman")]),
    ("Olga lives in Berlin.", [("Olga", "lives_in", "Berlin")]),
    ("Lee lives in Berlin.", [("Lee", "lives_in", "Berlin")]),
    ("王小明使用Docker", [("王小明", "uses", "Docker")]),
    ("小李使用 Docker", [("小李", "uses", "Docker")]),
    ("小李更喜欢茶", [("小李", "prefers", "茶")]),
    ("I prefer dark mode over light mode.", [("I", "prefers", "dark mode")]),
    ("Carol is the CTO of Acme.", [("Carol", "is", "CTO of Acme")]),
    ("The port of Flask is open. Flask defaults to port 5000.", [("Flask", "defaults_to", "port 5000")]),
    ("## Team\nAna moved to Bonn.", [("Ana", "moved_to", "Bonn")]),
    (
        "# Cache\nThe importer depends on Redis.\n## Store\nWe chose SQLite.",
        [("importer", "depends_on", "Redis"), ("we", "decided", "SQLite")],
    ),
    ("我们使用PostgreSQL。", [("我们", "uses", "PostgreSQL")]),
    ("我喜欢深色模式", [("我", "prefers", "深色模式")]),
]


def test_a_plain_sentence_has_its_fact() -> None:
    assert wrong(SENTENCES) == {}


CLAUSES = [
    ("Ines presented the new form in Lisbon.", [("Ines", "presented", "new form in Lisbon")]),
    ("The importer keeps its index in Tantivy.", [("importer", "keeps", "index in Tantivy")]),
    ("Acme built a plugin that talks to Redis.", [("Acme", "created", "plugin"), ("plugin", "connects_to", "Redis")]),
    ("Ana moved the notebook to Marimo, and Bo kept his.", [("Ana", "moved", "notebook to Marimo")]),
    ("Every service validates the tokens of Keycloak.", [("Every service", "validates", "tokens of Keycloak")]),
    ("The manual pages are written in Markdown and configured with a YAML file.", [
        ("manual pages", "written_in", "Markdown"), ("manual pages", "configured_with", "YAML file"),
    ]),
    ("Ana will move to Aarhus in August.", [("Ana", "plans_to", "move to Aarhus in August")]),
    ("The cache was added by Bogdan.", [("Bogdan", "added", "cache")]),
    ("Peewee is a small library. It runs on Windows.", [
        ("Peewee", "is", "small library"), ("Peewee", "runs_on", "Windows"),
    ]),
    ("The rent was raised to 1,450 euros.", [("rent", "raised_to", "1,450 euros")]),
    ("[Griffe](https://acme.test) reads the source of [Rich](https://acme.test/rich).", [
        ("Griffe", "reads", "source of Rich"),
    ]),
    ("For the survey we ordered LimeSurvey.", [("we", "ordered", "LimeSurvey")]),
    ("the owner of the server uses Docker", [("owner of the server", "uses", "Docker")]),
    ("SQLite store holds the graph of names.", [("SQLite store", "holds", "graph of names")]),
    ("I'd rather get plain mails.", [("I", "prefers", "plain mails")]),
    ("the ``pool`` keeps the index of ``Acme``.", [("pool", "keeps", "index of Acme")]),
    ("``pool`` keeps the index of Acme.", [("pool", "keeps", "index of Acme")]),
]  # fmt: skip


def test_a_clause_with_any_verb_has_its_fact() -> None:
    assert wrong(CLAUSES) == {}


NOT_TOLD = [
    "You keep the index in Tantivy. Keep the index in Tantivy.",
    "The importer could keep its index in Tantivy. The importer doesn't keep it.",
    "Maybe the importer keeps the index of Ana.",
    "Ana said the results arrive late. Ana thinks Bo left Acme.",
    "The crawler whose log grew was old.",
    "Release notes mention changes. Unit tests pass checks.",
    "If Ana presents the form, Bo sends it.",
    "The parser enables clients to retry.",
    "Ana was writing letters to Bo. Ana had a picnic at home.",
    "It runs on Windows.",
    "Ana is in talks. Bo has got luck. Always works well. Ana worked hard with Bo.",
    "| Ana | presented the form in Lisbon |",
]


FRAGMENTS = [
    "Come have a chat in Gitter.",
    "We have handlers for T.",
    "Redis guide covers lost.",
    "Acme offers an elegant, type-checked API.",
    "The new client is a package.",
    "The store has long been used by Ana.",
    "The store has many features compared.",
    "**Redirects Automatically** follows Acme.",
    "Currently supports JSON.",
    "Every operation takes a random part.",
    "Acme has a plugin that yields rows.",
]


def test_a_piece_of_a_sentence_is_no_fact() -> None:
    found = {text: triples(text) for text in FRAGMENTS}
    assert {text: told for text, told in found.items() if told} == {
        "Acme has a plugin that yields rows.": [("Acme", "has", "plugin")],
    }


def test_a_name_that_looks_like_an_adverb_is_a_subject() -> None:
    assert triples("Emily uses Docker.") == [("Emily", "uses", "Docker")]


def test_a_clause_that_asks_supposes_or_says_too_little_has_no_fact() -> None:
    assert wrong((text, []) for text in NOT_TOLD) == {}


def test_a_fact_of_an_open_verb_never_ends_another() -> None:
    for fact in find_facts("The licence of Acme costs 40 euros. Bonn costs 40 euros.", said_at=WEDNESDAY):
        assert fact.predicate not in FUNCTIONAL or fact.confidence < MIN_CONFIDENCE


def test_a_known_name_in_lower_case_is_a_subject() -> None:
    (fact,) = find_facts("ana reviews the plan of Bo.", said_at=WEDNESDAY, names=["ana"])
    assert (fact.subject, fact.predicate, fact.object) == ("ana", "reviews", "plan of Bo")
    assert triples("ana reviews the plan of Bo.") == []


STRUCTURE = [
    (
        "## Billing\n- **Owner:** Ana Lopez\n- **Port:** 8080",
        [("Ana Lopez", "owns", "Billing"), ("Billing", "port", "8080")],
    ),
    ("# Shop\n\nStack: Go, PostgreSQL", [("Shop", "uses", "Go"), ("Shop", "uses", "PostgreSQL")]),
    ("Stack: Go and Redis", [("we", "uses", "Go"), ("we", "uses", "Redis")]),
    (
        "# Billing API\n> **Version**: 0.2.0 · **License**: MIT",
        [("Billing API", "version", "0.2.0"), ("Billing API", "license", "MIT")],
    ),
    (
        "| Variable | Description | Default |\n|---|:-:|---|\n| `MIN_SCORE` | Drop what is below (0 to 1) | `0.2` |\n"
        "| `MAX_HITS` | Most results | - |",
        [
            ("MIN_SCORE", "described_as", "Drop what is below"),
            ("MIN_SCORE", "defaults_to", "0.2"),
            ("MAX_HITS", "described_as", "Most results"),
        ],
    ),
    (
        "| Service | Owner | Required |\n|---|---|---|\n| Billing | Ana | yes |",
        [("Ana", "owns", "Billing"), ("Billing", "is", "required")],
    ),
    ("- `graph.py` - Queries of the graph", [("graph.py", "described_as", "Queries of the graph")]),
    ("- **Worker**: a process that runs jobs. It exits.", [("Worker", "described_as", "a process that runs jobs")]),
]


def test_a_table_row_a_list_entry_and_a_key_have_their_facts() -> None:
    assert wrong(STRUCTURE) == {}


NO_STRUCTURE = [
    "| Name | Default |\n| `MIN_SCORE` | `0.2` |",  # no rule below the header: no table
    "| Name | Example |\n|---|---|\n| `MIN_SCORE` | `0.2` |",  # a column that is not known
    "| Name | Default |\n|---|---|\n| `limit` | 50 |",  # of which limit?
    "| Name | Version |\n|---|---|\n| Redis | newest |",
    "```\n| Name | Default |\n|---|---|\n| `MIN_SCORE` | `0.2` |\n```",
    "## Status\n- **Owner:** Ana Lopez",  # a heading that names nothing
    "- **Owner:** who knows?",
    "- `app.py` - Fixed the import",
    "- `graph.py` - see below",
    "- **NOTIFY is late**: a commit that is slow was the reason",
    "- Status: Critical",
    "| Name | Description |\n|---|---|\n| RETURNS | The text |\n| `data` | The data to write |",
    "- `force` - Force the push",
]


def test_other_rows_entries_and_keys_have_no_facts() -> None:
    assert wrong((text, []) for text in NO_STRUCTURE) == {}


ABOUT_ME = [
    (
        "I love hiking in the mountains and exploring forests.",
        [("Ana", "prefers", "hiking in the mountains and exploring forests")],
    ),
    ("I love fantasy and sci-fi movies, they are great.", [("Ana", "prefers", "fantasy and sci-fi movies")]),
    ('I just watched "Little Women" and it was amazing!', [("Ana", "watched", "Little Women")]),
    ("I'm a huge fan of Lord of the Rings!", [("Ana", "prefers", "Lord of the Rings")]),
    (
        "Last week I joined a gym. That's why I love swimming.",
        [("Ana", "joined", "gym"), ("Ana", "prefers", "swimming")],
    ),
    ("I started surfing five years ago and it's great.", [("Ana", "started", "surfing")]),
    ("We’ve adopted a puppy.", [("Ana", "adopted", "puppy")]),
    ("My favorite book is Dune.", [("Ana", "prefers", "Dune")]),
    ("I talked to my sister Eva. My dog's name is Max.", [("Eva", "is", "Ana's sister"), ("Max", "is", "Ana's dog")]),
    ("My goal is to open a bakery.", [("Ana", "goal", "open a bakery")]),
    ("I have two kids and no time.", [("Ana", "has", "two kids")]),
    ("I'm from Sweden. I work as a nurse.", [("Ana", "from", "Sweden"), ("Ana", "works_as", "nurse")]),
]


def test_a_statement_about_the_speaker_is_a_fact_about_the_actor() -> None:
    assert {text: got for text, expected in ABOUT_ME if set(got := triples(text, "Ana")) != set(expected)} == {}


VAGUE = [
    "I won't give up. I loved it. I love that you came.",
    "I love your dog. I went to that place. I read this book.",
    "I have no doubt. I have a question. I have lots of books.",
    "My favorite part is when it ends.",
    "I went to an LGBTQ+ workshop.",
    "I love it when we talk. I'd love hiking. I may join a gym.",
    "I'm working on a project.",
    'She said: "I love hiking".',
]


def test_a_vague_or_context_dependent_statement_has_no_facts() -> None:
    assert wrong(((text, []) for text in VAGUE), "Ana") == {}


BY_SENTENCE = [
    ("Ana, Bob and Carl use Docker.", [(name, "uses", "Docker") for name in ("Ana", "Bob", "Carl")]),
    ("The billing service uses Redis.", [("billing service", "uses", "Redis")]),
    ("Redis and Kafka run on Linux.", [("Redis", "runs_on", "Linux"), ("Kafka", "runs_on", "Linux")]),
    ("The billing service is owned by Ana.", [("Ana", "owns", "billing service")]),
    ("Jotsam is maintained by Ana Lopez.", [("Ana Lopez", "responsible_for", "Jotsam")]),
    ("The importer stores raw rows (in SQLite).", [("importer", "stores", "raw rows")]),
    ("Jotsam uses a connection pool and returns rows.", [("Jotsam", "uses", "connection pool")]),
    ("`ingest_all` is deprecated.", [("ingest_all", "is", "deprecated")]),
    ("The port of Flask is 5000.", [("Flask", "port", "5000")]),
    ("The staging port is 5432.", [("staging", "port", "5432")]),
    ("We like Norway. Ana was born in Oslo, Norway.", [("we", "prefers", "Norway"), ("Ana", "born_in", "Oslo")]),
    ("Ana's birthday is May 7.", [("Ana", "birthday", "May 7")]),
    ("Jotsam is a queue for agents, because they forget.", [("Jotsam", "is", "queue for agents")]),
]


def test_each_kind_of_sentence_has_its_facts() -> None:
    assert wrong(BY_SENTENCE) == {}


AMBIGUOUS = [
    "The system uses Docker. R4 is the last step. The song is a classic hit.",  # which one?
    "`deploy` is required to run first.",
    "For example, Jotsam uses Docker.",
    "Without Redis, Jotsam uses SQLite.",
    "Jotsam uses Redis if there is one.",
    "Jotsam manages Django's connections.",
    "Never, Neverland is a song by Ann.",
    "The town is a part of Delta County in the U.S. state.",
    "Jotsam version is new. The limit is high.",
    "Jotsam uses graph + words.",
    "Days of Wonder is a publisher.",
    'Ask it: "Store a memory: we use Docker in production".',
    "Acme was replaced by Minnie T. Heard School.",
    "Jotsam uses these engines. Jotsam uses its own.",
]


def test_an_incomplete_or_ambiguous_sentence_has_no_facts() -> None:
    assert wrong((text, []) for text in AMBIGUOUS) == {}


@pytest.mark.parametrize(
    "text",
    [
        "`decide` lives in `storage`. The table is called jobs. `limit` defaults to 50.",
        "Ana joined Acme. The pattern table lives in `code.py`.",
        "The version of Jotsam is stable.",
    ],
)
def test_a_functional_predicate_needs_a_subject_with_a_proper_name(text: str) -> None:
    assert not [fact for fact in find_facts(text, said_at=WEDNESDAY) if fact.predicate in FUNCTIONAL]


NOT_STATEMENTS = [
    "Nobody uses Docker.",
    "Neither uses Docker.",
    "Bob uses neither",
    "Bob uses neither Docker nor Podman.",
    "We replaced the old queue.",
    "If we replaced MySQL with PostgreSQL, it would work.",
    "没人使用Docker",
    "程序使用Redis",
    "",
    "Does Alice use Docker?",
    "If we use Docker, it breaks.",
    "When Redis is replaced by Valkey, we win.",
    "We do not use Docker.",
    "The server may use Docker.",
    "It uses Docker, and they use Redis.",
    "You use Docker.",
    "I love it. I love your idea.",
    "## We use Docker",
    "| we use Docker | yes |",
    "```\nWe use Docker.\n```",
    "    We use Docker.",
    "Use Docker.",
    "我们不使用Docker",
]


def test_a_question_a_condition_a_negation_and_a_heading_have_no_facts() -> None:
    assert wrong((text, []) for text in NOT_STATEMENTS) == {}


def test_i_is_the_actor() -> None:
    assert triples("I work for Siemens.", actor="Maria") == [("Maria", "works_at", "Siemens")]


def test_a_fact_is_valid_from_the_date_in_its_sentence() -> None:
    (moved,) = find_facts("We met. Maria Lopez moved to Madrid yesterday. It rained.", said_at=WEDNESDAY)
    assert moved.valid_from == WEDNESDAY // DAY_MS * DAY_MS - DAY_MS
    (works,) = find_facts("Alice works at Google.", said_at=WEDNESDAY)
    assert works.valid_from is works.valid_until is None


def test_a_deadline_does_not_end_a_fact_and_a_future_date_does_not_begin_it() -> None:
    (moved,) = find_facts("Ana moved to Madrid by the end of 2022.", said_at=WEDNESDAY)
    assert moved.valid_until is None
    (stays,) = find_facts("Ana works at Google until 2027.", said_at=WEDNESDAY)
    assert stays.valid_until == 1_830_297_600_000
    (uses,) = find_facts("Jotsam uses Redis in 2031.", said_at=WEDNESDAY)
    assert uses.valid_from is None


def test_no_longer_uses_is_a_fact_that_has_ended() -> None:
    (fact,) = find_facts("We no longer use Docker.", said_at=WEDNESDAY)
    assert (fact.subject, fact.predicate, fact.object, fact.valid_until) == ("we", "uses", "Docker", WEDNESDAY)


def test_facts_by_rules_have_their_extractor_and_normalised_predicates() -> None:
    found = extract(" ".join(text for text, _ in SENTENCES), said_at=WEDNESDAY).facts
    assert found
    assert {fact.extractor for fact in found} == {RULES}
    assert all(normalise_predicate(fact.predicate) == fact.predicate for fact in found)


def test_each_functional_predicate_is_known() -> None:
    assert set(SYNONYMS.values()) >= FUNCTIONAL


def test_a_text_has_at_most_sixteen_facts() -> None:
    text = " ".join(f"Service{letter} uses Docker." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert len(triples(text)) == MAX_FACTS


PIECES = (
    [text for text, _ in SENTENCES] + NOT_STATEMENTS + ["We ", "use ", "is a ", "I'm a ", ", ", "\n", "no longer use "]
)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map(" ".join))
def test_facts_have_subject_object_and_confidence(text: str) -> None:
    for fact in find_facts(text, said_at=WEDNESDAY):
        assert fact.subject
        assert fact.object
        assert 0 < fact.confidence <= 1


def test_an_object_without_words_makes_no_fact() -> None:
    """What the rules cut from both ends of an object may leave a space."""
    for text in ("", " ", "\t"):
        assert not is_clear(Fact(subject="Ana", predicate="moved", object=text), ())
