//! `subject NAME`: one reader, behind the protocol.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use argseal_conformance::serve;
use argseal_conformance_peers::{NAMES, subject};

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(mut subject) = subject(&name) else {
        eprintln!("no subject {name:?}; there are {}", NAMES.join(", "));
        return ExitCode::from(2);
    };
    match serve(subject.as_mut(), stdin().lock(), stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
    }
}
