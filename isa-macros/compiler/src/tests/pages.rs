//! Tests the bit diagrams in the documentation of opcodes.

use proc_macro2::{TokenStream, TokenTree};

use super::imports::Sets;
use super::tokens;
use crate::pipeline::expand;

/// Returns the documentation that only rustdoc sees, with the names of the types.
fn pages(expansion: TokenStream) -> Vec<(String, String)> {
    let trees: Vec<TokenTree> = expansion.into_iter().collect();
    let mut calls = trees.windows(3).filter(|trees| trees[0].to_string() == "pages");
    let Some([_, _, TokenTree::Group(call)]) = calls.next() else { return Vec::new() };
    let trees: Vec<TokenTree> = call.stream().into_iter().collect();
    let pages = trees.windows(2).filter_map(|trees| {
        let page: syn::LitStr = syn::parse2(trees[0].clone().into()).ok()?;
        let TokenTree::Ident(name) = &trees[1] else { return None };
        Some((name.to_string(), page.value()))
    });
    pages.collect()
}

/// Splits a text: returns the part between the first `from` and the next `to`, and the rest after
/// `to`.
fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<(&'t str, &'t str)> {
    text.split_once(from)?.1.split_once(to)
}

#[test]
fn pictures_have_each_bit_once_and_rows_of_one_width() {
    let mut all = Vec::new();
    if Sets::of_families(|expansion| all.extend(pages(expansion))).is_none() {
        return;
    }
    assert_eq!(all.len(), 27 + 12);
    for (name, page) in all {
        let Some((html, table)) = page.split_once("\n\n") else { panic!("{name}: {page}") };
        assert!(html.ends_with("</table></div>") && table.starts_with("| Bits |"), "{name}");
        let (mut rest, mut next, mut rows) = (html, 128, 0);
        while let Some((row, behind)) = between(rest, "<tr>", "</tr>") {
            let (mut cells, mut columns) = (row, 0);
            while let Some((cell, behind)) = between(cells, "<td ", "</td>") {
                let (width, _) = between(cell, "colspan=", " ").unwrap();
                let width: u32 = width.parse().unwrap();
                let (bits, _) = between(cell, "<small>", "</small>").unwrap();
                let (high, low) = bits.split_once(':').unwrap_or((bits, bits));
                let (high, low): (u32, u32) = (high.parse().unwrap(), low.parse().unwrap());
                assert_eq!((high, width), (next - 1, high - low + 1), "{name}: {cell}");
                (cells, next, columns) = (behind, low, columns + width);
            }
            assert_eq!(columns, 32, "{name}: {row}");
            (rest, rows) = (behind, rows + 1);
        }
        assert_eq!((next, rows), (0, 4), "{name}");
    }
}

#[test]
fn a_picture_shows_values_pieces_and_free_room() {
    let spec = "isa Odd: u16;
        enum Op: 3 { X = 5 }
        operand Int: 6 = isa_core::operand::Unsigned<6>;
        opcode X {
            encoding { field<0, 3> Op op == X; field<9, 4 : 4, 2> Int amount = 3; }
            syntax { X amount; }
        }";
    let [(_, page)] = &pages(expand(tokens(spec)))[..] else { panic!("one opcode") };
    let (row, _) = between(page, "<tr>", "</tr>").unwrap();
    let cells: Vec<&str> = row.split("<td ").skip(1).collect();
    assert_eq!(
        cells,
        [
            "colspan=3 class=u title=\"unused, must be 0\"><small>15:13</small>0</td>",
            "colspan=4 style=--h:0 title=\"Int, default 3\"><small>12:9</small>amount</td>",
            "colspan=3 class=u title=\"unused, must be 0\"><small>8:6</small>0</td>",
            "colspan=2 style=--h:0 title=\"Int, default 3\"><small>5:4</small>amount</td>",
            "colspan=1 class=u title=\"unused, must be 0\"><small>3</small>0</td>",
            "colspan=3 class=f title=\"Op, always X\"><small>2:0</small><b>101</b><br>op</td>",
        ]
    );
}
