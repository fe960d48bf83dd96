"""docs/security.md and tools/guards.py: each claim names a test, and a guard without which that test must fail."""

from __future__ import annotations

import re

from doc_pages import ROOT
from tools.guards import GUARDS, KEPT

PAGE = (ROOT / "docs" / "security.md").read_text()
TEST = re.compile(r"`(tests/[\w/]+\.py::\w+)`")
NAMED = set(TEST.findall(PAGE))


def test_every_claim_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| protection")]

    assert len(rows) > 20
    assert [row for row in rows if not TEST.search(row)] == []


def test_the_page_names_the_tests_of_the_guards_and_no_other() -> None:
    of_claims = {guard.test for guard in GUARDS} - {guard.test for guard in KEPT}

    assert NAMED - of_claims == set(), "no guard is taken out for these"
    assert of_claims - NAMED == set(), "the page does not name these"


def test_every_test_that_must_find_a_fault_exists() -> None:
    missing = []
    for test in {guard.test for guard in GUARDS}:
        file, _, name = test.partition("::")
        path = ROOT / file
        if not path.exists() or not re.search(rf"^def {name}\(", path.read_text(), re.MULTILINE):
            missing.append(test)

    assert missing == []
