//! All differences from other disassemblers, with the reason of each.

/// The differences between a tool's texts and ours.
pub(crate) struct Tool {
    /// Returns the tool's spelling of our text at an address.
    pub(crate) spell: fn(&str, u64) -> String,
    /// The remaining differences.
    pub(crate) differences: &'static [Difference],
}

/// A group of words that a tool accepts, rejects or prints differently.
pub(crate) struct Difference {
    pub(crate) why: &'static str,
    /// Returns whether this difference explains our text in the tool's spelling and the tool's own
    /// text.
    pub(crate) applies: fn(Option<&str>, Option<&str>) -> bool,
}

/// LLVM prints the same texts as we do.
pub(crate) const LLVM: Tool = Tool {
    spell: |ours, _| ours.to_owned(),
    differences: &[
        PRIVILEGED,
        UNIMP,
        FLOATING_MOVES,
        C_LUI_OF_ZERO,
        C_LUI_TO_ZERO,
        OTHER_CSR_NAMES,
    ],
};

/// The GNU disassembler accepts code for any processor, and prints targets instead of distances.
pub(crate) const OBJDUMP: Tool = Tool {
    spell: gnu,
    differences: &[PRIVILEGED, UNIMP, FLOATING_POINT, C_ADDI16SP_OF_ZERO, C_NOP, OTHER_CSR_NAMES],
};

const PRIVILEGED: Difference = Difference {
    why: "the instructions of the privileged manual are no part of RV64IMAC",
    applies: |ours, theirs| {
        let privileged = ["uret", "sret", "hret", "mret", "dret", "wfi", "sfence.vma", "sfence.vm"];
        ours.is_none() && theirs.is_some_and(|text| privileged.contains(&mnemonic(text)))
    },
};

const UNIMP: Difference = Difference {
    why: "`unimp` is shown as an alias even without aliases",
    applies: |ours, theirs| {
        let plain = ours.map(|text| text.replace(", ", ","));
        plain.as_deref() == Some("csrrw zero,cycle,zero") && theirs == Some("unimp")
    },
};

const C_LUI_OF_ZERO: Difference = Difference {
    why: "the manual reserves `c.lui` of 0; LLVM 14 takes it",
    applies: |ours, theirs| {
        let of_zero = |text: &str| mnemonic(text) == "c.lui" && text.ends_with(", 0");
        ours.is_none() && theirs.is_some_and(of_zero)
    },
};

const C_LUI_TO_ZERO: Difference = Difference {
    why: "a `c.lui` to `zero` is a hint, whose number LLVM 14 shows with its sign",
    applies: |ours, theirs| {
        let number = |text: Option<&str>| {
            text.and_then(|text| text.strip_prefix("c.lui zero, ")?.parse::<i64>().ok())
        };
        matches!((number(ours), number(theirs)), (Some(a), Some(b)) if a - b == 1 << 20 && b < 0)
    },
};

const FLOATING_MOVES: Difference = Difference {
    why: "LLVM 14 takes the moves to and from floating-point registers without such registers",
    applies: |ours, theirs| {
        let moves = ["fmv.w.x", "fmv.x.w"];
        ours.is_none() && theirs.is_some_and(|text| moves.contains(&mnemonic(text)))
    },
};

const FLOATING_POINT: Difference = Difference {
    why: "the GNU disassembler cannot be told that there is no floating point",
    applies: |ours, theirs| {
        let float = |text: &str| text.starts_with("c.f") || text.starts_with('f');
        ours.is_none() && theirs.is_some_and(|text| float(text) && mnemonic(text) != "fence")
    },
};

const C_ADDI16SP_OF_ZERO: Difference = Difference {
    why: "the manual reserves `c.addi16sp` of 0; binutils 2.40 takes it",
    applies: |ours, theirs| ours.is_none() && theirs == Some("c.addi16sp sp,0"),
};

const C_NOP: Difference = Difference {
    why: "the GNU disassembler has `c.nop` for an alias",
    applies: |ours, theirs| {
        let number = theirs.and_then(|text| text.strip_prefix("c.addi zero,"));
        match ours {
            Some("c.nop") => number == Some("0"),
            _ => number.is_some() && ours.and_then(|text| text.strip_prefix("c.nop ")) == number,
        }
    },
};

/// Only LLVM 14 knows the names of the older user-level interrupts. Only binutils 2.40 knows those
/// of 32-bit processors and of later extensions.
const OTHER_CSR_NAMES: Difference = Difference {
    why: "names of control and status registers that only one of the tools knows",
    applies: |ours, theirs| {
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            return false;
        };
        let split = |text: &str| -> Vec<String> {
            text.split([' ', ',']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let (ours, theirs) = (split(ours), split(theirs));
        let pairs = || ours.iter().zip(&theirs);
        let mut different = pairs().filter(|(a, b)| a != b);
        let (Some((number, name)), None) = (different.next(), different.next()) else {
            return false;
        };
        let only_one = "ustatus uie utvec uscratch uepc ucause utval uip sedeleg sideleg siselect \
                        sireg stopei stopi vsiselect vsireg vstopei vstopi mvien mvip miselect \
                        mireg mtopei mtopi hvien hvictl hviprio1 hviprio2 tinfo tcontrol mscontext \
                        pmpcfg1 pmpcfg3 pmpcfg5 pmpcfg7 pmpcfg9 pmpcfg11 pmpcfg13 pmpcfg15";
        let other = only_one.split(' ').any(|known| known == name) || is_upper_half(name);
        ours[0].starts_with("csr")
            && ours.len() == theirs.len()
            && number.starts_with(|c: char| c.is_ascii_digit())
            && other
    },
};

/// Returns whether the name is an upper half. For example, `cycleh` is the upper half of `cycle` on
/// 32-bit processors.
fn is_upper_half(name: &str) -> bool {
    name.ends_with('h') && name.starts_with(['c', 'h', 'i', 'm', 's', 't', 'v'])
}

/// Returns the GNU spelling: no blank after a comma, targets instead of distances, and upper parts,
/// shifts and unnamed registers in hexadecimal.
fn gnu(ours: &str, address: u64) -> String {
    let (mnemonic, operands) = ours.split_once(' ').unwrap_or((ours, ""));
    let mut operands: Vec<String> = operands.split(", ").map(str::to_owned).collect();
    let target = matches!(
        mnemonic,
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "jal" | "c.j" | "c.beqz" | "c.bnez"
    );
    let hexadecimal = matches!(
        mnemonic,
        "lui"
            | "auipc"
            | "slli"
            | "srli"
            | "srai"
            | "slliw"
            | "srliw"
            | "sraiw"
            | "c.lui"
            | "c.slli"
            | "c.srli"
            | "c.srai"
    );
    let last = operands.len() - 1;
    let place = if mnemonic.starts_with("csrr") { 1 } else { last };
    if let Some(operand) = operands.get_mut(place)
        && let Ok(number) = operand.parse::<i64>()
        && (target || hexadecimal || place != last)
    {
        let start = if target { address } else { 0 };
        *operand = format!("{:#x}", start.wrapping_add_signed(number));
    }
    format!("{mnemonic} {}", operands.join(",")).trim_end().to_owned()
}

fn mnemonic(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}
