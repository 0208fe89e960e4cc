#!/usr/bin/env python3
"""Compiles the corpus of `isa-sass` and writes the vectors `tests/vectors/sass/sm_*.txt`.

The script runs NVIDIA's `nvcc`, `ptxas` and `nvdisasm`, which it looks for on the path. They are not part of this
repository. Run it with a folder for intermediate files:

    python3 corpus.py /tmp/corpus

For each chip it compiles `kernels.cu` and the kernels of `half.py`, and disassembles the code as raw words, because
`nvdisasm` then prints targets of branches as numbers. It writes the complete result to `FOLDER/sm_90.txt`: a line for
each word with its address, its 128 bits and its text. The vectors are a part of this result. They contain the words of
the half-precision instructions, and of every other instruction up to 4 words for each opcode and set of modifiers.
"""

import os
import re
import struct
import subprocess
import sys

import half

CHIPS = [75, 80, 86, 89, 90, 100, 120]
HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, "..", "..", "..", "..", "tests", "vectors", "sass")
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s*$")


def run(*command):
    """Runs a command and returns its standard output, or None if it fails."""
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else None


def code(cubin):
    """Returns the bytes of each section with code of an ELF file."""
    data = open(cubin, "rb").read()
    offset, size, count, names = struct.unpack_from("<Q10xHHH", data, 0x28)[0:1] + struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
    start = headers[names][4]
    for name, kind, _, _, at, length in headers:
        title = data[start + name : data.index(b"\0", start + name)].decode()
        if kind == 1 and title.startswith(".text."):
            yield data[at : at + length]


def disassemble(chip, data, folder):
    """Returns the address, the word and the text of each instruction."""
    path = os.path.join(folder, "code.bin")
    with open(path, "wb") as file:
        file.write(data)
    text = run("nvdisasm", "-b", f"SM{chip}", "-ndf", path)
    if text is None:
        raise RuntimeError(f"nvdisasm rejects code of sm_{chip}")
    found = [LINE.match(line) for line in text.splitlines()]
    found = [(int(line[1], 16), line[2]) for line in found if line]
    assert len(found) == len(data) // 16
    return [(at, int.from_bytes(data[at : at + 16], "little"), text) for at, text in found]


def words(chip, folder):
    """Returns the address, the word and the text of each instruction of the corpus."""
    cubins = [os.path.join(folder, f"kernels_{chip}.cubin")]
    source = os.path.join(HERE, "kernels.cu")
    if run("nvcc", *os.environ.get("NVCC_FLAGS", "").split(), "-w", f"-arch=sm_{chip}", "-cubin", "-o", cubins[0], source) is None:
        raise RuntimeError("nvcc fails")
    rejected = 0
    for number, module in enumerate(half.kernels(chip)):
        path = os.path.join(folder, f"half_{chip}_{number}")
        with open(path + ".ptx", "w") as file:
            file.write(module)
        # A module that the chip rejects is compiled again without the instructions in the messages.
        for _ in range(3):
            result = subprocess.run(["ptxas", f"-arch=sm_{chip}", "-o", path + ".cubin", path + ".ptx"], capture_output=True, text=True)
            lines = {int(line) for line in re.findall(r"line (\d+)", result.stderr)}
            if result.returncode == 0 or not lines:
                break
            rejected += len(lines)
            kept = [line for i, line in enumerate(open(path + ".ptx"), 1) if i not in lines]
            open(path + ".ptx", "w").writelines(kept)
        if result.returncode == 0:
            cubins.append(path + ".cubin")
        else:
            print(f"sm_{chip}: module {number}: {result.stderr[:200]}")
    out = [word for cubin in cubins for data in code(cubin) for word in disassemble(chip, data, folder)]
    print(f"sm_{chip}: {len(out)} words, {rejected} PTX instructions rejected")
    return out


def is_half(text):
    """Returns whether the text is an instruction of the half-precision family."""
    return re.match(r"(@!?U?P\w+ )?(HADD2|HFMA2|HMUL2|HSET2|HSETP2|HMNMX2)", text) is not None


def selected(found):
    """Returns the part of the words that becomes vectors."""
    seen, counts = set(), {}
    for at, word, text in found:
        key = (word & (1 << 105) - 1, text) if is_half(text) else (word, text)
        if key in seen:
            continue
        seen.add(key)
        # The class of a text: its mnemonic and the kinds of its operands.
        group = re.sub(r"\b(U?R|U?P|SB|B)\d+\b|0x[0-9a-f]+|\b\d[\d.e+-]*", lambda m: re.sub(r"\d.*", "", m[0]), text)
        counts[group] = counts.get(group, 0) + 1
        if counts[group] <= (2 if not is_half(text) else 3):
            yield at, word, text


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    os.makedirs(VECTORS, exist_ok=True)
    for chip in CHIPS if len(sys.argv) < 3 else map(int, sys.argv[2:]):
        found = words(chip, folder)
        for path, lines in ((folder, found), (VECTORS, selected(found))):
            with open(os.path.join(path, f"sm_{chip}.txt"), "w") as file:
                for at, word, text in lines:
                    file.write(f"{at:04x} {word:032x} {text}\n")


main()
