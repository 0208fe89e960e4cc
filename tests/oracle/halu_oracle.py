"""An independent model of the HALU and SIMD video instructions.

Written from the HALU specification and the PTX manual (SIMD video instructions) alone, to be
compared with the Rust implementation.  Plain Python 3.11, standard library only.

    make(opcode, field=value, ...)   a structured instruction; `ra__neg` stands for `ra.neg`
    encode(inst), decode(word)       its 128-bit word, and back (None for an illegal word)
    classify(word), reasons(word)    the opcode name, or the categories of what is wrong
    to_text(inst), parse_one(text)   canonical assembly, and any accepted spelling
    execute(inst, state)             the locations written

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
