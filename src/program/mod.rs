//! The program that a payload string holds, read as JavaScript by tokens: does it end inside a `"` string, and is that string the
//! description of the one cut inner call?
//!
//! Only tokens are read, never a grammar: what tokens cannot decide (a slash in code, a string broken by a line end) is not matched.

mod cut_call;
#[cfg(test)]
pub(crate) mod generate;
mod not_matched;
mod scanner;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cut_call::{CutCall, find_cut_call};
pub(crate) use not_matched::NotMatched;
use scanner::{Scanner, Step};

/// The byte offset of the `"` whose string is open at the end of `program`; `None` on any doubt.
pub(crate) fn open_string(program: &str) -> Option<usize> {
    let mut scanner = Scanner::of(program);
    loop {
        match scanner.step() {
            Ok(Step::Token(_)) => {}
            Ok(Step::OpenString(open)) => return Some(open.quote),
            Err(_) => return None,
        }
    }
}
