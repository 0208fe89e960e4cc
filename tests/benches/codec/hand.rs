//! A hand-written decoder: a `match` on the opcode and a struct for each opcode. Every field is
//! extracted, converted to its own type, and checked.

#![allow(dead_code, reason = "what is read out is there to be read")]

mod parts;

use parts::*;

#[derive(Clone, Copy)]
pub(crate) struct Two<S> {
    pub(crate) issue: Issue,
    pub(crate) settings: Arithmetic,
    pub(crate) to: Register,
    pub(crate) a: Packed<Register>,
    pub(crate) b: S,
}

#[derive(Clone, Copy)]
pub(crate) struct Three<S, T> {
    pub(crate) two: Two<S>,
    pub(crate) c: T,
}

#[derive(Clone, Copy)]
pub(crate) struct Extreme<S> {
    pub(crate) issue: Issue,
    pub(crate) brain: bool,
    pub(crate) flush: bool,
    pub(crate) nan: bool,
    pub(crate) predicate: u8,
    pub(crate) predicate_not: bool,
    pub(crate) to: Register,
    pub(crate) a: Packed<Register>,
    pub(crate) b: S,
}

#[derive(Clone, Copy)]
pub(crate) enum Target {
    Predicates(u8, u8),
    Register(Register, bool),
}

#[derive(Clone, Copy)]
pub(crate) struct Comparison<S> {
    pub(crate) issue: Issue,
    pub(crate) brain: bool,
    pub(crate) flush: bool,
    pub(crate) combine: Combine,
    pub(crate) compare: Compare,
    pub(crate) predicate: u8,
    pub(crate) predicate_not: bool,
    pub(crate) to: Target,
    pub(crate) a: Packed<Register>,
    pub(crate) b: S,
}

#[derive(Clone, Copy)]
pub(crate) struct Video {
    pub(crate) issue: Issue,
    pub(crate) registers: [u8; 4],
    pub(crate) signed: [bool; 3],
    pub(crate) saturate: bool,
    pub(crate) add: bool,
    pub(crate) mask: u8,
    pub(crate) select: [u16; 2],
}

type Im = Immediate;
type R = Packed<Register>;
type U = Packed<Uniform>;
type K = Packed<Constant>;

macro_rules! instructions {
    ($($name:ident $text:literal $of:ty),* $(,)?) => {
        #[derive(Clone, Copy)]
        pub(crate) enum Instruction { $($name($of)),* }

        /// Returns the name of the opcode.
        pub(crate) fn name(instruction: &Instruction) -> &'static str {
            match instruction { $(Instruction::$name(_) => $text),* }
        }
    };
}

instructions! {
    AddR "HADD2_RR" Two<R>, AddU "HADD2_RU" Two<U>, AddI "HADD2_RI" Two<Im>, AddK "HADD2_RC" Two<K>,
    MulR "HMUL2_RR" Two<R>, MulU "HMUL2_RU" Two<U>, MulI "HMUL2_RI" Two<Im>, MulK "HMUL2_RC" Two<K>,
    FmaRr "HFMA2_RRR" Three<R, R>, FmaRi "HFMA2_RRI" Three<R, Im>, FmaIr "HFMA2_RIR" Three<Im, R>,
    FmaRu "HFMA2_RRU" Three<R, U>, FmaUr "HFMA2_RUR" Three<U, R>, FmaRk "HFMA2_RRC" Three<R, K>,
    FmaKr "HFMA2_RCR" Three<K, R>,
    MnmxR "HMNMX2_RR" Extreme<R>, MnmxU "HMNMX2_RU" Extreme<U>, MnmxI "HMNMX2_RI" Extreme<Im>,
    MnmxK "HMNMX2_RC" Extreme<K>,
    SetpR "HSETP2_RR" Comparison<R>, SetpU "HSETP2_RU" Comparison<U>,
    SetpI "HSETP2_RI" Comparison<Im>, SetpK "HSETP2_RC" Comparison<K>,
    SetR "HSET2_RR" Comparison<R>, SetU "HSET2_RU" Comparison<U>, SetI "HSET2_RI" Comparison<Im>,
    SetK "HSET2_RC" Comparison<K>,
    Vadd2 "vadd2" Video, Vsub2 "vsub2" Video, Vavrg2 "vavrg2" Video, Vabsdiff2 "vabsdiff2" Video,
    Vmin2 "vmin2" Video, Vmax2 "vmax2" Video,
    Vadd4 "vadd4" Video, Vsub4 "vsub4" Video, Vavrg4 "vavrg4" Video, Vabsdiff4 "vabsdiff4" Video,
    Vmin4 "vmin4" Video, Vmax4 "vmax4" Video,
}

/// Returns the instruction with this word, or `None` if the word is invalid.
pub(crate) fn decode(word: u128) -> Option<Instruction> {
    use Instruction::*;
    Some(match word as u32 & 0xfff {
        0x130 => AddR(two(word, true)?),
        0x730 => AddU(two(word, true)?),
        0x330 => AddI(two_immediate(word, true)?),
        0x530 => AddK(two(word, true)?),
        0x132 => MulR(two(word, false)?),
        0x732 => MulU(two(word, false)?),
        0x332 => MulI(two_immediate(word, false)?),
        0x532 => MulK(two(word, false)?),
        0x231 => FmaRr(three(word, &B, &C)?),
        0x431 => FmaRi(three_with_c(word)?),
        0x831 => FmaIr(three_with_b(word)?),
        0xe31 => FmaRu(three(word, &B_UPPER, &C_LOWER)?),
        0xc31 => FmaUr(three(word, &B, &C)?),
        0x631 => FmaRk(three(word, &B_UPPER, &C_LOWER)?),
        0xa31 => FmaKr(three(word, &B, &C)?),
        0x140 => MnmxR(extreme(word)?),
        0x740 => MnmxU(extreme(word)?),
        0x340 => MnmxI(extreme_immediate(word)?),
        0x540 => MnmxK(extreme(word)?),
        0x134 => SetpR(comparison(word, true)?),
        0x734 => SetpU(comparison(word, true)?),
        0x334 => SetpI(comparison_immediate(word, true)?),
        0x534 => SetpK(comparison(word, true)?),
        0x133 => SetR(comparison(word, false)?),
        0x733 => SetU(comparison(word, false)?),
        0x333 => SetI(comparison_immediate(word, false)?),
        0x533 => SetK(comparison(word, false)?),
        0x280 => Vadd2(video::<2>(word)?),
        0x281 => Vsub2(video::<2>(word)?),
        0x282 => Vavrg2(video::<2>(word)?),
        0x283 => Vabsdiff2(video::<2>(word)?),
        0x284 => Vmin2(video::<2>(word)?),
        0x285 => Vmax2(video::<2>(word)?),
        0x288 => Vadd4(video::<4>(word)?),
        0x289 => Vsub4(video::<4>(word)?),
        0x28a => Vavrg4(video::<4>(word)?),
        0x28b => Vabsdiff4(video::<4>(word)?),
        0x28c => Vmin4(video::<4>(word)?),
        0x28d => Vmax4(video::<4>(word)?),
        _ => return None,
    })
}

/// Returns `None` if a bit outside the fields is set.
#[inline]
const fn covers(mask: u128, word: u128) -> Option<()> {
    if word & !mask == 0 { Some(()) } else { None }
}

const D: u128 = field(16, 8);
const F32: u128 = field(91, 1);
const RELU: u128 = field(92, 1);

#[inline]
fn with_b<S>(word: u128, extra: bool, b: S) -> Option<Two<S>> {
    Some(Two {
        issue: Issue::read(word),
        settings: Arithmetic::read(word, extra)?,
        to: Register(bits(word, 16, 8) as u8),
        a: A.read(word)?,
        b,
    })
}

#[inline]
fn two<S: Source>(word: u128, is_sum: bool) -> Option<Two<Packed<S>>> {
    let extra = if is_sum { F32 } else { 0 };
    covers(Issue::MASK | Arithmetic::MASK | D | A.mask(8) | B.mask(S::WIDTH) | extra, word)?;
    with_b(word, is_sum && bit(word, 91), B.read(word)?)
}

#[inline]
fn two_immediate(word: u128, is_sum: bool) -> Option<Two<Im>> {
    let extra = if is_sum { F32 } else { 0 };
    covers(Issue::MASK | Arithmetic::MASK | D | A.mask(8) | field(32, 32) | extra, word)?;
    with_b(word, is_sum && bit(word, 91), Immediate(bits(word, 32, 32)))
}

#[inline]
fn fused<S, T>(word: u128, b: S, c: T) -> Option<Three<S, T>> {
    let relu = bit(word, 92);
    if relu && bit(word, 77) {
        return None;
    }
    Some(Three { two: with_b(word, relu, b)?, c })
}

#[inline]
fn three<S: Source, T: Source>(word: u128, b: &At, c: &At) -> Option<Three<Packed<S>, Packed<T>>> {
    let sources = A.mask(8) | b.mask(S::WIDTH) | c.mask(T::WIDTH);
    covers(Issue::MASK | Arithmetic::MASK | D | sources | RELU, word)?;
    fused(word, b.read(word)?, c.read(word)?)
}

#[inline]
fn three_with_c(word: u128) -> Option<Three<R, Im>> {
    let sources = A.mask(8) | B_UPPER.mask(8) | field(32, 32);
    covers(Issue::MASK | Arithmetic::MASK | D | sources | RELU, word)?;
    fused(word, B_UPPER.read(word)?, Immediate(bits(word, 32, 32)))
}

#[inline]
fn three_with_b(word: u128) -> Option<Three<Im, R>> {
    let sources = A.mask(8) | C.mask(8) | field(32, 32);
    covers(Issue::MASK | Arithmetic::MASK | D | sources | RELU, word)?;
    fused(word, Immediate(bits(word, 32, 32)), C.read(word)?)
}

const EXTREME: u128 =
    Issue::MASK | D | A.mask(8) | field(98, 4) | field(76, 1) | field(84, 1) | field(94, 1);

#[inline]
fn extreme_with<S>(word: u128, b: S) -> Option<Extreme<S>> {
    Some(Extreme {
        issue: Issue::read(word),
        brain: bit(word, 94),
        flush: bit(word, 76),
        nan: bit(word, 84),
        predicate: bits(word, 98, 3) as u8,
        predicate_not: bit(word, 101),
        to: Register(bits(word, 16, 8) as u8),
        a: A.read(word)?,
        b,
    })
}

#[inline]
fn extreme<S: Source>(word: u128) -> Option<Extreme<Packed<S>>> {
    covers(EXTREME | B.mask(S::WIDTH), word)?;
    extreme_with(word, B.read(word)?)
}

#[inline]
fn extreme_immediate(word: u128) -> Option<Extreme<Im>> {
    covers(EXTREME | field(32, 32), word)?;
    extreme_with(word, Immediate(bits(word, 32, 32)))
}

#[inline]
const fn comparison_mask(to_predicates: bool) -> u128 {
    let common =
        Issue::MASK | A.mask(8) | field(76, 1) | field(84, 6) | field(98, 4) | field(94, 1);
    common | if to_predicates { field(106, 6) } else { D | field(90, 1) }
}

#[inline]
fn comparison_with<S>(word: u128, to_predicates: bool, b: S) -> Option<Comparison<S>> {
    use Compare::*;
    const OPERATORS: [Compare; 14] =
        [Lt, Eq, Le, Gt, Ne, Ge, Num, Nan, Ltu, Equ, Leu, Gtu, Neu, Geu];
    let combine = match bits(word, 84, 2) {
        0 => Combine::And,
        1 => Combine::Or,
        2 => Combine::Xor,
        _ => return None,
    };
    let to = match to_predicates {
        true => Target::Predicates(bits(word, 106, 3) as u8, bits(word, 109, 3) as u8),
        false => Target::Register(Register(bits(word, 16, 8) as u8), bit(word, 90)),
    };
    Some(Comparison {
        issue: Issue::read(word),
        brain: bit(word, 94),
        flush: bit(word, 76),
        combine,
        compare: *OPERATORS.get((bits(word, 86, 4) as usize).wrapping_sub(1))?,
        predicate: bits(word, 98, 3) as u8,
        predicate_not: bit(word, 101),
        to,
        a: A.read(word)?,
        b,
    })
}

#[inline]
fn comparison<S: Source>(word: u128, to_predicates: bool) -> Option<Comparison<Packed<S>>> {
    covers(comparison_mask(to_predicates) | B.mask(S::WIDTH), word)?;
    comparison_with(word, to_predicates, B.read(word)?)
}

#[inline]
fn comparison_immediate(word: u128, to_predicates: bool) -> Option<Comparison<Im>> {
    covers(comparison_mask(to_predicates) | field(32, 32), word)?;
    comparison_with(word, to_predicates, Immediate(bits(word, 32, 32)))
}

#[inline]
fn video<const LANES: u32>(word: u128) -> Option<Video> {
    let (mask, select) = if LANES == 2 { (2, 4) } else { (4, 12) };
    let settings = field(40, 5) | field(45, mask) | field(72, select) | field(84, select);
    covers(Issue::MASK | field(16, 24) | field(64, 8) | settings, word)?;
    let lanes = bits(word, 45, mask) as u8;
    if lanes == 0 || bit(word, 43) && bit(word, 44) {
        return None;
    }
    Some(Video {
        issue: Issue::read(word),
        registers: [16, 24, 32, 64].map(|position| bits(word, position, 8) as u8),
        signed: [bit(word, 40), bit(word, 41), bit(word, 42)],
        saturate: bit(word, 43),
        add: bit(word, 44),
        mask: lanes,
        select: [bits(word, 72, select) as u16, bits(word, 84, select) as u16],
    })
}
