"""The README: its figures were measured, and it can be read on a package index, without the repository around it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from doc_pages import ROOT

README = ROOT / "README.md"


def test_every_figure_of_the_readme_is_on_the_page_of_benchmarks() -> None:
    measured = (ROOT / "docs" / "benchmarks.md").read_text()
    table = README.read_text().partition("## Numbers")[2].partition("## ")[0]
    rows = re.findall(r"^\| .+ \| (.+) \|$", table, re.MULTILINE)
    figures = [figure for row in rows for figure in row.split(", ")]

    assert len(figures) > 5
    assert [figure for figure in figures if f" {figure} |" not in measured] == []


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
