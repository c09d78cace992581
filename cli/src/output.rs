//! Where the program reads and writes.

use std::io::{BufRead, Error, Write};

use serde::Serialize;

use crate::failure::Failure;

/// The streams of one run.
pub(crate) struct Streams<'s> {
    pub(crate) stdin: &'s mut dyn BufRead,
    pub(crate) stdout: &'s mut dyn Write,
    pub(crate) stderr: &'s mut dyn Write,
    pub(crate) stdout_style: Style,
    pub(crate) stderr_style: Style,
}

/// Whether a stream shows colours.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Style {
    Colored,
    Plain,
}

/// Writes one line and sends it off.
pub(crate) fn write_line(out: &mut dyn Write, answer: &impl Serialize) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(answer).map_err(|error| Failure::from(Error::from(error)))?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()?;
    Ok(())
}

/// Writes help, the version, or what is wrong with the arguments; the exit code that goes with it.
pub(crate) fn write_usage(said: &clap::Error, streams: &mut Streams<'_>) -> u8 {
    let text = |style| match style {
        Style::Colored => said.render().ansi().to_string(),
        Style::Plain => said.render().to_string(),
    };
    if said.use_stderr() {
        // Where standard error cannot be written there is nobody to tell.
        let _ = streams.stderr.write_all(text(streams.stderr_style).as_bytes());
    } else {
        // Help that nobody can read is no failure.
        let _ = streams.stdout.write_all(text(streams.stdout_style).as_bytes());
        let _ = streams.stdout.flush();
    }
    u8::try_from(said.exit_code()).unwrap_or(crate::UNUSABLE)
}
