#!/usr/bin/env python3
"""Shows that no panic is reachable from the entry points of the library, in its machine code.

Calls are followed through the relocations of the object files. A call through a pointer cannot be,
and is an error, but where POINTERS says why one is there.
"""

import re
import subprocess
import sys

ENTRIES = ["isa_decode", "isa_encode", "isa_execute", "isa_print"]

# By a part of a function's name. Printing an operand goes through the row of its kind, and what a
# target is called is said by the caller. The kinds of immediates print with the standard library's
# floats, which have panics that the compiler cannot rule out.
POINTERS = ["print_field"]

PANIC = re.compile(r"panicking|rust_begin_unwind|_fail\b|unwrap_failed")


def functions(library):
    """By function: the names that its code refers to, and its calls through pointers."""
    command = ["objdump", "-dr", "--no-show-raw-insn", library]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    refers, pointers, name, call = {}, {}, None, None
    for line in output.splitlines():
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


def main():
    refers, pointers = functions(sys.argv[1])
    failed = False
    for root in ENTRIES:
        if root not in refers:
            sys.exit(f"error: the library has no {root}")
        before = reachable(refers, root)
        panics = [name for name in before if PANIC.search(name)]
        unknown = [name for name in before if not any(part in name for part in POINTERS)]
        calls = [f"{name}: {call}" for name in unknown for call in pointers.get(name, ())]
        code = sum(name in refers for name in before)
        print(f"{root}: {code} functions, {len(panics)} panics, {len(calls)} calls by pointer")
        for line in [way(before, name) for name in panics] + calls:
            print(f"  {line}")
        failed |= bool(panics or calls)
    return failed


sys.exit(main())
