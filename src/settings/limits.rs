//! Bounds on what one call and one stream may cost.

use serde::Serialize;

/// Bounds on memory and work. What passes a bound is rejected with a code that names it; nothing is cut silently. The
/// figures are those of `tests/hostile_memory.rs`, which measures them by a counting allocator.
///
/// The text of all calls together is bounded by the length of the stream alone: who reads a stream that is not trusted
/// bounds that too.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Limits {
    /// Nesting depth of containers (default 128: as deep as `serde_json` reads; argseal itself does not recurse, but what
    /// reads the value after it may).
    pub depth: u32,
    /// Bytes of argument text (default 64 MiB: more than any call that was meant; at most 4 GiB − 2, so that offsets fit
    /// 32 bits). A call without escapes holds little more than its text.
    pub text: u32,
    /// Members and elements of all containers together (default 1,000,000). The smallest ones cost more than their text:
    /// an element 16 bytes, a member 32, up to 107 where name and value hold escapes, and 87 more for a name while it is
    /// judged and a value once it is looked at. At most 200 MiB with the default; 18 to 42 MiB where nothing holds escapes,
    /// and 51 more while it is judged.
    pub members: u32,
    /// Bytes kept of what follows a closed root (default 4 KiB: enough to name it).
    pub trailing: u32,
    /// Bytes of one event of a stream (default 16 MiB: a whole call in one event, and what surrounds it). What is longer
    /// is dropped, with an error of the stream.
    pub event: u32,
    /// Calls of one response, settled ones among them (default 1,024: the recorded responses hold 16 at most, and no API
    /// takes a list of more than some hundred tools). An open call costs less than 2 KiB beside its text, id and name; all
    /// that the default allows hold 1.9 MiB. The first call beyond is rejected with `call-limit`, and what comes for it
    /// or for later ones is counted and not kept.
    pub calls: u32,
}

impl Limits {
    const DEFAULT: Self =
        Self { depth: 128, text: 64 << 20, members: 1_000_000, trailing: 4 << 10, event: 16 << 20, calls: 1024 };

    /// The largest bounds that the engine can work with.
    pub const fn max() -> Self {
        Self {
            depth: u32::MAX,
            text: u32::MAX - 1,
            members: u32::MAX,
            trailing: u32::MAX,
            event: u32::MAX,
            calls: u32::MAX,
        }
    }

    /// The same with another nesting depth.
    #[must_use]
    pub const fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// The same with another bound on the argument text, in bytes (clamped to 4 GiB − 2).
    #[must_use]
    pub const fn with_text(self, text: u32) -> Self {
        let text = if text > Self::max().text { Self::max().text } else { text };
        Self { text, ..self }
    }

    /// The same with another bound on members and elements.
    #[must_use]
    pub const fn with_members(self, members: u32) -> Self {
        Self { members, ..self }
    }

    /// The same with another bound on the bytes kept after a closed root.
    #[must_use]
    pub const fn with_trailing(self, trailing: u32) -> Self {
        Self { trailing, ..self }
    }

    /// The same with another bound on one event of a stream, in bytes.
    #[must_use]
    pub const fn with_event(self, event: u32) -> Self {
        Self { event, ..self }
    }

    /// The same with another bound on the calls of one response.
    #[must_use]
    pub const fn with_calls(self, calls: u32) -> Self {
        Self { calls, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
