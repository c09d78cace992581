//! `argseal check`: one argument text.

use std::path::Path;

use argseal::{Call, Tool};
use argseal_form::Answer;

use crate::args::{CheckOptions, RuleOptions};
use crate::failure::Failure;
use crate::output::{Streams, write_line};
use crate::{ACCEPTED, REJECTED, input, report, settings_file, tool_files};

/// Judges the text on standard input.
pub(crate) fn run(options: &CheckOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    let call = match tool(options, streams)? {
        Some(tool) => Call::new(&tool),
        None => Call::default(),
    };
    let settings = settings_file::read(options.rules.settings.as_deref(), streams.stdin, RuleOptions::base())?;
    let mut call = call.with_settings(&options.rules.over(settings));
    input::stream(Path::new("-"), streams.stdin, &mut |bytes| {
        call.feed_bytes(bytes);
    })?;
    let verdict = call.finish(options.end);
    let out = &mut *streams.stdout;
    if options.json {
        write_line(out, &Answer::new(None, &verdict))?;
    } else {
        match &verdict {
            Ok(accepted) => writeln!(out, "{}{}", report::acceptance(accepted), accepted.text())?,
            Err(rejected) => out.write_all(report::rejection(rejected, streams.stdout_style).as_bytes())?,
        }
        out.flush()?;
    }
    Ok(if verdict.is_ok() { ACCEPTED } else { REJECTED })
}

/// The tool that is named, or the only one there is.
fn tool(options: &CheckOptions, streams: &mut Streams<'_>) -> Result<Option<Tool>, Failure> {
    let Some(path) = &options.tools.tools else { return Ok(None) };
    let list = tool_files::read(&options.tools, streams.stdin)?;
    if let Some(issue) = list.issues.first() {
        return Err(Failure::Unusable(format!("{}: {issue}; see argseal tools {}", path.display(), path.display())));
    }
    tool_files::warn(&[&list.warnings], streams.stderr);
    let names: Vec<&str> = list.tools.names().collect();
    let name = match (&options.tool, names.as_slice()) {
        (Some(name), _) => name.as_str(),
        (None, [only]) => only,
        (None, []) => {
            return Err(Failure::Unusable(format!("{} holds no tool that a call names", path.display())));
        }
        (None, _) => {
            let names = names.join(", ");
            return Err(Failure::Unusable(format!(
                "{} holds several tools; name one with --tool: {names}",
                path.display()
            )));
        }
    };
    match list.tools.get(name) {
        Some(tool) => Ok(Some(tool.clone())),
        None => {
            let names = names.join(", ");
            Err(Failure::Unusable(format!("no tool {name} in {}; it holds {names}", path.display())))
        }
    }
}
