//! The other side of the protocol: a subject that answers on standard input and output.

use std::io::{self, BufRead, Write};

use crate::protocol::{Answer, Request, Subject};

/// Answers every line of `input` until it ends.
///
/// # Errors
/// A line cannot be read or written, or is no request.
pub fn serve(subject: &mut dyn Subject, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.split(b'\n') {
        let answer = match Request::from_line(&line?).map_err(io::Error::other)? {
            None => serde_json::to_string(&subject.hello().map_err(io::Error::other)?)?,
            Some((id, request)) => match subject.ask(&request) {
                Ok(answer) => answer.to_line(id),
                Err(error) => Answer::Unsupported(error.to_string()).to_line(id),
            },
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
