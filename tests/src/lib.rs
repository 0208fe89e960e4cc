//! Tests of the workspace; see the `tests` folder beside this one.
