"""Parse a question once into a `ParsedQuestion`, which every retriever reads.

Pure. It must not know what is stored, which database stores it, or how results are ranked.
"""

from __future__ import annotations

from jotsam.core.answers import Terms
from jotsam.core.records import Record
from jotsam.retrieval.question.intent import Intent, read_intent, strip_recency
from jotsam.retrieval.question.mentions import fact_parts, places, titles
from jotsam.retrieval.question.stems import stems
from jotsam.retrieval.question.terms import search_terms, uuid_prefixes
from jotsam.storage.graph.facts import Asked


class ParsedQuestion(Record):
    """A question as the retrievers and the ranking read it."""

    text: str  # "" if there is nothing to search for
    terms: Terms  # for the text index
    words: tuple[str, ...]  # the words and bigrams of `terms`, without its phrases
    stems: tuple[str, ...]  # of `words`: what excerpts and match scores look for
    phrases: tuple[Terms, ...]  # what is in quotes
    ids: tuple[str, ...]  # UUIDs and UUID prefixes, in canonical form
    titles: tuple[str, ...]  # slugs that may be titles of memories
    places: frozenset[str]  # what may be folders, files or projects, in lower case
    facts: Asked  # what may be parts of facts
    intent: Intent


def parse(question: str, *, now: int) -> ParsedQuestion:
    """Parse a question of any length, in any script, asked at `now` (milliseconds). Never raises.

    There is nothing to search for if no words are left but stop words outside quotes and words that ask for the latest.
    """
    text = question.strip()
    content = strip_recency(text)
    found = search_terms(content)
    is_empty = not (found.terms.words or found.terms.grams)
    intent = read_intent(text, content=content, now=now)
    return ParsedQuestion(
        text="" if is_empty else text,
        terms=found.terms,
        words=found.words,
        stems=stems(found.words),
        phrases=found.phrases,
        ids=uuid_prefixes(text),
        titles=titles(text),
        places=places(text),
        facts=fact_parts(text),
        intent=intent.replace(latest=True) if is_empty else intent,
    )
