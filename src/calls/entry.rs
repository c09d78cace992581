//! One call under way: its name, its text, and what was seen of its end.

use super::ending::{Marker, Next, Root};
use super::halves::Halves;
use super::text::{Kept, Text};
use super::{Ended, Key, Payload, Settled};
use crate::call::{Call, Progress};
use crate::schema::{Tool, Tools};
use crate::settings::Settings;
use crate::verdict::code::{Code, End};
use crate::verdict::diagnosis::{Diagnosis, Unit};
use crate::verdict::note::{Note, NoteKind};

/// One call of the response, not yet settled.
pub(super) struct Entry {
    pub(super) key: Key,
    /// The provider's number of the choice, if it gave one.
    pub(super) choice: Option<u64>,
    pub(super) index: Option<u64>,
    pub(super) id: Option<Box<str>>,
    pub(super) tool: Option<Tool>,
    pub(super) body: Body,
    pub(super) deltas: u64,
    pub(super) bytes: u64,
    pub(super) marker: Marker,
    /// When the call was opened, and when it last changed.
    pub(super) opened: u64,
    pub(super) touched: u64,
    /// Part of the text may be lost.
    pub(super) hurt: bool,
    /// Which terminal reason of the stream is this call's.
    pub(super) turn: usize,
    /// The start event's value: a statement once the call has ended.
    initial: Option<Box<str>>,
    refused: Option<Code>,
    /// The stated value, where it stands beside deltas.
    statement: Option<Box<str>>,
    notes: Vec<Note>,
    name: Name,
}

/// What a call's text is.
pub(super) enum Body {
    /// Arguments: JSON, judged.
    Arguments(Box<Text>),
    /// The first call beyond the limit, and how many others there are: their text is counted and not kept.
    Beyond { limit: u64, others: u64 },
    /// The free text of a custom tool.
    Free(Free),
}

/// Free text, in bytes until it is whole.
#[derive(Default)]
pub(super) struct Free {
    text: Vec<u8>,
    halves: Halves,
}

impl Entry {
    pub(super) fn new(key: Key, body: Body, opened: u64, turn: usize) -> Self {
        Self {
            key,
            choice: None,
            index: None,
            id: None,
            tool: None,
            body,
            deltas: 0,
            bytes: 0,
            marker: Marker::Absent,
            opened,
            touched: opened,
            hurt: false,
            turn,
            initial: None,
            refused: None,
            statement: None,
            notes: Vec::new(),
            name: Name::default(),
        }
    }

    /// A name, or a piece of one, has come. `""` is none.
    pub(super) fn set_name(&mut self, name: &str, tools: &Tools) {
        let text = matches!(&self.body, Body::Arguments(text) if !text.is_empty());
        let phase = if text { Phase::Arguments } else { Phase::Name };
        if self.name.add(name, phase, tools) == Added::Joined {
            self.note(NoteKind::JoinedName);
        }
        self.tool = tools.get(&self.name.text).cloned();
        if let (Body::Arguments(text), Some(tool)) = (&mut self.body, &self.tool) {
            text.set_tool(tool);
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], settings: &Settings) -> Progress {
        self.deltas += 1;
        self.bytes += bytes.len() as u64;
        match &mut self.body {
            Body::Arguments(text) => match text.feed(bytes, self.tool.as_ref(), settings) {
                (progress, Kept::AsSent) => progress,
                (progress, Kept::WithoutPrefix) => {
                    self.note(NoteKind::LeadingEmptyObject);
                    progress
                }
                (progress, Kept::WithoutResent) => {
                    self.note(NoteKind::CumulativeDeltas);
                    progress
                }
            },
            Body::Beyond { .. } => Progress::Rejected,
            Body::Free(free) if free.text.len() + bytes.len() <= settings.limits().text as usize => {
                free.halves.pass(bytes, |bytes| free.text.extend_from_slice(bytes));
                Progress::Open
            }
            Body::Free(_) => {
                self.refuse(Code::SizeLimit);
                Progress::Rejected
            }
        }
    }

    /// The full value, as a `done` event or a start event states it. `""` is no statement.
    pub(super) fn state(&mut self, statement: &str) {
        if statement.trim_ascii().is_empty() {
            return;
        }
        match &mut self.body {
            Body::Arguments(text) => {
                let sent = text.call().raw();
                match &self.statement {
                    Some(before) if **before == *statement || statement == sent => {}
                    Some(before) if **before != *sent => self.refused = Some(Code::FinalMismatch),
                    Some(_) | None => self.statement = Some(statement.into()),
                }
            }
            Body::Beyond { .. } => {}
            Body::Free(free) if statement.as_bytes().starts_with(&free.text) => {
                *free = Free { text: statement.into(), halves: Halves::default() };
            }
            Body::Free(_) => self.note(NoteKind::FinalDiffers),
        }
    }

    /// The value that the start event carried. Deltas may follow it: it counts when the call has ended.
    pub(super) fn state_initially(&mut self, statement: &str) {
        if !matches!(self.body, Body::Beyond { .. }) {
            self.initial = Some(statement.into());
        }
    }

    /// The call has ended: no delta will follow.
    pub(super) fn end(&mut self) {
        if let Some(initial) = self.initial.take() {
            self.state(&initial);
        }
    }

    /// Whatever the text is, the call is rejected with this code.
    pub(super) fn refuse(&mut self, code: Code) {
        self.refused = Some(code);
    }

    pub(super) fn name(&self) -> Option<&str> {
        (!self.name.text.is_empty()).then_some(&*self.name.text)
    }

    pub(super) fn call(&self) -> Option<&Call> {
        match &self.body {
            Body::Arguments(text) => Some(text.call()),
            Body::Beyond { .. } | Body::Free(_) => None,
        }
    }

    /// The root of the text; where that is not closed, of the stated value.
    pub(super) fn root(&self, settings: &Settings) -> Root {
        match &self.body {
            Body::Arguments(text) => match text.root() {
                Root::Blank | Root::Open if self.is_stated(settings) => Root::Closed,
                root => root,
            },
            Body::Beyond { .. } if self.bytes == 0 => Root::Blank,
            Body::Beyond { .. } => Root::Open,
            Body::Free(_) if self.marker == Marker::Normal => Root::Closed,
            Body::Free(free) if free.text.is_empty() => Root::Blank,
            Body::Free(_) => Root::Open,
        }
    }

    /// The provider states a full value, and it is whole: it takes the place of what may be missing in the deltas.
    pub(super) fn is_stated(&self, settings: &Settings) -> bool {
        self.statement.as_deref().is_some_and(|statement| {
            let mut probe = Call::default().with_settings(settings);
            probe.feed(statement) == Progress::Complete
        })
    }

    /// No byte and no end brings this call back.
    pub(super) fn is_decided(&self) -> bool {
        match &self.body {
            Body::Arguments(text) => self.name.conflicts() || self.refused.is_some() || text.call().is_decided(),
            Body::Beyond { .. } => true,
            Body::Free(_) => self.refused.is_some(),
        }
    }

    /// The text can be trusted although its end is not a normal one.
    pub(super) fn is_certain(&self) -> bool {
        match &self.body {
            Body::Arguments(text) => text.is_certain(),
            Body::Beyond { .. } | Body::Free(_) => true,
        }
    }

    pub(super) fn progress(&self) -> Progress {
        match &self.body {
            Body::Arguments(text) => text.progress(),
            Body::Beyond { .. } => Progress::Rejected,
            Body::Free(_) => Progress::Open,
        }
    }

    /// Judges the call; `tools` is there only if the host gave a list.
    pub(super) fn settle(mut self, root: Root, next: Next, end: End, loss: Loss, tools: Option<&Tools>) -> Settled {
        if loss == Loss::Suffered {
            self.note(NoteKind::LostEvent);
        }
        let refusal = if self.name.conflicts() {
            Some(Code::CallConflict)
        } else {
            self.refused.or_else(|| tools.filter(|_| self.tool.is_none()).map(|_| Code::UnknownTool))
        };
        let payload = match self.body {
            Body::Arguments(text) => {
                let call = text.into_call();
                Payload::Arguments(match refusal {
                    Some(code) => Err(call.reject_as(code, end)),
                    None => call.finish_with(end, self.statement.as_deref().unwrap_or_default()),
                })
            }
            Body::Beyond { limit, others } => {
                let size = limit.saturating_add(1).saturating_add(others);
                let diagnosis = Diagnosis::new(Code::CallLimit).with_limit(size, limit, Unit::Calls);
                Payload::Arguments(Err(Call::default().reject_with(diagnosis, end)))
            }
            Body::Free(Free { mut text, halves }) => {
                halves.end(|half| text.extend_from_slice(half));
                match (refusal.filter(|code| *code != Code::UnknownTool), String::from_utf8(text)) {
                    (None, Ok(text)) => Payload::Text(text),
                    (Some(code), _) => Payload::Arguments(Err(Call::default().reject_as(code, end))),
                    (None, Err(_)) => Payload::Arguments(Err(Call::default().reject_as(Code::InvalidUtf8, end))),
                }
            }
        };
        Settled {
            key: self.key,
            choice: self.choice,
            index: self.index,
            id: self.id.map(String::from),
            name: (!self.name.text.is_empty()).then_some(self.name.text),
            tool: self.tool,
            payload,
            ended: Ended {
                deltas: self.deltas,
                bytes: self.bytes,
                root,
                marker: self.marker,
                next,
                end,
                turn: self.turn,
            },
            notes: self.notes,
        }
    }
}

impl Entry {
    fn note(&mut self, kind: NoteKind) {
        if self.notes.iter().all(|note| note.kind() != kind) {
            self.notes.push(Note::new(kind));
        }
    }
}

/// Whether an event of the stream was lost while a call was open.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Loss {
    None,
    Suffered,
}

/// The name of a call: set once, whole or in pieces.
#[derive(Default)]
struct Name {
    text: String,
    pieces: Pieces,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Pieces {
    /// One piece, repeated or not.
    #[default]
    One,
    /// Several, which make up a declared name, none of them being one.
    Joined,
    /// Several, which do not (yet) make up a declared name.
    Loose,
    /// A second name: the call is given two identities.
    Conflict,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Phase {
    Name,
    Arguments,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Added {
    Joined,
    Nothing,
}

impl Name {
    fn add(&mut self, piece: &str, phase: Phase, tools: &Tools) -> Added {
        if piece.is_empty() || piece == self.text {
            return Added::Nothing;
        }
        if self.text.is_empty() {
            piece.clone_into(&mut self.text);
            return Added::Nothing;
        }
        let whole = |name: &str| tools.get(name).is_some();
        let joinable = match self.pieces {
            Pieces::One => !whole(&self.text) && !whole(piece),
            Pieces::Loose => !whole(piece),
            Pieces::Joined | Pieces::Conflict => false,
        };
        if phase == Phase::Arguments || !joinable || self.text.len() + piece.len() > MAX_NAME {
            self.pieces = Pieces::Conflict;
            return Added::Nothing;
        }
        self.text.push_str(piece);
        if whole(&self.text) {
            self.pieces = Pieces::Joined;
            Added::Joined
        } else {
            self.pieces = Pieces::Loose;
            Added::Nothing
        }
    }

    fn conflicts(&self) -> bool {
        matches!(self.pieces, Pieces::Loose | Pieces::Conflict)
    }
}

/// Bytes of a name in pieces; the longest that a provider takes is 128.
const MAX_NAME: usize = 1024;
