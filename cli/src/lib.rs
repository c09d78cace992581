//! The command line of argseal, as a library: whatever can start a program can carry it.
//!
//! ```
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let code = argseal_cli::run(["argseal", "check"], &mut &b"{\"a\":tru"[..], &mut out, &mut err);
//! assert_eq!(code, 1);
//! assert!(String::from_utf8(out).unwrap().starts_with("rejected[truncated-in-literal]: "));
//! ```

mod args;
mod batch;
mod check;
mod excerpt;
mod explain;
mod failure;
mod history;
mod input;
mod mask;
mod output;
mod printable;
mod protocol;
mod redact;
mod replay;
mod report;
mod settings_file;
mod table;
mod tool_files;
mod tools;

use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use failure::Failure;
use output::{Streams, Style};

/// Runs the command line in this process. The first argument is the program's name. Nothing is read from or written to
/// the process's own streams, and files only where the arguments name them. Returns the exit code: 0 accepted,
/// 1 rejected, 2 wrong usage or unreadable input.
pub fn run<A: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = A>,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let (stdout_style, stderr_style) = (Style::Plain, Style::Plain);
    run_on(arguments, &mut Streams { stdin, stdout, stderr, stdout_style, stderr_style })
}

/// Runs the command line on the arguments and streams of the process, in colours where a terminal shows them.
pub fn main() -> ExitCode {
    let (stdin, stdout, stderr) = (stdin(), stdout(), stderr());
    let style = |is_terminal| if is_terminal && wants_colors() { Style::Colored } else { Style::Plain };
    let (stdout_style, stderr_style) = (style(stdout.is_terminal()), style(stderr.is_terminal()));
    let mut streams = Streams {
        stdin: &mut stdin.lock(),
        stdout: &mut stdout.lock(),
        stderr: &mut stderr.lock(),
        stdout_style,
        stderr_style,
    };
    ExitCode::from(run_on(std::env::args_os(), &mut streams))
}

/// Not where the user asks for none (no-color.org), and not where the terminal knows none.
fn wants_colors() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

fn run_on<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>, streams: &mut Streams<'_>) -> u8 {
    let done = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => command(&arguments.command, streams),
        Err(said) => Ok(output::write_usage(&said, streams)),
    };
    match done {
        Ok(exit) => exit,
        // The reader has what it wanted.
        Err(Failure::BrokenPipe) => ACCEPTED,
        Err(Failure::Unusable(message)) => {
            // Where standard error cannot be written there is nobody to tell.
            let _ = writeln!(streams.stderr, "argseal: {message}");
            UNUSABLE
        }
    }
}

fn command(command: &Command, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    match command {
        Command::Batch(options) => batch::run(options, streams),
        Command::Check(options) => check::run(options, streams),
        Command::Explain(options) => explain::run(options, streams),
        Command::History(options) => history::run(options, streams),
        Command::Replay(options) => replay::run(options, streams),
        Command::Tools(options) => tools::run(options, streams),
    }
}

/// The exit code where every call was accepted.
const ACCEPTED: u8 = 0;

/// The exit code where a call was rejected.
const REJECTED: u8 = 1;

/// The exit code of wrong usage and of input that cannot be read.
const UNUSABLE: u8 = 2;
