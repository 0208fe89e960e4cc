"""Writes the results of the example programs: `python3 tests/oracle/examples.py [--check]`.

Runs each program of isa-defs/examples on the model, instruction by instruction, and compares its
outputs with the formulas of example_formulas.py, which are independent of instructions. With
--check, writes nothing and returns exit status 1 if a file is not up to date.
"""

import sys
from pathlib import Path

from example_formulas import PROGRAMS
from gen_common import write_or_check
from machine import state_text
from programs import run_text

EXAMPLES = Path(__file__).resolve().parents[2] / "isa-defs" / "examples"


def header(name, outputs):
    return [
        f"# The results of {name}.isa.",
        "# Format of a line: <state before> | <written locations>. `-` is a state of zeros.",
        f"# Outputs, also computed by a formula: {' '.join(outputs)}",
        "# The exact model in tests/oracle computes the results and compares them with a formula",
        "# in example_formulas.py. Neither shares code with the crates.",
        "# Regenerate: python3 tests/oracle/examples.py",
    ]


def case_lines(name, text, title, state, formula):
    written = run_text(text, state)
    expected = formula(state)
    found = {place: written.get(place) for place in expected}
    assert found == expected, (
        f"{name}, {title}: the model computes {state_text(found)}, "
        f"the formula {state_text(expected)}"
    )
    return [f"# {title}", f"{state_text(state)} | {state_text(written)}"]


def generate(name):
    cases, formula = PROGRAMS[name]
    text = (EXAMPLES / f"{name}.isa").read_text(encoding="utf-8")
    lines = header(name, formula({}))
    for title, state in cases():
        lines += case_lines(name, text, title, state, formula)
    return "\n".join(lines) + "\n"


def main(arguments):
    stale = 0
    programs = {path.stem for path in EXAMPLES.glob("*.isa")}
    assert programs == set(PROGRAMS), programs ^ set(PROGRAMS)
    for name in PROGRAMS:
        path = EXAMPLES / "expected" / f"{name}.txt"
        text = generate(name)
        note = f"{text.count(' | ') - 1} cases"
        stale += write_or_check(path, path.name, text, note, "--check" in arguments)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
