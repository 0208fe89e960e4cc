//! How operands are written that are several fields, or that one spelling has in its own way.

use core::marker::PhantomData;

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::operand::{AsmFormat, NAME, OperandKind};

use super::{Bitmask, Cond, W, X};

/// The opposite of a condition.
pub struct Inverted;

impl AsmFormat for Inverted {
    const EXPECTS: &'static str = "a condition (`eq`, `ne`, but not `al` or `nv`)";
    const MAX_LEN: usize = "eq".len();
    const FORMS: &'static [&'static str] = &[NAME];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        cursor.skip_trivia();
        let (start, word) = (cursor.position(), cursor.word());
        let mut all = Cond::KIND.values.iter();
        let found = all.find(|value| value.is_read_as(word));
        let opposite = found.map(|value| value.raw ^ 1);
        opposite.ok_or_else(|| cursor.fault(start, "no such condition"))
    }
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push_str(Cond::from_bits(raw ^ 1).map_or("", Cond::name));
    }
}

/// A register of 32 bits, or of 64 where the field above its number says so.
pub struct Either;

impl AsmFormat for Either {
    const EXPECTS: &'static str = "a register (`w0` to `wzr`, `x0` to `xzr`)";
    const MAX_LEN: usize = X::MAX_LEN;
    const FORMS: &'static [&'static str] = &["w0", "wzr", "x0", "xzr"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        match cursor.peek() {
            Some(b'w') => W::read(cursor).map(W::to_bits),
            _ => X::read(cursor).map(|register| register.to_bits() | 32),
        }
    }
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        match raw & 32 {
            0 => W::from_bits(raw).write(line),
            _ => X::from_bits(raw).write(line),
        }
    }
}

/// A register that is added to an address, how it is extended, and whether it is shifted by `LOG`.
pub struct IndexBy<const LOG: u8>;

/// What can stand behind the register, by the bits for it.
const EXTENDS: [(&str, u64); 4] = [("uxtw", 2), ("lsl", 3), ("sxtw", 6), ("sxtx", 7)];

impl<const LOG: u8> AsmFormat for IndexBy<LOG> {
    const EXPECTS: &'static str = "a register, perhaps extended and shifted (`x1, lsl #3`)";
    const MAX_LEN: usize = "x30, sxtx #3".len();
    const FORMS: &'static [&'static str] = Either::FORMS;

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, Fault> {
        cursor.skip_trivia();
        let (start, register) = (cursor.position(), Either::read(cursor, args)?);
        let (mut option, mut shift) = (3, None);
        if cursor.eat(b',') {
            let word = cursor.word();
            let found = EXTENDS.iter().find(|(name, _)| *name == word);
            option = found.map_or(0, |(_, option)| *option);
            shift = if cursor.eat(b'#') { Some(cursor.number()?) } else { None };
        }
        let shifted = shift == Some(LOG.into()) && (LOG != 0 || shift.is_some());
        let fits = option & 1 == register >> 5 && (shifted || matches!(shift, None | Some(0)));
        let fits = fits && (option != 3 || shift.is_some() || cursor.peek() == Some(b']'));
        let message = "`w1, uxtw`, `w1, sxtw`, `x1` or `x1, sxtx`, shifted by 0 or by the size";
        let raw = (register & 31) << 4 | option << 1 | u64::from(shifted);
        if fits { Ok(raw) } else { Err(cursor.fault(start, message)) }
    }
    fn write(raw: u64, args: &[u64], line: &mut Line) {
        let option = raw >> 1 & 7;
        Either::write(raw >> 4 & 31 | (option & 1) << 5, args, line);
        if raw & 15 != 6 {
            line.push_str(", ");
            line.push_str(EXTENDS.iter().find(|(_, o)| *o == option).map_or("", |(name, _)| name));
        }
        if raw & 1 != 0 {
            line.push_str(" #");
            line.push_decimal(LOG.into());
        }
    }
}

/// Names of numbers; those without one are written as `#6`.
pub trait Names {
    /// The names, empty where there is none.
    const NAMES: &'static [&'static str];
}

/// A number by its name.
pub struct Named<N>(PhantomData<N>);

impl<N: Names> AsmFormat for Named<N> {
    const EXPECTS: &'static str = "a name, or a number (`#6`)";
    const MAX_LEN: usize = "pldl1keep".len();
    const FORMS: &'static [&'static str] = &["#0~", NAME];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        cursor.skip_trivia();
        let start = cursor.position();
        let number = match cursor.eat(b'#') {
            true => usize::try_from(cursor.number()?).ok().filter(|n| *n < N::NAMES.len()),
            false => Some(cursor.word())
                .filter(|word| !word.is_empty())
                .and_then(|word| N::NAMES.iter().position(|name| *name == word)),
        };
        number.map(|n| n as u64).ok_or_else(|| cursor.fault(start, "no such name or number"))
    }
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        match N::NAMES.get(raw as usize) {
            Some(name) if !name.is_empty() => line.push_str(name),
            _ => {
                line.push(b'#');
                line.push_decimal(raw);
            }
        }
    }
}

/// What a barrier orders.
pub struct Barriers;

impl Names for Barriers {
    const NAMES: &'static [&'static str] = &[
        "", "oshld", "oshst", "osh", "", "nshld", "nshst", "nsh", "", "ishld", "ishst", "ish", "",
        "ld", "st", "sy",
    ];
}

/// What is fetched soon, how near to the processor, and for how long.
pub struct Prefetches;

impl Names for Prefetches {
    const NAMES: &'static [&'static str] = &[
        "pldl1keep",
        "pldl1strm",
        "pldl2keep",
        "pldl2strm",
        "pldl3keep",
        "pldl3strm",
        "",
        "",
        "plil1keep",
        "plil1strm",
        "plil2keep",
        "plil2strm",
        "plil3keep",
        "plil3strm",
        "",
        "",
        "pstl1keep",
        "pstl1strm",
        "pstl2keep",
        "pstl2strm",
        "pstl3keep",
        "pstl3strm",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
    ];
}

/// A number that is made into fields as it is read, and of them as it is written.
pub trait Number {
    /// The number that stands for fields, given others.
    fn number(raw: u64, args: &[u64]) -> i128;

    /// The fields that a number stands for, given others.
    fn fields(number: i128, args: &[u64]) -> Option<u64>;
}

/// A number that fields make: `#3`.
pub struct Made<N>(PhantomData<N>);

impl<N: Number> AsmFormat for Made<N> {
    const EXPECTS: &'static str = "a number (`#3`)";
    const MAX_LEN: usize = "#-18446744073709551616".len();
    const FORMS: &'static [&'static str] = &["#*"];

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, Fault> {
        cursor.eat(b'#');
        let (start, negative) = (cursor.position(), cursor.eat(b'-'));
        let number = i128::try_from(cursor.number()?).unwrap_or(i128::MAX);
        let fields = N::fields(if negative { -number } else { number }, args);
        fields.ok_or_else(|| cursor.fault(start, "no such number is possible here"))
    }
    fn write(raw: u64, args: &[u64], line: &mut Line) {
        let number = N::number(raw, args);
        line.push_str(if number < 0 { "#-" } else { "#" });
        line.push_decimal(number.unsigned_abs() as u64);
    }
}

/// How far up a part goes: what its turn to the right leaves of `BITS`.
pub struct UpBy<const BITS: u64>;

impl<const BITS: u64> Number for UpBy<BITS> {
    fn number(raw: u64, _: &[u64]) -> i128 {
        i128::from(BITS - raw) % i128::from(BITS)
    }
    fn fields(number: i128, _: &[u64]) -> Option<u64> {
        let number = u64::try_from(number).ok().filter(|number| *number < BITS)?;
        Some((BITS - number) % BITS)
    }
}

/// How many bits a part has, from a place on: the place is 0, or that of a field.
pub struct Width;

impl Number for Width {
    fn number(raw: u64, args: &[u64]) -> i128 {
        i128::from(raw) + 1 - i128::from(args.first().copied().unwrap_or(0))
    }
    fn fields(number: i128, args: &[u64]) -> Option<u64> {
        let from = i128::from(args.first().copied().unwrap_or(0));
        u64::try_from(number + from - 1).ok().filter(|last| *last < 64 && number > 0)
    }
}

/// How far to shift to the left: a turn, and the highest bit that is left below.
pub struct LeftBy<const LOG: u32>;

impl<const LOG: u32> Number for LeftBy<LOG> {
    fn number(raw: u64, _: &[u64]) -> i128 {
        ((1 << LOG) - 1 - (raw & ((1 << LOG) - 1))).into()
    }
    fn fields(number: i128, _: &[u64]) -> Option<u64> {
        let left = u64::try_from(number).ok().filter(|left| *left < 1 << LOG)?;
        Some((((1 << LOG) - left) & ((1 << LOG) - 1)) << LOG | ((1 << LOG) - 1 - left))
    }
}

/// A number of `BITS` bits with its sign.
fn signed(number: u64, bits: u32) -> i128 {
    ((number << (64 - bits)) as i64 >> (64 - bits)).into()
}

/// The bits of a number, with a sign or without, if `BITS` have room for it.
fn bits_of(number: i128, bits: u32) -> Option<u64> {
    let fits = (-1i128 << (bits - 1)..1 << bits).contains(&number);
    fits.then_some(number as u64 & u64::MAX >> (64 - bits))
}

/// A number of 16 bits and how many half-words it is shifted; or `NOT` that, in `BITS` bits.
pub struct Halves<const BITS: u32, const NOT: bool>;

impl<const BITS: u32, const NOT: bool> Number for Halves<BITS, NOT> {
    fn number(raw: u64, _: &[u64]) -> i128 {
        let number = (raw & 0xffff) << (raw >> 16 << 4);
        signed(if NOT { !number } else { number }, BITS)
    }
    fn fields(number: i128, _: &[u64]) -> Option<u64> {
        let bits = bits_of(if NOT { -1 - number } else { number }, BITS)?;
        let half = (0..u64::from(BITS) / 16).find(|half| bits & !(0xffff << (16 * half)) == 0)?;
        Some(half << 16 | bits >> (16 * half))
    }
}

/// A pattern of bits as a number with its sign.
pub struct Pattern<const BITS: u32, const LOG: u8>;

impl<const BITS: u32, const LOG: u8> Number for Pattern<BITS, LOG> {
    fn number(raw: u64, _: &[u64]) -> i128 {
        signed(Bitmask::<LOG>::from_bits(raw).get(), BITS)
    }
    fn fields(number: i128, _: &[u64]) -> Option<u64> {
        bits_of(number, BITS).and_then(Bitmask::<LOG>::new).map(Bitmask::to_bits)
    }
}
