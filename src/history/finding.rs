//! What was found in a conversation.

use std::fmt;

use crate::verdict::code::Code;

/// One thing that was changed or is wrong. It names codes, rules, ids and tools, never contents.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// The message, counted from 0.
    pub message: usize,
    /// The id of the call or result, if it has one.
    pub id: Option<String>,
    /// The tool that the call names.
    pub tool: Option<String>,
    /// What it is.
    pub kind: FindingKind,
    /// What was done.
    pub effect: Effect,
}

/// What was found.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum FindingKind {
    /// The arguments contradict themselves (`ambiguous-wrapper`, `alias-conflict`, `duplicate-key`), or pass a limit.
    Left {
        /// Why.
        code: Code,
    },
    /// A result whose call is not there before it.
    Orphaned,
    /// The shape of the arguments was put right, or is less wrong than before.
    Shape {
        /// What was done, such as `unwrap:arguments`.
        actions: Vec<String>,
    },
    /// A call that no result follows.
    Unanswered,
    /// The arguments are not one JSON object.
    Unparseable {
        /// Why.
        code: Code,
    },
    /// The message is not strict JSON, such as one that holds half a surrogate pair.
    Unreadable,
}

/// What was done about a finding.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The conversation was changed.
    Changed,
    /// Nothing.
    Reported,
}

impl FindingKind {
    /// The name of every kind, in alphabetical order.
    pub const NAMES: [&str; 6] = ["left", "orphaned", "shape", "unanswered", "unparseable", "unreadable"];

    /// The name used in the outside form.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Left { .. } => "left",
            Self::Orphaned => "orphaned",
            Self::Shape { .. } => "shape",
            Self::Unanswered => "unanswered",
            Self::Unparseable { .. } => "unparseable",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Effect {
    /// Every effect, in alphabetical order.
    pub const ALL: [Self; 2] = [Self::Changed, Self::Reported];

    /// The name used in the outside form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Reported => "reported",
        }
    }
}

impl Finding {
    pub(super) fn new(message: usize, id: Option<&str>, tool: Option<&str>, kind: FindingKind, effect: Effect) -> Self {
        Self { message, id: id.map(str::to_owned), tool: tool.map(str::to_owned), kind, effect }
    }
}

/// What it is and what was done, without its place.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = |changed| match self.effect {
            Effect::Changed => changed,
            Effect::Reported => "left as it is",
        };
        match &self.kind {
            FindingKind::Left { code } => write!(f, "{}: {}", code.name(), done("changed")),
            FindingKind::Orphaned => write!(f, "a result without its call: {}", done("turned into text")),
            FindingKind::Shape { actions } => write!(f, "{}", actions.join(", ")),
            FindingKind::Unanswered => write!(f, "a call without a result: {}", done("a result added that says so")),
            FindingKind::Unparseable { code } => {
                write!(f, "not one JSON object ({}): {}", code.name(), done("replaced by one that says so"))
            }
            FindingKind::Unreadable => write!(f, "not strict JSON: {}", done("changed")),
        }
    }
}
