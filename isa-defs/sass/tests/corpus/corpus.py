#!/usr/bin/env python3
"""Compiles the corpus of `isa-sass` and writes the vectors `tests/vectors/sass/words.txt`.

The script runs NVIDIA's `nvcc`, `ptxas` and `nvdisasm`, which it looks for on the path. They are not part of this
repository; the packages `nvidia-cuda-nvcc`, `nvidia-cuda-nvdisasm` and `nvidia-cuda-cccl` of PyPI contain them. Run it with a folder for intermediate files:

    python3 corpus.py FOLDER

For each chip it compiles `kernels.cu` and the kernels of `half.py` and `operations.py`, and disassembles the code as raw words, because
`nvdisasm` then prints targets of branches as numbers. It writes the complete result to `FOLDER/sm_90.txt`: a line for
each word with its address, its 128 bits and its text. `--stored` uses the results of an earlier run.

The vectors are a part of these results. A class of words is the text without numbers. The vectors contain up to two
words of each class of the half-precision family, and one word of every other class. Each line begins with the chips on
which `ptxas` produced a word that is equal except for its control word.
"""

import os
import re
import struct
import subprocess
import sys

import half
import operations

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
    # `nvdisasm` prints nothing for F2FP of sm_75, although `ptxas` emits it.
    assert len(found) == len(data) // 16 or chip == 75
    return [(at, int.from_bytes(data[at : at + 16], "little"), text) for at, text in found]


def words(chip, folder):
    """Returns the address, the word and the text of each instruction of the corpus."""
    cubins = [os.path.join(folder, f"kernels_{chip}.cubin")]
    source = os.path.join(HERE, "kernels.cu")
    if run("nvcc", *os.environ.get("NVCC_FLAGS", "").split(), "-w", f"-arch=sm_{chip}", "-cubin", "-o", cubins[0], source) is None:
        raise RuntimeError("nvcc fails")
    rejected = 0
    for number, module in enumerate(half.kernels(chip) + operations.kernels(chip)):
        path = os.path.join(folder, f"module_{chip}_{number}")
        target = re.search(r"\.target (\w+)", module)[1]
        with open(path + ".ptx", "w") as file:
            file.write(module)
        # A module that the chip rejects is compiled again without the instructions in the messages.
        for _ in range(14):
            result = subprocess.run(["ptxas", f"-arch={target}", "-o", path + ".cubin", path + ".ptx"], capture_output=True, text=True)
            lines = {int(line) for line in re.findall(r"line (\d+); (?:error|fatal)", result.stderr)}
            if result.returncode == 0 or not lines:
                break
            rejected += len(lines)
            kept = [line if i not in lines else "\n" for i, line in enumerate(open(path + ".ptx"), 1)]
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


def category(text):
    """Returns the class of a text: the text without numbers."""
    text = re.sub(r"^@!?U?P\w+ ", "", text)
    text = re.sub(r"-?0x[0-9a-f]+|(?<![\w.])-?\d[\d.]*(e[+-]\d+)?", "#", text)
    return re.sub(r"\b(U?R|U?P|SB|B)\d+\b", r"\1", text)


def vectors(results):
    """Yields the chips, the address, the word and the text of each vector."""
    chips, first, counts = {}, {}, {}
    for chip, found in results.items():
        for at, word, text in found:
            # The control word without the bits that mark registers for reuse.
            key = (word & ~(0x1FFFF << 105), text)
            if key not in first:
                name = category(text)
                counts[name] = counts.get(name, 0) + 1
                if counts[name] > (2 if is_half(text) else 1):
                    continue
                first[key] = (at, word)
            chips.setdefault(key, set()).add(chip)
    for key, (at, word) in first.items():
        yield sorted(chips[key]), at, word, key[1]


def stored(chip, folder):
    """Returns the result of an earlier run."""
    for line in open(os.path.join(folder, f"sm_{chip}.txt")):
        at, word, text = line.rstrip("\n").split(" ", 2)
        yield int(at, 16), int(word, 16), text


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    os.makedirs(VECTORS, exist_ok=True)
    results = {}
    for chip in CHIPS:
        if "--stored" in sys.argv:
            results[chip] = list(stored(chip, folder))
            continue
        results[chip] = words(chip, folder)
        with open(os.path.join(folder, f"sm_{chip}.txt"), "w") as file:
            for at, word, text in results[chip]:
                file.write(f"{at:04x} {word:032x} {text}\n")
    with open(os.path.join(VECTORS, "words.txt"), "w") as file:
        for chips, at, word, text in vectors(results):
            file.write(f"{','.join(map(str, chips))} {at:04x} {word:032x} {text}\n")


main()
