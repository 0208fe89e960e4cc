//! The printer: words to assembly text.

use crate::IS_SMALL;
use crate::operand::{Kind, Text};
use crate::parse::Statement;
use crate::table::{Affix, AfterOperand, Field, Format, Init, Item, MAX_ARGS, Opcode, Slot};
use crate::text::{Cursor, InstructionContext, Line, ROOM, is_label};

use super::steps::{Within, cleared, put};

impl Opcode {
    /// Appends an instruction in its canonical form, as an alias if one matches the word. The word
    /// must be valid according to [`Opcode::check`]; for another word the text may be incomplete.
    #[inline]
    pub fn print(&self, word: u128, line: &mut Line) {
        self.spelling(word).print_plain(word, line);
    }

    /// Returns the row that prints a word: an alias, or the opcode itself.
    #[inline]
    #[must_use]
    pub fn spelling(&self, word: u128) -> &Opcode {
        if self.aliases.is_empty() {
            return self;
        }
        let mut aliases = self.aliases.iter().filter(|alias| alias.printed);
        let has_it = |row: &Opcode| row.screen.passes(word) && !row.is_printed_otherwise(word);
        aliases.find(|alias| has_it(alias.row)).map_or(self, |alias| alias.row)
    }

    /// Returns whether an alias that matches the word is not used to print it.
    #[inline]
    pub(crate) fn is_printed_otherwise(&self, word: u128) -> bool {
        !(self.formats.is_empty() || self.formats_read_back(word))
            || (!self.after.is_empty() && self.is_read_otherwise(word))
    }

    /// Returns whether the texts of all formats are parsed as the values in the word.
    // Not inlined, because it calls functions through pointers in formats. The check of the machine
    // code for panics allows such calls only in the functions that it lists.
    #[inline(never)]
    fn formats_read_back(&self, word: u128) -> bool {
        self.formats.iter().all(|format| {
            let Some(reads_back) = format.text.reads_back else { return true };
            let raw = self.at(format.field.into()).map_or(0, |field| field.get(word));
            let (args, len) = self.args_of(format, word);
            reads_back(raw, args.get(..len).unwrap_or_default())
        })
    }

    /// Returns whether the text of a word is parsed as that word. Returns false if an operand type or a
    /// format declares that the text of the value in the word is parsed as another value. This includes
    /// the operand types and formats of the opcode's own text even if an alias is printed. Also returns
    /// false if a row that takes precedence accepts the text, or if an `ignored` field does not contain
    /// the value that an assembler writes.
    #[must_use]
    pub fn reads_back(&self, word: u128) -> bool {
        let row = self.spelling(word);
        if !core::ptr::eq(row, self) {
            return row.values_read_back(word) && self.values_read_back(word);
        }
        self.values_read_back(word) && (self.after.is_empty() || !self.is_read_otherwise(word))
    }

    /// Returns whether the operands in the text of a row are parsed as the values in the word.
    fn values_read_back(&self, word: u128) -> bool {
        let by_kind = self.bind.iter().all(|&index| {
            let formatted = self.formats.iter().any(|format| format.field == index);
            let field = self.at(index.into()).filter(|_| !formatted);
            let own = field.and_then(|field| Some((field, field.kind.text?.reads_back?)));
            own.is_none_or(|(field, reads_back)| reads_back(field.get(word), &[]))
        });
        by_kind && self.formats_read_back(word) && self.written(word) == word
    }

    /// Returns the values of the fields that a format depends on, and their number.
    fn args_of(&self, format: &Format, word: u128) -> ([u64; MAX_ARGS], usize) {
        let mut args = [0; MAX_ARGS];
        for (arg, &field) in args.iter_mut().zip(format.args) {
            *arg = self.at(field.into()).map_or(0, |field| field.get(word));
        }
        (args, format.args.len().min(MAX_ARGS))
    }

    /// Returns whether a row that takes precedence parses the text of a word as another word.
    #[cold]
    fn is_read_otherwise(&self, word: u128) -> bool {
        let mut line = Line::new();
        self.print_items(self.syntax.before, word, None, &mut line);
        let start = line.as_bytes().len();
        let mnemonic = start..start + self.syntax.mnemonic.len();
        line.clear();
        self.print_plain(word, &mut line);
        let mut rest = Cursor::new(line.as_str());
        rest.seek(mnemonic.end);
        if !IS_SMALL && start == 0 && self.is_refused_before(&rest) {
            return false;
        }
        let statement = Statement { start: 0, mnemonic, features: None };
        let first = self.read_first(&mut Cursor::new(line.as_str()), &statement);
        first.is_some_and(|(_, other)| other != self.written(word))
    }

    /// Prints like [`Opcode::print`], but without aliases.
    #[inline]
    pub fn print_plain(&self, word: u128, line: &mut Line) {
        match self.program.steps {
            steps if IS_SMALL || steps.is_empty() => self.walk_template(word, None, line),
            steps if line.as_bytes().is_empty() => {
                let len = self.print_steps(steps, word, line);
                line.set_len(len);
            }
            _ => self.print_after_mnemonic(word, line),
        }
    }

    /// Appends to a line that is not empty.
    #[cold]
    fn print_after_mnemonic(&self, word: u128, line: &mut Line) {
        let mut own = Line::new();
        self.print_plain(word, &mut own);
        line.push_str(own.as_str());
    }

    /// Prints like [`Opcode::print`], but to the start of `room`, and returns the length of the text.
    /// Text that is not printed by the print program is printed to `scratch` first.
    #[inline]
    pub(crate) fn print_into(
        &self,
        word: u128,
        room: &mut [u8; ROOM],
        scratch: &mut Option<Line>,
    ) -> usize {
        let spelling = self.spelling(word);
        match spelling.program.steps {
            steps if IS_SMALL || steps.is_empty() => {
                let scratch = cleared(scratch);
                spelling.walk_template(word, None, scratch);
                put(room, 0, scratch).into()
            }
            steps => spelling.print_steps(steps, word, &mut Within { room, scratch }),
        }
    }

    /// Prints like [`Opcode::print`], but with the template interpreter, which is slower. Tests compare
    /// the print program with this function.
    #[doc(hidden)]
    pub fn print_template(&self, word: u128, line: &mut Line) {
        self.walk_template(word, None, line);
    }

    /// Prints like [`Opcode::print`], but for an instruction in a program. A target is printed as a
    /// label if it has a label that is not too long.
    pub fn print_at(&self, word: u128, site: InstructionContext<'_>, line: &mut Line) {
        let is_target = |field: &&Field| field.kind.is_target();
        match site.style.is_unusual() || self.fields.iter().any(is_target) {
            true => self.spelling(word).walk_template(word, Some(site), line),
            false => self.print(word, line),
        }
    }

    /// Prints like [`Opcode::print_at`], but without aliases.
    pub fn print_plain_at(&self, word: u128, site: InstructionContext<'_>, line: &mut Line) {
        self.walk_template(word, Some(site), line);
    }

    fn walk_template(&self, word: u128, site: Option<InstructionContext<'_>>, line: &mut Line) {
        self.print_items(self.syntax.before, word, site, line);
        line.push_str(self.syntax.mnemonic);
        for modifier in self.syntax.modifiers {
            if let Some((index, field)) = self.bound(modifier.symbol)
                && !(modifier.optional && at_default(field, word))
                && modifier.only.is_none_or(|only| only == field.get(word))
            {
                line.push(b'.');
                self.print_field(index, word, site, line);
            }
        }
        self.print_items(self.syntax.after, word, site, line);
    }

    fn print_items(
        &self,
        items: &'static [Item],
        word: u128,
        site: Option<InstructionContext<'_>>,
        line: &mut Line,
    ) {
        for item in items {
            match item {
                Item::Text(text) => line.push_str(text),
                Item::Slot(slot) => self.print_slot(slot, word, site, line),
                Item::Optional(items) => {
                    if !self.all_default(items, word) {
                        self.print_items(items, word, site, line);
                    }
                }
                Item::Tags(symbols) => {
                    if !site.is_some_and(|site| site.style.hides_attributes) {
                        self.print_dotted(b' ', symbols, word, line);
                    }
                }
            }
        }
    }

    /// Appends the values of `symbols` that differ from their defaults, with `mark` before each value.
    fn print_dotted(&self, mark: u8, symbols: &[u8], word: u128, line: &mut Line) {
        for &symbol in symbols {
            if let Some((index, field)) = self.bound(symbol)
                && !at_default(field, word)
            {
                line.push(mark);
                self.print_field(index, word, None, line);
            }
        }
    }

    fn print_slot(
        &self,
        slot: &'static Slot,
        word: u128,
        site: Option<InstructionContext<'_>>,
        line: &mut Line,
    ) {
        let Some((index, _)) = self.bound(slot.symbol) else {
            return;
        };
        let before = line.as_str().len();
        for affix in slot.affixes {
            if self.is_marked(affix, word) {
                line.push_str(affix.open);
            }
        }
        let start = line.as_str().len();
        self.print_field(index, word, site, line);
        let end = line.as_str().len();
        for part in slot.after_operand() {
            match part {
                AfterOperand::Suffix(symbol) => self.print_dotted(b'.', &[symbol], word, line),
                AfterOperand::Close(affix) if self.is_marked(affix, word) => {
                    line.push_str(affix.close)
                }
                AfterOperand::Close(_) => {}
            }
        }
        if let Some(site) = site.filter(|_| line.as_str().len() > end) {
            // If there is a label `loop.Z` too, the text must not be parsed as `loop` with a modifier.
            let mut cursor = Cursor::in_context(line.as_str(), &site);
            cursor.seek(start);
            cursor.name();
            if cursor.position() > end {
                line.set_len(before);
                let site = InstructionContext::new(site.address, &()).style(site.style);
                self.print_slot(slot, word, Some(site), line);
            }
        }
    }

    #[inline]
    fn is_marked(&self, affix: &Affix, word: u128) -> bool {
        let field = self.bound(affix.symbol);
        field.is_some_and(|(_, field)| field.get(word) == affix.present)
    }

    /// Appends the value of a field: by its format, by its operand type, or by its name.
    pub(crate) fn print_field(
        &self,
        index: usize,
        word: u128,
        site: Option<InstructionContext<'_>>,
        line: &mut Line,
    ) {
        let Some(field) = self.at(index) else {
            return;
        };
        let format = self.formats.iter().find(|format| usize::from(format.field) == index);
        self.print_value((field, field.get(word)), format, word, site, line);
    }

    /// Prints like [`Opcode::print_field`], but the caller passes the value and the format of the
    /// field.
    // Not inlined, because it calls functions through pointers in operand types and formats. The check
    // of the machine code for panics allows such calls only in the functions that it lists.
    #[inline(never)]
    pub(crate) fn print_value(
        &self,
        value: (&'static Field, u64),
        format: Option<&'static Format>,
        word: u128,
        site: Option<InstructionContext<'_>>,
        line: &mut Line,
    ) {
        self.write_value(value, format, word, site, line);
    }

    /// The inlined form of [`Opcode::print_value`].
    #[inline(always)]
    pub(crate) fn write_value(
        &self,
        (field, raw): (&'static Field, u64),
        format: Option<&'static Format>,
        word: u128,
        site: Option<InstructionContext<'_>>,
        line: &mut Line,
    ) {
        let write = |text: &'static Text, raw, args: &[u64], line: &mut Line| {
            let site = site.filter(|site| site.style.is_unusual());
            if !site
                .is_some_and(|site| site.style.write(text, (raw, args), (self, site.address), line))
            {
                (text.write)(raw, args, line);
            }
        };
        if let Some(format) = format {
            let (args, len) = self.args_of(format, word);
            write(format.text, raw, args.get(..len).unwrap_or_default(), line);
        } else if let Some(label) = site.and_then(|site| self.label(field.kind, raw, site)) {
            line.push_str(label);
        } else if let Some(text) = field.kind.text {
            write(text, raw, &[], line);
        } else if let Some(value) = field.kind.value(raw) {
            line.push_str(value.name);
        } else {
            line.push_str("0x");
            line.push_hex(raw.into(), 1);
        }
    }

    /// Returns whether every field in a part of the template has its default. The printer then leaves
    /// out the part.
    pub(crate) fn all_default(&self, items: &'static [Item], word: u128) -> bool {
        items.iter().all(|item| match item {
            Item::Text(_) => true,
            Item::Optional(items) => self.all_default(items, word),
            Item::Tags(symbols) => self.symbols_default(symbols, word),
            Item::Slot(slot) => {
                let mut affixes = slot.affixes.iter();
                self.symbols_default(&[slot.symbol], word)
                    && affixes.all(|affix| self.symbols_default(&[affix.symbol], word))
                    && self.symbols_default(slot.suffixes, word)
            }
        })
    }

    /// Returns whether a part of the template contains a field of the opcode.
    pub(crate) fn shows(&self, items: &'static [Item]) -> bool {
        let has = |&symbol: &u8| self.bound(symbol).is_some();
        items.iter().any(|item| match item {
            Item::Text(_) => false,
            Item::Optional(items) => self.shows(items),
            Item::Tags(symbols) => symbols.iter().any(has),
            Item::Slot(slot) => has(&slot.symbol),
        })
    }

    fn symbols_default(&self, symbols: &[u8], word: u128) -> bool {
        let mut fields = symbols.iter().filter_map(|&symbol| self.bound(symbol));
        fields.all(|(_, field)| at_default(field, word))
    }
}

impl Opcode {
    /// Returns the label that is printed for a value.
    fn label<'l>(&self, kind: &Kind, raw: u64, site: InstructionContext<'l>) -> Option<&'l str> {
        let text = kind.text?;
        let name = site.labels.name(self.within(kind.target(raw, site.address)?))?;
        (name.len() <= text.max_len && is_label(name)).then_some(name)
    }
}

/// Returns whether assembly text may omit the field's value.
#[inline]
fn at_default(field: &Field, word: u128) -> bool {
    matches!(field.init, Init::Default(value) if value == field.get(word))
}

/// Appends a word that is not an instruction. The text is the directive that assembles to exactly these
/// bits.
///
/// ```
/// use isa_core::text::Line;
/// use isa_core::print::print_word;
///
/// let mut line = Line::new();
/// print_word(0xabc, 16, &mut line);
/// assert_eq!(line.as_str(), ".word 0x0abc;");
/// ```
pub fn print_word(word: u128, bits: u8, line: &mut Line) {
    line.push_str(".word 0x");
    line.push_hex(word, u32::from(bits).div_ceil(4));
    line.push(b';');
}
