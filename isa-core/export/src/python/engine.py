import enum
from typing import Dict, NamedTuple, Optional, Tuple


class Field(NamedTuple):
    """A field of an opcode: where its bits are, and what its values mean."""

    name: str
    kind: str  # The name of its kind; a value set has a class in VALUES.
    pieces: Tuple[Tuple[int, int], ...]  # Position and width, the most significant piece first.
    fixed: Optional[int]  # The one value that it has.
    default: Optional[int]  # The value where nobody writes one.
    doc: str

    @property
    def width(self) -> int:
        """How many bits it has."""
        return sum(width for _, width in self.pieces)

    def get(self, word: int) -> int:
        """Its value in a word."""
        if not self.pieces and self.fixed is not None:
            return self.fixed
        value = 0
        for position, width in self.pieces:
            value = value << width | word >> position & (1 << width) - 1
        return value

    def set(self, word: int, value: int) -> int:
        """The word with another value; ValueError where the field is too narrow for it."""
        if not 0 <= value < 1 << self.width:
            raise ValueError(f"{self.name} has {self.width} bits, too few for {value}")
        for position, width in reversed(self.pieces):
            mask = (1 << width) - 1 << position
            word = word & ~mask | value << position & mask
            value >>= width
        return word


class Function(NamedTuple):
    """Numbers of which a function of some fields says so."""

    call: str
    pieces: Tuple[Tuple[int, int], ...]
    values: bytes  # A bit for each number, the lowest bit of the first byte for 0.
    said: bool  # Whether those are meant, or all others.

    def holds(self, word: int) -> bool:
        """Whether the function says this of a word."""
        number = 0
        for position, width in self.pieces:
            number = number << width | word >> position & (1 << width) - 1
        return bool(self.values[number >> 3] >> (number & 7) & 1) == self.said


class Illegal(NamedTuple):
    """Words that are no instructions, and why."""

    why: str
    when: Tuple[Function, ...]  # What functions say of them, all of it.
    words: Tuple[Tuple[int, int], ...]  # Masks and values, any of them.

    def holds(self, word: int) -> bool:
        """Whether a word is illegal by this."""
        return any(word & mask == value for mask, value in self.words) and all(
            function.holds(word) for function in self.when
        )


class Opcode(NamedTuple):
    """An opcode: its words have their bits under `mask` as in `match`, and none is illegal."""

    name: str
    mnemonic: str
    syntax: str
    bits: int
    mask: int
    match: int
    fields: Tuple[Field, ...]
    illegal: Tuple[Illegal, ...]
    doc: str

    def why_not(self, word: int) -> Optional[str]:
        """Why a word is no instruction of the opcode; None where it is one."""
        if word & self.mask != self.match:
            return f"the word is not {self.name}"
        if word >> self.bits:
            return f"{self.name} has {self.bits} bits"
        for illegal in self.illegal:
            if illegal.holds(word):
                return illegal.why
        return None

    def field(self, name: str) -> Field:
        """The field of a name; KeyError where there is none."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"{self.name} has no field {name!r}")

    def values(self, word: int) -> Dict[str, int]:
        """The values of the fields that the opcode leaves open, by name."""
        return {field.name: field.get(word) for field in self.fields if field.fixed is None}

    def encode(self, values: Dict[str, int]) -> int:
        """The word with these values, and defaults for others.

        ValueError where a value is missing or does not fit, or the values are an illegal combination;
        KeyError where there is no such field.
        """
        word = self.match
        for name in values:
            self.field(name)
        for field in self.fields:
            value = values.get(field.name, field.default if field.fixed is None else field.fixed)
            if value is None:
                raise ValueError(f"{self.name} needs {field.name}")
            if field.fixed is None:
                word = field.set(word, value)
            elif value != field.fixed:
                raise ValueError(f"{field.name} of {self.name} is {field.fixed}")
        why = self.why_not(word)
        if why is not None:
            raise ValueError(f"{self.name}: {why}")
        return word


def decode(word: int) -> Optional[Opcode]:
    """The opcode that a word is a legal instruction of; None where there is none.

    A word that is narrower than the widest has zeros above.
    """
    for mask, by_match in _BY_MASK:
        for opcode in by_match.get(word & mask, ()):
            if opcode.why_not(word) is None:
                return opcode
    return None
