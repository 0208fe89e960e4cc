//! Lists and checks the functions of cubins. The ignored test compares the attributes and the resources of the functions
//! with the output of `cuobjdump`, for all files in a folder that end with `.ptx`, which `ptxas` compiles, or with
//! `.cubin`:
//!
//! ```sh
//! SASS_INFO=FOLDER cargo test -p isa-sass --test info -- --ignored --nocapture
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cubin::{Kernel, cubin};
use isa_cli::{Io, Status};
use isa_core::table::InstructionSet;
use isa_sass::Sass;
use isa_sass::info::{Attribute, AttributeValue, Cubin, Finding, check};

#[path = "common/cubin.rs"]
mod cubin;

/// Returns a file with one kernel.
fn file(name: &str, registers: u32, words: &[u128], info: &[u8]) -> Vec<u8> {
    cubin(&[Kernel { name, registers, words, info, shared: 48 }])
}

fn set() -> InstructionSet {
    Sass::SET.with_features(Sass::SET.feature_set("SM90").unwrap())
}

/// Returns the words of instructions for sm_90.
fn words(text: &[&str]) -> Vec<u128> {
    text.iter().map(|text| set().parse(text).unwrap().word()).collect()
}

/// Returns the bytes of an attribute whose value is a list of numbers.
fn record(number: u8, values: &[u32]) -> Vec<u8> {
    let values = values.iter().flat_map(|value| value.to_le_bytes());
    [4, number, 4 * (values.clone().count() / 4) as u8, 0].into_iter().chain(values).collect()
}

/// Runs `sass info` on a file, and returns the status, the output and the messages.
fn info(mut file: &[u8]) -> (Status, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = isa_sass::tool().run(["info"], Io::of(&mut file, &mut out, &mut err));
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Returns the findings for the first function of a file.
fn findings(file: &[u8]) -> Vec<Finding> {
    check(&set(), &Cubin::read(file).unwrap().functions[0])
}

const CODE: [&str; 3] = ["FADD R1, R2, R3 ?stall=5;", "EXIT ?stall=5;", "NOP ?stall=1;"];

#[test]
fn functions_and_attributes_are_listed() {
    let attributes = [
        record(0x1c, &[0x10]),
        vec![1, 4, 0, 0, 2, 0x4c, 3, 0, 3, 0x1b, 0xff, 0],
        record(0x17, &[0, 0x0010_0001, 8 << 18 | 0x1f << 12]),
        record(0x0f, &[1]),
        // A payload that is not a list of numbers, and attributes whose names are not known.
        vec![4, 0x55, 3, 0, 1, 2, 3, 4, 0xee, 2, 0, 0xab, 0xcd, 1, 0xfe, 0, 0],
    ];
    let file = file("add", 6, &words(&CODE), &attributes.concat());
    let expected = "\
kernel add: 6 registers, 3 instructions, 48 bytes of shared memory, 0 bytes of local memory, frame of 16 bytes
  EIATTR_EXIT_INSTR_OFFSETS        0x10
  EIATTR_CTAIDZ_USED
  EIATTR_NUM_BARRIERS              0x3
  EIATTR_MAXREG_COUNT              0xff
  EIATTR_KPARAM_INFO               index 0 ordinal 1 offset 0x10 size 0x8 log-alignment 0 space 0 bank 0x1f memory constant
  EIATTR_EXTERNS                   add
  EIATTR_ANNOTATIONS               01 02 03
  attribute 0xee                   ab cd
  attribute 0xfe

file:
  EIATTR_REGCOUNT                  add 0x6
  EIATTR_FRAME_SIZE                add 0x10

1 function, 0 errors
";
    assert_eq!(info(&file), (Status::Success, expected.to_owned(), String::new()));
    let (status, out, err) = info(b"NOP;");
    assert_eq!((status, out.as_str()), (Status::Usage, ""));
    assert!(err.contains("info: expected an ELF file"), "{err}");
}

#[test]
fn registers_above_the_count_are_reported() {
    let exit = record(0x1c, &[0x10]);
    let found = |text: &str, count: u32| {
        let code = words(&[text, "EXIT ?stall=5;"]);
        let found = findings(&file("k", count, &code, &exit));
        let found = found.into_iter().map(|finding| match finding {
            Finding::Register { offset: 0, register, count: 7, .. } => register.to_string(),
            finding => format!("{finding:?}"),
        });
        found.collect::<Vec<_>>()
    };
    assert_eq!(found("FADD R4, R2, R3 ?stall=5;", 7), [""; 0]);
    assert_eq!(found("FADD R5, R2, R3 ?stall=5;", 7), ["R5"]);
    assert_eq!(found("FADD R1, R100, R5 ?stall=5;", 7), ["R100"]);
    assert_eq!(found("FADD R1, RZ, RZ ?stall=5;", 7), [""; 0]);
    // Uniform registers are not counted.
    assert_eq!(found("UIADD3 UR9, UR8, UR9, URZ ?stall=5;", 7), [""; 0]);
    // The second register of a result of 64 bits, of an address, and of an operand of a 64-bit addition.
    assert_eq!(found("LDG.E.64 R4, desc[UR4][R2.64] ?stall=5;", 7), ["R5"]);
    assert_eq!(found("LDG.E R1, desc[UR4][R4.64] ?stall=5;", 7), ["R5"]);
    assert_eq!(found("DADD R2, R2, R4 ?stall=5;", 7), ["R5"]);
    assert_eq!(found("LDG.E.128 R4, desc[UR4][R2.64] ?stall=5;", 7), ["R7"]);

    // A kernel that changes the number of its registers.
    let code = words(&["FADD R100, R2, R3 ?stall=5;", "EXIT ?stall=5;"]);
    assert_eq!(findings(&file("k", 7, &code, &exit)).len(), 1);
    let changes = [exit, vec![1, 0x54, 0, 0]].concat();
    assert_eq!(findings(&file("k", 7, &code, &changes)), []);
}

#[test]
fn different_register_counts_are_reported() {
    let mut file = file("k", 6, &words(&CODE), &record(0x1c, &[0x10]));
    let counts = [[1, 0, 0, 6], [1, 0, 0, 7]];
    let at = file.windows(4).position(|bytes| bytes == counts[0]).unwrap();
    file[at..at + 4].copy_from_slice(&counts[1]);
    assert_eq!(findings(&file), [Finding::RegisterCounts { header: 7, attribute: 6 }]);
    // In files for newer chips, the header does not contain the number.
    file[at + 3] = 0;
    assert_eq!(findings(&file), []);
    assert_eq!(Cubin::read(&file).unwrap().functions[0].registers(), Some(6));
}

#[test]
fn wrong_exit_offsets_are_reported() {
    let with = |offsets: &[u32]| file("k", 6, &words(&CODE), &record(0x1c, offsets));
    let (status, out, _) = info(&with(&[0x10, 0x20, 0x18, 0x30, 0xffff_fff0]));
    assert_eq!(status, Status::Failure);
    let expected = "\
error: 0x20: EIATTR_EXIT_INSTR_OFFSETS: expected EXIT
  0x0020  NOP;
error: 0x18: EIATTR_EXIT_INSTR_OFFSETS: expected the offset of an instruction
error: 0x30: EIATTR_EXIT_INSTR_OFFSETS: expected the offset of an instruction
error: 0xfffffff0: EIATTR_EXIT_INSTR_OFFSETS: expected the offset of an instruction
";
    assert!(out.contains(expected) && out.ends_with("1 function, 4 errors\n"), "{out}");
    assert_eq!(findings(&with(&[])), []);
}

#[test]
fn damaged_attributes_are_errors() {
    let error = |info: &[u8]| {
        let file = file("k", 5, &words(&CODE), info);
        Cubin::read(&file).unwrap_err().to_string()
    };
    let cases: [(&[u8], &str); 8] = [
        (&[1, 4, 0], "offset 0x0: the record is truncated: expected 4 bytes, found 3"),
        (
            &[3, 0x1b, 1, 0, 4, 0x1c, 8, 0, 1, 2, 3, 4],
            "offset 0x4: the record is truncated: expected 12 bytes, found 8",
        ),
        (
            &[1, 4, 0, 0, 5, 4, 0, 0],
            "offset 0x4: unknown format of a record: expected 1 to 4, found 5",
        ),
        (
            &[4, 0x1c, 2, 0, 1, 2],
            "offset 0x0: wrong size of EIATTR_EXIT_INSTR_OFFSETS: expected a multiple of 4 bytes, found 2",
        ),
        (
            &[4, 0x2f, 4, 0, 1, 0, 0, 0],
            "offset 0x0: wrong size of EIATTR_REGCOUNT: expected 8 bytes, found 4",
        ),
        (
            &[4, 0x17, 4, 0, 1, 0, 0, 0],
            "offset 0x0: wrong size of EIATTR_KPARAM_INFO: expected 12 bytes, found 4",
        ),
        (
            &[1, 4, 0, 0, 4, 0x2f, 8, 0, 2, 0, 0, 0, 1, 0, 0, 0],
            "offset 0x4: EIATTR_REGCOUNT: symbol 2 does not exist: the file has 2 symbols",
        ),
        (
            &[4, 0x0f, 8, 0, 1, 0, 0, 0, 9, 0, 0, 0],
            "offset 0x0: EIATTR_EXTERNS: symbol 9 does not exist: the file has 2 symbols",
        ),
    ];
    for (info, expected) in cases {
        assert_eq!(error(info), format!("section `.nv.info.k`, {expected}"));
    }
    let (status, out, _) = info(&file("k", 5, &words(&CODE), &[1, 4, 0]));
    assert_eq!(status, Status::Failure);
    assert!(out.starts_with("error: section `.nv.info.k`, offset 0x0: the record"), "{out}");
}

#[test]
fn damaged_files_never_panic() {
    let code = words(&CODE);
    let whole = file("k", 5, &code, &record(0x1c, &[0x10]));
    let run = |bytes: &[u8]| {
        Cubin::read(bytes).map(|cubin| {
            for function in &cubin.functions {
                let _ = check(&set(), function);
                for attribute in &function.attributes {
                    let _ = cubin.value_text(attribute);
                }
            }
        })
    };
    assert_eq!(run(&whole), Ok(()));
    for length in 0..whole.len() {
        assert!(run(&whole[..length]).is_err(), "{length} bytes");
    }
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0xff, whole[at] ^ 0x10, whole[at] ^ 1] {
            let mut changed = whole.clone();
            changed[at] = value;
            let _ = run(&changed);
        }
    }
}

#[test]
fn overlapping_sections_are_errors() {
    let kernel = Kernel { name: "k", registers: 5, words: &words(&CODE), info: &[], shared: 0 };
    let mut file = cubin(&[kernel, kernel, kernel]);
    let length = file.len() as u64 & !15;
    // The text of each kernel becomes the whole file. The headers of the sections follow the header of the file.
    for section in [4, 7, 10] {
        let header = 64 + 64 * section;
        file[header + 24..header + 40].copy_from_slice(&[[0; 8], length.to_le_bytes()].concat());
    }
    let error = Cubin::read(&file).unwrap_err().to_string();
    assert_eq!(error, "section `.text.k`, offset 0x0: sections overlap");
    file[64 + 64 * 4 + 32] += 1;
    let error = Cubin::read(&file).unwrap_err().to_string();
    let expected = "the instruction is truncated: expected 16 bytes, found 1";
    assert_eq!(error, format!("section `.text.k`, offset {length:#x}: {expected}"));
}

/// Returns the output of one of NVIDIA's tools, which must accept its arguments.
fn nvidia(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a cubin, which is compiled if the file contains PTX.
fn compiled(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|extension| extension == "cubin") {
        return path.to_owned();
    }
    let text = fs::read_to_string(path).unwrap();
    let target = text.lines().find_map(|line| line.trim().strip_prefix(".target ")).unwrap();
    let chip = target.split([',', ' ']).next().unwrap();
    let name = format!("sass-info-{}.cubin", std::process::id());
    let cubin = std::env::temp_dir().join(name);
    let (source, result) = (path.to_str().unwrap(), cubin.to_str().unwrap());
    nvidia("ptxas", &[&format!("-arch={chip}"), source, "-o", result]);
    cubin
}

/// A record in the output of `cuobjdump -elf`: its section, name, format and value.
type DumpedRecord = (String, String, String, String);

fn dumped_records(dump: &str) -> Vec<DumpedRecord> {
    let (mut records, mut section) = (Vec::<DumpedRecord>::new(), None);
    for line in dump.lines() {
        let field = |name| line.strip_prefix(name).map(|text: &str| text.trim().to_owned());
        if line.starts_with('.') {
            section = Some(line.trim())
                .filter(|name| *name == ".nv.info" || name.starts_with(".nv.info."));
        }
        let Some(section) = section else { continue };
        if let Some(name) = field("\tAttribute:") {
            records.push((section.to_owned(), name, String::new(), String::new()));
        } else if let Some(last) = records.last_mut().filter(|last| last.0 == section) {
            if let Some(format) = field("\tFormat:") {
                last.2 = format;
            } else if !line.starts_with("\t<") && !line.starts_with('.') {
                last.3 += line.trim().trim_start_matches("Value:");
                last.3.push(' ');
            }
        }
    }
    records
}

/// Returns the numbers in a text of `cuobjdump`, and if `decimal` is true also the decimal numbers.
fn numbers(text: &str, decimal: bool) -> Vec<u32> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"_$".contains(c));
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok().filter(|_| decimal),
    };
    words.filter_map(number).collect()
}

/// Compares the value of an attribute with the text that `cuobjdump` prints for it.
fn is_equal(cubin: &Cubin<'_>, attribute: &Attribute, text: &str) -> bool {
    let (words, shown) = (attribute.words(), cubin.value_text(attribute));
    match attribute.name() {
        // `cuobjdump` prints the index of the symbol.
        Some("MAX_STACK_SIZE") => numbers(text, false) == words,
        Some("REGCOUNT" | "FRAME_SIZE" | "MIN_STACK_SIZE") => {
            let name = shown.rsplit_once(' ').unwrap().0;
            let decimals = text.rsplit_once(':').unwrap();
            text.contains(&format!("function: {name}({:#x})", words[0]))
                && numbers(decimals.1, true) == words[1..]
        }
        Some("EXTERNS") => {
            let names = shown.split(' ').zip(&words);
            let text: String = text.split_whitespace().collect();
            let names: String = names.map(|(name, word)| format!("{name}({word:#x})")).collect();
            text == format!("externs:{names}")
        }
        Some("KPARAM_INFO") => {
            let it = attribute.parameter().unwrap();
            let found = numbers(text, false);
            let (log, space) = (it.log_alignment.into(), it.space.into());
            let (ordinal, offset) = (it.ordinal.into(), it.offset.into());
            let bank = if it.is_shared { "SMEM" } else { "CBANK" };
            found == [it.index, ordinal, offset, it.size, log, space, it.bank.into()]
                && text.contains(&format!("Parameter Space : {bank}"))
        }
        Some("LANGUAGE") => (text.trim(), &words[..]) == ("Language:\t PTX", &[3]),
        // `cuobjdump` prints the names of the bits.
        Some("SPARSE_MMA_MASK") if shown != "0x0" => {
            const NAMES: [&str; 8] = [
                "QGMMA.SP",
                "HGMMA.SP",
                "IGMMA.SP",
                "QMMA.SP",
                "HMMA.SP",
                "IMMA.SP",
                "UTC*MMASparse",
                "OMMA.SP",
            ];
            let AttributeValue::Half(mask) = attribute.value else { return false };
            let names = (0..8).filter(|bit| mask >> bit & 1 == 1).map(|bit| NAMES[bit]);
            let (_, found) = text.split_once(':').unwrap_or_default();
            found.split_whitespace().eq(names)
        }
        // `cuobjdump` prints numbers of 32 and of 16 bits.
        Some("ATOM16_EMUL_INSTR_REG_MAP") => {
            let words: Vec<u32> = words.iter().map(|word| word & 0xffff).collect();
            numbers(text, true) == words
        }
        // The first of four numbers is an offset. `cuobjdump` prints the others as text.
        Some("MBARRIER_INSTR_OFFSETS") => {
            let offsets: Vec<u32> = words.iter().copied().step_by(4).collect();
            numbers(text, false) == offsets
        }
        // The second of two numbers is an offset.
        Some("ANNOTATIONS") => {
            let offsets: Vec<u32> = words.iter().copied().skip(1).step_by(2).collect();
            numbers(text, false) == offsets
        }
        // An offset, an unused number, a count, and the targets.
        Some("INDIRECT_BRANCH_TARGETS") => {
            let (mut expected, mut rest) = (Vec::new(), &words[..]);
            while let [offset, _, count, after @ ..] = rest {
                let (targets, after) = after.split_at(*count as usize);
                expected.extend([*offset, *count]);
                expected.extend(targets);
                rest = after;
            }
            rest.is_empty() && numbers(text, true) == expected
        }
        _ => {
            let own = match attribute.value {
                AttributeValue::Byte(value) => vec![value.into()],
                AttributeValue::Half(value) => vec![value.into()],
                _ => words,
            };
            numbers(text, false) == own && numbers(&shown, false) == own
        }
    }
}

/// Returns the format of a value as `cuobjdump` prints it.
fn format_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::None => "EIFMT_NVAL",
        AttributeValue::Byte(_) => "EIFMT_BVAL",
        AttributeValue::Half(_) => "EIFMT_HVAL",
        AttributeValue::Bytes(_) => "EIFMT_SVAL",
    }
}

/// Compares the registers and the memory of the kernels with the output of `cuobjdump -res-usage`, and returns the number
/// of kernels.
fn compare_resources(cubin: &Cubin<'_>, usage: &str, name: &str) -> usize {
    let mut lines = usage.lines().map(str::trim);
    let mut kernels = 0;
    while let Some(line) = lines.next() {
        let Some(function) = line.strip_prefix("Function ") else { continue };
        let numbers: BTreeMap<&str, u64> = lines
            .next()
            .unwrap()
            .split(' ')
            .filter_map(|pair| pair.split_once(':'))
            .filter_map(|(name, number)| Some((name, number.parse().ok()?)))
            .collect();
        let function = function.trim_end_matches(':');
        let one = cubin.functions.iter().find(|one| one.name == function).unwrap();
        let own = [
            ("REG", one.registers().map(u64::from)),
            ("STACK", one.stack.map(u64::from)),
            ("SHARED", Some(one.shared)),
            ("LOCAL", Some(one.local)),
        ];
        for (key, own) in own {
            assert_eq!(numbers.get(key).copied(), own, "{name}: {function}: {key}");
        }
        kernels += 1;
    }
    kernels
}

#[test]
#[ignore = "needs ptxas, cuobjdump, and a folder of programs"]
fn attributes_are_those_of_cuobjdump() {
    let Some(folder) = std::env::var_os("SASS_INFO").map(PathBuf::from) else {
        println!("skipped: SASS_INFO is not set");
        return;
    };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|it| it == "ptx" || it == "cubin"))
        .collect();
    files.sort();
    let (mut counts, mut kernels, mut tight, mut noticed) = (BTreeMap::new(), 0, 0, 0);
    for path in &files {
        let (name, path) = (path.display().to_string(), compiled(path));
        let file = fs::read(&path).unwrap();
        let cubin = Cubin::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let dump = nvidia("cuobjdump", &["-elf", path.to_str().unwrap()]);
        let records = dumped_records(&dump);
        let own =
            cubin.functions.iter().map(|one| (format!(".nv.info.{}", one.name), &one.attributes));
        let own = own.chain([(".nv.info".to_owned(), &cubin.attributes)]);
        let mut total = 0;
        for (section, attributes) in own {
            let dumped: Vec<_> = records.iter().filter(|record| record.0 == section).collect();
            assert_eq!(dumped.len(), attributes.len(), "{name}: {section}");
            total += dumped.len();
            for (attribute, (_, dumped, format, text)) in attributes.iter().zip(dumped) {
                let known = attribute.name().map(|name| format!("EIATTR_{name}"));
                assert_eq!(
                    known.as_deref().unwrap_or("unknown Attribute"),
                    dumped,
                    "{name}: {section}"
                );
                assert_eq!(format_name(&attribute.value), format, "{name}: {section}");
                let shown = cubin.value_text(attribute);
                assert!(
                    is_equal(&cubin, attribute, text),
                    "{name}: {attribute}: {shown}: {text:?}"
                );
                *counts.entry(attribute.to_string()).or_insert(0) += 1;
            }
        }
        assert_eq!(total, records.len(), "{name}");
        // The resources of a file for a linker are not known yet.
        if dump.contains("type=ET_EXEC") {
            let usage = nvidia("cuobjdump", &["-res-usage", path.to_str().unwrap()]);
            kernels += compare_resources(&cubin, &usage, &name);
        }

        // `ptxas` emits correct code. With one register less, most kernels are not correct.
        let chip = dump.split("sm=").nth(1).and_then(|text| text.split(',').next()).unwrap();
        let set = Sass::SET.with_features(
            Sass::SET.feature_set(&format!("SM{}", chip.trim_end_matches('a'))).unwrap(),
        );
        for function in &cubin.functions {
            assert_eq!(check(&set, function), [], "{name}: {}", function.name);
            let mut changed = function.clone();
            changed.header_registers = 0;
            changed.attribute_registers = function.registers().map(|count| count - 1);
            noticed += usize::from(!check(&set, &changed).is_empty());
            tight += 1;
        }
    }
    println!("{} files, {kernels} kernels, {counts:#?}", files.len());
    println!("one register less: {noticed} of {tight} functions are reported");
    assert!(kernels > 0);
}
