//! `argseal-bench report` writes the report, `gate` checks instruction counts, `count NAME ROUNDS` is what the gate runs
//! under valgrind.

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
        ["count", workload, rounds] => gate::count(workload, rounds.parse().unwrap_or(1)),
        _ => {
            eprintln!("usage: argseal-bench report | gate");
            ExitCode::from(2)
        }
    }
}
