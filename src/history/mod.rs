//! The calls of a recorded conversation, put right before it is sent again.
//!
//! A model imitates what it reads: a wrapper that stands in its own history comes back in the next call. And providers
//! refuse a conversation that holds arguments which are not one JSON object, for as long as it holds them. [`History`]
//! applies the rules of [normalization](crate::Rule) to the calls that the conversation holds. Whatever needs no change
//! stays byte for byte as it was; the order of messages, calls and results never changes, nothing is left out, and no
//! call is made up.
//!
//! Three forms are read, message by message: Anthropic (`tool_use`, `tool_result`), OpenAI Chat (`tool_calls`, role
//! `tool`) and OpenAI Responses (`function_call`, `function_call_output`).
//!
//! ```
//! use argseal::{History, Policy, Settings, Tool, Tools};
//! use serde_json::json;
//! let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
//! let tools: Tools = [Tool::new("bash", &schema)?].into_iter().collect();
//! let mut history = History::new(&Settings::default().with_policy(Policy::Full));
//! let body = r#"{"messages":[
//!   {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"bash","input":{"arguments":{"command":"ls"}}}]},
//!   {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.md"}]}]}"#;
//! let mended = history.mend(body, &tools)?;
//! assert_eq!(mended.text, body.replace(r#"{"arguments":{"command":"ls"}}"#, r#"{"command":"ls"}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod close;
mod edit;
mod finding;
mod forms;
mod memo;
mod outer;
mod pairing;

pub use finding::{Effect, Finding, FindingKind};
pub use outer::Unreadable;
pub use pairing::Unpaired;

use std::borrow::Cow;

use crate::schema::Tools;
use crate::settings::limits::Limits;
use crate::settings::{Numbers, Settings};
use crate::syntax::Machine;
use crate::verdict::diagnosis::{Transcript, transcript};
use answer::Answer;
use edit::{Edit, apply};
use forms::{CallSite, Carrier, Message};
use memo::Memo;
use outer::Outer;
use pairing::Pairing;

/// What becomes of arguments that are not one JSON object, in the history.
///
/// A string that holds the object is decoded first, where [`Rule::Decode`](crate::Rule::Decode) is on.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Unparseable {
    /// They stay, and are reported.
    #[default]
    Keep,
    /// `{"_rejected":"truncated-in-string"}`: see [`Transcript::Marker`].
    Marker,
    /// `{"INVALID_JSON":"…"}`, with the text as it was: see [`Transcript::Wrapped`].
    Wrapped,
}

/// Puts the calls of conversations right. Keep it from request to request: what it has said of a call's text it
/// remembers until a conversation comes without that call.
#[derive(Debug)]
pub struct History {
    settings: Settings,
    unparseable: Unparseable,
    unpaired: Unpaired,
    memo: Memo,
}

/// A conversation, put right.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mended<'m> {
    /// The conversation; borrowed where nothing was changed.
    pub text: Cow<'m, str>,
    /// What was changed and what is wrong, by message.
    pub findings: Vec<Finding>,
    /// How many messages there are.
    pub messages: usize,
    /// How many calls there are.
    pub calls: usize,
}

impl History {
    /// Under these settings: their rules of normalization and their limits count. The two repairs are never applied, for
    /// nobody knows any more how the text of a recorded call ended. [`Policy::Full`](crate::Policy::Full) is what
    /// unwraps.
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone().with_numbers(Numbers::Exact),
            unparseable: Unparseable::default(),
            unpaired: Unpaired::default(),
            memo: Memo::default(),
        }
    }

    /// The same with another choice for arguments that are not one JSON object.
    #[must_use]
    pub fn with_unparseable(self, unparseable: Unparseable) -> Self {
        Self { unparseable, ..self }
    }

    /// The same with another choice for results without a call and calls without a result.
    #[must_use]
    pub fn with_unpaired(self, unpaired: Unpaired) -> Self {
        Self { unpaired, ..self }
    }

    /// Puts the calls right in `text`: a JSON array of messages, or a request body with `messages` or `input`. `tools`
    /// are those of this very request. A call of a tool that is not among them is not touched; where there are none,
    /// names are not checked, and only text that is no JSON object is looked for.
    ///
    /// Takes time in the length of the text. A message that cannot be read is left as it was, and reported.
    ///
    /// # Errors
    /// There are no messages: the text is not JSON, or neither of the two forms.
    pub fn mend<'m>(&mut self, text: &'m str, tools: &Tools) -> Result<Mended<'m>, Unreadable> {
        let Outer { messages, is_whole } = Outer::read(text)?;
        self.memo.begin();
        let count = messages.len();
        let mut run = Run {
            history: self,
            tools,
            edits: Vec::new(),
            findings: Vec::new(),
            pairing: Pairing::new(messages, is_whole),
            calls: 0,
        };
        for message in 0..count {
            run.message(text, message);
        }
        let Run { mut edits, mut findings, pairing, calls, .. } = run;
        pairing.finish(self.unpaired, &mut edits, &mut findings);
        self.memo.end();
        findings.sort_by_key(|finding| finding.message);
        Ok(Mended { text: apply(text, edits), findings, messages: count, calls })
    }

    /// The arguments of one recorded call, for a host whose messages are not text: put right as in
    /// [`mend`](Self::mend), and one JSON object as the choice for unparseable text demands.
    pub fn arguments<'t>(&mut self, name: &str, text: &'t str, tools: &Tools) -> Cow<'t, str> {
        match &*self.memo.answer(name, text, tools, &self.settings) {
            Answer::AsSent | Answer::Left(_) | Answer::Untouched(_) => text.into(),
            Answer::Changed { text, .. } => text.clone().into(),
            Answer::Unparseable(code) => {
                self.form().map_or(text.into(), |form| transcript(form, *code, text).to_string().into())
            }
        }
    }

    /// What stands in for unparseable arguments.
    fn form(&self) -> Option<Transcript<'static>> {
        match self.unparseable {
            Unparseable::Keep => None,
            Unparseable::Marker => Some(Transcript::Marker),
            Unparseable::Wrapped => Some(Transcript::Wrapped { key: INVALID_JSON }),
        }
    }
}

/// The key under which Anthropic's documentation returns unreadable input to the model.
const INVALID_JSON: &str = "INVALID_JSON";

/// One pass over one conversation.
struct Run<'h> {
    history: &'h mut History,
    tools: &'h Tools,
    edits: Vec<Edit>,
    findings: Vec<Finding>,
    pairing: Pairing,
    calls: usize,
}

impl Run<'_> {
    fn message(&mut self, text: &str, message: usize) {
        let range = self.pairing.range(message);
        let start = range.start;
        let text = text.get(range).unwrap_or_default();
        if !text.starts_with('{') {
            return self.pairing.pass();
        }
        let machine = Machine::read(text, Limits::max());
        let Some(root) = machine.document.root().filter(|_| machine.is_complete() && machine.tail().is_empty()) else {
            self.findings.push(Finding::new(message, None, None, FindingKind::Unreadable, Effect::Reported));
            return self.pairing.skip();
        };
        let read = Message::read(root);
        for call in &read.calls {
            self.calls += 1;
            self.call(call, message, start);
        }
        let unpaired = self.history.unpaired;
        self.pairing.message(&read, message, unpaired, &mut self.edits, &mut self.findings);
    }

    fn call(&mut self, call: &CallSite<'_>, message: usize, start: usize) {
        let Some((arguments, carrier)) = call.arguments else { return };
        let text = match carrier {
            Carrier::Content => arguments.as_str().unwrap_or_default(),
            Carrier::Source => arguments.text(),
        };
        let answer = self.history.memo.answer(call.name, text, self.tools, &self.history.settings);
        let (kind, new) = match &*answer {
            Answer::AsSent => return,
            Answer::Changed { text, actions } => {
                (FindingKind::Shape { actions: actions.clone() }, Some(Cow::Borrowed(text.as_str())))
            }
            Answer::Left(code) => (FindingKind::Left { code: *code }, None),
            Answer::Untouched(code) => (FindingKind::Unparseable { code: *code }, None),
            Answer::Unparseable(code) => {
                // A string in place of the object holds what the model wrote.
                let raw = arguments.as_str().unwrap_or(text);
                let new = self.history.form().map(|form| transcript(form, *code, raw).to_string().into());
                (FindingKind::Unparseable { code: *code }, new)
            }
        };
        let effect = if new.is_some() { Effect::Changed } else { Effect::Reported };
        self.findings.push(Finding::new(message, call.id, Some(call.name), kind, effect));
        if let Some(new) = new {
            let span = arguments.span().range();
            let text = match carrier {
                Carrier::Content => close::string(&new),
                Carrier::Source => new.into_owned(),
            };
            self.edits.push(Edit { range: start + span.start..start + span.end, text });
        }
    }
}

const _: () = {
    const fn stored<T: Send + Sync + 'static>() {}
    stored::<History>();
};
