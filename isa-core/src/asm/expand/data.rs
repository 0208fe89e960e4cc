//! Directives of the GNU assembler that become other directives: data, sections and symbols.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use super::arguments::{split, unquoted};
use super::expander::{Expander, StatementText};

/// Directives that the assembler does not support, with the reason.
const UNSUPPORTED: [(&str, &str); 11] = [
    (".altmacro", "macros have only the standard syntax"),
    (".noaltmacro", "macros have only the standard syntax"),
    (".subsection", "a section has only one part: use `.section` with another name"),
    (".linkonce", "sections cannot be discarded one by one"),
    (".symver", "symbols have no versions"),
    (".reloc", "relocations are made from operands and data"),
    (".octa", "data has at most 8 bytes: use two `.8byte`"),
    (".bundle_align_mode", "instructions are not grouped"),
    (".bundle_lock", "instructions are not grouped"),
    (".bundle_unlock", "instructions are not grouped"),
    (".print", "the assembler prints no messages"),
];

/// The maximum number of bytes that one directive of this layer emits.
const MOST: usize = 1 << 24;

impl Expander<'_> {
    /// Expands a statement if it is one of these directives.
    pub(super) fn data(&mut self, it: &StatementText, name: &str) -> bool {
        match name {
            ".section" | ".text" | ".data" | ".bss" => {
                let text = it.get(it.word.start..it.rest.end).trim_end().to_string();
                self.section.1 = core::mem::replace(&mut self.section.0, text);
                return false;
            }
            ".pushsection" => {
                let text = format!(".section {}", it.get(it.rest.clone()).trim());
                self.sections.push(self.section.clone());
                self.enter(it, text);
            }
            ".popsection" => match self.sections.pop() {
                Some(section) => {
                    self.section.1 = section.1;
                    self.section.0.clear();
                    self.emit_text(it, &format!("{};", section.0));
                    self.section.0 = section.0;
                }
                None => self.error_in(it, "`.popsection` without `.pushsection`".to_string()),
            },
            ".previous" => {
                let text = self.section.1.clone();
                self.enter(it, text);
            }
            ".local" => {
                for name in split(&it.text.text, it.rest.clone(), false) {
                    let name = it.get(name).to_string();
                    self.local_names.insert(name);
                }
            }
            ".comm" | ".lcomm" => self.common(it, name == ".lcomm"),
            ".fill" => self.fill(it),
            ".float" | ".single" => self.floats(it, ".4byte", |text| {
                text.parse::<f32>().ok().map(|number| number.to_bits().into())
            }),
            ".double" => {
                self.floats(it, ".8byte", |text| text.parse::<f64>().ok().map(f64::to_bits))
            }
            ".uleb128" | ".sleb128" => self.leb128(it, name == ".sleb128"),
            ".err" | ".abort" => self.error_in(it, format!("the program contains `{name}`")),
            ".error" => {
                let message = unquoted(it.get(it.rest.clone()).trim()).to_string();
                self.error_in(it, message);
            }
            ".warning" => {}
            ".end" => self.levels.iter_mut().for_each(|level| level.at = level.text.text.len()),
            _ => {
                let Some((_, reason)) = UNSUPPORTED.iter().find(|(known, _)| *known == name) else {
                    return false;
                };
                self.error_in(it, format!("`{name}` is not supported: {reason}"));
            }
        }
        true
    }

    /// Selects a section.
    fn enter(&mut self, it: &StatementText, text: String) {
        self.emit_text(it, &format!("{text};"));
        self.section.1 = core::mem::replace(&mut self.section.0, text);
    }

    /// Reserves the bytes of a common symbol in `.bss`.
    fn common(&mut self, it: &StatementText, is_local: bool) {
        let parts = split(&it.text.text, it.rest.clone(), false);
        let [name, size, rest @ ..] = &parts[..] else {
            return self.error_in(it, "expected a name and a size".to_string());
        };
        let name = it.get(name.clone()).to_string();
        let Some(size) = self.number(it, size.clone()) else { return };
        let align = match rest.first() {
            Some(align) => self.number(it, align.clone()),
            None => Some(1),
        };
        let Some(align) = align else { return };
        let is_local = is_local || self.local_names.contains(&name);
        let global = if is_local { String::new() } else { format!(".globl {name};") };
        let section = &self.section.0;
        let text = format!(".bss; .balign {align}; {global} {name}: .zero {size}; {section};");
        self.names.entry(name).or_insert(None);
        self.emit_text(it, &text);
    }

    /// Emits a value of some bytes several times: `.fill count, size, value`.
    fn fill(&mut self, it: &StatementText) {
        let parts = split(&it.text.text, it.rest.clone(), false);
        let mut number = |place: usize, default: i128| match parts.get(place) {
            Some(span) if !span.is_empty() => self.number(it, span.clone()),
            _ => Some(default),
        };
        let (Some(count), Some(size), Some(value)) = (number(0, 0), number(1, 1), number(2, 0))
        else {
            return;
        };
        if !matches!(size, 0..=8) {
            return self.error_in(it, "expected a size from 0 to 8 bytes".to_string());
        }
        let count = usize::try_from(count).unwrap_or_default();
        let bytes = size as usize;
        // Larger values have zeros in their upper bytes.
        let value =
            (value as u64 & u64::from(u32::MAX)) & u64::MAX.unbounded_shr(64 - 8 * size as u32);
        if count.saturating_mul(bytes) > MOST {
            let message = format!("one directive can reserve at most {MOST} bytes");
            return self.error_in(it, message);
        }
        if value == 0 {
            return self.emit_text(it, &format!(".zero {};", count * bytes));
        }
        let order = self.settings.set.byte_order.of_data();
        let one: Vec<u8> = order.bytes_of(value.into(), bytes).collect();
        let all: Vec<u8> = one.iter().copied().cycle().take(count * bytes).collect();
        self.emit_bytes(it, &all);
    }

    /// Emits floating-point numbers.
    fn floats(&mut self, it: &StatementText, directive: &str, bits: fn(&str) -> Option<u64>) {
        let mut text = String::new();
        for span in split(&it.text.text, it.rest.clone(), false) {
            let number = it.get(span.clone());
            let plain = ["0f", "0d", "0e"].iter().find_map(|prefix| number.strip_prefix(prefix));
            let Some(bits) = bits(plain.unwrap_or(number).trim()) else {
                return self.error_at(it, span, "expected a decimal floating-point number");
            };
            let _ = write!(text, "{directive} {bits:#x};");
        }
        self.emit_text(it, &text);
    }

    /// Emits numbers with seven bits in each byte, the lowest first.
    fn leb128(&mut self, it: &StatementText, is_signed: bool) {
        let mut bytes = Vec::new();
        for span in split(&it.text.text, it.rest.clone(), false) {
            let Some(mut number) = self.number(it, span.clone()) else { return };
            if !is_signed && number < 0 {
                return self.error_at(it, span, "expected a number that is not negative");
            }
            loop {
                let low = (number & 0x7f) as u8;
                number >>= 7;
                let is_last = match is_signed {
                    true => (number == 0 && low & 0x40 == 0) || (number == -1 && low & 0x40 != 0),
                    false => number == 0,
                };
                bytes.push(if is_last { low } else { low | 0x80 });
                if is_last {
                    break;
                }
            }
        }
        self.emit_bytes(it, &bytes);
    }

    /// Emits the bytes of a file. After its name, the number of bytes to skip and the number of bytes to
    /// emit can follow.
    pub(super) fn binary(&mut self, it: &StatementText, bytes: &[u8], end: usize) {
        let parts = split(&it.text.text, end..it.rest.end, false);
        let mut number = |place: usize, default: usize| match parts.get(place) {
            Some(span) if !span.is_empty() => {
                let number = self.number(it, Range::clone(span))?;
                Some(usize::try_from(number).unwrap_or(usize::MAX))
            }
            _ => Some(default),
        };
        // The text before the first comma is empty.
        let (Some(skipped), Some(count)) = (number(1, 0), number(2, bytes.len())) else { return };
        let bytes = bytes.get(skipped.min(bytes.len())..).unwrap_or_default();
        let bytes = bytes.get(..count.min(bytes.len())).unwrap_or_default();
        if bytes.len() > MOST {
            let message = format!("one directive can include at most {MOST} bytes");
            return self.error_in(it, message);
        }
        self.emit_bytes(it, bytes);
    }

    /// Emits bytes as data.
    fn emit_bytes(&mut self, it: &StatementText, bytes: &[u8]) {
        let mut text = String::with_capacity(4 * bytes.len() + 8);
        for (number, byte) in bytes.iter().enumerate() {
            let sign = if number == 0 { ".byte " } else { "," };
            let _ = write!(text, "{sign}{byte}");
        }
        if !text.is_empty() {
            text.push(';');
        }
        self.emit_text(it, &text);
    }
}
