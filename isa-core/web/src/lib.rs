//! The engine of an instruction set for pages in a browser.
//!
//! An [`Engine`] answers requests. A request is a text of one or more lines, and the answer is JSON or
//! text. [`engine!`] builds a WebAssembly module from the engine. The module decodes, prints, assembles
//! and executes with the same code as every other program for the set.
//!
#![doc = include_str!("../README.md")]

mod answer;
mod disassembly;
mod engine;
mod exchange;
mod execute;
mod request;

pub use engine::Engine;
#[doc(hidden)]
pub use exchange::Exchange;

/// The memory allocator of a WebAssembly module.
#[cfg(all(target_family = "wasm", feature = "allocator"))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Builds the engine of a set from a crate of type `cdylib`. The argument is an expression of type
/// [`Engine`].
///
/// It defines one function that the page calls, `isa_engine`. The attribute `unsafe(no_mangle)` of
/// this function guarantees that no other function has that name. No other unsafe code is needed,
/// because the page and the engine share two buffers whose addresses are numbers in Rust.
///
/// ```
/// isa_core::define_isa! {
///     /// One instruction.
///     pub isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { NEG = 1 }
///     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// }
///
/// isa_web::engine!(isa_web::Engine::new::<Tiny>());
/// # fn main() {}
/// ```
///
/// A module can contain several engines, each with its own name:
///
/// ```
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     pub isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
/// isa_web::engine!(tiny_engine: isa_web::Engine::new::<Tiny>());
/// isa_web::engine!(other_engine: isa_web::Engine::new::<Tiny>().lines("#"));
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! engine {
    ($name:ident: $engine:expr) => {
        /// The function that the page calls. See `isa_web::Exchange`.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(call: u32, number: usize) -> usize {
            ::std::thread_local! {
                // A WebAssembly module has one thread.
                static EXCHANGE: $crate::Exchange = $crate::Exchange::default();
            }
            EXCHANGE.with(|exchange| exchange.serve(call, number, || $engine))
        }
    };
    ($engine:expr) => {
        $crate::engine!(isa_engine: $engine);
    };
}
