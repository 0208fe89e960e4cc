#!/usr/bin/env python3
"""Decodes and prints words with only the JSON description of an instruction set.

usage: reader.py SET.json [WORD...]        words in hexadecimal, or one per line of input

Prints the opcode and the text of each word, or `-` if the word is invalid. As a module: use
`Set(open(path))` with `decode(word, bits)` and `text(row, word)`.
"""
import json
import struct
import sys
from decimal import ROUND_HALF_UP, Context, Decimal


def raw(number):
    return int(number, 16)


def fits(word, cube):
    return word & raw(cube[0]) == raw(cube[1])


def gather(pieces, word):
    """Returns the bits of pieces, the most significant first."""
    value = 0
    for position, width in pieces:
        value = value << width | word >> position & (1 << width) - 1
    return value


def float_text(bits, name):
    """Returns the shortest decimal that 64-bit arithmetic parses as the 16-bit number."""
    sign, size = ("-" if bits >> 15 else ""), bits & 0x7FFF
    infinity = 0x7C00 if name == "binary16" else 0x7F80
    if size > infinity:
        return f"0x{bits:04x}"
    if size == infinity:
        return (sign or "+") + "INF"
    wide = struct.pack("<H", size) if name == "binary16" else struct.pack("<I", size << 16)
    number, = struct.unpack("<e" if name == "binary16" else "<f", wide)
    digits, _, power = repr(number).partition("e")
    digits = digits.removesuffix(".0")
    count = len(digits.replace(".", "").lstrip("0"))
    if count and Context(count, ROUND_HALF_UP).create_decimal(number) > Decimal(repr(number)):
        digits = digits[:-1] + str(int(digits[-1]) + 1)  # If two are equally near, the greater.
    return sign + digits + (f"e{int(power)}" if power else "")


def width(row, word):
    """Returns the width of a word of an opcode in bits."""
    short = row.get("short")
    is_short = short and not any(fits(word, cube) for cube in short["long"])
    return short["bits"] if is_short else row["bits"]


class Set:
    def __init__(self, file):
        self.json = json.load(file)
        assert (self.json["format"], self.json["version"]) == ("define-isa", 2), "another format"
        self.widths = self.json["widths"]
        self.rows = {bits: [(*map(raw, row["fixed"]), raw(row["unused"]), row)
                            for row in self.json["opcodes"]
                            if bits in (row["bits"], row.get("short", row)["bits"])]
                     for bits in self.widths}
        self.names = [{raw(v["raw"]): v["name"] for v in k["values"]} for k in self.json["kinds"]]

    def is_row(self, row, word):
        """Returns whether the row of an opcode or an alias contains a word."""
        return (fits(word, row["fixed"]) and not word & raw(row["unused"])
                and not any(self.is_reserved(field, word) for field in row["fields"])
                and not any(self.is_illegal(rule, word) for rule in row["illegal"]))

    def is_reserved(self, field, word):
        value = gather(field["pieces"], word)
        reserved = self.json["kinds"][field["kind"]]["reserved"] if field["pieces"] else []
        return any(fits(value, cube) for cube in reserved)

    def is_illegal(self, rule, word):
        def says(said):
            bit = gather(said["pieces"], word)
            return (bytes.fromhex(said["values"])[bit // 8] >> bit % 8 & 1 == 1) == said["is"]
        return (any(fits(word, cube) for cube in rule["words"])
                or any(all(map(says, case["when"])) and any(fits(word, c) for c in case["words"])
                       for case in rule.get("cases", [])))

    def decode(self, word, bits):
        """Returns the opcode of a word with the given number of bits, or None."""
        own = (row for mask, value, unused, row in self.rows[bits]
               if word & mask == value and not word & unused)
        return next((row for row in own
                     if self.is_row(row, word) and width(row, word) == bits), None)

    def text(self, row, word):
        """Returns the text of a word of an opcode."""
        for alias in row["aliases"]:
            if alias["printed"] and self.is_row(alias["row"], word) and not any(
                    fits(word, cube) for cube in alias["unless"] or []):
                row = alias["row"]
                break
        return self.parts(row, row["prints"], word)

    def parts(self, row, parts, word):
        text = ""
        for part in parts:
            if isinstance(part, str):
                text += part
            elif isinstance(part, int):
                text += self.field(row, part, word)
            else:
                has = [self.value(row, place, word) == raw(value)
                       for place, value in part.get("when", part.get("unless"))]
                if all(has) == ("when" in part):
                    text += self.parts(row, part["prints"], word)
        return text

    def value(self, row, place, word):
        field = (row["fields"] + row["views"])[place]
        return gather(field["pieces"], word) if field["pieces"] else raw(field.get("fixed", "0"))

    def field(self, row, place, word):
        value = self.value(row, place, word)
        for own in row["formats"]:
            if own["place"] == place:
                args = [self.value(row, arg, word) for arg in own["args"]]
                return self.operand(self.json["texts"][own["text"]], [value, *args])
        kind = self.json["kinds"][row["fields"][place]["kind"]]
        if "text" in kind:
            return self.operand(self.json["texts"][kind["text"]], [value])
        return self.names[row["fields"][place]["kind"]][value]

    def operand(self, text, values):
        if "parts" in text:
            return "".join(self.part(part, values) for part in text["parts"])
        if "list" not in text:
            return f"<{values[0]:#x}>"  # The type does not define the texts of its values.
        number = 0
        for value, width in zip(values, text["widths"]):
            number = number << width | value
        return text["list"][number]

    def part(self, part, values):
        def number(bits):
            return values[bits[0]] >> bits[1] & (1 << bits[2]) - 1
        if isinstance(part, str):
            return part
        if "float" in part:
            return float_text(number(part["float"]), part["format"])
        if "choice" in part:
            chosen = part["of"][min(number(part["choice"]), len(part["of"]) - 1)]
            return "".join(self.part(part, values) for part in chosen)

        def with_sign(value, width):
            return (value & (1 << width) - 1 ^ 1 << width - 1) - (1 << width - 1)
        value, width = number(part["number"]), part["number"][2]
        value = with_sign(value, width) if part["signed"] else value
        value = value * int(part["scale"]) + int(part["add"])
        value = with_sign(value, part["wrap"]) if part["wrap"] else value
        return f"{value:0{part['hex']}x}" if part["hex"] else str(value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        own = Set(file)
    for line in sys.argv[2:] or sys.stdin:
        digits = line.strip().removeprefix("0x")
        bits = next((bits for bits in own.widths[::-1] if bits >= 4 * len(digits)), own.widths[0])
        row = own.decode(word := raw(digits), bits)
        print(f"{row['name']}\t{own.text(row, word)}" if row else "-")


if __name__ == "__main__":
    main()
