//! What a person is told of one judged call.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Message, Renderer, Snippet};
use argseal::{Accepted, Diagnosis, Rejected};

use crate::excerpt::Excerpt;
use crate::output::Style;
use crate::printable::{clipped, printable};

/// Why a call was rejected, with the lines around the place.
pub(crate) fn rejection(rejected: &Rejected, style: Style) -> String {
    let diagnosis = rejected.diagnosis();
    let line = diagnosis.to_string();
    let problem = line.split_once(": ").map_or(line.as_str(), |(_, problem)| problem);
    let title = Level::ERROR.with_name("rejected").primary_title(printable(problem)).id(diagnosis.code().name());
    let mut group = Group::with_title(title);
    let excerpt = Excerpt::of(rejected);
    if let Some(excerpt) = &excerpt {
        let mark = AnnotationKind::Primary.span(excerpt.span.clone()).label(label(diagnosis));
        let lines = Snippet::source(&excerpt.source).line_start(excerpt.first_line).fold(false).annotation(mark);
        if excerpt.shows_its_column() {
            group = group.element(lines.path(&excerpt.origin));
        } else {
            let place = format!("{}, line {}, column {}", excerpt.origin, excerpt.line, excerpt.column);
            group = group.element(lines).element(Level::NOTE.message(place));
        }
    }
    for message in messages(rejected) {
        group = group.element(message);
    }
    let renderer = match style {
        Style::Colored => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    let mut text = renderer.term_width(WIDTH).render(&[group]);
    text.push('\n');
    text
}

/// How a call was accepted, and what was changed.
pub(crate) fn acceptance(accepted: &Accepted) -> String {
    let mut text = accepted.verdict().name().to_owned();
    if !accepted.audit().actions().is_empty() {
        text.push_str(&format!(": {}", printable(&accepted.audit().actions().join(", "))));
    }
    text.push('\n');
    for edit in accepted.audit().edits() {
        let rules = edit.rules().iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("  byte {}: ", edit.at()));
        if edit.delete() > 0 {
            text.push_str(&format!("{} bytes deleted, ", edit.delete()));
        }
        text.push_str(&format!("{} inserted ({rules})\n", clipped(&format!("{:?}", edit.insert()), MAX_INSERT)));
    }
    for note in accepted.notes() {
        text.push_str(&format!("  note: {}\n", note_in_words(note)));
    }
    text
}

/// The share of a text that came after the rejection was known, in percent; `None` where only the end made it known.
pub(crate) fn share_after(diagnosis: &Diagnosis, bytes: u64) -> Option<u64> {
    let after = bytes.saturating_sub(diagnosis.known_at()?);
    Some(u64::try_from(u128::from(after) * 100 / u128::from(bytes.max(1))).unwrap_or(100))
}

fn messages(rejected: &Rejected) -> Vec<Message<'static>> {
    let diagnosis = rejected.diagnosis();
    let bytes = (rejected.raw().len() + rejected.raw_tail().len()) as u64;
    let mut fault = format!("fault: {}", diagnosis.fault().name());
    if let (Some(known_at), Some(share)) = (diagnosis.known_at(), share_after(diagnosis, bytes)) {
        // Writing to a String cannot fail.
        let _ = if known_at > bytes {
            // The byte that broke a limit is not kept.
            write!(fault, "; known after {bytes} bytes, which are kept of the text")
        } else {
            write!(fault, "; known after {known_at} of {bytes} bytes, {share} % came later")
        };
    }
    let mut messages = vec![Level::NOTE.message(fault)];
    messages.extend(rejected.notes().iter().map(|note| Level::NOTE.message(note_in_words(note))));
    messages.push(match diagnosis.advice() {
        Some(advice) => Level::HELP.message(printable(&advice).into_owned()),
        None => Level::HELP.message(format!("the model has nothing to mend; see argseal explain {}", diagnosis.code())),
    });
    messages
}

/// Kind, detail and place of a note.
pub(crate) fn note_in_words(note: &argseal::Note) -> String {
    let mut words = note.kind().name().to_owned();
    if let Some(detail) = note.detail() {
        words.push_str(&format!(" {}", clipped(detail, MAX_DETAIL)));
    }
    if let Some(at) = note.at() {
        words.push_str(&format!(" at byte {at}"));
    }
    words
}

/// What is said at the place itself.
fn label(diagnosis: &Diagnosis) -> String {
    if diagnosis.suspect_quote().is_some() {
        return "this double quote ended the string".to_owned();
    }
    if diagnosis.code().name().starts_with("truncated-") {
        return "the text stops here".to_owned();
    }
    let facts = diagnosis.facts();
    if facts.expected.is_empty() {
        String::new()
    } else {
        clipped(&format!("expected {}", facts.expected.join(" or ")), MAX_DETAIL).into_owned()
    }
}

/// Columns of a report: more than an excerpt ever has, so that the renderer cuts nothing, least of all an escape.
const WIDTH: usize = 1_000;

/// Characters of an insertion that are shown.
const MAX_INSERT: usize = 100;

/// Characters of a detail that are shown.
const MAX_DETAIL: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use argseal::{Call, End, Limits, Settings};

    #[test]
    fn no_more_is_known_than_there_is() {
        let report = |text: &str| {
            let settings = Settings::default().with_limits(Limits::default().with_text(10));
            let mut call = Call::default().with_settings(&settings);
            call.feed(text);
            rejection(&call.finish(End::Complete).expect_err("rejected"), Style::Plain)
        };
        let over = report("{\"a\":\"0123456789\"}");
        assert!(over.contains("known after 10 bytes, which are kept of the text"), "{over}");
        let broken = report("{\"a\":tru}");
        assert!(broken.contains("known after 9 of 9 bytes, 0 % came later"), "{broken}");
    }
}
