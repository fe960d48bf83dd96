"""Write the list of common English words that tells a name in lower case from an ordinary word.

    python -m tools.common_words --tokenizer FOLDER/tokenizer.json --out src/jotsam/retrieval/rank/common_words.bin

The source is the vocabulary of all-MiniLM-L6-v2 (Apache-2.0), whose words stand in the order of their frequency in
books and Wikipedia. Stems are written, one per line, compressed by zlib.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from pathlib import Path

from jotsam.retrieval.question.stems import stems

MOST = 15_000  # the rest are mostly names
WORD = re.compile(r"[a-z]{3,}")


def common_stems(vocabulary: dict[str, int]) -> list[str]:
    """The stems of the most frequent words of a vocabulary, in alphabetical order."""
    words = [word for word in sorted(vocabulary, key=vocabulary.__getitem__) if WORD.fullmatch(word)]
    return sorted(stems(words[:MOST]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, required=True, metavar="FILE", help="tokenizer.json of the model")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    given = parser.parse_args()
    found = common_stems(json.loads(given.tokenizer.read_text(encoding="utf-8"))["model"]["vocab"])
    given.out.write_bytes(zlib.compress("\n".join(["", *found, ""]).encode(), 9))
    print(f"{len(found):,} stems")


if __name__ == "__main__":
    main()
