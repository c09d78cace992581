//! What became of the calls, counted.
//!
//! Each worker counts for itself and the counts are [merged](Stats::merge). With the feature `tracing`, each call that is
//! counted is also an event. Neither holds contents.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::calls::{Payload, Settled};
use crate::schema::Tool;
use crate::verdict::code::Code;
use crate::verdict::outcome::{Accepted, Checked, Rejected, Verdict};

/// Who wrote the calls that are counted. Only events name it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Source<'s> {
    /// The provider, in the host's words.
    pub provider: &'s str,
    /// The model, in the host's words.
    pub model: &'s str,
}

/// Counts of verdicts, actions and codes.
///
/// ```
/// use argseal::stats::{Source, Stats};
/// use argseal::{End, Tool, Verdict, judge};
/// let tool = Tool::opaque("now");
/// let mut stats = Stats::default();
/// stats.record(Source::default(), Some(&tool), &judge(&tool, "{}", End::Complete));
/// stats.record(Source::default(), Some(&tool), &judge(&tool, "{", End::Complete));
/// assert_eq!((stats.accepted(Verdict::Strict), stats.rejected()), (1, 1));
/// assert_eq!(stats.codes().collect::<Vec<_>>(), [("truncated-in-container", 1)]);
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Stats {
    strict: u64,
    repaired: u64,
    normalized: u64,
    rejected: u64,
    text: u64,
    actions: BTreeMap<String, u64>,
    codes: BTreeMap<&'static str, u64>,
    validators: BTreeMap<String, u64>,
    validator: Option<String>,
    last_change: Option<Change>,
}

/// One call whose text was changed.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Change {
    /// The tool, if it is known.
    pub tool: Option<String>,
    /// What was done, such as `unwrap:arguments`, in order.
    pub actions: Vec<String>,
    /// Bytes of the text as sent.
    pub bytes_before: u64,
    /// Bytes of the accepted text.
    pub bytes_after: u64,
}

impl Stats {
    /// Counts one settled call.
    pub fn record_settled(&mut self, source: Source<'_>, settled: &Settled) {
        match &settled.payload {
            Payload::Arguments(verdict) => self.record(source, settled.tool.as_ref(), verdict),
            Payload::Text(text) => {
                self.text += 1;
                trace(source, settled.name.as_deref(), "text", &[], [text.len(), text.len()]);
            }
        }
    }

    /// Counts the verdict of one call of this tool.
    pub fn record(&mut self, source: Source<'_>, tool: Option<&Tool>, verdict: &Result<Accepted, Rejected>) {
        let name = tool.map(Tool::name);
        match verdict {
            Ok(accepted) => self.accept(source, name, accepted),
            Err(rejected) => {
                let code = rejected.diagnosis().code();
                let len = rejected.raw().len() + rejected.raw_tail().len();
                self.rejected += 1;
                self.code(code.name(), 1);
                if is_judged(code)
                    && let Some(tool) = tool.filter(|tool| tool.has_schema())
                {
                    self.validator(tool.validator_name());
                }
                trace(source, name, code.name(), &[], [len, 0]);
            }
        }
    }

    fn accept(&mut self, source: Source<'_>, name: Option<&str>, accepted: &Accepted) {
        let verdict = accepted.verdict();
        let actions = accepted.audit().actions();
        let [before, after] = [accepted.raw().len(), accepted.text().len()];
        *match verdict {
            Verdict::Normalized => &mut self.normalized,
            Verdict::Repaired => &mut self.repaired,
            Verdict::Strict => &mut self.strict,
        } += 1;
        for action in actions {
            self.action(action, 1);
        }
        match accepted.checked() {
            Checked::Partly { validator } | Checked::Schema { validator } => self.validator(validator),
            Checked::TextOnly => {}
        }
        if verdict != Verdict::Strict {
            let tool = name.map(str::to_owned);
            let change =
                Change { tool, actions: actions.to_vec(), bytes_before: before as u64, bytes_after: after as u64 };
            self.last_change = Some(change);
        }
        trace(source, name, verdict.name(), actions, [before, after]);
    }

    /// Adds the counts of another, which count as the later ones.
    pub fn merge(&mut self, other: &Self) {
        self.strict += other.strict;
        self.repaired += other.repaired;
        self.normalized += other.normalized;
        self.rejected += other.rejected;
        self.text += other.text;
        for (action, &count) in &other.actions {
            self.action(action, count);
        }
        for (code, &count) in &other.codes {
            self.code(code, count);
        }
        for (validator, &count) in &other.validators {
            *self.validators.entry(validator.clone()).or_default() += count;
        }
        self.validator = other.validator.clone().or(self.validator.take());
        self.last_change = other.last_change.clone().or(self.last_change.take());
    }

    fn action(&mut self, action: &str, count: u64) {
        let is_known = self.actions.contains_key(action) || self.actions.len() < MAX_ACTIONS;
        // Names of members are the tools', but for `rename`, which names what the model wrote.
        let counted = if is_known { action } else { action.split(':').next().unwrap_or(action) };
        *self.actions.entry(counted.to_owned()).or_default() += count;
    }

    fn code(&mut self, code: &'static str, count: u64) {
        *self.codes.entry(code).or_default() += count;
    }

    fn validator(&mut self, name: &str) {
        *self.validators.entry(name.to_owned()).or_default() += 1;
        if self.validator.as_deref() != Some(name) {
            self.validator = Some(name.to_owned());
        }
    }

    /// All calls that were counted.
    pub fn calls(&self) -> u64 {
        self.strict + self.repaired + self.normalized + self.rejected + self.text
    }

    /// Calls that were accepted this way.
    pub fn accepted(&self, verdict: Verdict) -> u64 {
        match verdict {
            Verdict::Normalized => self.normalized,
            Verdict::Repaired => self.repaired,
            Verdict::Strict => self.strict,
        }
    }

    /// Calls that were rejected.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// Calls of custom tools, whose text is not judged.
    pub fn text(&self) -> u64 {
        self.text
    }

    /// What was done, such as `alias:cmd→command`, and how often, by name. Of more than 256 different actions the others
    /// are counted by their rule.
    pub fn actions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.actions.iter().map(|(action, &count)| (action.as_str(), count))
    }

    /// The codes of the rejections, and how often each came, by name.
    pub fn codes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.codes.iter().map(|(&code, &count)| (code, count))
    }

    /// The validators, and how many calls each judged, by name.
    pub fn validators(&self) -> impl Iterator<Item = (&str, u64)> {
        self.validators.iter().map(|(validator, &count)| (validator.as_str(), count))
    }

    /// The validator in force: that of the last call that one judged.
    pub fn validator_in_force(&self) -> Option<&str> {
        self.validator.as_deref()
    }

    /// The last call whose text was changed.
    pub fn last_change(&self) -> Option<&Change> {
        self.last_change.as_ref()
    }
}

/// Different actions that are told apart.
const MAX_ACTIONS: usize = 256;

/// Whether a validator said it.
fn is_judged(code: Code) -> bool {
    matches!(code, Code::MissingRequired | Code::TypeMismatch | Code::UnknownProperty | Code::ConstraintViolation)
}

/// The event of one call: `outcome` is the verdict or the code, `bytes` the sizes before and after.
#[cfg(feature = "tracing")]
fn trace(source: Source<'_>, tool: Option<&str>, outcome: &str, actions: &[String], bytes: [usize; 2]) {
    let Source { provider, model } = source;
    let tool = tool.unwrap_or_default();
    let actions = actions.join(",");
    let [before, after] = bytes;
    tracing::info!(provider, model, tool, outcome, actions, bytes_before = before, bytes_after = after, "call");
}

#[cfg(not(feature = "tracing"))]
fn trace(_: Source<'_>, _: Option<&str>, _: &str, _: &[String], _: [usize; 2]) {}

#[cfg(test)]
mod tests {
    use super::{Source, Stats};
    use crate::Call;
    use crate::schema::Tool;
    use crate::settings::{Policy, Settings};
    use crate::verdict::code::End;
    use crate::verdict::outcome::{Accepted, Rejected, Verdict};
    use serde_json::json;

    fn tool() -> Tool {
        let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
        Tool::new("bash", &schema).expect("a schema")
    }

    fn judged(text: &str, settings: &Settings) -> Result<Accepted, Rejected> {
        let mut call = Call::new(&tool()).with_settings(settings);
        call.feed(text);
        call.finish(End::Complete)
    }

    fn counted(texts: &[&str]) -> Stats {
        let settings = Settings::default().with_policy(Policy::Full);
        let mut stats = Stats::default();
        for text in texts {
            stats.record(Source::default(), Some(&tool()), &judged(text, &settings));
        }
        stats
    }

    const TEXTS: [&str; 5] = [
        r#"{"command":"ls"}"#,
        r#"{"args":{"command":"ls"}}"#,
        r#"{"command":"l"#,
        "{}",
        r#"{"params":{"command":""}}"#,
    ];

    #[test]
    fn verdicts_actions_codes_the_validator_and_the_last_change() {
        let stats = counted(&TEXTS);
        assert_eq!((stats.calls(), stats.rejected(), stats.text()), (5, 2, 0));
        assert_eq!((stats.accepted(Verdict::Strict), stats.accepted(Verdict::Normalized)), (1, 2));
        assert_eq!(stats.actions().collect::<Vec<_>>(), [("unwrap:args", 1), ("unwrap:params", 1)]);
        assert_eq!(stats.codes().collect::<Vec<_>>(), [("missing-required", 1), ("truncated-in-string", 1)]);
        // The cut text was not judged by it.
        assert_eq!(stats.validators().collect::<Vec<_>>(), [("argseal", 4)]);
        assert_eq!(stats.validator_in_force(), Some("argseal"));
        let change = stats.last_change().expect("a change");
        assert_eq!(
            (change.actions.join(","), change.bytes_before, change.bytes_after),
            ("unwrap:params".into(), 25, 14)
        );
    }

    #[test]
    fn merged_in_order_it_is_what_one_would_have_counted() {
        for cut in 0..=TEXTS.len() {
            let mut first = counted(&TEXTS[..cut]);
            first.merge(&counted(&TEXTS[cut..]));
            assert_eq!(first, counted(&TEXTS), "{cut}");
        }
    }

    #[test]
    fn different_actions_are_bounded() {
        let mut stats = Stats::default();
        for i in 0..1000 {
            stats.action(&format!("rename:a{i}→b"), 1);
        }
        assert_eq!(stats.actions().count(), 257);
        assert_eq!(stats.actions().map(|(_, count)| count).sum::<u64>(), 1000);
    }

    #[test]
    fn the_kill_switch_judges_and_changes_nothing_but_blank_text() {
        let off = Settings::passthrough();
        for text in TEXTS.into_iter().filter(|text| text.ends_with('}')) {
            let accepted = judged(text, &off).unwrap_or_else(|rejected| panic!("{text}: {rejected}"));
            assert_eq!((accepted.verdict(), accepted.text()), (Verdict::Strict, text));
            assert!(accepted.audit().edits().is_empty());
        }
        assert_eq!(
            judged(TEXTS[2], &off).map_err(|rejected| rejected.diagnosis().code().name()).err(),
            Some("truncated-in-string")
        );
        // `{}` has a violation for this tool: even blank text is not changed.
        assert!(judged("", &off).is_err());
        let none = Tool::new("now", &json!({"type": "object"})).expect("a schema");
        let accepted = Call::new(&none).with_settings(&off).finish(End::Complete).expect("no arguments");
        assert_eq!((accepted.verdict(), accepted.text()), (Verdict::Normalized, "{}"));
    }

    /// One event for each call, which names sizes and actions and holds nothing of the text.
    #[cfg(feature = "tracing")]
    #[test]
    fn events_hold_no_contents() {
        use std::sync::{Arc, Mutex};
        use tracing::span::{Attributes, Id, Record};
        use tracing::{Event, Metadata, Subscriber, field};

        #[derive(Clone, Default)]
        struct Heard(Arc<Mutex<Vec<String>>>);

        impl field::Visit for Heard {
            fn record_debug(&mut self, field: &field::Field, value: &dyn std::fmt::Debug) {
                self.0.lock().expect("no panic").push(format!("{}={value:?}", field.name()));
            }
        }

        impl Subscriber for Heard {
            fn enabled(&self, _: &Metadata<'_>) -> bool {
                true
            }

            fn new_span(&self, _: &Attributes<'_>) -> Id {
                Id::from_u64(1)
            }

            fn record(&self, _: &Id, _: &Record<'_>) {}

            fn record_follows_from(&self, _: &Id, _: &Id) {}

            fn event(&self, event: &Event<'_>) {
                event.record(&mut self.clone());
            }

            fn enter(&self, _: &Id) {}

            fn exit(&self, _: &Id) {}
        }

        let heard = Heard::default();
        tracing::subscriber::with_default(heard.clone(), || {
            let settings = Settings::default().with_policy(Policy::Full);
            let source = Source { provider: "acme", model: "m-1" };
            for text in [r#"{"args":{"command":"secret"}}"#, r#"{"command":"secret"#] {
                Stats::default().record(source, Some(&tool()), &judged(text, &settings));
            }
        });
        let heard = heard.0.lock().expect("no panic").join(" ");
        assert_eq!(
            heard,
            "message=call provider=\"acme\" model=\"m-1\" tool=\"bash\" outcome=\"normalized\" \
             actions=\"unwrap:args\" bytes_before=29 bytes_after=20 \
             message=call provider=\"acme\" model=\"m-1\" tool=\"bash\" outcome=\"truncated-in-string\" \
             actions=\"\" bytes_before=18 bytes_after=0"
        );
    }
}
