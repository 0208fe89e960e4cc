"""Decodes words with the module that `export python` writes: `decode.py MODULE < WORDS`.

Reads one word per line in hexadecimal. For each word, prints the number of its opcode and the values of
the fields that the opcode does not fix, each as `name=value`, or -1 if the word is invalid. Ends with an error
if encoding these values results in a different word.
"""

import importlib
import sys

module = importlib.import_module(sys.argv[1])
numbers = {id(opcode): number for number, opcode in enumerate(module.OPCODES)}
for line in sys.stdin:
    word = int(line, 16)
    opcode = module.decode(word)
    if opcode is None:
        print(-1)
        continue
    values = opcode.values(word)
    assert opcode.encode(values) == word, line
    open_ = [field.name for field in opcode.fields if field.fixed is None and field.pieces]
    print(numbers[id(opcode)], *(f"{name}={values[name]:x}" for name in open_))
