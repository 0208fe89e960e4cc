"""An independent model of the HALU and SIMD video instructions.

It was written only from the HALU specification and the PTX manual (SIMD video instructions), for
comparison with the Rust implementation. It needs Python 3.11 and only the standard library.

    make(opcode, field=value, ...)   creates a structured instruction; `ra__neg` means `ra.neg`
    encode(inst), decode(word)       converts to the 128-bit word and back; None if it is invalid
    classify(word), reasons(word)    returns the opcode name, or the categories of the errors
    to_text(inst), parse_one(text)   prints canonical assembly, and parses any accepted spelling
    execute(inst, state)             returns the written locations

From the command line:

    halu_oracle.py asm 'HADD2 R0, R1, R2;'
    halu_oracle.py dis 00000000000000000000000201007130
"""

import sys

from asm_parse import AsmError, parse_one, parse_program
from asm_print import to_text
from machine import execute, state_text
from word import Inst, classify, cmem, decode, encode, hex_word, make, reasons

__all__ = [
    "AsmError", "Inst", "classify", "cmem", "decode", "encode", "execute", "hex_word", "make",
    "parse_one", "parse_program", "reasons", "state_text", "to_text",
]


def disassemble(word):
    found = reasons(word)
    return f".word 0x{hex_word(word)}; // {', '.join(found)}" if found else to_text(decode(word))


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("asm", "dis"):
        print(__doc__, file=sys.stderr)
        return 2
    for argument in arguments[1:]:
        if arguments[0] == "dis":
            print(disassemble(int(argument, 16)))
        else:
            for inst in parse_program(argument):
                print(hex_word(encode(inst)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
