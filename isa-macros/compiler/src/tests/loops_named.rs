//! Tests that every message about an item of a loop names the iteration and the item.

use proc_macro2::TokenTree;

use super::{calls, faults, faults_of};

/// Returns the items of a specification, each as its text and its keyword with its name.
fn items(spec: proc_macro2::TokenStream) -> Vec<(String, String)> {
    let (mut items, mut item, mut words) = (Vec::new(), String::new(), Vec::new());
    for tree in spec {
        if let TokenTree::Ident(word) = &tree {
            words.push(word.to_string());
        }
        let ends = match &tree {
            TokenTree::Punct(mark) => mark.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
            _ => false,
        };
        item += &format!("{tree} ");
        if ends {
            words.retain(|word| word != "pub");
            items.push((std::mem::take(&mut item), words.first().cloned().unwrap_or_default()));
            words.clear();
        }
    }
    items
}

/// Puts each item of the wrong examples of all codes into a loop that has another, valid iteration.
#[test]
fn a_message_of_any_code_names_the_iteration() {
    let mut wrong = Vec::new();
    for section in isa_core::codes::all() {
        let block = section.text.split("```compile_fail\n").nth(1).expect("a wrong example");
        let block = block.split("```").next().unwrap_or_default();
        for call in calls(block.parse().unwrap()) {
            if faults_of(call.clone()).is_empty() {
                continue;
            }
            let looped: String = items(call)
                .iter()
                .enumerate()
                .map(|(place, (item, keyword))| match keyword.as_str() {
                    "group" | "optype" | "opcode" | "alias" | "synonym" | "enum" | "operand" => format!(
                        "for $IT in $({item}), $(enum Other{place}: 1 {{ O{place} = 0 }}) {{ $IT }} "
                    ),
                    _ => item.clone(),
                })
                .collect();
            let mut last = String::new();
            for message in faults(&looped) {
                // A second message with the same code points to the place that conflicts with the
                // first. The widths of a set and the limits of all loops belong to the call, not to
                // an iteration.
                let of_call = matches!(section.code, "ISA0050" | "ISA0054");
                let is_second = message.get(..9) == Some(&*last) || of_call;
                last = message.get(..9).unwrap_or_default().to_owned();
                if !is_second && !message.contains("only if `IT` is `") {
                    wrong.push(format!("{}: {message}", section.code));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} messages do not name the iteration of their loop; name the opcode in the message, or call `model::at_node` before the \
         report:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Returns the first error of a set in which only the iteration with `BAD` is wrong.
fn in_second(item: &str) -> String {
    let faults = faults(&format!(
        "isa Toy: u32; operand Reg: 8 = isa_core::operand::Reg; enum Op: 4 {{ GOOD = 1, BAD = 2 }} \
         group BASE {{ encoding {{ field<0, 4> Op op; field<8, 8> Reg rd; }} }} {item}"
    ));
    let codes: Vec<_> = faults.iter().map(|fault| fault.get(..9)).collect();
    assert!(codes.iter().all(|code| *code == codes[0]), "{faults:#?}");
    faults.into_iter().next().unwrap_or_default()
}

#[test]
fn the_item_that_the_iteration_made_is_named() {
    for (item, expected) in [
        // A value that is too wide, and a field that a child moves.
        (
            "for $A, $N in (GOOD, 1), (BAD, 300) { opcode M_$A : [BASE] { encoding { op == $A; rd == $N; } \
             syntax { \"$A\"; } } }",
            "`A` is `BAD` and `N` is `300` (opcode `M_BAD`)",
        ),
        (
            "for $A, $P in (GOOD, 8), (BAD, 16) { opcode M_$A : [BASE] { encoding { op == $A; \
             field<$P, 8> Reg rd; } syntax { \"$A\" rd; } } }",
            "`A` is `BAD` and `P` is `16` (opcode `M_BAD`)",
        ),
        (
            "for $A, $N in (GOOD, 3), (BAD, 4) { enum K_$A: 2 { A = 0, B = $N } } opcode X : [BASE] { \
             encoding { op == BAD; } syntax { X rd; } }",
            "`A` is `BAD` and `N` is `4`",
        ),
        // The message already names the item, as for the enumeration above.
        (
            "for $A, $F in (GOOD, rd), (BAD, re) { opcode M_$A : [BASE] { encoding { op == $A; } syntax { \
             \"$A\" rd; } operands { InList<$F>; OutList<>; Order<$F>; } } }",
            "`A` is `BAD` and `F` is `re`",
        ),
    ] {
        let message = in_second(item);
        assert!(message.contains(&format!("note: only if {expected}")), "{message}");
    }
}
