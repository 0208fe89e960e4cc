#!/usr/bin/env python3
"""Shows that no panic is reachable from the entry points of the library, in its machine code.

Calls are followed through the relocations of the object files. A call through a pointer cannot be,
and is an error, but where POINTERS says why one is there.
"""

import re
import subprocess
import sys

ENTRIES = ["isa_decode", "isa_encode", "isa_execute", "isa_parse", "isa_print"]

# By a part of a function's name. Printing an operand goes through the row of its kind, as does the
# question whether its text is read back, and what a target is called is said by the caller.
POINTERS = ["print_value", "5style", "formats_read_back"]

# Parsing too goes through the rows of the kinds: in functions with these names, by a pointer at the
# place in a row that functions with that name have. These are entries of their own.
WALKS = ["isa_core3asm4walk", "isa_core3asm5quick"]
OF_ROWS = ["read"]

PANIC = re.compile(r"panicking|rust_begin_unwind|_fail\b|unwrap_failed")


def objdump(*args):
    """The lines that objdump prints."""
    command = ["objdump", *args]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def functions(library):
    """By function: the names that its code refers to, and its calls through pointers."""
    refers, pointers, name, call = {}, {}, None, None
    for line in objdump("-dr", "--no-show-raw-insn", library):
        if start := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            # Labels inside of a function belong to it.
            name = name if start[1].startswith(".L") and name else start[1]
            refers.setdefault(name, set())
            pointers.setdefault(name, [])
            call = None
        elif place := re.match(r"\s+[0-9a-f]+: R_X86_64_\S+\s+(\S+?)([+-]0x[0-9a-f]+)?$", line):
            refers[name].add(re.sub(r"^\.text\.(unlikely\.|hot\.)?", "", place[1]))
            if call is not None:
                # `call *memcpy@GOTPCREL(%rip)`: a name, not a pointer.
                pointers[name].remove(call)
                call = None
        elif name:
            # Jumps to a register are those of a `match`; to memory, calls at the end.
            call = None
            if re.search(r"\bcall\s+\*|\bjmp\s+\*-?(0x)?[0-9a-f]*\(", line):
                call = line.strip()
                pointers[name].append(call)
    return refers, pointers


def rows(library):
    """By operand kind or format: the functions that its row points to, by their offsets in it."""
    found, kind = {}, None
    for line in objdump("-r", library):
        if start := re.match(r"RELOCATION RECORDS FOR \[(.*)\]", line):
            row = re.search(r"\d__isa_text_(\w+?)17h[0-9a-f]{16}E", start[1])
            kind = row and row[1]
        elif place := kind and re.match(r"([0-9a-f]+) R_X86_64_64 +\.text\.(unlikely\.)?(\S+)", line):
            found.setdefault(kind, {})[int(place[1], 16)] = place[3]
    return found


def place_in_rows(found, name):
    """The offset of the functions with a name: where the compiler kept the names of some."""
    function = re.compile(rf"\d{name}17h[0-9a-f]{{16}}E$")
    places = {at for row in found.values() for at, other in row.items() if function.search(other)}
    if len(places) != 1:
        sys.exit(f"error: the rows of operand kinds have no one place for `{name}`: {places}")
    return places.pop()


def reachable(refers, root):
    """The functions that code of `root` leads to, each with the one before it."""
    before, left = {root: None}, [root]
    while left:
        name = left.pop()
        for other in sorted(refers.get(name, ())):
            if other not in before:
                before[other] = name
                if other in refers:
                    left.append(other)
    return before


def way(before, name):
    """How a function is reached."""
    names = []
    while name:
        names.append(name)
        name = before[name]
    return " <- ".join(names)


def is_of_row(name, call, places):
    """Whether a call by pointer in a function that parses is one through a row of a kind."""
    if not any(part in name for part in WALKS):
        return False
    # What was loaded into a register before has no offset here.
    offset = re.search(r"\*(0x[0-9a-f]+)?\(", call)
    return offset is None or int(offset[1] or "0", 16) in places


def check(root, refers, pointers, places=(), label=None):
    """Prints what is reachable from a function; whether that is wrong."""
    if root not in refers:
        sys.exit(f"error: the library has no {root}")
    before = reachable(refers, root)
    panics = [name for name in before if PANIC.search(name)]
    unknown = [name for name in before if not any(part in name for part in POINTERS)]
    calls = [(name, call) for name in unknown for call in pointers.get(name, ())]
    calls = [f"{name}: {call}" for name, call in calls if not is_of_row(name, call, places)]
    code = sum(name in refers for name in before)
    print(f"{label or root}: {code} functions, {len(panics)} panics, {len(calls)} calls by pointer")
    for line in [way(before, name) for name in panics] + calls:
        print(f"  {line}")
    return bool(panics or calls)


def main():
    library = sys.argv[1]
    refers, pointers = functions(library)
    found = rows(library)
    places = {name: place_in_rows(found, name) for name in OF_ROWS}
    failed = [check(root, refers, pointers, places.values()) for root in ENTRIES]
    for name, place in places.items():
        for kind, row in sorted(found.items()):
            failed.append(check(row.get(place), refers, pointers, label=f"{name} of {kind}"))
    return any(failed)


sys.exit(main())
