//! `argseal batch`: one answer a line.

use std::io::Write;

use argseal::Settings;
use argseal_form::{Answer, Refusal, Request, compacted};

use crate::args::{BatchOptions, RuleOptions};
use crate::failure::Failure;
use crate::output::{Streams, write_line};
use crate::{ACCEPTED, settings_file};

/// Answers every line of standard input.
pub(crate) fn run(options: &BatchOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    let settings = settings_file::read(options.rules.settings.as_deref(), streams.stdin, RuleOptions::base())?;
    let settings = options.rules.over(settings);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = streams.stdin.read_until(b'\n', &mut line).map_err(|error| Failure::unreadable_input(&error))?;
        if read == 0 {
            return Ok(ACCEPTED);
        }
        answer(&line, &settings, streams.stdout)?;
    }
}

fn answer(line: &[u8], settings: &Settings, output: &mut dyn Write) -> Result<(), Failure> {
    let request = match Request::read(line) {
        Ok(request) => request,
        Err(error) => return write_line(output, &Refusal::new(None, &error)),
    };
    // An answer is one line also for readers that take a lone CR for its end.
    let id = request.id().map(compacted);
    match request.prepare(settings) {
        Ok(ready) => {
            let verdict = ready.judge();
            write_line(output, &Answer::new(id.as_deref(), &verdict))
        }
        Err(error) => write_line(output, &Refusal::new(id.as_deref(), &error)),
    }
}
