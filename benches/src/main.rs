//! `argseal-bench report` writes the report, `gate` checks instruction counts; `count NAME ROUNDS` and
//! `count-trap NAME SIZE ROUNDS` are what the gate runs under valgrind.

use std::process::ExitCode;

use argseal_bench::heap::Counting;
use argseal_bench::{gate, report};

#[global_allocator]
static HEAP: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["report"] => report::write(),
        ["gate"] => gate::check(),
        ["count", workload, rounds] => gate::count(workload, number(rounds)),
        ["count-trap", trap, size, rounds] => gate::count_trap(trap, number(size), number(rounds)),
        _ => {
            eprintln!("usage: argseal-bench report | gate");
            ExitCode::from(2)
        }
    }
}

fn number(word: &str) -> usize {
    word.parse().unwrap_or(1)
}
