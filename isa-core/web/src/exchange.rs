//! The two buffers by which a page and an engine talk.

use std::cell::RefCell;

use crate::Engine;
use crate::engine::error;

/// The most bytes of a request, more than any page sends.
const LONGEST: usize = 1 << 28;

/// What a page calls the engine for.
mod call {
    /// The number is the length of a request; the address of as many bytes, for the request.
    pub(super) const ROOM: u32 = 0;
    /// Answers the request; the length of the answer.
    pub(super) const ANSWER: u32 = 1;
    /// The address of the answer.
    pub(super) const ADDRESS: u32 = 2;
}

/// The buffers of one engine.
#[derive(Debug, Default)]
pub struct Exchange(RefCell<Buffers>);

#[derive(Debug, Default)]
struct Buffers {
    engine: Option<Engine>,
    request: Vec<u8>,
    answer: String,
}

impl Exchange {
    /// What the function that a page calls does: `call` is 0 for room for a request of `number` bytes, 1 to
    /// answer it, 2 for the address of the answer. The result is an address or a length, and 0 where the
    /// call is none of these.
    #[must_use]
    pub fn serve(&self, call: u32, number: usize, make: impl FnOnce() -> Engine) -> usize {
        let Buffers { engine, request, answer } = &mut *self.0.borrow_mut();
        match call {
            call::ROOM => {
                request.clear();
                request.resize(number.min(LONGEST), 0);
                request.as_mut_ptr().expose_provenance()
            }
            call::ANSWER => {
                let engine = engine.get_or_insert_with(make);
                *answer = match str::from_utf8(request) {
                    Ok(request) => engine.answer(request),
                    Err(_) => error("a request is text in UTF-8"),
                };
                answer.len()
            }
            call::ADDRESS => answer.as_ptr().expose_provenance(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exchange;
    use crate::Engine;

    isa_core::define_isa! {
        /// One instruction.
        isa Tiny: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 { NEG = 1 }
        opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    }

    #[test]
    fn a_request_that_nobody_wrote_is_answered() {
        let exchange = Exchange::default();
        let serve = |call, number| exchange.serve(call, number, Engine::new::<Tiny>);
        assert_ne!(serve(0, 100), 0);
        let length = serve(1, 0);
        assert!(length > 0);
        assert_ne!(serve(2, 0), 0);
        assert_eq!(serve(3, 0), 0);
        // No more than is allowed, whatever the page asks for.
        assert_ne!(serve(0, usize::MAX), 0);
    }
}
