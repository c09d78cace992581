//! `argseal replay`: recorded streams.

use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use argseal::calls::{Marker, Root};
use argseal::wire::ErrorKind;
use argseal::{Assembler, Payload, Settled, Stream};
use serde::Serialize;
use serde_json::json;

use crate::answer::{Judged, write_line};
use crate::args::{ReplayOptions, StreamFormat};
use crate::failure::Failure;
use crate::printable::printable;
use crate::redact::Redaction;
use crate::tool_list::ToolList;
use crate::{REJECTED, input, report, table};

/// Assembles each stream and says of each call whether it may run.
pub(crate) fn run(options: &ReplayOptions) -> Result<ExitCode, Failure> {
    if options.redact.is_some() && options.files.len() > 1 {
        return Err(Failure::Unusable("--redact writes one stream; name one FILE".to_owned()));
    }
    let list = ToolList::read(&options.tools)?;
    list.warn();
    let mut out = stdout().lock();
    let mut exit = ExitCode::SUCCESS;
    for (i, path) in options.files.iter().enumerate() {
        let stream = assemble(path, options, &list)?;
        if options.json {
            write_json(&mut out, path, &stream)?;
        } else {
            if options.files.len() > 1 {
                writeln!(out, "{}{}:", if i > 0 { "\n" } else { "" }, path.display())?;
            }
            write_text(&mut out, options, &stream)?;
        }
        if stream.calls.iter().any(is_rejected) {
            exit = ExitCode::from(REJECTED);
        }
    }
    Ok(exit)
}

fn assemble(path: &Path, options: &ReplayOptions, list: &ToolList) -> Result<Stream, Failure> {
    let settings = options.rules.settings();
    let mut assembler = match options.format {
        StreamFormat::Auto => Assembler::detecting(&list.tools, &settings),
        StreamFormat::Named(format) => Assembler::new(format, &list.tools, &settings),
    };
    match &options.redact {
        Some(out) => Redaction::read(path, &mut assembler)?.write(out)?,
        None => input::stream(path, &mut |bytes| assembler.push(bytes, &mut |_| {}))?,
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

fn write_text(out: &mut dyn Write, options: &ReplayOptions, stream: &Stream) -> Result<(), Failure> {
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
                out.write_all(report::rejection(rejected).as_bytes())?;
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

/// One call, as `--json` prints it.
#[derive(Serialize)]
struct Line<'a> {
    id: Option<&'a str>,
    #[serde(flatten)]
    judged: Judged<'a>,
    call: Facts<'a>,
}

/// What was seen of one call.
#[derive(Serialize)]
struct Facts<'a> {
    format: Option<&'static str>,
    index: Option<u64>,
    id: Option<&'a str>,
    name: Option<&'a str>,
    raw: &'a str,
    deltas: u64,
    bytes: u64,
    root_closed: bool,
    end_marker: bool,
    terminal: Option<&'a str>,
    end: &'static str,
    choice: Option<u64>,
}

fn write_json(out: &mut dyn Write, path: &Path, stream: &Stream) -> Result<(), Failure> {
    for call in &stream.calls {
        let judged = match &call.payload {
            Payload::Arguments(verdict) => Judged::new(verdict),
            Payload::Text(text) => Judged::of_text(text),
        };
        let facts = Facts {
            format: stream.format.map(argseal::Format::name),
            index: call.index,
            id: call.id.as_deref(),
            name: call.name.as_deref(),
            raw: call.raw(),
            deltas: call.ended.deltas,
            bytes: call.ended.bytes,
            root_closed: call.ended.root == Root::Closed,
            end_marker: call.ended.marker != Marker::Absent,
            terminal: stream.terminal_of(call).map(|terminal| terminal.reason.as_str()),
            end: call.ended.end.name(),
            choice: call.choice,
        };
        write_line(out, &Line { id: call.id.as_deref(), judged: judged.after(&call.notes), call: facts })?;
    }
    let terminals: Vec<_> = stream
        .terminals
        .iter()
        .map(|terminal| {
            let (reason, native, end) = (&terminal.reason, &terminal.native, terminal.end.name());
            json!({"reason": reason, "native": native, "end": end, "choice": terminal.choice})
        })
        .collect();
    let errors: Vec<_> = stream
        .errors
        .iter()
        .map(|error| json!({"kind": error.kind.name(), "message": error.message, "event": error.event}))
        .collect();
    let file = (!input::is_standard_input(path)).then(|| path.to_string_lossy());
    write_line(
        out,
        &json!({"stream": {
            "file": file,
            "format": stream.format.map(argseal::Format::name),
            "events": stream.events,
            "terminal_reasons": terminals,
            "done": stream.done,
            "errors": errors,
            "errors_left_out": stream.errors_left_out,
            "calls_left_out": stream.calls_left_out,
        }}),
    )
}
