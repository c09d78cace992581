//! The command line of argseal.

mod answer;
mod args;
mod batch;
mod check;
mod excerpt;
mod explain;
mod failure;
mod history;
mod input;
mod mask;
mod printable;
mod protocol;
mod redact;
mod replay;
mod report;
mod request;
mod table;
mod tool_list;
mod tools;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Batch(options) => batch::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::History(options) => history::run(&options),
        Command::Replay(options) => replay::run(&options),
        Command::Tools(options) => tools::run(&options),
    };
    match done {
        Ok(exit) => exit,
        // The reader has what it wanted.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Unusable(message)) => {
            eprintln!("argseal: {message}");
            ExitCode::from(UNUSABLE)
        }
    }
}

/// The exit code where a call was rejected.
const REJECTED: u8 = 1;

/// The exit code of wrong usage and of input that cannot be read.
const UNUSABLE: u8 = 2;
