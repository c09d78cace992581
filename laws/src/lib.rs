//! The laws of the design (section 2), one function each: called by tests and by fuzz targets.
//!
//! A law panics where it is broken, and prints the input escaped. Each asks the engine; the function of the same name
//! with `_of` asks whatever it is given, so that a test can show that a broken double fails the law.

mod api;
mod duplicates;
pub mod generate;
mod judgement;
mod monotony;
mod observation;
mod plain;
pub mod targets;
mod value;
mod vanish;

#[cfg(test)]
mod tests;

pub use api::{Strings, api, api_of, stored};
pub use judgement::{judgement, judgement_of};
pub use monotony::{Shown, View, monotony, monotony_of};
pub use observation::{Observation, Outcome, observe, observe_both, pieces, restated};
pub use plain::{Reading, Way, reads_plainly, reads_plainly_of};
pub use vanish::{nothing_vanishes, nothing_vanishes_of};

use duplicates::{Duplicates, duplicates};
use monotony::values;
use serde_json::Value;

use argseal::{Call, Code, End, Limits, Progress, Rule, Settings, Tool, Verdict};

/// Law 1, chunk invariance: events, verdict, value, audit, notes and diagnosis are the same however the bytes are cut;
/// and a rejection is told in the very piece that holds the byte that made it known. Who listens or looks changes nothing.
pub fn chunking(bytes: &[u8], cuts: &[usize], tool: Option<&Tool>, settings: &Settings, end: End) {
    chunking_of(|pieces| observe_both(pieces, tool, settings, end), bytes, cuts);
}

/// [`chunking`] of something else than the engine.
pub fn chunking_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8], cuts: &[usize]) {
    let whole = read(&[bytes]);
    let pieces = pieces(bytes, cuts);
    let mut cut = read(&pieces);
    let known = cut.early.as_ref().and_then(argseal::Diagnosis::known_at);
    let mut consumed = 0;
    for (piece, progress) in pieces.iter().zip(&cut.progress) {
        consumed += piece.len() as u64;
        let rejected = matches!(progress, Progress::Rejected | Progress::Trailing);
        let due = known.is_some_and(|known| known <= consumed);
        assert!(rejected == due, "{progress:?} after {consumed} bytes, known at {known:?}: {}", shown(bytes));
    }
    assert!(known == whole.early.as_ref().and_then(argseal::Diagnosis::known_at), "known_at: {}", shown(bytes));
    if let (Some(progress), Some(last)) = (whole.progress.last(), cut.progress.last()) {
        assert!(progress == last, "{progress:?}, but cut at {cuts:?} {last:?}: {}", shown(bytes));
    }
    cut.progress.clone_from(&whole.progress);
    assert!(whole == cut, "cut at {cuts:?} differs: {}\nwhole: {whole:#?}\ncut: {cut:#?}", shown(bytes));
}

/// Law 2, strict is strict: a call without tool is strict exactly if its bytes are one RFC 8259 text with an object as
/// root and without unequal duplicate keys; the text is not altered, and its value is that of `serde_json`, but for
/// the numbers that it alters.
pub fn strict(bytes: &[u8]) {
    strict_of(|pieces| observe_both(pieces, None, &Settings::default(), End::Complete), bytes);
}

/// [`strict`] of something else than the engine.
pub fn strict_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8]) {
    let oracle = value::value(bytes);
    match read(&[bytes]).outcome {
        Outcome::Accepted { verdict: Verdict::Strict, text, raw, value, audit, .. } => {
            assert!(text.as_bytes() == bytes && raw == text, "the text was altered: {}", shown(bytes));
            assert!(audit.edits().is_empty(), "strict with edits: {}", shown(bytes));
            match oracle {
                Ok(oracle) => {
                    assert!(oracle.is_object(), "strict without an object as root: {}", shown(bytes));
                    assert!(value.as_ref() == Some(&oracle), "{value:?} is not {oracle:?}: {}", shown(bytes));
                    assert!(duplicates(bytes) != Duplicates::Unequal, "strict with duplicates: {}", shown(bytes));
                }
                Err(error) => {
                    assert!(judgement::is_beyond(&error), "strict, but {error}: {}", shown(bytes));
                    assert!(value.is_none(), "a value that serde_json cannot hold: {}", shown(bytes));
                }
            }
        }
        Outcome::Accepted { verdict, text, .. } => {
            assert!(
                verdict == Verdict::Normalized && is_blank(bytes) && text.ends_with("{}"),
                "{verdict:?}: {}",
                shown(bytes)
            );
        }
        Outcome::Rejected { diagnosis, .. } => match diagnosis.code() {
            Code::DepthLimit => {
                let opened = bytes.iter().filter(|byte| b"[{".contains(byte)).count();
                assert!(opened > Limits::default().depth as usize, "not that deep: {}", shown(bytes));
            }
            Code::SizeLimit => {
                let parts = bytes.iter().filter(|byte| b",[{".contains(byte)).count();
                let large = bytes.len() > Limits::default().text as usize || parts > Limits::default().members as usize;
                assert!(large, "not that large: {}", shown(bytes));
            }
            Code::DuplicateKey => {
                let found = duplicates(bytes);
                assert!(found >= Duplicates::Uncertain, "duplicates are {found:?}: {}", shown(bytes));
            }
            Code::TypeMismatch => {
                let other = oracle.map_or_else(|error| error.to_string().contains("range"), |value| !value.is_object());
                assert!(other, "the root is an object: {}", shown(bytes));
            }
            code => assert!(oracle.is_err(), "{code}, but serde_json reads it: {}", shown(bytes)),
        },
    }
}

/// Law 3, replay: the edits make the accepted text of the raw one; it parses strictly, to the accepted value. Strict
/// means no edit.
pub fn replay(bytes: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    replay_of(|pieces| observe(pieces, tool, settings, end), bytes);
}

/// [`replay`] of something else than the engine.
pub fn replay_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8]) {
    let Outcome::Accepted { verdict, text, raw, value, fingerprint, audit, .. } = read(&[bytes]).outcome else {
        return;
    };
    assert!(raw.as_bytes() == bytes, "raw is not what was sent: {}", shown(bytes));
    assert!(audit.apply(&raw) == text, "the edits make another text: {}\n{}", shown(bytes), shown(text.as_bytes()));
    assert!((verdict == Verdict::Strict) == audit.edits().is_empty(), "{verdict:?} and {audit:?}: {}", shown(bytes));
    let mut done = 0;
    for edit in audit.edits() {
        assert!(edit.at() >= done && !edit.rules().is_empty(), "edits overlap: {audit:?}: {}", shown(bytes));
        done = edit.at() + edit.delete();
    }
    assert!(done <= raw.len() as u64, "an edit beyond the text: {audit:?}: {}", shown(bytes));
    if let Some(suffix) = audit.suffix() {
        assert!(raw + suffix == text, "the suffix makes another text: {}", shown(bytes));
    }
    let oracle = value::value(text.as_bytes()).ok();
    assert!(oracle == value, "{value:?} is not {oracle:?}: {}", shown(bytes));
    let settings = Settings::passthrough().any_root().with_limits(Limits::max());
    match observe(&[text.as_bytes()], None, &settings, End::Complete).outcome {
        Outcome::Accepted { verdict: Verdict::Strict, value: again, fingerprint: print, .. } => {
            assert!(again == value && print == fingerprint, "another value: {}", shown(bytes));
        }
        other => panic!("the accepted text is not strict: {}\n{other:#?}", shown(bytes)),
    }
}

/// Law 4, repairs only insert: and nothing but what closes a decorative string at the text's end, or a cut inner call.
pub fn inserts_only(bytes: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    inserts_only_of(|pieces| observe(pieces, tool, settings, end), bytes);
}

/// [`inserts_only`] of something else than the engine.
pub fn inserts_only_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8]) {
    let Outcome::Accepted { verdict, raw, audit, .. } = read(&[bytes]).outcome else { return };
    let mut made = Vec::new();
    for edit in audit.edits() {
        let repairs = |rule: &Rule| matches!(rule, Rule::CloseDescription | Rule::InnerCall | Rule::Epilogue);
        let any = edit.rules().iter().any(repairs);
        assert!(any == (verdict == Verdict::Repaired), "{verdict:?} and {audit:?}: {}", shown(bytes));
        assert!(!any || edit.delete() == 0, "a repair deletes: {audit:?}: {}", shown(bytes));
        assert!(!any || edit.rules().iter().all(repairs), "repair and normalization combine: {}", shown(bytes));
        made.push((edit.rules(), edit.insert()));
    }
    if verdict != Verdict::Repaired {
        return;
    }
    made.retain(|(rules, _)| *rules != [Rule::Epilogue]);
    let closes = match made.as_slice() {
        [([Rule::CloseDescription], insert)] => *insert == "\"}" && audit.edits()[0].at() == raw.len() as u64,
        [([Rule::InnerCall], quote), ([Rule::InnerCall], call), ([Rule::InnerCall], member)] => {
            let call = call.strip_prefix("\\r").unwrap_or(call).strip_prefix("\\n");
            let blank = |text: &str| text.replace("\\t", "\t").trim().is_empty();
            let ends = call.and_then(|call| call.strip_suffix("});")).is_some_and(blank);
            let one = serde_json::from_str::<Value>(&format!("{{{}}}", member.trim_start_matches(',')));
            let one = one.is_ok_and(|one| one.as_object().is_some_and(|one| one.len() == 1));
            *quote == "\\\"" && ends && member.starts_with(",\"") && one
        }
        _ => false,
    };
    assert!(closes, "a repair invents: {}\n{made:?}", shown(bytes));
}

/// Law 5, idempotence: the accepted text, judged again with the same tool, is strict.
pub fn idempotence(bytes: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    idempotence_of(|pieces| observe(pieces, tool, settings, end), bytes);
}

/// [`idempotence`] of something else than the engine.
pub fn idempotence_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8]) {
    let Outcome::Accepted { text, value, .. } = read(&[bytes]).outcome else { return };
    match read(&[text.as_bytes()]).outcome {
        Outcome::Accepted { verdict: Verdict::Strict, text: again, value: other, .. } => {
            assert!(again == text && other == value, "judged again it differs: {}", shown(bytes));
        }
        other => panic!("judged again it is not strict: {}\n{other:#?}", shown(bytes)),
    }
}

/// Law 7, fuse: after a rejection further bytes change notes only, and a full value that is stated afterwards brings the
/// call no more back; after a closed root blanks change nothing and any other byte rejects.
pub fn fuse(bytes: &[u8], more: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    let restate = |full: &str| restated(&[bytes], full, tool, settings, end);
    fuse_of(|pieces| observe(pieces, tool, settings, end), restate, bytes, more, settings.limits());
}

/// [`fuse`] of something else than the engine: fed with pieces it tells what is seen; and, given a full value, the
/// outcome of a call that was fed with `bytes`.
pub fn fuse_of(
    read: impl Fn(&[&[u8]]) -> Observation,
    restate: impl Fn(&str) -> Outcome,
    bytes: &[u8],
    more: &[u8],
    limits: Limits,
) {
    let before = read(&[bytes]);
    let after = read(&[bytes, more]);
    let all = || format!("{} then {}", shown(bytes), shown(more));
    match before.progress.last() {
        Some(Progress::Rejected | Progress::Trailing) => {
            let (Outcome::Rejected { diagnosis: one, raw, .. }, Outcome::Rejected { diagnosis: two, .. }) =
                (&before.outcome, &after.outcome)
            else {
                panic!("a rejected call is accepted: {}", all());
            };
            assert!(before.progress.last() == after.progress.last(), "the progress changes: {}", all());
            assert!(one == two && before.early == after.early, "the diagnosis changes: {}", all());
            assert!(before.events == after.events, "a sink hears what follows a rejection: {}", all());
            assert!(after.raw.starts_with(&before.raw), "what was sent is forgotten: {}", all());
            for full in [raw.as_str(), "{}", std::str::from_utf8(more).unwrap_or_default()] {
                let code = match restate(full) {
                    Outcome::Rejected { diagnosis, .. } if diagnosis == *one => continue,
                    other => other.code(),
                };
                assert!(code == Some(Code::FinalMismatch), "{code:?} once {full:?} is stated: {}", shown(bytes));
            }
        }
        // Blanks count, too.
        Some(Progress::Complete) if bytes.len() + more.len() > limits.text as usize => {
            let code = after.early.as_ref().map(argseal::Diagnosis::code);
            assert!(code.is_none() || code == Some(Code::SizeLimit) || !is_blank(more), "{code:?}: {}", all());
        }
        Some(Progress::Complete) => {
            let wanted = if is_blank(more) { Progress::Complete } else { Progress::Trailing };
            assert!(after.progress.last() == Some(&wanted), "{:?}: {}", after.progress, all());
            if is_blank(more) {
                assert!(before.outcome.value() == after.outcome.value(), "blanks change the value: {}", all());
                assert!(before.outcome.code() == after.outcome.code(), "blanks change the verdict: {}", all());
                assert!(before.events == after.events, "blanks are events: {}", all());
            }
        }
        Some(Progress::Open) | None => {}
        Some(other) => panic!("the law does not know the progress {other:?}"),
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| b" \t\r\n".contains(byte))
}

/// Law 8, bounds: what a call holds is bounded by the limits, whatever is fed. (That a delta costs its own length, and
/// that nesting costs no native stack, is measured by the tests of limits and allocations.)
pub fn bounds(bytes: &[u8], cuts: &[usize], limits: Limits) {
    let settings = Settings::default().with_limits(limits);
    let mut call = Call::default().with_settings(&settings);
    let held = |piece: &[u8]| {
        call.feed_bytes(piece);
        (call.heap_bytes(), call.raw_bytes().len())
    };
    bounds_of(held, bytes, cuts, limits);
}

/// [`bounds`] of something else than the engine: fed with a piece, it answers how many bytes of heap it holds, and how
/// many bytes of text.
pub fn bounds_of(mut held: impl FnMut(&[u8]) -> (usize, usize), bytes: &[u8], cuts: &[usize], limits: Limits) {
    let mut fed = 0;
    for piece in pieces(bytes, cuts) {
        fed += piece.len();
        let (heap, text) = held(piece);
        let most = fed.min(limits.text as usize);
        assert!(text <= most, "{text} bytes of text kept of {fed}, limit {}: {}", limits.text, shown(bytes));
        // The text and its decoded copies, each in a buffer that may be twice as large as needed; of each value and name
        // a node, of each string a copy's place, of each level a frame, in such buffers too.
        let nodes = most.min(2 * (limits.members as usize).saturating_add(1));
        let bound = 8 * most + 64 * nodes + 64 * most.min(limits.depth as usize) + 4096;
        assert!(heap <= bound, "{heap} bytes of heap after {fed} bytes, not {bound}: {}", shown(bytes));
    }
}

/// The input as it is printed: escaped, and cut where it is long.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 2000;
    let cut = if bytes.len() > MOST { "…" } else { "" };
    format!("`{}`{cut}", bytes[..bytes.len().min(MOST)].escape_ascii())
}
