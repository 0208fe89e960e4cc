//! The two buffers through which a page and an engine communicate.

use std::cell::RefCell;

use crate::Engine;
use crate::answer::error;

/// The maximum length of a request in bytes, more than any page sends.
const LONGEST: usize = 1 << 28;

/// The values of the parameter `call`.
mod call {
    /// Reserves space for a request of `number` bytes. The result is its address.
    pub(super) const ROOM: u32 = 0;
    /// Answers the request. The result is the length of the answer.
    pub(super) const ANSWER: u32 = 1;
    /// The result is the address of the answer.
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
    /// Implements the function that a page calls. If `call` is 0, it reserves space for a request
    /// of `number` bytes and returns its address. If `call` is 1, it answers the request and
    /// returns the length of the answer. If `call` is 2, it returns the address of the answer. For
    /// any other `call` it returns 0.
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
                    Err(_) => error("invalid request: expected UTF-8"),
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
        /// A set with one instruction.
        isa Tiny: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        enum OpByte: 8 { NEG = 1 }
        opcode NEG { encoding { field<8, 8> OpByte op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
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
        // The request is limited, whatever length the page asks for.
        assert_ne!(serve(0, usize::MAX), 0);
    }
}
