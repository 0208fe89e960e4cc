//! Lines of `examples` sections.

use crate::diag::{Code, Diagnostics};
use crate::model::{Model, describe};

/// An example names the mnemonic of an opcode that inherits from the node where it stands.
pub(crate) fn check_examples(model: &Model, diag: &mut Diagnostics) {
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, node)| node.origin.is_none()) {
        let heirs = model.opcodes.iter().filter(|o| model.lineage[o.node].contains(&index));
        let mut mnemonics: Vec<&str> =
            heirs.map(|opcode| model.syntaxes[opcode.syntax].mnemonic.as_str()).collect();
        mnemonics.sort_unstable();
        mnemonics.dedup();
        for example in &node.examples {
            let stem = |mnemonic: &str| mnemonic.split('.').next().unwrap_or("").to_owned();
            if mnemonics.is_empty() || mnemonics.iter().any(|m| example.words.contains(&stem(m))) {
                continue;
            }
            let message = format!(
                "this is no example of {}\nhelp: an example here begins with `{}`",
                describe(node),
                mnemonics.join("`, `")
            );
            diag.error(Code::Example, example.span, message);
        }
    }
}
