//! The words of cases and protocol: levels and their aspects, ends.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A question that is put to a subject.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Is the text one RFC 8259 text with an object root?
    Accept,
    /// Is the value exact?
    Value,
    /// Where is the first byte that continues no JSON text?
    Place,
    /// Is what is shown while it streams true?
    Views,
    /// Is a cut executed value ever presented as complete?
    Cut,
    /// Does damaged text ever run with another value?
    Damage,
    /// Which piece belongs to which call?
    Split,
}

impl Level {
    /// Every level, in the order of the report.
    pub const ALL: [Self; 7] =
        [Self::Accept, Self::Value, Self::Place, Self::Views, Self::Cut, Self::Damage, Self::Split];

    /// The name in cases and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Value => "value",
            Self::Place => "place",
            Self::Views => "views",
            Self::Cut => "cut",
            Self::Damage => "damage",
            Self::Split => "split",
        }
    }

    /// The level of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The aspects that its cases are grouped by.
    pub const fn aspects(self) -> &'static [&'static str] {
        match self {
            Self::Accept => {
                &["grammar", "numbers", "strings", "escapes", "utf8", "depth", "root", "blanks", "trailing"]
            }
            Self::Value => &["digits", "code-points", "duplicates", "order", "depth", "empty-names", "whitespace"],
            Self::Place => &["syntax", "strings", "numbers", "literals", "utf8", "trailing", "inner-quote"],
            Self::Views => {
                &["strings", "escapes", "numbers", "literals", "containers", "broken", "nesting", "duplicates"]
            }
            Self::Cut => {
                &["string", "number", "literal", "container", "between-members", "decorative", "nested", "unicode"]
            }
            Self::Damage => &[
                "lost-byte",
                "lost-backslash",
                "lost-delta",
                "repeated-delta",
                "swapped",
                "inner-quote",
                "wrapper",
                "concatenated",
                "fence",
                "raw-newline",
                "truncated-middle",
                "type",
            ],
            Self::Split => {
                &["interleaved", "same-index", "no-index", "late-id", "late-name", "empty-id", "resend", "names"]
            }
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the text of a call ended.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The provider says that the call is complete.
    #[default]
    Complete,
    /// A length limit stopped the model.
    Truncated,
    /// A content filter stopped the model.
    Filtered,
    /// The stream broke.
    Disconnected,
    /// The host stopped the call.
    Cancelled,
}

impl End {
    /// Every end.
    pub const ALL: [Self; 5] = [Self::Complete, Self::Truncated, Self::Filtered, Self::Disconnected, Self::Cancelled];

    /// The name in cases and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Truncated => "truncated",
            Self::Filtered => "filtered",
            Self::Disconnected => "disconnected",
            Self::Cancelled => "cancelled",
        }
    }
}
