"""The README: its figures were measured, and it can be read on a package index, without the repository around it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from doc_pages import ROOT
from tools.terminal_picture import PICTURE, drawn, given

README = ROOT / "README.md"


def test_every_figure_of_the_readme_is_on_the_page_where_it_was_measured() -> None:
    numbers = README.read_text().partition("## Numbers")[2].partition("## ")[0]
    benchmarks, recall = ((ROOT / "docs" / name).read_text() for name in ("benchmarks.md", "recall.md"))
    times = re.findall(r"\d[\d.]* ms", numbers)
    shares = re.findall(r"(\d[\d.]*) %", numbers)

    assert (len(times), len(shares)) == (2, 2)
    assert [time for time in times if f"| {time} |" not in benchmarks] == []
    assert [share for share in shares if not re.search(rf"\| \**{re.escape(share)}\** \|", recall)] == []


def test_the_readme_is_one_page() -> None:
    prose = re.sub(r"```.*?```|<!--.*?-->|\]\([^)]*\)", "", README.read_text(), flags=re.DOTALL)

    assert len(re.findall(r"\w+", prose)) <= 700


def test_the_first_picture_shows_what_another_agent_is_given() -> None:
    assert PICTURE.read_text() == drawn(given())


def test_every_relative_link_of_the_readme_leads_to_a_file() -> None:
    links = re.findall(r"\]\(((?!https?:)[^)#]+)", README.read_text())

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_of_the_package_has_no_relative_link() -> None:
    command = [sys.executable, "-m", "hatchling", "metadata"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    text = json.loads(done.stdout)["readme"]["text"]

    assert text.startswith("# Jotsam")
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
