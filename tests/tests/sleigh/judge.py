"""Runs Ghidra's SLEIGH, which the wheel `pypcode` contains, on a language in a folder.

    judge.py compile SLASPEC    compiles, and prints the messages of the compiler
    judge.py words LDEFS        prints the length in bytes and the text of each word, or `-` if the word is
                                not an instruction
    judge.py flow LDEFS         prints the jumps of each word at 0x40000000, such as `if 0x40000010` or
                                `call`, separated by commas, or `-`
    judge.py effects LDEFS      prints the operations of each word, `RESULT = OPERATION ARGUMENTS`, one per
                                line, and `.` after the last operation of the word

Except for `compile`, the commands read words from standard input, one per line, as bytes in hexadecimal.
"""

import pathlib
import subprocess
import sys

import pypcode


def compile_language(slaspec):
    sleigh = pathlib.Path(pypcode.__file__).parent / "bin" / "sleigh"
    # The options enable all warnings: conflicts of patterns, operations without an effect, colliding operands.
    said = subprocess.run(
        [sleigh, "-l", "-n", "-c", "-u", "-t", slaspec], capture_output=True, text=True
    )
    print(said.stdout + said.stderr, end="")
    return said.returncode


def load(ldefs):
    return pypcode.Context(pypcode.Arch("set", ldefs).languages[0])


def words(ldefs):
    context = load(ldefs)
    lines = []
    for line in sys.stdin:
        word = bytes.fromhex(line)
        try:
            one = context.disassemble(word, 0, 0, len(word), 1).instructions[0]
            body = f" {one.body}" if one.body else ""
            lines.append(f"{one.length} {one.mnem}{body}")
        except pypcode.BadDataError:
            lines.append("-")
    print("\n".join(lines))


def flow(ldefs):
    context = load(ldefs)
    of = pypcode.OpCode
    direct = {of.BRANCH: "branch", of.CBRANCH: "if", of.CALL: "call"}
    indirect = {of.BRANCHIND: "branch", of.CALLIND: "call", of.RETURN: "return"}
    for line in sys.stdin:
        word = bytes.fromhex(line)
        said = []
        for op in context.translate(word, 0x4000_0000, 0, len(word), 1).ops:
            if op.opcode in direct:
                said.append(f"{direct[op.opcode]} {op.inputs[0].offset:#x}")
            elif op.opcode in indirect:
                said.append(indirect[op.opcode])
        print(", ".join(said) or "-")


def effects(ldefs):
    context = load(ldefs)
    names = {v.offset: name for v, name in context.getAllRegisters().items()}

    def show(varnode):
        space = varnode.space.name
        if space == "register":
            return varnode.getRegisterName()
        return f"{varnode.offset:#x}" if space == "const" else f"{space}{varnode.offset:x}"

    for line in sys.stdin:
        word = bytes.fromhex(line)
        for op in context.translate(word, 0, 0, len(word), 1).ops:
            if op.opcode == pypcode.OpCode.IMARK:
                continue
            inputs = [show(one) for one in op.inputs]
            if op.opcode == pypcode.OpCode.CALLOTHER:
                inputs[0] = op.inputs[0].getUserDefinedOpName()
            result = f"{show(op.output)} = " if op.output else ""
            print(result + " ".join(inputs))
        print(".")


if __name__ == "__main__":
    command = {"compile": compile_language, "words": words, "flow": flow, "effects": effects}[sys.argv[1]]
    sys.exit(command(sys.argv[2]))
