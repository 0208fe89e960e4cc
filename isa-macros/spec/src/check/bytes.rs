//! A rule over included sets: the bytes of their words stand in memory as those of this one.

use std::rc::Rc;

use crate::diag::{Code, Diagnostics};
use crate::model::Model;

/// Each included set has the byte order of this one.
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
