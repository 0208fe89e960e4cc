//! The engine of an instruction set for pages in a browser.
//!
//! An [`Engine`] answers requests: a text of some lines in, JSON or text out. [`engine!`] makes it a module of
//! WebAssembly, in which the code that decodes, prints, assembles and executes is that of every other
//! program over the set.
//!
#![doc = include_str!("../README.md")]

mod answer;
mod engine;
mod exchange;
mod execute;
mod words;

pub use engine::Engine;
#[doc(hidden)]
pub use exchange::Exchange;

/// What a module of WebAssembly takes its memory from.
#[cfg(all(target_family = "wasm", feature = "allocator"))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Makes a crate of the type `cdylib` the engine of a set. The expression is an [`Engine`].
///
/// It defines one function that the page calls, `isa_engine`, whose attribute `unsafe(no_mangle)` promises
/// that no other function has that name. This is all that a compiler asks an unsafe word for: the page and the
/// engine share two buffers whose addresses are numbers to Rust.
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
/// A module has several engines where each has a name of its own:
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
        /// What the page calls; see `isa_web::Exchange`.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(call: u32, number: usize) -> usize {
            ::std::thread_local! {
                // A module of WebAssembly has one thread.
                static EXCHANGE: $crate::Exchange = $crate::Exchange::default();
            }
            EXCHANGE.with(|exchange| exchange.serve(call, number, || $engine))
        }
    };
    ($engine:expr) => {
        $crate::engine!(isa_engine: $engine);
    };
}
