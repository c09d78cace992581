//! `argseal history`: a recorded conversation.

use std::fmt::Write as _;

use argseal::History;
use argseal::history::{Effect, Finding, Mended, Unpaired};
use argseal_form::{FindingForm, HistoryForm};

use crate::args::{HistoryOptions, HistoryRules};
use crate::failure::Failure;
use crate::output::{Streams, write_line};
use crate::printable::{clipped, printable};
use crate::{ACCEPTED, REJECTED, input, settings_file, tool_files};

/// Lists what would change in the conversation before it is sent again, and writes it if asked.
pub(crate) fn run(options: &HistoryOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    let list = tool_files::read(&options.tools, streams.stdin)?;
    tool_files::warn(&[&list.issues], streams.stderr);
    let name = if input::is_standard_input(&options.file) {
        "standard input".to_owned()
    } else {
        options.file.display().to_string()
    };
    let unusable = |reason: String| {
        Failure::Unusable(format!(
            "{name}: {reason}; an array of messages or a request body that holds one is expected"
        ))
    };
    let text = String::from_utf8(input::read(&options.file, streams.stdin)?)
        .map_err(|error| unusable(error.utf8_error().to_string()))?;
    let unpaired = if options.close { Unpaired::Close } else { Unpaired::Report };
    let settings = settings_file::read(options.rules.settings.as_deref(), streams.stdin, HistoryRules::base())?;
    let mut history =
        History::new(&options.rules.over(settings)).with_unparseable(options.unparseable).with_unpaired(unpaired);
    let mended =
        history.mend(&text, &list.tools).map_err(|error| unusable(printable(&error.to_string()).into_owned()))?;
    if let Some(out) = &options.write {
        std::fs::write(out, mended.text.as_bytes())
            .map_err(|error| Failure::unwritable(&out.display().to_string(), &error))?;
    }
    let out = &mut *streams.stdout;
    if options.json {
        for finding in &mended.findings {
            write_line(out, &FindingForm::new(finding))?;
        }
        write_line(out, &HistoryForm::new(&mended, text.len()))?;
    } else {
        out.write_all(listed(&mended, text.len(), options).as_bytes())?;
        out.flush()?;
    }
    let is_left = mended.findings.iter().any(|finding| finding.effect == Effect::Reported);
    Ok(if is_left { REJECTED } else { ACCEPTED })
}

/// A line for each finding, and one for the whole.
fn listed(mended: &Mended<'_>, before: usize, options: &HistoryOptions) -> String {
    let mut out = String::new();
    for finding in &mended.findings {
        out.push_str(&line(finding));
        out.push('\n');
    }
    let changes = mended.findings.iter().filter(|finding| finding.effect == Effect::Changed).count();
    let left = mended.findings.len() - changes;
    // Writing to a String cannot fail.
    let _ = write!(out, "{}, {}: ", counted(mended.messages, "message"), counted(mended.calls, "call"));
    out.push_str(&match (changes, options.write.is_some()) {
        (0, _) => "nothing to change".to_owned(),
        (changes, false) => format!("{} to make with --write", counted(changes, "change")),
        (changes, true) => format!("{} made", counted(changes, "change")),
    });
    if left > 0 {
        let _ = write!(out, ", {left} left");
    }
    let after = mended.text.len();
    if after == before {
        let _ = writeln!(out, "; {before} bytes");
    } else {
        let _ = writeln!(out, "; {before} bytes before, {after} after");
    }
    out
}

fn line(finding: &Finding) -> String {
    let mut line = format!("message {}", finding.message);
    if let Some(id) = &finding.id {
        let _ = write!(line, ", {}", clipped(id, MAX_NAME));
    }
    if let Some(tool) = &finding.tool {
        let _ = write!(line, " ({})", clipped(tool, MAX_NAME));
    }
    let _ = write!(line, ": {}", clipped(&finding.to_string(), MAX_WHAT));
    line
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Characters of a name or id that are shown.
const MAX_NAME: usize = 40;

/// Characters of what was done that are shown: 38 wrappers are a line of their own.
const MAX_WHAT: usize = 200;
