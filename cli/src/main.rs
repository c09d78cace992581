//! The program `argseal`.

use std::process::ExitCode;

fn main() -> ExitCode {
    argseal_cli::main()
}
