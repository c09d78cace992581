//! `argseal replay`: recorded streams.

use std::io::{BufRead, Write};
use std::path::Path;

use argseal::wire::ErrorKind;
use argseal::{Assembler, Payload, Settings, Settled, Stream};
use argseal_form::{CallForm, StreamForm, ToolList};

use crate::args::{ReplayOptions, RuleOptions, StreamFormat};
use crate::failure::Failure;
use crate::output::{Streams, Style, write_line};
use crate::printable::printable;
use crate::redact::Redaction;
use crate::{ACCEPTED, REJECTED, input, report, settings_file, table, tool_files};

/// Assembles each stream and says of each call whether it may run.
pub(crate) fn run(options: &ReplayOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    if options.redact.is_some() && options.files.len() > 1 {
        return Err(Failure::Unusable("--redact writes one stream; name one FILE".to_owned()));
    }
    let list = tool_files::read(&options.tools, streams.stdin)?;
    tool_files::warn(&[&list.issues, &list.warnings], streams.stderr);
    let settings = settings_file::read(options.rules.settings.as_deref(), streams.stdin, RuleOptions::base())?;
    let settings = options.rules.over(settings);
    let out = &mut *streams.stdout;
    let mut exit = ACCEPTED;
    for (i, path) in options.files.iter().enumerate() {
        let stream = assemble(path, options, &list, &settings, streams.stdin)?;
        if options.json {
            write_json(out, path, &stream)?;
        } else {
            if options.files.len() > 1 {
                writeln!(out, "{}{}:", if i > 0 { "\n" } else { "" }, path.display())?;
            }
            write_text(out, options, &stream, streams.stdout_style)?;
        }
        if stream.calls.iter().any(is_rejected) {
            exit = REJECTED;
        }
    }
    Ok(exit)
}

fn assemble(
    path: &Path,
    options: &ReplayOptions,
    list: &ToolList,
    settings: &Settings,
    stdin: &mut dyn BufRead,
) -> Result<Stream, Failure> {
    let mut assembler = match options.format {
        StreamFormat::Auto => Assembler::detecting(&list.tools, settings),
        StreamFormat::Named(format) => Assembler::new(format, &list.tools, settings),
    };
    match &options.redact {
        Some(out) => Redaction::read(path, stdin, &mut assembler)?.write(out)?,
        None => input::stream(path, stdin, &mut |bytes| assembler.push(bytes, &mut |_| {}))?,
    }
    let stream = assembler.finish();
    let name = || if input::is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() };
    if stream.events == 0 {
        return Err(Failure::Unusable(format!(
            "{} holds no event; the body of a streamed response is expected, as curl -N prints it",
            name()
        )));
    }
    if !shows_a_response(&stream) {
        return Err(Failure::Unusable(format!(
            "{} holds no event of a known format; the body of a streamed response is expected, or its --format",
            name()
        )));
    }
    Ok(stream)
}

/// Whether any event was of a format, or an error of the provider: that is an answer too.
fn shows_a_response(stream: &Stream) -> bool {
    stream.format.is_some()
        || !stream.calls.is_empty()
        || stream.errors.iter().any(|error| error.kind == ErrorKind::Provider)
}

/// A call that must not run.
pub(crate) fn is_rejected(call: &Settled) -> bool {
    matches!(&call.payload, Payload::Arguments(Err(_)))
}

fn write_text(out: &mut dyn Write, options: &ReplayOptions, stream: &Stream, style: Style) -> Result<(), Failure> {
    if stream.calls.is_empty() {
        writeln!(out, "no calls")?;
    } else {
        writeln!(out, "{}", table::of(&stream.calls))?;
    }
    if options.details {
        for call in &stream.calls {
            if let Payload::Arguments(Err(rejected)) = &call.payload {
                let choice = call.choice.filter(|_| table::has_choices(&stream.calls));
                let choice = choice.map(|choice| format!(" of choice {choice}")).unwrap_or_default();
                writeln!(out, "\ncall {}{choice}", table::identity(call))?;
                out.write_all(report::rejection(rejected, style).as_bytes())?;
            }
        }
        writeln!(out)?;
    }
    for fact in facts(stream) {
        writeln!(out, "{fact}")?;
    }
    out.flush()?;
    Ok(())
}

/// What is to be known of the stream as a whole, a line each.
fn facts(stream: &Stream) -> Vec<String> {
    let format = stream.format.map_or("unknown format", argseal::Format::name);
    let done = if stream.done { "with its last event" } else { "without its last event" };
    let mut facts = vec![format!("stream: {format}, {} events, {done}", stream.events)];
    if stream.terminals.is_empty() {
        facts.push("terminal reason: none".to_owned());
    }
    let several = stream.terminals.iter().any(|terminal| terminal.choice.unwrap_or_default() > 0);
    for terminal in &stream.terminals {
        let choice =
            terminal.choice.filter(|_| several).map(|choice| format!(" of choice {choice}")).unwrap_or_default();
        let native = terminal.native.as_deref().map(|native| format!(", natively {}", printable(native)));
        let end = terminal.end.name();
        let reason = printable(&terminal.reason);
        facts.push(format!("terminal reason{choice}: {reason}{} ({end})", native.unwrap_or_default()));
    }
    facts.extend(stream.errors.iter().map(|error| {
        let costs_calls = matches!(error.kind, ErrorKind::Framing | ErrorKind::Provider | ErrorKind::Unreadable);
        format!("{}: {}", if costs_calls { "error" } else { "note" }, printable(&error.to_string()))
    }));
    if stream.calls_left_out > 0 {
        facts.push(format!("and {} more calls beyond the limit", stream.calls_left_out));
    }
    if stream.errors_left_out > 0 {
        facts.push(format!("and {} more errors", stream.errors_left_out));
    }
    facts
}

/// An object a call, and one for the stream.
fn write_json(out: &mut dyn Write, path: &Path, stream: &Stream) -> Result<(), Failure> {
    for call in &stream.calls {
        write_line(out, &CallForm::of(stream, call))?;
    }
    let file = (!input::is_standard_input(path)).then(|| path.to_string_lossy());
    write_line(out, &StreamForm::new(stream, file.as_deref()))
}
