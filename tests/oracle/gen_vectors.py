"""Writes all test vectors: `python3 tests/oracle/gen_vectors.py [--check]`.

The output depends only on these scripts. With --check, writes nothing and returns exit status 1 if
a file is not up to date.
"""

import sys

import gen_encode
import gen_examples
import gen_exec
import gen_illegal_text
import gen_illegal_words
import gen_spelling
from gen_common import VECTORS, write_or_check

FILES = (
    ("encode", gen_encode, ("halu", "video")),
    ("spelling", gen_spelling, ("halu", "video")),
    ("illegal_words", gen_illegal_words, ("halu", "video")),
    ("illegal_text", gen_illegal_text, ("halu", "video")),
    ("exec", gen_exec, ("halu", "video")),
    ("spec_examples", gen_examples, ("halu",)),
)


def main(arguments):
    stale = 0
    for name, module, families in FILES:
        for family in families:
            path = VECTORS / family / f"{name}.txt"
            lines = module.generate(family)
            text = "\n".join(lines) + "\n"
            cases = sum(not line.startswith("#") for line in lines)
            note = f"{cases} cases, {len(text)} bytes"
            label = f"{family}/{name}.txt"
            stale += write_or_check(path, label, text, note, "--check" in arguments)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
