// Builds files of CUDA. The example of the module `info` includes this file, so it has no inner comment.

/// A kernel of a file that [`cubin`] builds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kernel<'k> {
    pub(crate) name: &'k str,
    /// The number of registers.
    pub(crate) registers: u32,
    pub(crate) words: &'k [u128],
    /// The records of `.nv.info.NAME`.
    pub(crate) info: &'k [u8],
    /// The size of the shared memory in bytes.
    pub(crate) shared: u64,
}

/// Builds a file of CUDA for sm_90. The section `.nv.info` contains the number of registers and the size of the stack
/// frame of each kernel.
pub(crate) fn cubin(kernels: &[Kernel<'_>]) -> Vec<u8> {
    /// A section: the name, the type, the flags, the bytes, `sh_link` and `sh_info`.
    type Section<'s> = (String, u32, u64, Vec<u8>, u32, u32);
    let (mut names, mut symbols, mut info) = (vec![0], vec![0; 24], Vec::new());
    // The text of kernel i is the section 4 + 3 * i.
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (index, kernel) in kernels.iter().enumerate() {
        let (number, section) = (index as u32 + 1, 4 + 3 * index as u32);
        symbols.extend((names.len() as u32).to_le_bytes());
        symbols.extend([0x12, 0x10]);
        symbols.extend((section as u16).to_le_bytes());
        symbols.extend([0; 16]);
        names.extend(kernel.name.bytes().chain([0]));
        for (attribute, value) in [(0x2f, kernel.registers), (0x11, 16)] {
            info.extend([4, attribute, 8, 0]);
            info.extend([number, value].map(u32::to_le_bytes).concat());
        }
        let words: Vec<u8> = kernel.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let of = |prefix: &str| format!("{prefix}{}", kernel.name);
        sections.push((of(".text."), 1, 6, words, 3, kernel.registers << 24 | number));
        sections.push((of(".nv.info."), 0x7000_0000, 0x40, kernel.info.to_vec(), 3, section));
        sections.push((of(".nv.shared."), 8, 3, vec![0; kernel.shared as usize], 0, section));
    }
    let first: [Section<'_>; 3] = [
        (".strtab".into(), 3, 0, names, 0, 0),
        (".nv.info".into(), 0x7000_0000, 0, info, 3, 0),
        (".symtab".into(), 2, 0, symbols, 1, 1),
    ];
    let count = 5 + sections.len();
    let (mut headers, mut data, mut section_names) = (vec![0; 64], Vec::new(), vec![0]);
    let last = [(".shstrtab".to_owned(), 3, 0, Vec::new(), 0, 0)];
    for (name, kind, flags, bytes, link, info) in first.into_iter().chain(sections).chain(last) {
        headers.extend((section_names.len() as u32).to_le_bytes());
        section_names.extend(name.bytes().chain([0]));
        headers.extend(u32::to_le_bytes(kind));
        let bytes = if name == ".shstrtab" { section_names.clone() } else { bytes };
        let offset = (64 + 64 * count + data.len()) as u64;
        headers.extend([flags, 0, offset, bytes.len() as u64].map(u64::to_le_bytes).concat());
        headers.extend([link, info].map(u32::to_le_bytes).concat());
        headers.extend([1, if kind == 2 { 24 } else { 0 }].map(u64::to_le_bytes).concat());
        if kind != 8 {
            data.extend(bytes);
        }
    }
    let mut file = b"\x7fELF\x02\x01\x01\x41\x08\0\0\0\0\0\0\0\x02\0\xbe\0\x01\0\0\0".to_vec();
    file.extend([0, 0, 64].map(u64::to_le_bytes).concat());
    file.extend(0x0600_5a04_u32.to_le_bytes());
    let sizes = [64, 0, 0, 64, count as u16, count as u16 - 1];
    file.extend(sizes.map(u16::to_le_bytes).concat());
    file.extend(headers);
    file.extend(data);
    file
}
