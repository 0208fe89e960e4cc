"""Runs straight-line programs on the model to compute exact expected values.

    programs.py FILE [--set R1=0x3c003c00 ...] [--trace]
    programs.py --jsonl [FILE]       reads one request and prints one answer on each line

A JSON request is {"asm": "...", "state": {"R1": "0x3c003c00", "P0": true}}. The answer is
{"state": {...}} with the written locations, or {"error": "..."}.
"""

import json
import sys

from asm_parse import AsmError, parse_program
from asm_print import to_text
from machine import execute, location_key, state_text


def run_program(program, state, trace=None):
    """Returns the last values of the locations that a program writes. `state` is not changed."""
    memory = dict(state)
    written = {}
    for inst in program:
        changes = execute(inst, memory)
        if trace:
            print(f"{to_text(inst):<60} {state_text(changes)}", file=trace)
        memory.update(changes)
        written.update(changes)
    return written


def run_text(text, state, trace=None):
    return run_program(parse_program(text), state, trace)


def normal_location(name):
    """Returns the canonical name of a location: `c[0][352]` is `c[0x0][0x160]`."""
    if not name.startswith("c["):
        return name
    bank, offset = (int(part.strip(" ]"), 0) for part in name[2:].split("["))
    return f"c[0x{bank:x}][0x{offset:x}]"


def read_value(value):
    return int(value, 0) if isinstance(value, str) else int(value)


def answer(line):
    try:
        request = json.loads(line)
        state = {
            normal_location(name): read_value(value)
            for name, value in request.get("state", {}).items()
        }
        written = run_text(request["asm"], state)
    except (AsmError, ValueError, KeyError) as error:
        return {"error": str(error)}
    names = sorted(written, key=location_key)
    return {"state": {name: show(name, written[name]) for name in names}}


def show(name, value):
    return bool(value) if name[0] == "P" else f"0x{value:08x}"


def main(arguments):
    if arguments[:1] == ["--jsonl"]:
        source = open(arguments[1], encoding="utf-8") if arguments[1:] else sys.stdin
        for line in source:
            print(json.dumps(answer(line)))
        return 0
    trace = sys.stderr if "--trace" in arguments else None
    rest = [argument for argument in arguments if argument not in ("--trace", "--set")]
    if not rest:
        print(__doc__, file=sys.stderr)
        return 2
    with open(rest[0], encoding="utf-8") as file:
        text = file.read()
    settings = (setting.split("=") for setting in rest[1:])
    state = {normal_location(name): int(value, 0) for name, value in settings}
    print(state_text(run_text(text, state, trace)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
