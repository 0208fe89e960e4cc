//! Inserts the mutants of a source file, each controlled by a switch.

use std::ops::Range;

use crate::list::Mutant;
use crate::sites::{Guard, Sites};

/// A file with switches.
#[derive(Debug, Default)]
pub(crate) struct Switched {
    pub(crate) text: String,
    /// The ranges of the text that mutants inserted, with the id of each mutant.
    said: Vec<(Range<usize>, u32)>,
    /// The ranges of expressions and bodies together with their mutants, and the ids of these
    /// mutants.
    around: Vec<(Range<usize>, Vec<u32>)>,
}

/// Text to insert before and after a range of the source.
struct Wrap {
    range: Range<usize>,
    /// The nesting depth among wraps of the same range; the lowest is outermost.
    depth: u8,
    /// The pieces of text before the range. A piece that is the replacement of a mutant has its id.
    before: Vec<(String, Option<u32>)>,
    behind: &'static str,
}

impl Switched {
    /// Inserts mutants into a source. Also returns the ids of the mutants that cannot be inserted.
    pub(crate) fn new(source: &str, mutants: &[&Mutant]) -> syn::Result<(Self, Vec<u32>)> {
        let sites = Sites::of(source)?;
        let (mut wraps, mut unplaced) = (Vec::<Wrap>::new(), Vec::new());
        for mutant in mutants {
            match wrap(source, mutant, &sites) {
                None => unplaced.push(mutant.id),
                Some(wrap) => wraps.push(wrap),
            }
            // rustc reports a missing match arm at the `match`.
            if let Some(range) =
                sites.matches.get(&mutant.bytes.start).filter(|_| mutant.genre == "MatchArm")
            {
                let before = vec![(String::new(), Some(mutant.id))];
                wraps.push(Wrap { range: range.clone(), depth: 3, before, behind: "" });
            }
        }
        Ok((Switched::default().written(source, &wraps), unplaced))
    }

    fn written(mut self, source: &str, wraps: &[Wrap]) -> Self {
        // The order of events at one position is: ends, the innermost first; empty ranges; starts,
        // the outermost first.
        let mut events = Vec::new();
        for (n, Wrap { range: Range { start, end }, depth, .. }) in wraps.iter().enumerate() {
            if start == end {
                events.extend([((*start, 1, 0, 0, n), n), ((*start, 1, 0, 1, n), n)]);
            } else {
                events.push(((*start, 2, usize::MAX - end, *depth, n), n));
                events.push(((*end, 0, usize::MAX - start, !depth, !n), n));
            }
        }
        events.sort_unstable();
        let (mut done, mut starts) = (0, vec![None; wraps.len()]);
        for ((at, ..), n) in events {
            self.text.push_str(&source[done..at]);
            done = at;
            match starts[n] {
                None => {
                    starts[n] = Some(self.text.len());
                    for (piece, mutant) in &wraps[n].before {
                        let start = self.text.len();
                        self.text.push_str(piece);
                        self.said.extend(mutant.map(|mutant| (start..self.text.len(), mutant)));
                    }
                }
                Some(start) => {
                    self.text.push_str(wraps[n].behind);
                    let mutants = wraps[n].before.iter().filter_map(|piece| piece.1).collect();
                    self.around.push((start..self.text.len(), mutants));
                }
            }
        }
        self.text.push_str(&source[done..]);
        self
    }

    /// Returns the mutants that cause a compiler error at these bytes of the text. These are the
    /// mutants whose replacement contains the bytes; otherwise those of the innermost expression or
    /// body around them; otherwise those inside.
    pub(crate) fn blamed(&self, bytes: &Range<usize>) -> Vec<u32> {
        let meets = |range: &Range<usize>| range.start < bytes.end && bytes.start < range.end;
        let has = |range: &Range<usize>| range.start <= bytes.start && bytes.end <= range.end;
        let of = |said: &&(Range<usize>, u32)| has(&said.0);
        if let Some((_, mutant)) = self.said.iter().filter(of).min_by_key(|said| said.0.len()) {
            return vec![*mutant];
        }
        let of = |around: &&(Range<usize>, Vec<u32>)| has(&around.0);
        match self.around.iter().filter(of).min_by_key(|around| around.0.len()) {
            Some((_, mutants)) => mutants.clone(),
            None => self.said.iter().filter(|said| meets(&said.0)).map(|said| said.1).collect(),
        }
    }
}

fn on(id: u32) -> String {
    format!("::isa_mutant_switch::on({id})")
}

fn wrap(source: &str, mutant: &Mutant, sites: &Sites) -> Option<Wrap> {
    let (id, said) = (mutant.id, mutant.replacement.as_str());
    let plain = |text: String| (text, None);
    match mutant.genre.as_str() {
        "FnValue" => {
            let body = sites.body(&mutant.bytes)?;
            let before = vec![
                plain(format!(" if {} {{ return ", on(id))),
                (said.to_owned(), Some(id)),
                plain("; } ".to_owned()),
            ];
            Some(Wrap { range: body.start + 1..body.end - 1, depth: 0, before, behind: "" })
        }
        "BinaryOperator" | "UnaryOperator" => {
            let range = sites.operations.get(&mutant.bytes.start)?.clone();
            let [left, right] = [range.start..mutant.bytes.start, mutant.bytes.end..range.end]
                .map(|part| &source[part]);
            let before = vec![
                plain(format!("(if {} {{ ", on(id))),
                (format!("{left}{said}{right}"), Some(id)),
                plain(" } else { ".to_owned()),
            ];
            Some(Wrap { range, depth: 2, before, behind: " })" })
        }
        "MatchArm" => Some(match sites.arms.get(&mutant.bytes.start)? {
            (end, None) => {
                let before = vec![plain(" if ".to_owned()), (format!("!{}", on(id)), Some(id))];
                Wrap { range: *end..*end, depth: 0, before, behind: "" }
            }
            (_, Some(Guard { range, binds })) => {
                let [open, behind] = if *binds { [" && ", ""] } else { [" && (", ")"] };
                let before = vec![(format!("!{}", on(id)), Some(id)), plain(open.to_owned())];
                Wrap { range: range.clone(), depth: 0, before, behind }
            }
        }),
        "MatchArmGuard" => {
            let guard = sites.guards.get(&mutant.bytes.start).filter(|guard| !guard.binds)?;
            let before = match said {
                "true" => vec![(on(id), Some(id)), plain(" || (".to_owned())],
                _ => vec![(format!("!{}", on(id)), Some(id)), plain(" && (".to_owned())],
            };
            Some(Wrap { range: guard.range.clone(), depth: 1, before, behind: ")" })
        }
        "StructField" => {
            let field = sites.fields.get(&mutant.bytes.start)?;
            let (name, base) = (&field.name, &source[field.base.clone()]);
            let named = if field.short { format!("{name}: ") } else { String::new() };
            let before = vec![
                plain(format!("{named}if {} {{ ", on(id))),
                (format!("({base}).{name}"), Some(id)),
                plain(" } else { ".to_owned()),
            ];
            Some(Wrap { range: field.value.clone(), depth: 2, before, behind: " }" })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a mutant that replaces the only occurrence of a text.
    fn mutant(id: u32, source: &str, genre: &str, from: &str, to: &str) -> Mutant {
        let start = source.find(from).expect("it is there");
        let [key, name, file] = [const { String::new() }; 3];
        let [genre, replacement] = [genre, to].map(str::to_owned);
        Mutant { id, key, name, file, genre, replacement, bytes: start..start + from.len() }
    }

    fn switched(source: &str, mutants: &[Mutant]) -> Switched {
        let (switched, unplaced) =
            Switched::new(source, &mutants.iter().collect::<Vec<_>>()).expect("it is Rust");
        assert_eq!(unplaced, [0; 0]);
        syn::parse_file(&switched.text).expect("it still is");
        switched
    }

    #[test]
    fn expressions_nest_and_mutants_of_one_follow_each_other() {
        let source = "fn f() -> u8 { a + b * c }";
        let [plus, times] = [("+", "-"), ("*", "/")];
        let mutants = [
            mutant(1, source, "BinaryOperator", plus.0, plus.1),
            mutant(2, source, "BinaryOperator", times.0, times.1),
            mutant(3, source, "BinaryOperator", plus.0, "*"),
            mutant(4, source, "FnValue", "a + b * c", "7"),
        ];
        let on = |id: u32| format!("::isa_mutant_switch::on({id})");
        let expected = format!(
            "fn f() -> u8 {{ if {} {{ return 7; }}  (if {} {{ a - b * c }} else {{ (if {} {{ a * b * c }} \
             else {{ a + (if {} {{ b / c }} else {{ b * c }}) }}) }}) }}",
            on(4),
            on(1),
            on(3),
            on(2)
        );
        assert_eq!(switched(source, &mutants).text, expected);
    }

    #[test]
    fn an_arm_is_passed_over_and_a_guard_is_decided() {
        let source = "fn f() { match a { 1 => b, x if x > 2 => c, _ => d } }";
        let mutants = [
            mutant(1, source, "MatchArm", "1 => b", ""),
            mutant(2, source, "MatchArm", "x if", ""),
            mutant(3, source, "MatchArmGuard", "x > 2", "true"),
            mutant(4, source, "MatchArmGuard", "x > 2", "false"),
        ];
        let on = |id: u32| format!("::isa_mutant_switch::on({id})");
        let expected = format!(
            "fn f() {{ match a {{ 1 if !{} => b, x if !{} && ({} || (!{} && (x > 2))) => c, _ => d }} }}",
            on(1),
            on(2),
            on(3),
            on(4)
        );
        assert_eq!(switched(source, &mutants).text, expected);
    }

    #[test]
    fn a_field_is_taken_from_the_base() {
        let source = "fn f() -> S { S { a, b: c + d, ..base() } }";
        let mutants = [
            mutant(1, source, "StructField", "a", ""),
            mutant(2, source, "StructField", "b: c + d", ""),
        ];
        let on = |id: u32| format!("::isa_mutant_switch::on({id})");
        let expected = format!(
            "fn f() -> S {{ S {{ a: if {} {{ (base()).a }} else {{ a }}, b: if {} {{ (base()).b }} else \
             {{ c + d }}, ..base() }} }}",
            on(1),
            on(2)
        );
        assert_eq!(switched(source, &mutants).text, expected);
    }

    #[test]
    fn the_compiler_blames_what_it_points_at() {
        let source = "fn f() -> u8 { a + b }";
        let mutants = [
            mutant(1, source, "BinaryOperator", "+", "-"),
            mutant(2, source, "BinaryOperator", "+", "*"),
            mutant(3, source, "FnValue", "a + b", "7"),
        ];
        let switched = switched(source, &mutants);
        let at = |text: &str| {
            let start = switched.text.find(text).expect("it is there");
            switched.blamed(&(start..start + text.len()))
        };
        assert_eq!(at("a * b"), [2]);
        assert_eq!(at("a + b"), [2], "the innermost expression");
        assert_eq!(at("return 7"), [3]);
    }
}
