//! Which result answers which call; and where what is missing may stand.
//!
//! A result answers the last call before it that has its id and no result yet. What has no id is never called missing.

use std::collections::HashMap;
use std::ops::Range;

use super::close;
use super::edit::Edit;
use super::finding::{Effect, Finding, FindingKind};
use super::forms::{Form, Message, Part, ResultSite};
use crate::document::{Kind, ValueRef};

/// What becomes of results without a call, and of calls without a result.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Unpaired {
    /// The call gets a result that says that none was recorded; the result is said by the user, as text, in the place
    /// where text may stand.
    Close,
    /// They stay, and are reported.
    #[default]
    Report,
}

/// See the module.
pub(super) struct Pairing {
    messages: Vec<Range<usize>>,
    /// Whether a result's call would be here.
    is_whole: bool,
    calls: Vec<Call>,
    /// The calls that wait for their result, by id.
    open: HashMap<String, Vec<usize>>,
    places: Vec<Place>,
    /// Chat messages that are results without a call, and what the user says in their place.
    moved: Vec<(usize, String)>,
}

struct Call {
    message: usize,
    id: String,
    name: String,
    form: Form,
    is_answered: bool,
}

/// What a message is to those around it.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Place {
    ChatResult,
    ItemCall,
    Other,
    /// A message of the user that has a list of blocks; where the first one begins.
    UserBlocks(usize, Blocks),
    /// A message of the user that is a text.
    UserText(Range<usize>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Blocks {
    None,
    Some,
}

impl Pairing {
    pub(super) fn new(messages: Vec<Range<usize>>, is_whole: bool) -> Self {
        let places = Vec::with_capacity(messages.len());
        Self { messages, is_whole, calls: Vec::new(), open: HashMap::new(), places, moved: Vec::new() }
    }

    /// Where a message stands.
    pub(super) fn range(&self, message: usize) -> Range<usize> {
        self.messages[message].clone()
    }

    /// What is no message.
    pub(super) fn pass(&mut self) {
        self.places.push(Place::Other);
    }

    /// A message that cannot be read may hold any call and any result.
    pub(super) fn skip(&mut self) {
        self.pass();
        self.is_whole = false;
        for call in self.open.drain().flat_map(|(_, calls)| calls) {
            self.calls[call].is_answered = true;
        }
    }

    /// The next message.
    pub(super) fn message(
        &mut self,
        read: &Message<'_>,
        message: usize,
        unpaired: Unpaired,
        edits: &mut Vec<Edit>,
        findings: &mut Vec<Finding>,
    ) {
        for call in &read.calls {
            let Some(id) = call.id else { continue };
            self.open.entry(id.to_owned()).or_default().push(self.calls.len());
            let (id, name) = (id.to_owned(), call.name.to_owned());
            self.calls.push(Call { message, id, name, form: call.form, is_answered: false });
        }
        let start = self.messages[message].start;
        self.places.push(place(read.part, start));
        self.is_whole &= !matches!(read.part, Part::Reference);
        let mut orphans: Vec<&ResultSite<'_>> = Vec::new();
        for result in &read.results {
            let Some(id) = result.id.filter(|id| !self.answers(id) && self.is_whole) else { continue };
            let effect = unpaired.effect();
            findings.push(Finding::new(message, Some(id), None, FindingKind::Orphaned, effect));
            orphans.push(result);
        }
        if unpaired == Unpaired::Report || orphans.is_empty() {
            return;
        }
        match read.part {
            Part::User(Some(content)) => edits.push(blocks(content, &orphans, start)),
            Part::ChatResult => self.moved.extend(orphans.iter().map(|orphan| (message, close::said(orphan)))),
            Part::ItemCall | Part::Other | Part::Reference | Part::User(None) => {
                edits.extend(orphans.iter().map(|orphan| {
                    let span = orphan.whole.span().range();
                    Edit { range: start + span.start..start + span.end, text: close::said(orphan) }
                }));
            }
        }
    }

    /// Whether a call waits for this result; it waits no more.
    fn answers(&mut self, id: &str) -> bool {
        let call = self.open.get_mut(id).and_then(Vec::pop);
        call.is_some_and(|call| {
            self.calls[call].is_answered = true;
            true
        })
    }

    /// All messages have come: what has no result by now has none.
    pub(super) fn finish(self, unpaired: Unpaired, edits: &mut Vec<Edit>, findings: &mut Vec<Finding>) {
        let unanswered: Vec<&Call> = self.calls.iter().filter(|call| !call.is_answered).collect();
        findings.extend(unanswered.iter().map(|call| {
            let kind = FindingKind::Unanswered;
            Finding::new(call.message, Some(&call.id), Some(&call.name), kind, unpaired.effect())
        }));
        if unpaired == Unpaired::Report {
            return;
        }
        let runs = self.runs();
        for calls in unanswered.chunk_by(|a, b| a.message == b.message) {
            let Some(first) = calls.first() else { continue };
            let blocks: Vec<String> =
                calls.iter().filter(|c| c.form == Form::Block).map(|c| close::result(&c.id, c.form)).collect();
            if !blocks.is_empty() {
                self.answer(first.message, &blocks.join(","), edits);
            }
            for call in calls.iter().filter(|call| call.form != Form::Block) {
                edits.push(self.after(runs[call.message], &close::result(&call.id, call.form)));
            }
        }
        // After the results: nothing may stand between a Chat message and those that answer it.
        for (message, said) in &self.moved {
            let whole = self.messages[*message].clone();
            match message.checked_sub(1) {
                None => edits.push(Edit { range: whole, text: said.clone() }),
                Some(before) => {
                    edits.push(Edit { range: self.messages[before].end..whole.end, text: String::new() });
                    edits.push(self.after(runs[*message], said));
                }
            }
        }
    }

    /// The blocks that answer the calls of an Anthropic message: the first ones of the message after it.
    fn answer(&self, message: usize, blocks: &str, edits: &mut Vec<Edit>) {
        let mut insert = |at: usize, text: String| edits.push(Edit { range: at..at, text });
        match self.places.get(message + 1) {
            Some(Place::UserBlocks(at, Blocks::Some)) => insert(*at, format!("{blocks},")),
            Some(Place::UserBlocks(at, Blocks::None)) => insert(*at, blocks.to_owned()),
            Some(Place::UserText(text)) if text.len() <= EMPTY.len() => {
                edits.push(Edit { range: text.clone(), text: format!("[{blocks}]") });
            }
            Some(Place::UserText(text)) => {
                insert(text.start, format!(r#"[{blocks},{{"type":"text","text":"#));
                insert(text.end, "}]".to_owned());
            }
            Some(Place::ChatResult | Place::ItemCall | Place::Other) | None => {
                edits.push(self.after(message, &format!(r#"{{"role":"user","content":[{blocks}]}}"#)));
            }
        }
    }

    fn after(&self, message: usize, new: &str) -> Edit {
        let end = self.messages[message].end;
        Edit { range: end..end, text: format!(",{new}") }
    }

    /// For each message the last one of the results, or of the calls beside it, that follow it without a gap.
    fn runs(&self) -> Vec<usize> {
        let mut runs: Vec<usize> = (0..self.places.len()).collect();
        for message in (1..runs.len()).rev() {
            let goes_on = match (&self.places[message - 1], &self.places[message]) {
                (_, Place::ChatResult) | (Place::ItemCall, Place::ItemCall) => true,
                (_, Place::ItemCall | Place::Other | Place::UserBlocks(..) | Place::UserText(_)) => false,
            };
            if goes_on {
                runs[message - 1] = runs[message];
            }
        }
        runs
    }
}

/// A text without content, which no block may hold.
const EMPTY: &str = r#""""#;

impl Unpaired {
    fn effect(self) -> Effect {
        match self {
            Self::Close => Effect::Changed,
            Self::Report => Effect::Reported,
        }
    }
}

fn place(part: Part<'_>, start: usize) -> Place {
    match part {
        Part::ChatResult => Place::ChatResult,
        Part::ItemCall => Place::ItemCall,
        Part::User(Some(content)) => {
            let span = content.span().range();
            match content.kind() {
                Kind::Array => {
                    let blocks = if content.elements().next().is_some() { Blocks::Some } else { Blocks::None };
                    Place::UserBlocks(start + span.start + 1, blocks)
                }
                Kind::String => Place::UserText(start + span.start..start + span.end),
                Kind::Boolean | Kind::Null | Kind::Number | Kind::Object => Place::Other,
            }
        }
        Part::Other | Part::Reference | Part::User(None) => Place::Other,
    }
}

/// The blocks of an Anthropic message with the orphans turned into text, after the results that stay: those come first.
fn blocks(content: ValueRef<'_>, orphans: &[&ResultSite<'_>], start: usize) -> Edit {
    let mut orphaned = orphans.iter().peekable();
    let mut kept = Vec::new();
    for block in content.elements() {
        match orphaned.next_if(|orphan| orphan.whole.node() == block.node()) {
            Some(_) => {}
            None => kept.push(block.text().to_owned()),
        }
    }
    kept.extend(orphans.iter().map(|orphan| close::said(orphan)));
    let span = content.span().range();
    Edit { range: start + span.start + 1..start + span.end - 1, text: kept.join(",") }
}
