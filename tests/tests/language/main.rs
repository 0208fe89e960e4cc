//! Valid specifications: the features of the language and their meaning. Invalid specifications are
//! in `ui`.

mod aliases;
mod apart;
mod bitless;
mod conditions;
mod effects;
mod equal;
mod examples;
mod features;
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
