"""Recall ranks by relevance as little as it says: it never hides the only answer, however old that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lifecycle_tables
from jotsam.core.answers import Question
from jotsam.pipeline.lifecycle.relevance import DAY_MS
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import WEIGHTS, WITHOUT_RELEVANCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam
    from jotsam.retrieval.rank.weights import Weights

# A question, the only text that answers it, and what other texts say of the same subject.
SOUGHT = (
    ("Which port does the billing proxy use?", "The billing proxy listens on 8643.", "billing proxy"),
    (
        "Who repaired the boiler in the old office?",
        "Henrike Voss mended the boiler of the old office.",
        "office boiler",
    ),
    ("What is the name of Tomas's boat?", "Tomas calls his boat Kittiwake.", "Tomas boat"),
    ("When was the greenhouse roof replaced?", "New glass went on the greenhouse roof in 2014.", "greenhouse roof"),
    ("Where is the spare key of the archive?", "The spare archive key is under the third flowerpot.", "archive key"),
    ("What does Ingrid take for her migraine?", "Ingrid takes naratriptan against migraine.", "Ingrid migraine"),
    ("Which language is the tide model written in?", "The tide model was written in Fortran.", "tide model"),
    ("Who lent us the projector?", "The projector is on loan from the library.", "projector"),
    ("What was the first name of the parser project?", "The parser project was first called Magpie.", "parser project"),
    ("How long is the garden fence?", "Along the garden there are 41 metres of fence.", "garden fence"),
    ("Which bakery makes the rye bread?", "Rye bread comes from the bakery in Mill Lane.", "rye bread"),
    ("What colour is the door of the boathouse?", "They painted the boathouse door ochre.", "boathouse door"),
    ("Who taught Leila to weld?", "Leila learned to weld from her uncle Karim.", "Leila weld"),
    (
        "Which visa did Paulo need for Vietnam?",
        "For Vietnam Paulo got an e-visa for ninety days.",
        "Paulo visa Vietnam",
    ),
    ("What broke the telescope mount?", "A frozen bearing ruined the telescope mount.", "telescope mount"),
    ("How many seats has the village cinema?", "The village cinema has 88 seats.", "village cinema"),
    ("Which tax form is for the studio rent?", "The rent of the studio goes into form EUR.", "studio rent tax"),
    ("Who designed the logo of the choir?", "The choir logo is by Mbali Dube.", "choir logo"),
    ("What is the altitude of the weather hut?", "The weather hut is at 2,310 metres.", "weather hut"),
    ("Which glue holds the kayak seam?", "The kayak seam is glued with G/flex.", "kayak seam"),
    ("Where did Yusuf buy the cello bow?", "Yusuf got the cello bow in Cremona.", "Yusuf cello bow"),
    ("What is the allergy of the neighbour's child?", "The neighbour's child cannot eat sesame.", "neighbour child"),
    ("Which key signs the firmware releases?", "Firmware releases are signed by key 7C19.", "firmware releases"),
    ("Who translated the safety manual?", "Aiko Tanabe translated the safety manual.", "safety manual"),
    ("What is the tolerance of the gear shaft?", "The gear shaft is cut to 12 microns.", "gear shaft"),
    ("Which day is the quarry closed?", "On Wednesdays the quarry is closed.", "quarry"),
    ("How is the sauna stove heated?", "The sauna stove burns birch only.", "sauna stove"),
    ("What did the geologist find in the well?", "In the well the geologist found gypsum.", "geologist well"),
    ("Which bus goes to the fish market?", "Bus 36 stops at the fish market.", "fish market bus"),
    ("Who owns the meadow behind the mill?", "The meadow behind the mill belongs to the parish.", "meadow mill"),
    (
        "What is the password hint of the weather station?",
        "The weather station hint is the dog's name.",
        "weather station",
    ),
    ("Which composer wrote the school anthem?", "The school anthem is by Sofia Reyes.", "school anthem"),
    ("When does the ferry season begin?", "The ferry season begins on 9 April.", "ferry season"),
    ("What is stored in container 12?", "Container 12 holds the stage curtains.", "container 12"),
    ("Which vet treats the goats?", "The goats are treated by Dr. Lindqvist.", "goats vet"),
    ("How deep is the harbour basin?", "The harbour basin is 7 metres deep.", "harbour basin"),
    ("Who is the godmother of Emil?", "Emil's godmother is Roswitha.", "Emil godmother"),
    ("Which solvent cleans the print heads?", "The print heads are cleaned with isopropanol.", "print heads"),
    ("What is the limit of the lift?", "The lift carries 450 kilograms.", "lift"),
    ("Which chapter did Noor rewrite?", "Noor rewrote chapter nine.", "Noor chapter"),
    ("Where was the wedding of Dana and Piet?", "Dana and Piet married in Ghent.", "wedding Dana Piet"),
    ("What is the wifi name of the cabin?", "The cabin wifi is called Elkhound.", "cabin wifi"),
    ("Which pump feeds the upper pond?", "The upper pond is fed by an Oase pump.", "upper pond pump"),
    ("Who keeps the minutes of the chess club?", "The chess club minutes are kept by Wanjiru.", "chess club minutes"),
)
FRESH = (
    "We talked about the {0} again this morning.",
    "Somebody should look after the {0} next week, said Ana.",
    "The {0} came up in the meeting, and everyone had an opinion.",
    "Please put the {0} on the list for Friday.",
    "Boris took three photos: the {0}, a bridge, and lunch.",
    "There is a new note about the {0} in the folder.",
)


def ranks(jot: Jotsam, answers: list[str], weights: Weights) -> list[int]:
    """The rank of each answer, from 1."""
    found = []
    for (question, _, _), answer in zip(SOUGHT, answers, strict=True):
        asked = Question(text=question, tenant=jot.settings.tenant, tokens=200_000, limit=100)
        with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
            hits = [hit.id for hit in recall(tx, asked, weights=weights).hits]
        found.append(hits.index(answer) + 1 if answer in hits else 0)
    return found


def test_the_only_answer_stays_where_it_is_although_it_has_faded(jot: Jotsam, clock: StandingClock) -> None:
    answers = [jot.remember(text, importance=0.0, confidence=0.0).id for _, text, _ in SOUGHT]
    clock.tick(800 * DAY_MS)
    fresh = [jot.remember(one.format(about), importance=1.0).id for _, _, about in SOUGHT for one in FRESH]
    lifecycle_tables.run(jot, "decay")
    assert max(jot.show(id).relevance or 0 for id in answers[:3]) == 0.0
    assert min(jot.show(id).relevance or 0 for id in fresh[:3]) > 0.7
    # The importance that was given counts by itself, as it does without relevance.
    without, ranked = (
        ranks(jot, answers, weights.replace(importance=0.0, confidence=0.0)) for weights in (WITHOUT_RELEVANCE, WEIGHTS)
    )
    assert [0 < rank <= 10 for rank in ranked] == [0 < rank <= 10 for rank in without]
    assert sum(0 < rank <= 10 for rank in ranked) >= 40
    assert sum(one != other for one, other in zip(ranked, without, strict=True)) <= len(SOUGHT) // 10


def test_of_equal_matches_the_more_relevant_comes_first(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = open_jot()
    used = jot.remember("Carla waters the fern.").id
    other = jot.remember("Dario waters the palm.").id
    clock.tick(30 * DAY_MS)
    jot.recall("Carla")
    jot.close()
    again = open_jot()
    asked = "Who waters plants?"
    assert [hit.id for hit in again.recall(asked).hits] == [other, used]
    lifecycle_tables.run(again, "decay")
    hits = again.recall(asked).hits
    assert [hit.id for hit in hits] == [used, other]
    assert hits[0].scores["relevance"] > 0 > hits[1].scores["relevance"]
    again.settings = again.settings.replace(recall_relevance="off")
    hits = again.recall(asked).hits
    assert [hit.id for hit in hits] == [other, used]
    assert "relevance" not in hits[0].scores


def test_of_equal_matches_the_one_that_was_given_more_importance_comes_first(jot: Jotsam) -> None:
    first = jot.remember("Carla waters the fern.", importance=0.9).id
    last = jot.remember("Dario waters the palm.", importance=0.1).id
    assert [hit.id for hit in jot.recall("Who waters plants?").hits] == [first, last]
    jot.work()
    assert [hit.id for hit in jot.recall("Who waters plants?").hits] == [first, last]


def test_an_archived_turn_is_no_result_and_the_reply_to_it_is_found(jot: Jotsam) -> None:
    def said(text: str, position: int) -> str:
        return jot.remember(text, session="s", position=position, actor="ab"[position % 2]).id

    asked, reply = said("Which city did you choose for the holidays?", 1), said("Porto, of course.", 2)
    for position in range(3, 9):
        said(f"Something else, number {position}.", position)
    jot.work()
    question = "city of the holidays"
    before = jot.recall(question, limit=3)
    assert {hit.id for hit in before.hits[:2]} == {asked, reply}
    jot.archive(asked)
    answer = jot.recall(question, limit=3)
    assert answer.hits[0].id == reply
    assert asked not in {hit.id for hit in answer.hits}
    assert answer.coverage.total == before.coverage.total - 1
    for alone in ("chose a city for holidays", '"which city"', asked):
        assert asked not in {hit.id for hit in jot.recall(alone, limit=20).hits}


def test_an_archived_note_is_context_of_nothing(jot: Jotsam) -> None:
    note = jot.remember("The holidays are in Porto.").id
    jot.work()
    jot.archive(note)
    answer = jot.recall("holidays")
    assert (answer.hits, answer.coverage.total) == ((), 0)
