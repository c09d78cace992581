//! All subjects side by side: the page and the figures of the picture.

use std::fmt::Write;
use std::path::Path;

use crate::cases::Case;
use crate::level::Level;
use crate::peers::Peer;
use crate::report::Report;
use crate::run::run;
use crate::subject::{Bounds, Process};
use crate::tree::clip;

/// What became of one subject.
pub struct Row {
    /// The subject.
    pub peer: Peer,
    /// Its report, or why it could not be started.
    pub report: Result<Report, String>,
}

/// Runs one subject; its command is relative to `root`.
pub fn row(peer: &Peer, root: &Path, cases: &[Case], bounds: Bounds) -> Row {
    let mut process = Process::new(peer.command.clone(), bounds).in_folder(root);
    let report = run(cases, &mut process).map_err(|error| clip(&error.to_string(), 200));
    Row { peer: peer.clone(), report }
}

/// The page: what was asked, the matrix, and each subject.
pub fn page(rows: &[Row], cases: &[Case]) -> String {
    let mut page = format!(
        "# Results\n\nWritten by `cargo run -p argseal-conformance -- results` from {} cases; what they ask is in \
         [README.md](README.md).\nA cell: cases right of cases asked. A subject is not asked what it does not promise: \
         a dash where that is the whole level.\n\n![The same as a picture](results.svg)\n\n",
        cases.len()
    );
    let counts = Level::ALL.map(|level| cases.iter().filter(|case| case.level == level).count());
    page.push_str("| subject | language | version |");
    for (level, count) in Level::ALL.into_iter().zip(counts) {
        page.push_str(&format!(" {level} ({count}) |"));
    }
    page.push_str("\n|---|---|---|---|---|---|---|---|---|---|\n");
    for row in rows {
        page.push_str(&matrix_line(row));
    }
    page.push_str("\n## Subjects\n");
    for row in rows {
        page.push_str(&section(row));
    }
    let skipped: Vec<String> = rows.iter().filter_map(skipped).collect();
    if !skipped.is_empty() {
        page.push_str(&format!("\n## Skipped\n\n{}", skipped.concat()));
    }
    page
}

/// What the page that is there says otherwise of the subjects that were run now.
pub fn stale(there: &str, rows: &[Row], cases: &[Case]) -> Vec<String> {
    let mut stale = Vec::new();
    if !there.contains(&format!("from {} cases", cases.len())) {
        stale.push(format!("the page does not speak of {} cases", cases.len()));
    }
    for row in rows.iter().filter(|row| row.report.is_ok()) {
        if !there.contains(&matrix_line(row)) || !there.contains(&section(row)) {
            stale.push(format!("the page says something else of {}", row.peer.name));
        }
    }
    stale
}

/// The figures of one cell: right and asked; `None` where nothing is asked.
pub fn cell(report: &Report, level: Level) -> Option<(usize, usize)> {
    let count = report.level(level);
    let asked = count.passed + count.failed;
    (asked > 0).then_some((count.passed, asked))
}

fn matrix_line(row: &Row) -> String {
    let Ok(report) = &row.report else { return String::new() };
    let mut line = format!("| {} | {} | {} |", row.peer.name, row.peer.language, report.hello.version);
    for level in Level::ALL {
        match cell(report, level) {
            Some((passed, asked)) if passed == asked => line.push_str(&format!(" **{passed}/{asked}** |")),
            Some((passed, asked)) => line.push_str(&format!(" {passed}/{asked} |")),
            None => line.push_str(" – |"),
        }
    }
    line.push('\n');
    line
}

fn section(row: &Row) -> String {
    let Ok(report) = &row.report else { return String::new() };
    let peer = &row.peer;
    let mut text = format!("\n### {} {}\n\n", peer.name, report.hello.version);
    if !peer.note.is_empty() {
        text.push_str(&format!("{}.\n", peer.note.trim_end_matches('.')));
    }
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n* command: `{}`", peer.command.join(" "));
    if !peer.setup.is_empty() {
        let _ = writeln!(text, "* set up by: `{}`", peer.setup.join(" "));
    }
    if !peer.source.is_empty() {
        let _ = writeln!(text, "* promises: {}", peer.source);
    }
    if !report.hello.without.is_empty() {
        let _ = writeln!(text, "* does not promise: {}", report.hello.without.join(", "));
    }
    let failed: Vec<String> = report
        .aspects()
        .into_iter()
        .filter(|(_, _, count)| count.failed > 0)
        .map(|(level, aspect, count)| format!("{level}/{aspect} {} of {}", count.failed, count.passed + count.failed))
        .collect();
    if !failed.is_empty() {
        let _ = writeln!(text, "* wrong: {}", failed.join(", "));
    }
    if let Some((outcome, failure)) = report.failures().next() {
        let _ = writeln!(
            text,
            "* for example `{}` ({}): {}",
            outcome.id,
            outcome.why.trim_end_matches('.'),
            code(&clip(&failure.got, 160))
        );
    }
    text
}

fn skipped(row: &Row) -> Option<String> {
    let reason = row.report.as_ref().err()?;
    let setup = row.peer.setup.join(" ");
    Some(format!("* {} ({}): {reason}; set up by `{setup}`\n", row.peer.name, row.peer.language))
}

/// A text as code, whatever quotes it holds.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
