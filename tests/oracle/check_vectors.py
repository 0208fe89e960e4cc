"""Executes plain vectors with the model: `python3 tests/oracle/check_vectors.py < FILE`.

Prints each vector with another result, and the number of vectors.
"""

import sys

from asm_parse import parse_one
from machine import execute, state_text


def read_state(text):
    """Returns the values of a state such as `R1=0x3c00 P0=1`, or of `-`."""
    parts = [] if text == "-" else text.split()
    return {name: int(value, 0) for name, value in (part.split("=") for part in parts)}


def main():
    count = 0
    for line in sys.stdin:
        asm, state, expected = line.rstrip("\n").split(" | ")
        found = state_text(execute(parse_one(asm), read_state(state)))
        if found != state_text(read_state(expected)):
            print(f"{asm} | {state}: the vector has {expected}, the model has {found}")
        count += 1
    print(f"{count} vectors")


if __name__ == "__main__":
    main()
