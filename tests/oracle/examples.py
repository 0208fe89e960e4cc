"""Writes what the example programs give: `python3 tests/oracle/examples.py [--check]`.

Each program of isa-defs/examples runs on the model, instruction by instruction, and its outputs
must be what the formulas of example_formulas.py give, which know nothing of instructions. With
--check nothing is written, and the exit status tells whether the files are as they would be.
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
        f"# What {name}.isa writes.",
        "# Form of a line: <state before> | <all that is written>; `-` is a state of zeros.",
        f"# Outputs, also computed by a formula: {' '.join(outputs)}",
        "# Computed by the exact model in tests/oracle and compared there with a direct formula",
        "# (example_formulas.py); neither shares code with the crates.",
        "# Regenerate: python3 tests/oracle/examples.py",
    ]


def case_lines(name, text, title, state, formula):
    written = run_text(text, state)
    expected = formula(state)
    found = {place: written.get(place) for place in expected}
    assert found == expected, (
        f"{name}, {title}: the model gives {state_text(found)}, "
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
