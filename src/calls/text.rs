//! The argument text of one call, as the deltas make it up.
//!
//! Two rules leave bytes out, and nothing else does: a leading `{}` that a start event leaked, and what a provider sends
//! again in deltas that each hold the whole text so far.

use super::ending::Root;
use super::halves::Halves;
use crate::call::{Call, Progress};
use crate::schema::Tool;
use crate::settings::Settings;

/// The text under way.
pub(super) struct Text {
    call: Call,
    progress: Progress,
    closed: Closed,
    resends: Resends,
    input: Input,
    halves: Halves,
    /// Bytes fed to the call.
    len: usize,
}

/// Whether the format's start event carries an initial input, so that a `{}` may have leaked from there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Input {
    Absent,
    Carried,
}

/// Whether each delta may hold the whole text so far.
#[derive(Clone, Eq, PartialEq)]
pub(super) enum Resends {
    /// Not known; found by the latched rule.
    Unknown,
    /// The format is documented to do so: one byte of evidence is enough.
    Expected,
    /// This delta repeated a text of one byte. The next one decides.
    Doubtful(Box<[u8]>),
    /// Latched where an object might as well have been nested in itself: not acceptable before a second resend, if cut.
    Likely,
    /// Latched.
    Certain,
}

/// What became of a delta.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kept {
    AsSent,
    WithoutPrefix,
    WithoutResent,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Closed {
    No,
    Once,
}

impl Text {
    pub(super) fn new(input: Input, resends: Resends, tool: Option<&Tool>, settings: &Settings) -> Self {
        Self {
            call: fresh(tool, settings),
            progress: Progress::Open,
            closed: Closed::No,
            resends,
            input,
            halves: Halves::default(),
            len: 0,
        }
    }

    pub(super) fn set_tool(&mut self, tool: &Tool) {
        self.call.set_tool(tool);
    }

    pub(super) fn feed(&mut self, bytes: &[u8], tool: Option<&Tool>, settings: &Settings) -> (Progress, Kept) {
        let (bytes, kept) = self.without_resent(bytes, tool, settings);
        let kept = match self.without_empty_object(bytes, tool) {
            Some(rest) => {
                self.restart(tool, settings);
                self.append(rest);
                Kept::WithoutPrefix
            }
            None => {
                self.append(bytes);
                kept
            }
        };
        (self.progress, kept)
    }

    pub(super) fn progress(&self) -> Progress {
        self.progress
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn is_blank(&self) -> bool {
        self.halves.is_empty() && self.call.raw().len() == self.len && self.call.raw().trim_ascii().is_empty()
    }

    pub(super) fn root(&self) -> Root {
        match self.closed {
            Closed::Once => Root::Closed,
            Closed::No if self.is_blank() => Root::Blank,
            Closed::No => Root::Open,
        }
    }

    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    /// The call, ready to be judged.
    pub(super) fn into_call(mut self) -> Call {
        std::mem::take(&mut self.halves).end(|bytes| self.push(bytes));
        self.call
    }

    /// Whether the text can be trusted although its end is not a normal one.
    pub(super) fn is_certain(&self) -> bool {
        self.resends != Resends::Likely
    }

    fn restart(&mut self, tool: Option<&Tool>, settings: &Settings) {
        self.call = fresh(tool, settings);
        self.progress = Progress::Open;
        self.closed = Closed::No;
        self.halves = Halves::default();
        self.len = 0;
    }

    /// The latched rule: a text is cumulative once a delta is longer than all text so far and starts with it.
    ///
    /// A text of one byte proves nothing (`{` begins most deltas that begin a value); where a value may begin, the
    /// delta may be an object nested in one of the same beginning.
    fn without_resent<'b>(&mut self, bytes: &'b [u8], tool: Option<&Tool>, settings: &Settings) -> (&'b [u8], Kept) {
        if let Resends::Doubtful(before) = &self.resends {
            if bytes.is_empty() {
                return (bytes, Kept::AsSent);
            }
            let again = bytes.len() > before.len() && bytes.starts_with(before);
            self.resends = if again { Resends::Certain } else { Resends::Unknown };
            if again {
                self.restart(tool, settings);
                return (bytes, Kept::WithoutResent);
            }
        }
        let so_far = self.call.raw().as_bytes();
        if so_far.is_empty() || so_far.len() != self.len {
            return (bytes, Kept::AsSent);
        }
        let grown = bytes.len() > so_far.len() && bytes.starts_with(so_far);
        let new = || &bytes[so_far.len()..];
        match self.resends {
            Resends::Unknown if grown && so_far.len() == 1 => {
                self.resends = Resends::Doubtful(bytes.into());
                (bytes, Kept::AsSent)
            }
            Resends::Unknown if grown => {
                let nested = matches!(so_far.trim_ascii_end().last(), Some(b':' | b'[' | b','));
                let new = new();
                self.resends = if nested { Resends::Likely } else { Resends::Certain };
                (new, Kept::WithoutResent)
            }
            Resends::Expected | Resends::Likely | Resends::Certain if grown => {
                let new = new();
                self.resends = Resends::Certain;
                (new, Kept::WithoutResent)
            }
            Resends::Expected if bytes == so_far => {
                self.resends = Resends::Likely;
                (&[], Kept::WithoutResent)
            }
            Resends::Likely | Resends::Certain if bytes == so_far => (&[], Kept::WithoutResent),
            Resends::Unknown | Resends::Expected | Resends::Doubtful(_) | Resends::Likely | Resends::Certain => {
                (bytes, Kept::AsSent)
            }
        }
    }

    /// What follows a leading `{}`, where an object follows it and the `{}` is known not to be the model's.
    fn without_empty_object<'b>(&self, bytes: &'b [u8], tool: Option<&Tool>) -> Option<&'b [u8]> {
        if self.len > MAX_PREFIX || !self.halves.is_empty() {
            return None;
        }
        let leaked = self.input == Input::Carried || tool.is_some_and(|tool| tool.required().next().is_some());
        if !leaked {
            return None;
        }
        let mut wanted = b"{}".iter();
        for byte in self.call.raw().as_bytes() {
            match wanted.next() {
                Some(next) if next == byte => {}
                None if byte.is_ascii_whitespace() => {}
                Some(_) | None => return None,
            }
        }
        for (at, byte) in bytes.iter().enumerate() {
            match wanted.next() {
                Some(next) if next == byte => {}
                None if byte.is_ascii_whitespace() => {}
                None if *byte == b'{' => return Some(&bytes[at..]),
                Some(_) | None => return None,
            }
        }
        None
    }

    fn append(&mut self, bytes: &[u8]) {
        let mut halves = std::mem::take(&mut self.halves);
        halves.pass(bytes, |bytes| self.push(bytes));
        self.halves = halves;
    }

    fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.len += bytes.len();
        self.progress = match std::str::from_utf8(bytes) {
            Ok(text) => self.call.feed(text),
            Err(_) => self.call.feed_bytes(bytes),
        };
        match self.progress {
            Progress::Complete | Progress::Trailing => self.closed = Closed::Once,
            Progress::Open | Progress::Rejected => {}
        }
    }
}

fn fresh(tool: Option<&Tool>, settings: &Settings) -> Call {
    tool.map(Call::new).unwrap_or_default().with_settings(settings)
}

/// A `{}` with a few blanks: no longer text is looked at for it.
const MAX_PREFIX: usize = 16;
