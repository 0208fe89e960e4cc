//! Finds the effects of an opcode's semantics: the classes of the methods that they call on the
//! machine, and whether they can trap.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt;

use super::semantics::Effects;
use crate::model::{Model, Opcode};
use crate::syntax::ast::{MachineMethod, MethodClass};

// The bits of `isa_core::table::Effects`.
const KNOWN: u8 = 1;
const PC: u8 = 2;
const JUMP: u8 = 4;
const LOAD: u8 = 8;
const STORE: u8 = 16;
const TRAP: u8 = 32;
const OTHER: u8 = 64;

/// Returns the bits of `isa_core::table::Effects` for an opcode, or `None` if the effects are unknown:
/// the opcode has no semantics, or the `machine` item of the set has no block.
pub(super) fn known_effects(model: &Model, opcode: &Opcode) -> Option<u8> {
    let methods = model.machine_methods.as_deref()?;
    let node = &model.nodes[opcode.semantics?];
    // Semantics without a handle, and guards, have no access to the machine.
    let used = node.handle.as_ref().zip(node.semantics.as_ref()).map_or(0, |(handle, body)| {
        machine_uses(body.clone(), &handle.name.unraw().to_string(), methods)
    });
    // If `Effects` has no trap, the semantic function returns only the outputs, so it cannot trap.
    let traps = if Effects::of(model, opcode).trap.is_some() { TRAP } else { 0 };
    Some(KNOWN | used | traps)
}

/// Returns the bits for all uses of the machine, which the tokens call `handle`. Each use that is not
/// the call of a method in a class is [`OTHER`].
fn machine_uses(tokens: TokenStream, handle: &str, methods: &[MachineMethod]) -> u8 {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let uses = trees.iter().enumerate().map(|(place, tree)| match tree {
        TokenTree::Group(group) => machine_uses(group.stream(), handle, methods),
        TokenTree::Ident(word) if word.unraw() == handle => {
            called_method(&trees[place + 1..]).map_or(OTHER, |name| method_bits(&name, methods))
        }
        _ => 0,
    });
    uses.fold(0, |all, bits| all | bits)
}

/// Returns the name of the method if the rest of the tokens, after the machine, begins with `.name(...)`.
fn called_method(rest: &[TokenTree]) -> Option<String> {
    match rest {
        [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(arguments), ..]
            if dot.as_char() == '.' && arguments.delimiter() == Delimiter::Parenthesis =>
        {
            Some(name.unraw().to_string())
        }
        _ => None,
    }
}

/// Returns the bits of the classes of a method. A method without a class is [`OTHER`].
fn method_bits(name: &str, methods: &[MachineMethod]) -> u8 {
    let of_method = methods.iter().filter(|method| method.name == name);
    let bits = of_method.map(|method| class_bit(method.class));
    bits.reduce(|all, bit| all | bit).unwrap_or(OTHER)
}

const fn class_bit(class: MethodClass) -> u8 {
    match class {
        MethodClass::Pc => PC,
        MethodClass::Jump => JUMP,
        MethodClass::Load => LOAD,
        MethodClass::Store => STORE,
        MethodClass::State => 0,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn each_use_of_the_machine_is_found() {
        let method = |(class, name)| MachineMethod {
            class,
            name: proc_macro2::Ident::new(name, Span::call_site()),
        };
        let methods = [
            (MethodClass::Pc, "pc"),
            (MethodClass::Jump, "jump"),
            (MethodClass::Load, "load"),
            (MethodClass::Store, "store"),
            (MethodClass::Load, "swap"),
            (MethodClass::Store, "swap"),
            (MethodClass::State, "reg"),
        ]
        .map(method);
        for (body, expected) in [
            ("rd = rs.value;", 0),
            ("rd = hart.reg(3);", 0),
            ("rd = hart.pc();", PC),
            ("if x { hart.jump(hart.reg(1)); }", JUMP),
            ("rd = assert_all!(1, [hart.load(x)?]);", LOAD),
            ("hart.store(hart.load(x)?, 1)?;", LOAD | STORE),
            ("rd = hart.swap(x, 1);", LOAD | STORE),
            ("rd = r#hart.r#load(x)?;", LOAD),
            ("hart.fence();", OTHER),
            ("hart.load::<u8>(x);", OTHER),
            ("hart.load.len();", OTHER),
            ("hart.load[0];", OTHER),
            ("rd = sum(hart, 1);", OTHER),
            ("let m = &mut *hart; m.load(x);", OTHER),
            ("Memory::load(hart, x);", OTHER),
            ("rd = other.load(x);", 0),
            ("rd = hart", OTHER),
        ] {
            let found = machine_uses(body.parse().unwrap(), "hart", &methods);
            assert_eq!(found, expected, "{body}");
        }
    }
}
