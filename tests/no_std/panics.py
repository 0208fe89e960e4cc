#!/usr/bin/env python3
"""Shows that no panic is reachable from the entry points of the library, in its machine code.

The script follows calls through the relocations of the object files. It cannot follow a call
through a pointer, so such a call is an error unless POINTERS lists the function that contains it.
"""

import re
import subprocess
import sys

ENTRIES = ["isa_decode", "isa_encode", "isa_execute", "isa_parse", "isa_print"]

# Parts of the names of functions that may call through a pointer. Two of them call functions in the
# table row of an operand type, which print the operand or check whether its text round-trips. The
# third calls a function of the caller that returns the name of a target.
POINTERS = ["print_value", "5style", "formats_read_back"]

# The parser also calls functions in the table rows of operand types. WALKS contains parts of the
# names of functions with such calls. OF_ROWS contains the names of the called functions, whose
# offset in a row identifies the call. These functions are checked as separate entry points.
WALKS = ["isa_core5parse8template", "isa_core5parse4fast"]
OF_ROWS = ["read"]

PANIC = re.compile(r"panicking|rust_begin_unwind|_fail\b|unwrap_failed")


def objdump(*args):
    """Returns the lines that objdump prints."""
    command = ["objdump", *args]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def functions(library):
    """Returns the names to which each function refers, and its calls through pointers."""
    refers, pointers, name, call = {}, {}, None, None
    for line in objdump("-dr", "--no-show-raw-insn", library):
        if start := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            # Labels inside a function belong to the function.
            name = name if start[1].startswith(".L") and name else start[1]
            refers.setdefault(name, set())
            pointers.setdefault(name, [])
            call = None
        elif place := re.match(r"\s+[0-9a-f]+: R_X86_64_\S+\s+(\S+?)([+-]0x[0-9a-f]+)?$", line):
            refers[name].add(re.sub(r"^\.text\.(unlikely\.|hot\.)?", "", place[1]))
            if call is not None:
                # `call *memcpy@GOTPCREL(%rip)` calls a name, not a pointer.
                pointers[name].remove(call)
                call = None
        elif name:
            # A jump to a register belongs to a `match`. A jump to memory is a tail call.
            call = None
            if re.search(r"\bcall\s+\*|\bjmp\s+\*-?(0x)?[0-9a-f]*\(", line):
                call = line.strip()
                pointers[name].append(call)
    return refers, pointers


def rows(library):
    """Returns for each operand type or format the functions in its row, by their offset."""
    found, kind = {}, None
    for line in objdump("-r", library):
        if start := re.match(r"RELOCATION RECORDS FOR \[(.*)\]", line):
            row = re.search(r"\d__isa_text_(\w+?)17h[0-9a-f]{16}E", start[1])
            kind = row and row[1]
        elif place := kind and re.match(r"([0-9a-f]+) R_X86_64_64 +\.text\.(unlikely\.)?(\S+)", line):
            found.setdefault(kind, {})[int(place[1], 16)] = place[3]
    return found


def place_in_rows(found, name):
    """Returns the offset in a row of the functions with this name.

    The offset is known if the compiler kept the name of at least one such function.
    """
    function = re.compile(rf"\d{name}17h[0-9a-f]{{16}}E$")
    places = {at for row in found.values() for at, other in row.items() if function.search(other)}
    if len(places) != 1:
        sys.exit(f"error: expected one offset of `{name}` in rows, found {places}")
    return places.pop()


def reachable(refers, root):
    """Returns the functions that `root` can reach, each with the function that refers to it."""
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
    """Returns the path by which a function is reached."""
    names = []
    while name:
        names.append(name)
        name = before[name]
    return " <- ".join(names)


def is_of_row(name, call, places):
    """Returns whether a call through a pointer is a call of the parser through a row."""
    if not any(part in name for part in WALKS):
        return False
    # If the pointer was loaded into a register before, the call contains no offset.
    offset = re.search(r"\*(0x[0-9a-f]+)?\(", call)
    return offset is None or int(offset[1] or "0", 16) in places


def check(root, refers, pointers, places=(), label=None):
    """Prints the panics and calls that a function can reach. Returns whether there are any."""
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
