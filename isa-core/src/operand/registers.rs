//! The macro `registers!`, which defines operand types for register files.

use super::Numbered;
use super::name_range::NameRange;

mod kind;

/// Defines operand types for registers. The text of such an operand is usually a prefix and a
/// number. One special name can follow the last number.
///
/// Each line contains the name of the type, the width of its field in bits, and the names of the
/// registers: the first name, the last name, an optional step and an optional special name. The line
/// ends with the type of the register's value. For the names of a calling convention write [a
/// list](#names-that-are-listed). The type has the methods `new` and `number`, and it implements the
/// standard traits.
///
/// A field may be wider than necessary. Its values without a name are reserved, and the `operand` line
/// of the specification must declare them. Names may begin with a sign, `"%r0" to "%r7"`. A field may
/// also cover only [a part of the file](#a-part-of-the-file), for example 4 bits for `r16` to `r31`.
///
/// After `in`, write how the type accesses the registers of a machine: a trait, its method that returns
/// the value of the register with a given number, and its method that sets the value. These methods may
/// use a wider integer type than the register. The register is then stored in the low bits: a `u32` is
/// the low half of a `u64`, and a written value is zero-extended. Without `in`, you implement
/// [`Source`](crate::machine::Source) and [`Sink`](crate::machine::Sink) yourself. A line with a single
/// name defines a type with only one register, and its methods have no parameter for the number. Use it
/// for flags that an instruction reads and writes without naming them.
///
/// ```
/// /// A machine: its registers and its carry.
/// pub trait Machine {
///     fn reg(&self, number: u8) -> u64;
///     fn set_reg(&mut self, number: u8, value: u64);
///     fn carry(&self) -> bool;
///     fn set_carry(&mut self, carry: bool);
/// }
///
/// isa_core::registers! {
///     /// A register; `zero` is always 0.
///     pub X: 5 = "x0" to "x30", "zero" of u64, in Machine { reg, set_reg };
///     /// The low half of a register.
///     pub W: 5 = "w0" to "w30", "zero" of u32, in Machine { reg, set_reg };
///     /// The carry.
///     pub Carry: 1 = "carry" of bool, 1 bit, in Machine { carry, set_carry };
///     /// A flag, which no machine has.
///     pub B: 2 = "b0" to "b3" of bool, 1 bit;
/// }
///
/// let x7: X = "x7".parse()?;
/// assert_eq!(x7.number(), 7);
/// assert_eq!("zero".parse::<X>()?.number(), 31);
/// assert_eq!(B::new(3).unwrap().to_string(), "b3");
/// assert_eq!(B::new(4), None);
/// assert_eq!(
///     "x31".parse::<X>().unwrap_err().to_string(),
///     "no such name: expected `x0` to `x30`, or `zero`",
/// );
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// # Names that are listed
///
/// Names can be a list of single names and runs, `"a0" to "a7"`. The number of each name follows the
/// number of the name before it. If a list begins with a run, its first number is the number in the
/// first name of the run. Otherwise the first number is 0. `= 8` after a name sets its number. `or`
/// introduces further lists, whose names are accepted but never printed.
///
/// ```
/// pub trait Registers {
///     fn reg(&self, number: u8) -> u64;
///     fn set_reg(&mut self, number: u8, value: u64);
/// }
///
/// isa_core::registers! {
///     /// A register of RISC-V.
///     pub Reg: 5 = "zero", "ra", "sp", "gp", "tp", "t0" to "t2", "s0", "s1", "a0" to "a7", "s2" to "s11", "t3" to "t6"
///         or "x0" to "x31" or "fp" = 8 of u64, in Registers { reg, set_reg };
///     /// One of those that three bits can name.
///     pub Short: 3 = "s0" = 8, "s1", "a0" to "a5" or "x8" to "x15" or "fp" = 8 of u64, in Registers { reg, set_reg };
///     /// The program counter, which is no register of the file.
///     pub Pc: 1 = "pc" or "counter" of u64;
/// }
///
/// assert_eq!("x10".parse::<Reg>()?.to_string(), "a0");
/// assert_eq!("fp".parse::<Reg>(), "s0".parse());
/// assert_eq!(("a5".parse::<Reg>()?.number(), "a5".parse::<Short>()?.number()), (15, 15));
/// assert_eq!(Reg::names()[..6], ["zero", "ra", "sp", "gp", "tp", "t0"]);
/// assert_eq!(
///     "a6".parse::<Short>().unwrap_err().to_string(),
///     "no such name: expected `s0`, `s1`, `a0` to `a5`, or `x8` to `x15`, or `fp`",
/// );
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// The printed names must have consecutive numbers, and the bits of a field are relative to the
/// first one. The type also has a method `names`, which returns the printed names in the form that
/// [`RegisterFile::listed`](crate::machine::RegisterFile::listed) accepts. The compiler rejects a name that occurs
/// twice, another name for a register that the first list does not contain, and a field that is too
/// narrow:
///
/// ```compile_fail,E0080
/// isa_core::registers! {
///     /// `x4` is an error, because the first list has only four registers.
///     pub Reg: 2 = "zero", "ra", "sp", "gp" or "x0" to "x4" of u64;
/// }
/// ```
///
/// # A part of the file
///
/// The bits of a field are relative to the first name: in a field for `r16` to `r31`, 0 is `r16`.
/// If the names skip registers, `step` is the difference between consecutive numbers. `new`,
/// `number` and the methods of the machine use the number in the name, like the machine's manual,
/// so one method serves the whole file and all its parts. A special name has the number that would
/// follow the last one.
///
/// ```
/// pub trait Machine {
///     fn reg(&self, number: u8) -> u8;
///     fn set_reg(&mut self, number: u8, value: u8);
/// }
///
/// isa_core::registers! {
///     /// A register.
///     pub R: 5 = "r0" to "r31" of u8, in Machine { reg, set_reg };
///     /// A register of the upper half.
///     pub High: 4 = "r16" to "r31" of u8, in Machine { reg, set_reg };
///     /// The lower of two registers that hold an address.
///     pub Pair: 2 = "r24" to "r30" step 2 of u8, in Machine { reg, set_reg };
/// }
///
/// isa_core::define_isa! {
///     /// Copies between parts of the file.
///     pub isa Copies: u16;
///     operand R: 5;
///     operand High: 4;
///     operand Pair: 2;
///     opcode MOV { encoding { field<0, 4> High rd; field<4, 5> R rr; } syntax { mov rd, rr; } }
///     opcode LOW {
///         encoding { field<9, 7> Op op == LOW; field<0, 4> High rd; field<4, 2> Pair rr; }
///         syntax { low rd, rr; }
///     }
///     enum Op: 7 { LOW = 1 }
/// }
///
/// assert_eq!("mov r17, r31;".parse::<Copies>()?.encode()?, 0x1f1);
/// assert_eq!(Copies::decode(0x1f1)?.to_string(), "mov r17, r31;");
/// assert_eq!("low r16, r28;".parse::<Copies>()?.encode()?, 0x220);
/// assert_eq!(Pair::new(28).map(Pair::number), Some(28));
/// assert_eq!(Pair::new(27), None);
/// let error = "mov r15, r31;".parse::<Copies>().unwrap_err();
/// assert!(error.to_string().contains("expected `r16` to `r31`"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! registers {
    ($(
        $(#[$doc:meta])*
        $vis:vis $kind:ident: $width:literal =
            $($name:literal $(= $number:literal)? $(to $last:literal $(step $step:literal)?)?),+
            $(or $($other:literal $(= $other_number:literal)?
                $(to $other_last:literal $(step $other_step:literal)?)?),+)*
            of $value:ty $(, $bits:literal bit)? $(, in $machine:path { $get:ident, $set:ident })?;
    )*) => { $(
        $crate::__register_kind! {
            [$(#[$doc])* $vis] $kind: $width;
            [$($name $(= $number)? $(to $last $(step $step)?)?),+]
            [$(or $($other $(= $other_number)? $(to $other_last $(step $other_step)?)?),+)*]
            [$value] [{
                let given = 0 $(+ $bits)?;
                if given == 0 { 8 * ::core::mem::size_of::<$value>() as u16 } else { given }
            }]
        }
        $crate::operand_traits!($kind);
        $crate::__register_access!(
            $kind: $value;
            [$($name $(= $number)? $(to $last $(step $step)?)?),+]
            [$($machine { $get, $set })?]
        );
    )* };
}

impl Numbered {
    /// Returns the names from `first` to `last` and the special name, which may be empty. `width`
    /// is the width of their field in bits, and `step` the difference between consecutive numbers.
    /// `unknown` is the message for a name that does not exist, and `letter_case` the message for a
    /// name in the wrong letter case.
    ///
    /// # Panics
    ///
    /// Panics at compile time if a name does not end with a number, or if the field is too narrow. Also
    /// panics if `last` has another prefix or a lower number, or if its number is not a whole number of
    /// steps after the first.
    #[doc(hidden)]
    #[must_use]
    pub const fn between(
        [first, last, special]: [&'static str; 3],
        [width, step]: [u8; 2],
        [unknown, letter_case]: [&'static str; 2],
    ) -> Self {
        let NameRange { prefix, first, count } = NameRange::of(first, last, step);
        let names = count + !special.is_empty() as u16;
        assert!(names <= 1 << width, "the field must have a value for each name");
        assert!(
            special.is_empty() || first + count * step as u16 <= 255,
            "the number of a special name must be at most 255"
        );
        Numbered { prefix, first: first as u8, step, count, last: special, unknown, letter_case }
    }

    /// Returns the length of the longest name.
    #[doc(hidden)]
    #[must_use]
    pub const fn longest(&self) -> usize {
        let digits = match self.number(self.count.saturating_sub(1) as u8) {
            0..10 => 1,
            10..100 => 2,
            _ => 3,
        };
        let numbered = self.prefix.len() + digits;
        if self.last.len() > numbered { self.last.len() } else { numbered }
    }
}
