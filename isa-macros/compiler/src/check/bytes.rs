//! Checks the byte order: it must suit the widths of the words and agree with the included sets.

use std::rc::Rc;

use crate::diag::{Code, Diagnostics};
use crate::model::Model;
use crate::syntax::byte_order::ByteOrder;

/// Checks that words consist of whole half-words if the byte order is by half-words.
pub(crate) fn check_halfwords(model: &Model, diag: &mut Diagnostics) {
    if model.byte_order != ByteOrder::LittleEndianHalfwords {
        return;
    }
    for width in model.header.widths.iter().filter(|width| width.value % 16 != 0) {
        let message = format!(
            "words of {} are not made of whole half-words of 16 bits, which `bytes little_endian_halfwords;` puts \
             one behind the other\nhelp: an order for words of any number of bytes is `bytes \
             little_endian;` or `bytes big_endian;`",
            crate::diag::bits(width.value),
        );
        diag.error(Code::ByteOrder, width.span, message);
    }
}

/// Checks that each included set has the byte order of this set.
pub(crate) fn check_byte_order(model: &Model, diag: &mut Diagnostics) {
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    for included in sets.filter_map(<[_]>::first) {
        let (own, other) = (model.byte_order, included.set.byte_order);
        if own != other {
            let message = format!(
                "the included set with `{}` has `bytes {};`, and this one `bytes {};`\nhelp: say the same in \
                 both, or once in a set that both `use`; without a line it is `bytes little_endian;`",
                included.name,
                other.name(),
                own.name(),
            );
            diag.error(Code::ByteOrder, included.place, message);
        }
    }
}
