//! `argseal check`: one argument text.

use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use argseal::{Call, Tool};

use crate::answer::{Answer, write_line};
use crate::args::CheckOptions;
use crate::failure::Failure;
use crate::tool_list::ToolList;
use crate::{REJECTED, input, report};

/// Judges the text on standard input.
pub(crate) fn run(options: &CheckOptions) -> Result<ExitCode, Failure> {
    let call = match tool(options)? {
        Some(tool) => Call::new(&tool),
        None => Call::default(),
    };
    let mut call = call.with_settings(&options.rules.settings());
    input::stream(Path::new("-"), &mut |bytes| {
        call.feed_bytes(bytes);
    })?;
    let verdict = call.finish(options.end);
    let mut out = stdout().lock();
    if options.json {
        write_line(&mut out, &Answer::new(None, &verdict))?;
    } else {
        match &verdict {
            Ok(accepted) => writeln!(out, "{}{}", report::acceptance(accepted), accepted.text())?,
            Err(rejected) => out.write_all(report::rejection(rejected).as_bytes())?,
        }
        out.flush()?;
    }
    Ok(if verdict.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(REJECTED) })
}

/// The tool that is named, or the only one there is.
fn tool(options: &CheckOptions) -> Result<Option<Tool>, Failure> {
    let Some(path) = &options.tools.tools else { return Ok(None) };
    let list = ToolList::read(&options.tools)?;
    if let Some(issue) = list.issues.first() {
        return Err(Failure::Unusable(format!("{}: {issue}; see argseal tools {}", path.display(), path.display())));
    }
    list.warn();
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
