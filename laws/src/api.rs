//! Law 10: the shape of the API.

use super::{pieces, shown};
use argseal::{
    Accepted, Assembler, Call, Calls, Cursor, Diagnosis, End, Note, NoteKind, Partial, Rejected, Settings, Settled,
    Stream, Tool, Tools,
};

/// Law 10, the shape of the API: its types are `Send + Sync`, and their sizes bounded; `Debug` prints sizes and codes,
/// never contents: the same for a text and for that text with other letters in its strings.
///
/// What can be stored can be sent to another thread and shared with it. A double that holds an `Rc` does not compile:
///
/// ```compile_fail,E0277
/// struct Double(std::rc::Rc<argseal::Call>);
/// argseal::laws::stored::<Double>();
/// ```
///
/// ```
/// struct Honest(std::sync::Arc<argseal::Call>);
/// argseal::laws::stored::<Honest>();
/// argseal::laws::stored::<(argseal::Call, argseal::Calls, argseal::Tool, argseal::Tools, argseal::Settings)>();
/// argseal::laws::stored::<(argseal::Accepted, argseal::Rejected, argseal::Cursor, argseal::Assembler)>();
/// ```
///
/// A call is judged once: it is gone when it has ended, so that no byte can follow its verdict.
///
/// ```compile_fail,E0382
/// let mut call = argseal::Call::default();
/// let verdict = call.finish(argseal::End::Complete);
/// call.feed("}");
/// ```
///
/// An accepted call is made by the engine alone, and nobody writes into one: its fields are not reached, and what it lends
/// cannot be changed.
///
/// ```compile_fail,E0616
/// let mut accepted = argseal::judge(&argseal::Tool::opaque("t"), "{}", argseal::End::Complete).unwrap();
/// accepted.verdict = argseal::Verdict::Strict;
/// ```
///
/// ```compile_fail,E0451
/// fn forged(accepted: argseal::Accepted) -> argseal::Accepted {
///     argseal::Accepted { verdict: argseal::Verdict::Strict, ..accepted }
/// }
/// ```
///
/// ```compile_fail,E0308
/// let accepted = argseal::judge(&argseal::Tool::opaque("t"), "{}", argseal::End::Complete).unwrap();
/// let text: &mut str = accepted.text();
/// ```
///
/// A rejected call has no value.
///
/// ```compile_fail,E0599
/// let rejected = argseal::judge(&argseal::Tool::opaque("t"), "{", argseal::End::Complete).unwrap_err();
/// rejected.into_value();
/// ```
///
/// A live view is of one moment: it does not outlive the next delta.
///
/// ```compile_fail,E0502
/// let mut call = argseal::Call::default();
/// let view = call.partial();
/// call.feed("{");
/// view.open();
/// ```
///
/// Codes, ends and verdicts may be added: a host has an arm for those that it does not know.
///
/// ```compile_fail,E0004
/// fn name(verdict: argseal::Verdict) -> &'static str {
///     use argseal::Verdict::{Normalized, Repaired, Strict};
///     match verdict {
///         Normalized | Repaired | Strict => verdict.name(),
///     }
/// }
/// ```
pub fn api(bytes: &[u8], cuts: &[usize], tool: Option<&Tool>, settings: &Settings, end: End) {
    // A tool has names that matter.
    let strings = if tool.is_some() { Strings::Values } else { Strings::All };
    api_of(|pieces| printed(pieces, tool, settings, end), bytes, cuts, strings);
}

/// [`api`] of something else than the engine: its outcome, and all that it prints while it is fed with the pieces and ends.
/// Where other letters lead to another outcome, as they do if the tool names values, there is nothing to compare.
pub fn api_of(print: impl Fn(&[&[u8]]) -> (String, String), bytes: &[u8], cuts: &[usize], strings: Strings) {
    let other = masked(bytes, strings);
    let (one, two) = (print(&pieces(bytes, cuts)), print(&pieces(&other, cuts)));
    let same = one.0 == two.0;
    assert!(same || strings == Strings::Values, "letters decide: {} or {}: {}", one.0, two.0, shown(bytes));
    assert!(!same || one.1 == two.1, "Debug prints contents: {}\n{}\n{}", shown(bytes), one.1, two.1);
}

/// Which strings get other letters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Strings {
    /// Names and values.
    All,
    /// What no colon follows.
    Values,
}

/// Can be kept anywhere, and shared.
pub const fn stored<T: Send + Sync + 'static>() {}

const _: () = {
    stored::<Accepted>();
    stored::<Assembler>();
    stored::<Call>();
    stored::<Calls>();
    stored::<Cursor>();
    stored::<Diagnosis>();
    stored::<Partial<'static>>();
    stored::<Rejected>();
    stored::<Settings>();
    stored::<Settled>();
    stored::<Stream>();
    stored::<Tool>();
    stored::<Tools>();
    assert!(size_of::<Call>() <= 640);
    assert!(size_of::<Result<Accepted, Rejected>>() <= 400);
    assert!(size_of::<Diagnosis>() <= 64);
};

/// The text with another letter for each letter inside of a string, escapes excepted: as long, and its keys and values as
/// equal or different as before.
fn masked(bytes: &[u8], strings: Strings) -> Vec<u8> {
    let mut masked = bytes.to_vec();
    let mut at = 0;
    while let Some(quote) = bytes[at..].iter().position(|&byte| byte == b'"') {
        let begin = at + quote + 1;
        let mut end = begin;
        while bytes.get(end).is_some_and(|&byte| byte != b'"') {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        at = (end + 1).min(bytes.len());
        if strings == Strings::All || !bytes[at..].trim_ascii_start().starts_with(b":") {
            mask(&mut masked[begin..end]);
        }
    }
    masked
}

fn mask(string: &mut [u8]) {
    let mut kept = 0;
    for i in 0..string.len() {
        if kept > 0 {
            kept -= 1;
            continue;
        }
        match string[i] {
            b'\\' => kept = if string.get(i + 1) == Some(&b'u') { 5 } else { 1 },
            b'z' => string[i] = b'a',
            b'Z' => string[i] = b'A',
            b'a'..=b'y' | b'A'..=b'Y' => string[i] += 1,
            _ => {}
        }
    }
}

/// The outcome, and all that is printed of the call.
pub(super) fn printed(pieces: &[&[u8]], tool: Option<&Tool>, settings: &Settings, end: End) -> (String, String) {
    let mut call = tool.map(Call::new).unwrap_or_default().with_settings(settings);
    let mut printed = String::new();
    let mut print = |shown: &dyn std::fmt::Debug| printed.push_str(&format!("{shown:?}\n"));
    for piece in pieces {
        print(&call.feed_bytes(piece));
        print(&call);
        print(&call.partial());
        print(&call.diagnosis());
    }
    let outcome = match call.finish(end) {
        Ok(accepted) => {
            print(&accepted);
            print(accepted.audit());
            print(&accepted.root());
            let rules = accepted.audit().edits().iter().map(|edit| (edit.at(), edit.rules().to_vec()));
            format!("{:?} {:?} {:?}", accepted.verdict(), rules.collect::<Vec<_>>(), kinds(accepted.notes()))
        }
        Err(rejected) => {
            print(&rejected);
            let diagnosis = rejected.diagnosis();
            format!("{:?} {:?} {:?}", diagnosis.code(), diagnosis.at(), kinds(rejected.notes()))
        }
    };
    (outcome, printed)
}

fn kinds(notes: &[Note]) -> Vec<(NoteKind, Option<u64>)> {
    notes.iter().map(|note| (note.kind(), note.at())).collect()
}
