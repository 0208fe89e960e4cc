// Proves with a solver, for all words, that two versions of a set do not differ except in the
// reported differences. This file is included where it is needed.

/// Returns the functions of a set in SMT-LIB, with the prefix `side` in their names.
fn functions(set: &'static InstructionSet, side: &str) -> String {
    let files = isa_export::format("smt").expect("a format").files(set).expect("any set");
    let mut text = String::new();
    let is_kept = |line: &&str| !line.trim_start().starts_with(';') && !line.starts_with("(set-");
    for line in files[0].text.lines().filter(is_kept) {
        for (place, part) in line.split('|').enumerate() {
            text += if place == 0 { "" } else { "|" };
            text += if place % 2 == 1 { side } else { "" };
            text += part;
        }
        text.push('\n');
    }
    text
}

/// Returns the name with this index between backquotes in a message.
fn named(message: &str, number: usize) -> Option<&str> {
    message.split('`').nth(2 * number + 1)
}

/// Returns whether the difference reports such a change of words in an opcode. If there is a name,
/// it must be the first name in the message.
fn is_said(all: &Difference, what: ChangeKind, place: &str, name: Option<&str>) -> bool {
    all.changes.iter().filter(|change| change.words.is_some()).any(|change| {
        let is_named = name.is_none() || named(&change.message, 0) == name;
        change.what == what && change.places[0] == place && is_named
    })
}

/// Returns the new name of an opcode, or of a field of the opcode whose new name is `of`.
fn new_name(all: &Difference, of: Option<&str>, name: &str) -> String {
    let kind = if of.is_none() { "the opcode" } else { "the field" };
    let found = all.changes.iter().find(|change| {
        change.what == ChangeKind::Renamed
            && change.message.starts_with(kind)
            && named(&change.message, 0) == Some(name)
            && of.is_none_or(|of| change.places.iter().any(|place| place == of))
    });
    let now = found.and_then(|change| match of {
        None => change.places.first().map(String::as_str),
        Some(_) => named(&change.message, 1),
    });
    now.unwrap_or(name).to_owned()
}

/// Adds the claims about the words of an opcode. Each claim is a formula that no word may satisfy:
/// the word became invalid, changed its opcode, or changed a field, and the difference does not
/// report it.
fn claims_of(row: &Opcode, new: &'static InstructionSet, all: &Difference, claims: &mut Vec<String>) {
    let name = new_name(all, None, row.name);
    let own = format!("(|old:legal {}| w)", row.name);
    if !is_said(all, ChangeKind::Illegal, &name, None) {
        claims.push(format!("(and {own} (not (|new:legal| w)))"));
    }
    let same = new.opcodes.iter().find(|other| other.name == name && other.bits == row.bits);
    let others = new.opcodes.iter().filter(|other| {
        same.is_none_or(|same| same.name != other.name)
            && !is_said(all, ChangeKind::Becomes, other.name, Some(row.name))
    });
    let others: String = others.map(|other| format!(" (|new:legal {}| w)", other.name)).collect();
    claims.push(format!("(and {own} (or false{others}))"));
    let Some(same) = same else { return };
    let mut differ = String::new();
    for field in row.fields.iter().filter(|field| !field.pieces.is_empty()) {
        let now = new_name(all, Some(same.name), field.name);
        let is_same = |other: &&&Field| other.name == now && other.width() == field.width();
        let names = [field.name, &now];
        let is_said = names.iter().any(|name| is_said(all, ChangeKind::Field, same.name, Some(name)));
        if let Some(other) = same.fields.iter().find(is_same).filter(|_| !is_said)
            && !other.pieces.is_empty()
        {
            let values = [("old", row.name, field.name), ("new", same.name, other.name)];
            let [old, new] = values.map(|(side, row, field)| format!("(|{side}:{row}.{field}| w)"));
            differ += &format!(" (distinct {old} {new})");
        }
    }
    claims.push(format!("(and {own} (|new:legal {}| w) (or false{differ}))", same.name));
}

/// Proves the claims about a difference between two sets of the same word width. Returns the number
/// of claims.
fn prove(
    old: &'static InstructionSet,
    new: &'static InstructionSet,
    all: &Difference,
) -> Result<usize, String> {
    let mut claims = Vec::new();
    old.opcodes.iter().for_each(|row| claims_of(row, new, all, &mut claims));
    for row in new.opcodes.iter().filter(|row| !is_said(all, ChangeKind::Legal, row.name, None)) {
        claims.push(format!("(and (|new:legal {}| w) (not (|old:legal| w)))", row.name));
    }
    // The example word of each change must have changed as reported.
    for change in &all.changes {
        let legal = match change.what {
            ChangeKind::Legal => [false, true],
            ChangeKind::Illegal => [true, false],
            ChangeKind::Becomes => [true, true],
            _ => continue,
        };
        if let Some(words) = &change.words {
            let word = format!("(_ bv{} {})", words.witness, old.bits);
            let [old, new] = legal;
            claims.push(format!(
                "(not (and (= (|old:legal| {word}) {old}) (= (|new:legal| {word}) {new})))"
            ));
        }
    }
    let mut text = functions(old, "old:") + &functions(new, "new:");
    text += &format!("(declare-const w (_ BitVec {}))\n", old.bits);
    for claim in &claims {
        text += &format!("(push)\n(assert {claim})\n(check-sat)\n(pop)\n");
    }
    let said = solved(text);
    match said.lines().position(|line| line != "unsat") {
        None if said.lines().count() == claims.len() => Ok(claims.len()),
        wrong => {
            let claim = wrong.and_then(|wrong| claims.get(wrong));
            Err(format!("not proved: {claim:?}, and there is said: {all}"))
        }
    }
}

/// Returns the answer of z3 for a text.
fn solved(text: String) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut z3 = Command::new("z3");
    let mut child =
        z3.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("z3 starts");
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("the writer ends").expect("z3 reads all");
    String::from_utf8(output.stdout).expect("text")
}
