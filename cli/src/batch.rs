//! `argseal batch`: one answer a line.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;

use argseal::Settings;
use serde_json::value::RawValue;

use crate::answer::{Answer, Refusal, compact, value, write_line};
use crate::args::BatchOptions;
use crate::failure::Failure;
use crate::request::Request;

/// Answers every line of standard input.
pub(crate) fn run(options: &BatchOptions) -> Result<ExitCode, Failure> {
    let settings = options.rules.settings();
    let mut input = stdin().lock();
    let mut output = stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line).map_err(|error| Failure::unreadable_input(&error))?;
        if read == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        answer(&line, &settings, &mut output)?;
    }
}

fn answer(line: &[u8], settings: &Settings, output: &mut dyn Write) -> Result<(), Failure> {
    let request = match Request::read(line) {
        Ok(request) => request,
        Err(error) => return write_line(output, &Refusal { id: None, error }),
    };
    // An answer is one line also for readers that take a lone CR for its end.
    let id: Option<Box<RawValue>> = request.id.map(|id| value(compact(id.get())));
    match request.prepare(settings) {
        Ok(ready) => {
            let verdict = ready.call.finish_with(ready.end, &ready.r#final);
            write_line(output, &Answer::new(id.as_deref(), &verdict))
        }
        Err(error) => write_line(output, &Refusal { id: id.as_deref(), error }),
    }
}
