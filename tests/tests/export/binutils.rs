//! Compares masks and matches of RISC-V with those of the GNU tools, `riscv-opc.h`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use isa_riscv::Rv64imac;
use isa_tests::tools::are_here;

use crate::RISCV_OPC;

/// Returns masks and matches by name, from lines such as `#define MATCH_ADDI 0x13`.
fn table(text: &str, prefix: &str) -> BTreeMap<String, (u64, u64)> {
    let mut table = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some("#define"), Some(name), Some(value)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let digits = value.trim_start_matches("UINT32_C(").trim_end_matches(')');
        let Some(name) = name.strip_prefix(prefix) else { continue };
        let Some(number) = digits.strip_prefix("0x") else { continue };
        let Ok(number) = u64::from_str_radix(number, 16) else { continue };
        if let Some(name) = name.strip_prefix("MASK_") {
            table.entry(name.to_owned()).or_insert((0, 0)).0 = number;
        } else if let Some(name) = name.strip_prefix("MATCH_") {
            table.entry(name.to_owned()).or_insert((0, 0)).1 = number;
        }
    }
    table
}

#[test]
fn masks_of_risc_v_are_those_of_the_gnu_tools() {
    if !are_here(&[RISCV_OPC]) {
        return;
    }
    let gnu = table(&fs::read_to_string(RISCV_OPC.program).unwrap(), "");
    let header = isa_export::format("c").unwrap().files(Rv64imac::SET).unwrap().remove(0);
    let own = table(&header.text, "RV64IMAC_");
    assert_eq!(own.len(), Rv64imac::SET.opcodes.len());
    let (mut same, mut differ) = (0, BTreeSet::new());
    for (name, &(mask, value)) in &own {
        // The GNU tools have a separate atomic instruction for each size, which is in bits 12 to
        // 14.
        let sized = [("_W", 2), ("_D", 3)].map(|(size, bits)| {
            let theirs = gnu.get(&format!("{name}{size}"));
            theirs.is_some_and(|&theirs| theirs == (mask | 7 << 12, value | bits << 12))
        });
        if gnu.get(name) == Some(&(mask, value)) || sized == [true; 2] {
            same += 1;
        } else {
            differ.insert(name.as_str());
        }
    }
    // The first is an alias of a hint in the GNU tools, and they do not know the second.
    assert_eq!(differ.into_iter().collect::<Vec<_>>(), ["C_NOP", "C_UNIMP"]);
    assert_eq!(same, own.len() - 2);
}
