"""The closed set of predicates of facts, which rules, language models and agents share.

A fact with another predicate is kept as it was stated, is marked as free, and never ends another fact. Which other
words mean a predicate of the set is in `pipeline.facts.predicates`.
"""

from __future__ import annotations

# A subject has one object at a time: a later fact ends an earlier one.
FUNCTIONAL = frozenset(
    """
    address birthday born_in budget capital costs deadline defaults_to hometown license lives_in married_to moved_to
    named port replaced_by timezone version works_at
    """.split()  # noqa: SIM905 - quoted words are harder to read than their text
)
_OTHERS = """
accepts adopted allergic_to attended bought branch caused_by causes configured_by connects_to controls created
created_by decided depends_on described_as dimensions dislikes extends finished fixes from goal handles has hobby
implements is job joined knows language learns limit listens_on located_in met_with migrated_from migrated_to organized
owns part_of planned_for plays prefers produces provides reads reads_from rejected released_in replaces required
responsible_for returns runs_on started status stores stores_in studies supports teaches timeout uses visited
volunteered_at volunteers_at watched went_to won works_as works_on works_with writes_to written_in
"""
PREDICATES = FUNCTIONAL.union(_OTHERS.split())


def is_free(predicate: str) -> bool:
    """Whether a normalised predicate is not of the closed set."""
    return predicate not in PREDICATES
