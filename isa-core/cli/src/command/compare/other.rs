//! Runs another disassembler, and splits its output into the texts of words.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use isa_core::shown::Shown;

use crate::CommandError;
use crate::set::{SizedWord, ToolSet};

/// Another disassembler.
pub(super) struct OtherProgram {
    /// The command for a shell. `{}` is the file with the words.
    command: String,
    form: WordsAs,
    folder: ScratchFolder,
}

/// The form in which the program reads words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum WordsAs {
    /// The bytes of all words.
    Bin,
    /// A line for each word that contains its bytes: `0x13 0x05`.
    Hex,
}

/// The text of a word, and the address that the program assumed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OtherText {
    pub(super) address: u64,
    pub(super) text: String,
}

/// The maximum number of words that the program may reject, because each of them needs several runs if
/// the program stops at the first one.
const MOST_REJECTED: usize = 500;

impl OtherProgram {
    pub(super) fn new(command: &str, form: WordsAs) -> Result<Self, CommandError> {
        if command.trim().is_empty() {
            return Err(CommandError::Usage("expected a command for --with".to_owned()));
        }
        Ok(OtherProgram { command: command.to_owned(), form, folder: ScratchFolder::new()? })
    }

    /// Returns the text of each word, or `None` for a word that the program rejects. If the program
    /// fails, or prints a different number of texts, the words are split into halves, until each
    /// rejected word is known.
    pub(super) fn texts(
        &self,
        set: ToolSet,
        words: &[SizedWord],
    ) -> Result<Vec<Option<OtherText>>, CommandError> {
        let mut texts = Vec::with_capacity(words.len());
        let (mut open, mut rejected) = (vec![words], 0);
        while let Some(words) = open.pop() {
            if words.is_empty() {
                continue;
            }
            match self.run(set, words)? {
                Ok(found) => texts.extend(found),
                Err(error) if words.len() == 1 => {
                    rejected += 1;
                    // If the program itself is missing, it also rejects all words.
                    if rejected > MOST_REJECTED
                        || texts.iter().all(Option::is_none) && rejected > 20
                    {
                        return Err(CommandError::Trouble(format!(
                            "the command of --with rejects {rejected} words{error}"
                        )));
                    }
                    texts.push(None);
                }
                Err(_) => {
                    let (first, second) = words.split_at(words.len() / 2);
                    open.extend([second, first]);
                }
            }
        }
        Ok(texts)
    }

    /// Runs the program once. The inner result is an error if its output does not contain a text for
    /// each word.
    fn run(
        &self,
        set: ToolSet,
        words: &[SizedWord],
    ) -> Result<Result<Vec<Option<OtherText>>, String>, CommandError> {
        let failed = |why: std::io::Error| {
            CommandError::Trouble(format!("cannot run the command of --with: {why}"))
        };
        let mut bytes = Vec::new();
        for &word in words {
            let own = &set.bytes_of(word)[..word.bytes()];
            match self.form {
                WordsAs::Bin => bytes.extend(own),
                WordsAs::Hex => {
                    let digits: Vec<String> =
                        own.iter().map(|byte| format!("0x{byte:02x}")).collect();
                    bytes.extend(format!("{}\n", digits.join(" ")).bytes());
                }
            }
        }
        let mut shell = Command::new("sh");
        shell.arg("-c").stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = if self.command.contains("{}") {
            let path = self.folder.0.join("words");
            fs::write(&path, &bytes).map_err(failed)?;
            let quoted = format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
            shell.arg(self.command.replace("{}", &quoted)).stdin(Stdio::null()).output()
        } else {
            let mut child =
                shell.arg(&self.command).stdin(Stdio::piped()).spawn().map_err(failed)?;
            let stdin = child.stdin.take();
            // A program that does not read its input closes the pipe.
            let feeder = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&bytes)));
            let output = child.wait_with_output();
            let _ = feeder.join();
            output
        };
        let output = output.map_err(failed)?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let message = String::from_utf8_lossy(&output.stderr);
        let message = Shown(message.lines().next().unwrap_or_default()).to_string();
        // These statuses of the shell mean that it cannot run the program.
        if let Some(126 | 127) = output.status.code() {
            let why = format!("cannot run the command of --with: {message}");
            return Err(CommandError::Trouble(why));
        }
        Ok(match split(set, &printed, words) {
            Some(texts) if output.status.success() => Ok(texts),
            _ => Err(if message.is_empty() { String::new() } else { format!(": {message}") }),
        })
    }
}

/// Splits the output of a disassembler into the texts of words. Returns `None` if the texts cannot be
/// assigned to the words.
///
/// A line can begin with an address, as in `10: add` or `/*0010*/ add`. The text of a word is then the
/// line with its address. Otherwise there must be one line for each word.
fn split(set: ToolSet, printed: &str, words: &[SizedWord]) -> Option<Vec<Option<OtherText>>> {
    let count = words.len();
    let addresses = words.iter().scan(0, |next, word| {
        let address = *next;
        *next += word.bytes() as u64;
        Some(address)
    });
    let lines: Vec<(Option<u64>, &str)> = printed.lines().map(addressed).collect();
    let of_word = |address: u64, word: SizedWord, line: &str| {
        let text = normalized(without_digits(set, word, line));
        let is_text = !text.is_empty() && !text.starts_with(['.', '(', '<']);
        is_text.then_some(OtherText { address, text })
    };
    let words = addresses.zip(words.iter().copied());
    if lines.iter().any(|(address, _)| address.is_some()) {
        let mut lines = lines.into_iter().filter_map(|(address, line)| Some((address?, line)));
        let mut next = lines.next();
        return Some(
            words
                .map(|(address, word)| {
                    while let Some((at, _)) = next
                        && at < address
                    {
                        next = lines.next();
                    }
                    let (_, line) = next.filter(|(at, _)| *at == address)?;
                    of_word(address, word, line)
                })
                .collect(),
        );
    }
    let is_text = |line: &&str| !normalized(line).is_empty() && !line.trim_start().starts_with('.');
    let lines: Vec<&str> = lines.into_iter().map(|(_, line)| line).filter(is_text).collect();
    let is_complete = lines.len() == count;
    let texts = words.zip(lines).map(|((address, word), line)| of_word(address, word, line));
    is_complete.then(|| texts.collect())
}

/// Splits a line into its address, if it begins with one, and the rest.
fn addressed(line: &str) -> (Option<u64>, &str) {
    let line = line.trim_start();
    let comment = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
    let found = comment.or_else(|| line.split_once(':'));
    let address = found.and_then(|(digits, rest)| {
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some((u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)?, rest))
    });
    match address {
        Some((address, rest)) => (Some(address), rest),
        None => (None, line),
    }
}

/// Removes the digits of a word from the start of a line, in either byte order and with any spaces.
fn without_digits(set: ToolSet, word: SizedWord, line: &str) -> &str {
    let bytes = &set.bytes_of(word)[..word.bytes()];
    let digits = |bytes: &mut dyn Iterator<Item = &u8>| -> String {
        bytes.map(|byte| format!("{byte:02x}")).collect()
    };
    let orders = [digits(&mut bytes.iter()), digits(&mut bytes.iter().rev())];
    let field = line.trim_start().split('\t').next().unwrap_or_default();
    let found: String = field.split_whitespace().collect::<String>().to_ascii_lowercase();
    match orders.contains(&found) {
        true => line.trim_start().get(field.len()..).unwrap_or_default(),
        false => line,
    }
}

/// Returns a text without comments and without differences in white space.
pub(super) fn normalized(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some((before, (_, after))) =
        text.split_once("/*").and_then(|(before, rest)| Some((before, rest.split_once("*/")?)))
    {
        text = format!("{before} {after}");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let ends = [" # ", " // ", " ; ", " @ ", " <"].into_iter().filter_map(|mark| text.find(mark));
    let text = text.get(..ends.min().unwrap_or(text.len())).unwrap_or_default();
    text.trim_end_matches([';', ' ']).replace(", ", ",")
}

/// A folder for the files of words. It is removed at the end.
struct ScratchFolder(PathBuf);

impl ScratchFolder {
    fn new() -> Result<Self, CommandError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("isa-compare.{}.{number}", process::id()));
        match fs::create_dir(&path) {
            Ok(()) => Ok(ScratchFolder(path)),
            Err(error) => Err(CommandError::saving(&path.to_string_lossy(), &error)),
        }
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    isa_core::define_isa! {
        /// One instruction.
        isa Tiny: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 { NEG = 1 }
        opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG rd; } }
    }

    #[test]
    fn each_word_gets_its_line() {
        let set = ToolSet::new(Tiny::SET);
        let words = [0x105, 0x106].map(|word| SizedWord { word, bits: 16 });
        let texts = |printed: &str| {
            let texts = split(set, printed, &words)?;
            let text = |text: Option<OtherText>| text.map_or("-".to_owned(), |text| text.text);
            Some(texts.into_iter().map(text).collect::<Vec<_>>().join("; "))
        };
        let expected = Some("neg r5; neg r6".to_owned());
        // With addresses and digits, as objdump prints them, and without them, as llvm-mc prints them.
        assert_eq!(
            texts("x.bin: file format\n\n 0:\t0105 \tneg\tr5\n 2:\t0106 \tneg\tr6\n"),
            expected
        );
        assert_eq!(texts("\t.text\n\tneg r5\n\tneg r6\n"), expected);
        assert_eq!(texts("2: neg r6\n"), Some("-; neg r6".to_owned()));
        assert_eq!(texts("0: (bad)\n2: neg r6\n"), Some("-; neg r6".to_owned()));
        // Without addresses, the number of lines must be the number of words.
        assert_eq!(texts("neg r5\n"), None);
        assert_eq!(texts("neg r5\nneg r6\nneg r7\n"), None);
        assert_eq!(texts(""), None);
    }

    #[test]
    fn lines_can_have_addresses() {
        for (line, address, rest) in [
            ("        /*0010*/   HADD2 R1, R2, R3 ;", Some(0x10), "   HADD2 R1, R2, R3 ;"),
            (
                "  1f:\t00a58533          \tadd\ta0,a1,a0",
                Some(0x1f),
                "\t00a58533          \tadd\ta0,a1,a0",
            ),
            ("0000000000000000 <.data>:", None, "0000000000000000 <.data>:"),
            ("\tadd a0, a1", None, "add a0, a1"),
            ("/* 0x0000000405067836 */", None, "/* 0x0000000405067836 */"),
        ] {
            assert_eq!(addressed(line), (address, rest));
        }
    }

    #[test]
    fn comments_and_white_space_do_not_matter() {
        for (text, expected) in [
            ("  HADD2  R1, R2,R3 ; ", "HADD2 R1,R2,R3"),
            ("add\tx0, x1, #4 // comment", "add x0,x1,#4"),
            ("jal\tra,0x10 <main+0x4>", "jal ra,0x10"),
            ("auipc a0,0x1 # 1000", "auipc a0,0x1"),
            ("/* 0x1 */ NOP;", "NOP"),
        ] {
            assert_eq!(normalized(text), expected);
        }
    }
}
