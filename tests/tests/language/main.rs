//! Specifications that are right: what the language allows, and that its meaning is the one that
//! the specification has. Faulty ones are in `ui`.

mod aliases;
mod apart;
mod bitless;
mod conditions;
mod effects;
mod equal;
mod examples;
mod functions;
mod imports;
mod inside;
mod lanes;
mod lengths;
mod listed;
mod numbers;
mod places;
mod registers;
mod semantics;
mod shapes;
mod streams;
mod strict;
mod texts;
