//! ELF objects of growing size, for `dis` and `exec` of RISC-V.

use super::texts::run;
use super::{Input, Outcome, Work};

/// All inputs with objects.
pub(crate) const INPUTS: [Input; 4] = [
    input("symbols of an object whose names overlap, in `dis`", 20_000, |n| {
        let names: Vec<u8> = std::iter::repeat_n(b'a', n).chain([0]).collect();
        dis(&elf(&names, (0..n).map(|i| i as u32), 0))
    }),
    input("symbols of an object with one name of 100,000 letters, in `dis`", 20_000, |n| {
        let names: Vec<u8> = std::iter::repeat_n(b'a', 100_000).chain([0]).collect();
        dis(&elf(&names, std::iter::repeat_n(0, n), 0))
    }),
    input("symbols of an object with one name of 100,000 letters, in `exec`", 20_000, |n| {
        let names: Vec<u8> = std::iter::repeat_n(b'a', 100_000).chain([0]).collect();
        run(&["exec", "-"], &elf(&names, std::iter::repeat_n(0, n), 0))
    }),
    input("sections of an object, in `dis`", 64_000, |n| dis(&elf(b"\0", [].into_iter(), n))),
];

const fn input(name: &'static str, full: usize, work: fn(usize) -> Outcome) -> Input {
    Input { name, full, messages: 0, work: Work::Run(work) }
}

fn dis(object: &[u8]) -> Outcome {
    run(&["dis", "-"], object)
}

/// Builds a RISC-V object with four instructions. Each symbol has the name at its offset in
/// `names`, and the object has additional `sections` of one instruction each.
fn elf(names: &[u8], symbols: impl Iterator<Item = u32>, sections: usize) -> Vec<u8> {
    let code = [0x13, 0, 0, 0].repeat(4);
    let mut table = vec![0; 24];
    for (number, name) in symbols.enumerate() {
        table.extend(name.to_le_bytes());
        // A global function in section 1.
        table.extend([0x12, 0, 1, 0]);
        table.extend((4 * (number as u64 % 4)).to_le_bytes());
        table.extend(0u64.to_le_bytes());
    }
    let texts = b"\0.text\0.symtab\0.strtab\0.shstrtab\0.more\0";
    let mut bytes = vec![0; 64];
    let mut headers = vec![0; 64];
    let mut section =
        |name: u32, kind: u32, flags: u64, [link, info]: [u32; 2], data: &[u8], entry: u64| {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            let (offset, size) = (bytes.len() as u64, data.len() as u64);
            bytes.extend(data);
            headers.extend([name, kind].iter().flat_map(|number| number.to_le_bytes()));
            headers.extend([flags, 0, offset, size].iter().flat_map(|number| number.to_le_bytes()));
            headers.extend([link, info].iter().flat_map(|number| number.to_le_bytes()));
            headers.extend([4, entry].iter().flat_map(|number: &u64| number.to_le_bytes()));
        };
    section(1, 1, 6, [0, 0], &code, 0);
    section(7, 2, 0, [3, 1], &table, 24);
    section(15, 3, 0, [0, 0], names, 0);
    section(23, 3, 0, [0, 0], texts, 0);
    (0..sections).for_each(|_| section(33, 1, 6, [0, 0], &[0x13, 0, 0, 0], 0));
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let start = bytes.len() as u64;
    let count = (headers.len() / 64) as u16;
    bytes.extend(headers);
    let mut header = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    header.extend([1u16, 243].iter().flat_map(|number| number.to_le_bytes()));
    header.extend(1u32.to_le_bytes());
    header.extend([0, 0, start].iter().flat_map(|number| number.to_le_bytes()));
    header.extend(1u32.to_le_bytes());
    header.extend([64, 0, 0, 64, count, 4u16].iter().flat_map(|number| number.to_le_bytes()));
    bytes[..64].copy_from_slice(&header);
    bytes
}
