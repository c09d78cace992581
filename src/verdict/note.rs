//! Something worth knowing that changed nothing.

use serde::Serialize;

/// What a note speaks of.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Another object follows the closed root.
    AnotherObject,
    /// A closing tag follows the closed root.
    ClosingTag,
    /// Each delta held the whole text so far; only what was new was taken.
    CumulativeDeltas,
    /// The text after the closed root was too long to be kept; what is said of it speaks of its beginning.
    Cut,
    /// A code fence follows the closed root.
    Fence,
    /// A key stands twice with equal values.
    EqualDuplicate,
    /// The full value of the done event is not JSON; the deltas were judged alone.
    FinalBroken,
    /// The full value of the done event equals the deltas.
    FinalConfirmed,
    /// The done event of a custom tool states another text than the deltas, which were kept.
    FinalDiffers,
    /// The full value of the done event was judged in place of the deltas, which hold its beginning or nothing.
    FinalUsed,
    /// The name came in pieces.
    JoinedName,
    /// A leading `{}` was dropped by the assembler.
    LeadingEmptyObject,
    /// An event of the stream was lost while the call was open.
    LostEvent,
    /// What follows the closed root is of no known kind.
    OtherText,
    /// The root was `{}`, and the arguments follow it.
    PrefixedEmptyObject,
    /// The same value follows the closed root.
    Resent,
    /// A fraction has more digits than a double keeps: who reads it as one gets the nearest. Told of the first one.
    RoundedNumber,
    /// What normalization tried; the text was rejected as sent.
    Tried,
    /// A violation that the judgement in force does not demand.
    Tolerated,
    /// A schema keyword that the validator in force does not judge.
    Unjudged,
}

impl NoteKind {
    /// Every kind.
    pub const ALL: [Self; 20] = [
        Self::AnotherObject,
        Self::ClosingTag,
        Self::CumulativeDeltas,
        Self::Cut,
        Self::Fence,
        Self::EqualDuplicate,
        Self::FinalBroken,
        Self::FinalConfirmed,
        Self::FinalDiffers,
        Self::FinalUsed,
        Self::JoinedName,
        Self::LeadingEmptyObject,
        Self::LostEvent,
        Self::OtherText,
        Self::PrefixedEmptyObject,
        Self::Resent,
        Self::RoundedNumber,
        Self::Tried,
        Self::Tolerated,
        Self::Unjudged,
    ];

    /// The name used in the NDJSON interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AnotherObject => "another-object",
            Self::ClosingTag => "closing-tag",
            Self::CumulativeDeltas => "cumulative-deltas",
            Self::Cut => "cut",
            Self::Fence => "fence",
            Self::EqualDuplicate => "equal-duplicate",
            Self::FinalBroken => "final-broken",
            Self::FinalConfirmed => "final-confirmed",
            Self::FinalDiffers => "final-differs",
            Self::FinalUsed => "final-used",
            Self::JoinedName => "joined-name",
            Self::LeadingEmptyObject => "leading-empty-object",
            Self::LostEvent => "lost-event",
            Self::OtherText => "other-text",
            Self::PrefixedEmptyObject => "prefixed-empty-object",
            Self::Resent => "resent",
            Self::RoundedNumber => "rounded-number",
            Self::Tried => "tried",
            Self::Tolerated => "tolerated",
            Self::Unjudged => "unjudged",
        }
    }
}

/// Something worth knowing that changed nothing.
#[derive(Clone, Eq, PartialEq, Serialize)]
pub struct Note {
    #[serde(rename = "note")]
    kind: NoteKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl Note {
    pub(crate) fn new(kind: NoteKind) -> Self {
        Self { kind, at: None, detail: None }
    }

    pub(crate) fn with_at(self, at: u64) -> Self {
        Self { at: Some(at), ..self }
    }

    pub(crate) fn with_detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// What it speaks of.
    pub fn kind(&self) -> NoteKind {
        self.kind
    }

    /// Offset in the raw text, in bytes, if it speaks of a place.
    pub fn at(&self) -> Option<u64> {
        self.at
    }

    /// A keyword, pointer or code; never contents.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }
}

/// Prints kind and place; the detail may hold a member's name.
impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Note").field("kind", &self.kind).field("at", &self.at).finish()
    }
}
