//! One tool call: its deltas, its live view, its end.

pub(crate) mod partial;

use crate::call::partial::Partial;
use crate::judge::guard::Watch;
use crate::judge::{self, Statement};
use crate::schema::Tool;
use crate::settings::Settings;
use crate::syntax::Machine;
use crate::syntax::event::{Silent, Sink};
use crate::verdict::code::{Code, End, Opening};
use crate::verdict::diagnosis::Diagnosis;
use crate::verdict::outcome::{Accepted, Rejected};

/// What is known after a delta.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Progress {
    /// The root is closed; only blanks may follow.
    Complete,
    /// The text goes on.
    Open,
    /// No end and no further byte brings this call back.
    Rejected,
    /// Rejected, by a byte after a closed root: more bytes refine what is said of them.
    Trailing,
}

impl Progress {
    /// Every progress, in alphabetical order.
    pub const ALL: [Self; 4] = [Self::Complete, Self::Open, Self::Rejected, Self::Trailing];

    /// The name used in the outside form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Open => "open",
            Self::Rejected => "rejected",
            Self::Trailing => "trailing",
        }
    }
}

/// One tool call that is being received.
///
/// Feeding cannot fail, a rejection is final, and whatever is fed after it only refines what is told.
///
/// ```
/// use argseal::{Call, Cursor, End};
/// let mut call = Call::default();
/// let mut content = Cursor::member("content");
/// let mut shown = String::new();
/// for delta in [r#"{"path":"a.md","cont"#, r##"ent":"# Ti"##, r#"tle\nText"}"#] {
///     call.feed(delta);
///     if let Some(grown) = call.partial().take(&mut content) { shown.push_str(grown.text) }
/// }
/// assert_eq!(shown, "# Title\nText");
/// assert_eq!(call.finish(End::Complete)?.text().len(), 41);
/// # Ok::<(), argseal::Rejected>(())
/// ```
#[derive(Default)]
#[repr(C, align(64))]
pub struct Call {
    /// The limits that the tool's owner set, if any.
    watch: Option<Box<Watch>>,
    machine: Machine,
    tool: Option<Tool>,
    settings: Settings,
    diagnosis: Option<Box<Diagnosis>>,
}

impl Call {
    /// A call of this tool, under default settings.
    #[inline]
    pub fn new(tool: &Tool) -> Self {
        let settings = Settings::default();
        let watch = Watch::new(tool, &settings);
        Self { watch, machine: Machine::default(), tool: Some(tool.clone()), settings, diagnosis: None }
    }

    /// The same under other settings. For a call that has not been fed.
    #[inline]
    #[must_use]
    pub fn with_settings(mut self, settings: &Settings) -> Self {
        self.machine.set_limits(settings.limits());
        self.machine.set_numbers(settings.numbers());
        self.settings = settings.clone();
        self.watch = self.tool.as_ref().and_then(|tool| Watch::new(tool, settings));
        self
    }

    /// Names the tool, if the name comes after arguments. What has come is read again, if the tool's owner limits the
    /// length of a member.
    pub fn set_tool(&mut self, tool: &Tool) {
        let had_limits = self.watch.is_some();
        self.tool = Some(tool.clone());
        self.watch = Watch::new(tool, &self.settings);
        if (had_limits || self.watch.is_some()) && self.machine.len() > 0 {
            let text = self.raw_bytes().into_owned();
            self.machine = Machine::new(self.settings.limits());
            self.machine.set_numbers(self.settings.numbers());
            self.diagnosis = None;
            self.feed_bytes(&text);
        } else if let Some(stop) = self.machine.stop() {
            // The tool's schema has a say in the advice.
            self.diagnosis = Some(Box::new(judge::stopped(&self.machine, stop, Some(tool))));
        }
    }

    /// Reads the next delta. Costs its own length.
    #[inline]
    pub fn feed(&mut self, delta: &str) -> Progress {
        self.feed_with(delta, &mut Silent)
    }

    /// Reads the next delta of bytes, which may be cut inside a UTF-8 sequence.
    pub fn feed_bytes(&mut self, delta: &[u8]) -> Progress {
        self.feed_bytes_with(delta, &mut Silent)
    }

    /// Reads the next delta and tells the sink what it holds. What follows a rejection is told to no sink.
    #[inline]
    pub fn feed_with<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) -> Progress {
        if self.watch.is_none() && !sink.hears_text() && self.machine.feed_quiet(delta) {
            return Progress::Open;
        }
        self.feed_any(delta, sink)
    }

    #[inline(never)]
    fn feed_any<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) -> Progress {
        match (&mut self.watch, &self.tool) {
            (Some(watch), Some(tool)) => {
                let passed = watch.feed(&mut self.machine, tool, delta, sink);
                self.diagnosis = passed.map(Box::new).or(self.diagnosis.take());
            }
            (Some(_) | None, _) => self.machine.feed_any(delta, sink),
        }
        self.progress()
    }

    /// As [`feed_with`](Self::feed_with), of bytes that may cut a character.
    pub fn feed_bytes_with<S: Sink + ?Sized>(&mut self, delta: &[u8], sink: &mut S) -> Progress {
        match (&mut self.watch, &self.tool) {
            (Some(watch), Some(tool)) => {
                let passed = watch.feed_bytes(&mut self.machine, tool, delta, sink);
                self.diagnosis = passed.map(Box::new).or(self.diagnosis.take());
            }
            (Some(_) | None, _) => self.machine.feed_bytes(delta, sink),
        }
        self.progress()
    }

    fn progress(&mut self) -> Progress {
        let Some(stop) = self.machine.stop() else {
            return if self.machine.is_complete() { Progress::Complete } else { Progress::Open };
        };
        let trailing = stop.is_trailing();
        if self.diagnosis.is_none() {
            self.diagnosis = Some(Box::new(judge::stopped(&self.machine, stop, self.tool.as_ref())));
        }
        if trailing { Progress::Trailing } else { Progress::Rejected }
    }

    /// What is there so far.
    pub fn partial(&self) -> Partial<'_> {
        Partial::new(&self.machine, self.tool.as_ref())
    }

    /// The text so far: the longest prefix of it that is UTF-8.
    pub fn raw(&self) -> &str {
        self.machine.document.text()
    }

    /// The bytes so far. They differ from [`raw`](Self::raw) only where what was fed is not UTF-8, or is cut inside a
    /// sequence; only then are they copied.
    pub fn raw_bytes(&self) -> std::borrow::Cow<'_, [u8]> {
        let text = self.raw().as_bytes();
        match self.machine.tail() {
            [] => text.into(),
            tail => [text, tail].concat().into(),
        }
    }

    /// Why the call is rejected, as soon as it is known. The fault is provisional until the end.
    pub fn diagnosis(&self) -> Option<&Diagnosis> {
        self.diagnosis.as_deref()
    }

    /// Rejected: no byte and no end brings it back.
    pub fn is_decided(&self) -> bool {
        self.machine.stop().is_some()
    }

    /// The root is closed and nothing but blanks follows it.
    pub fn is_complete(&self) -> bool {
        self.machine.is_complete()
    }

    /// The tool, if it is known.
    pub fn tool(&self) -> Option<&Tool> {
        self.tool.as_ref()
    }

    /// Ends the call and judges it.
    ///
    /// # Errors
    /// The rejection, with its diagnosis.
    #[inline]
    pub fn finish(mut self, end: End) -> Result<Accepted, Rejected> {
        self.decide(end)
    }

    // Apart from `finish`, which is inlined so that the call is judged where it is.
    fn decide(&mut self, end: End) -> Result<Accepted, Rejected> {
        let statement = Statement::new(&mut self.machine).with_early(self.diagnosis.as_deref());
        judge::decide(statement, self.tool.as_ref(), &self.settings, end)
    }

    /// Ends the call and judges it together with the full value that the provider's done event states. An empty value
    /// states nothing.
    ///
    /// # Errors
    /// The rejection, with its diagnosis; `final-mismatch` where deltas and full value disagree.
    pub fn finish_with(mut self, end: End, r#final: &str) -> Result<Accepted, Rejected> {
        let statement = Statement::new(&mut self.machine).with_early(self.diagnosis.as_deref());
        match judge::reconcile(statement, r#final, &self.settings) {
            Ok(statement) => judge::decide(statement, self.tool.as_ref(), &self.settings, end),
            Err(mismatch) => Err(mismatch.reject(self.tool.as_ref(), end)),
        }
    }

    /// Rejects the call for a reason that is not in its text.
    pub(crate) fn reject_as(self, code: Code, end: End) -> Rejected {
        self.reject_with(Diagnosis::new(code), end)
    }

    /// As [`reject_as`](Self::reject_as), with more to say.
    pub(crate) fn reject_with(mut self, diagnosis: Diagnosis, end: End) -> Rejected {
        let statement = Statement::new(&mut self.machine);
        statement.reject(diagnosis, self.tool.as_ref(), Opening::Arguments, end)
    }

    /// Heap bytes that the call holds.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.machine.heap_bytes()
    }
}

/// Prints sizes and the code, never contents.
impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("document", &self.machine.document)
            .field("code", &self.diagnosis.as_ref().map(|diagnosis| diagnosis.code()))
            .finish()
    }
}

/// Judges a whole text at once.
///
/// # Errors
/// The rejection, with its diagnosis.
///
/// ```
/// use argseal::{End, Tool, judge};
/// let tool = Tool::opaque("now");
/// assert!(judge(&tool, r#"{"zone":"UTC"}"#, End::Complete).is_ok());
/// let rejected = judge(&tool, r#"{"zone":"U"#, End::Complete).unwrap_err();
/// assert_eq!(rejected.diagnosis().code().name(), "truncated-in-string");
/// ```
pub fn judge(tool: &Tool, text: &str, end: End) -> Result<Accepted, Rejected> {
    let mut call = Call::new(tool);
    call.feed(text);
    call.finish(end)
}

const _: () = {
    const fn stored<T: Send + Sync + 'static>() {}
    stored::<Call>();
    stored::<Tool>();
    stored::<crate::schema::Tools>();
    stored::<Settings>();
    stored::<Accepted>();
    stored::<Rejected>();
    stored::<Diagnosis>();
    stored::<partial::Cursor>();
    const fn lent<T: Send + Sync>() {}
    lent::<Partial<'static>>();
    assert!(size_of::<Call>() <= 640);
    assert!(size_of::<Result<Accepted, Rejected>>() <= 400);
};
