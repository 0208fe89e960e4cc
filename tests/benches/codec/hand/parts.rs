//! The parts of opcode structs: operands, modifiers, and their positions in the word.

/// Returns the value of `width` bits from `position`.
#[inline]
pub(super) const fn bits(word: u128, position: u32, width: u32) -> u32 {
    (word >> position) as u32 & ((1u64 << width) - 1) as u32
}

#[inline]
pub(super) const fn bit(word: u128, position: u32) -> bool {
    word >> position & 1 == 1
}

/// Returns a mask of `width` bits from `position`.
pub(super) const fn field(position: u32, width: u32) -> u128 {
    ((1 << width) - 1) << position
}

#[derive(Clone, Copy)]
pub(crate) enum Half {
    Both,
    Low,
    High,
}

impl Half {
    #[inline]
    pub(super) const fn read(word: u128, position: u32) -> Option<Half> {
        match bits(word, position, 2) {
            0 => Some(Half::Both),
            2 => Some(Half::Low),
            3 => Some(Half::High),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Round {
    Nearest,
    Down,
    Up,
    Zero,
}

#[derive(Clone, Copy)]
pub(crate) enum Combine {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy)]
pub(crate) enum Compare {
    Lt,
    Eq,
    Le,
    Gt,
    Ne,
    Ge,
    Num,
    Nan,
    Ltu,
    Equ,
    Leu,
    Gtu,
    Neu,
    Geu,
}

/// The issue fields and the guard, which every instruction has.
#[derive(Clone, Copy)]
pub(crate) struct Issue {
    pub(crate) guard: u8,
    pub(crate) guard_not: bool,
    pub(crate) wait: u8,
    pub(crate) barriers: u8,
}

impl Issue {
    pub(super) const MASK: u128 = field(0, 16) | field(112, 10);

    #[inline]
    pub(super) const fn read(word: u128) -> Issue {
        Issue {
            guard: bits(word, 12, 3) as u8,
            guard_not: bit(word, 15),
            wait: bits(word, 112, 4) as u8,
            barriers: bits(word, 116, 6) as u8,
        }
    }
}

/// A source operand with its sign and half.
#[derive(Clone, Copy)]
pub(crate) struct Packed<S> {
    pub(crate) source: S,
    pub(crate) negative: bool,
    pub(crate) absolute: bool,
    pub(crate) half: Half,
}

#[derive(Clone, Copy)]
pub(crate) struct Register(pub(crate) u8);

#[derive(Clone, Copy)]
pub(crate) struct Uniform(pub(crate) u8);

#[derive(Clone, Copy)]
pub(crate) struct Immediate(pub(crate) u32);

#[derive(Clone, Copy)]
pub(crate) struct Constant {
    pub(crate) bank: u8,
    pub(crate) offset: u32,
}

/// A source operand that is encoded at some position of the word.
pub(super) trait Source: Sized + Copy {
    const WIDTH: u32;
    fn read(word: u128, position: u32) -> Option<Self>;
}

impl Source for Register {
    const WIDTH: u32 = 8;
    #[inline]
    fn read(word: u128, position: u32) -> Option<Self> {
        Some(Register(bits(word, position, 8) as u8))
    }
}

impl Source for Uniform {
    const WIDTH: u32 = 6;
    #[inline]
    fn read(word: u128, position: u32) -> Option<Self> {
        Some(Uniform(bits(word, position, 6) as u8))
    }
}

impl Source for Constant {
    const WIDTH: u32 = 22;
    #[inline]
    fn read(word: u128, position: u32) -> Option<Self> {
        let offset = bits(word, position, 17);
        let constant = Constant { bank: bits(word, position + 17, 5) as u8, offset };
        offset.is_multiple_of(4).then_some(constant)
    }
}

/// The positions of a source operand and its modifiers.
pub(super) struct At {
    pub(super) source: u32,
    pub(super) marks: u32,
    pub(super) half: u32,
}

pub(super) const A: At = At { source: 24, marks: 72, half: 80 };
pub(super) const B: At = At { source: 32, marks: 96, half: 82 };
/// The position of register B if source operand C is not a register.
pub(super) const B_UPPER: At = At { source: 64, marks: 74, half: 82 };
pub(super) const C: At = At { source: 64, marks: 74, half: 84 };
pub(super) const C_LOWER: At = At { source: 32, marks: 96, half: 84 };

impl At {
    pub(super) const fn mask(&self, width: u32) -> u128 {
        field(self.source, width) | field(self.marks, 2) | field(self.half, 2)
    }

    #[inline]
    pub(super) fn read<S: Source>(&self, word: u128) -> Option<Packed<S>> {
        Some(Packed {
            source: S::read(word, self.source)?,
            negative: bit(word, self.marks),
            absolute: bit(word, self.marks + 1),
            half: Half::read(word, self.half)?,
        })
    }
}

/// The modifiers of rounded arithmetic.
#[derive(Clone, Copy)]
pub(crate) struct Arithmetic {
    pub(crate) brain: bool,
    pub(crate) flush: bool,
    pub(crate) saturate: bool,
    pub(crate) round: Round,
    /// `.F32` of a sum, or `.RELU` of a fused multiply-add.
    pub(crate) extra: bool,
}

impl Arithmetic {
    pub(super) const MASK: u128 = field(94, 1) | field(76, 4);

    #[inline]
    pub(super) const fn read(word: u128, extra: bool) -> Option<Arithmetic> {
        let (brain, flush, saturate) = (bit(word, 94), bit(word, 76), bit(word, 77));
        if brain && (flush || saturate) {
            return None;
        }
        let round = match bits(word, 78, 2) {
            0 => Round::Nearest,
            1 => Round::Down,
            2 => Round::Up,
            _ => Round::Zero,
        };
        Some(Arithmetic { brain, flush, saturate, round, extra })
    }
}
