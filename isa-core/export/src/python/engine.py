import enum
from typing import Dict, NamedTuple, Optional, Tuple


class Field(NamedTuple):
    """A field of an opcode: its bits and its values."""

    name: str
    kind: str  # The name of its type; a value set has a class in VALUES.
    pieces: Tuple[Tuple[int, int], ...]  # Position and width, the most significant piece first.
    fixed: Optional[int]  # The only allowed value.
    default: Optional[int]  # The value if the assembly text contains none.
    doc: str

    @property
    def width(self) -> int:
        """The number of bits."""
        return sum(width for _, width in self.pieces)

    def get(self, word: int) -> int:
        """Returns the value of the field in a word."""
        if not self.pieces and self.fixed is not None:
            return self.fixed
        value = 0
        for position, width in self.pieces:
            value = value << width | word >> position & (1 << width) - 1
        return value

    def set(self, word: int, value: int) -> int:
        """Returns the word with another value. Raises ValueError if the value does not fit."""
        if not 0 <= value < 1 << self.width:
            raise ValueError(f"{self.name} has {self.width} bits, too few for {value}")
        for position, width in reversed(self.pieces):
            mask = (1 << width) - 1 << position
            word = word & ~mask | value << position & mask
            value >>= width
        return word


class Function(NamedTuple):
    """A condition that calls a function of some fields."""

    call: str
    pieces: Tuple[Tuple[int, int], ...]
    values: bytes  # The result for each number, from the lowest bit of the first byte.
    said: bool  # The result that the condition requires.

    def holds(self, word: int) -> bool:
        """Returns whether the condition is met by a word."""
        number = 0
        for position, width in self.pieces:
            number = number << width | word >> position & (1 << width) - 1
        return bool(self.values[number >> 3] >> (number & 7) & 1) == self.said


class Illegal(NamedTuple):
    """A set of invalid words and the reason."""

    why: str
    when: Tuple[Function, ...]  # The conditions, all of which are met.
    words: Tuple[Tuple[int, int], ...]  # Masks and values, of which at least one matches.

    def holds(self, word: int) -> bool:
        """Returns whether a word is in this set."""
        return any(word & mask == value for mask, value in self.words) and all(
            function.holds(word) for function in self.when
        )


class Opcode(NamedTuple):
    """An opcode. The bits of its words under `mask` are `match`, and no word is in `illegal`."""

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
        """Returns the reason why a word is not a valid instruction of the opcode, or None."""
        if word & self.mask != self.match:
            return f"the word is not {self.name}"
        if word >> self.bits:
            return f"{self.name} has {self.bits} bits"
        for illegal in self.illegal:
            if illegal.holds(word):
                return illegal.why
        return None

    def field(self, name: str) -> Field:
        """Returns the field with a name. Raises KeyError if it does not exist."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"{self.name} has no field {name!r}")

    def values(self, word: int) -> Dict[str, int]:
        """Returns the values of the fields that the opcode does not fix, by name."""
        return {field.name: field.get(word) for field in self.fields if field.fixed is None}

    def encode(self, values: Dict[str, int]) -> int:
        """Returns the word with these values, and with defaults for the other fields.

        Raises ValueError if a value is missing or does not fit, or if the combination is
        invalid, and KeyError if a field does not exist.
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
    """Returns the opcode of a word, or None if the word is not a valid instruction.

    The upper bits of a word that is narrower than the widest word are 0.
    """
    for mask, by_match in _BY_MASK:
        for opcode in by_match.get(word & mask, ()):
            if opcode.why_not(word) is None:
                return opcode
    return None
