//! How one call's text ended: three facts, and the end that follows from them.

use crate::verdict::code::End;

/// What the text of a call itself shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Root {
    /// No byte but blanks has come.
    Blank,
    /// Text has come, and its root value is not closed (or the text is broken).
    Open,
    /// The root value is closed.
    Closed,
}

/// What the provider said about the end of this one call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Marker {
    /// Nothing: the format has no such marker, or it did not come.
    Absent,
    /// The call's end marker, which itself says that the call is cut (`"status":"incomplete"`).
    Incomplete,
    /// The call's end marker.
    Normal,
}

/// Whether the argument text of a later call has begun.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Next {
    /// This was the last call, or later calls have no argument byte yet.
    Absent,
    /// The model has gone on to a later call.
    Begun,
}

/// The end of a call's text, from its three facts; `terminal` is the end that the stream's terminal reason stands for.
///
/// No fact is evidence alone: terminal reasons are reported as `tool_calls` for calls that a limit cut, and end markers
/// come for calls that a limit cut.
///
/// | root | marker | next call | terminal reason | end |
/// |---|---|---|---|---|
/// | any | any | any | cancelled | `Cancelled` |
/// | closed | normal | any | any other | `CallClosed` |
/// | closed | absent | begun | any other | `Complete` |
/// | closed | incomplete | begun | any other | `Truncated` |
/// | blank, open | normal | begun | any other | `Complete` |
/// | blank | absent | begun | truncated, filtered | `Complete` |
/// | any | incomplete | any | normal | `Truncated` |
/// | any | any | any | any other | that of the reason |
///
/// The first row that fits is the answer. `Complete`, `CallClosed`: everything may be accepted; `Truncated`, `Filtered`:
/// only a closed root, without repairs; `Disconnected`, `Cancelled`: nothing.
///
/// An open root before a later call takes the reason of the stream, since a provider may interleave its calls.
pub fn end_of(root: Root, marker: Marker, next: Next, terminal: End) -> End {
    match (root, marker, next, terminal) {
        (_, _, _, End::Cancelled) => End::Cancelled,
        (Root::Closed, Marker::Normal, _, _) => End::CallClosed,
        (Root::Closed, Marker::Absent, Next::Begun, _) => End::Complete,
        (Root::Closed, Marker::Incomplete, Next::Begun, _) => End::Truncated,
        (Root::Blank | Root::Open, Marker::Normal, Next::Begun, _) => End::Complete,
        (Root::Blank, Marker::Absent, Next::Begun, End::Truncated | End::Filtered) => End::Complete,
        (_, Marker::Incomplete, _, End::Complete | End::CallClosed) => End::Truncated,
        (_, _, _, terminal) => terminal,
    }
}

/// The worse of two terminal ends: an error outranks a filter, a filter a limit, a limit a normal reason.
pub(crate) fn worse(a: End, b: End) -> End {
    let rank = |end| match end {
        End::CallClosed | End::Complete => 0,
        End::Truncated => 1,
        End::Filtered => 2,
        End::Disconnected => 3,
        End::Cancelled => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    /// Every combination, with the end for each terminal end in the order of the heading; `+`: accepted.
    const TABLE: &str = "\
root   marker     next     complete  truncated  filtered  disconnected  cancelled
Blank  Absent     Absent   complete+ truncated- filtered- disconnected- cancelled-
Blank  Absent     Begun    complete+ complete+ complete+ disconnected- cancelled-
Blank  Incomplete Absent   truncated- truncated- filtered- disconnected- cancelled-
Blank  Incomplete Begun    truncated- truncated- filtered- disconnected- cancelled-
Blank  Normal     Absent   complete+ truncated- filtered- disconnected- cancelled-
Blank  Normal     Begun    complete+ complete+ complete+ complete+ cancelled-
Open   Absent     Absent   complete- truncated- filtered- disconnected- cancelled-
Open   Absent     Begun    complete- truncated- filtered- disconnected- cancelled-
Open   Incomplete Absent   truncated- truncated- filtered- disconnected- cancelled-
Open   Incomplete Begun    truncated- truncated- filtered- disconnected- cancelled-
Open   Normal     Absent   complete- truncated- filtered- disconnected- cancelled-
Open   Normal     Begun    complete- complete- complete- complete- cancelled-
Closed Absent     Absent   complete+ truncated+ filtered+ disconnected- cancelled-
Closed Absent     Begun    complete+ complete+ complete+ complete+ cancelled-
Closed Incomplete Absent   truncated+ truncated+ filtered+ disconnected- cancelled-
Closed Incomplete Begun    truncated+ truncated+ truncated+ truncated+ cancelled-
Closed Normal     Absent   closed+ closed+ closed+ closed+ cancelled-
Closed Normal     Begun    closed+ closed+ closed+ closed+ cancelled-
";

    #[test]
    fn the_table_is_total_and_as_written() {
        let ends = [End::Complete, End::Truncated, End::Filtered, End::Disconnected, End::Cancelled];
        let names = ends.map(End::name).join("  ");
        let mut seen = format!("{:6} {:10} {:8} {names}\n", "root", "marker", "next");
        for (root, text) in [(Root::Blank, ""), (Root::Open, "{\"a\":1"), (Root::Closed, "{\"a\":1}")] {
            for marker in [Marker::Absent, Marker::Incomplete, Marker::Normal] {
                for next in [Next::Absent, Next::Begun] {
                    let cells = ends.map(|terminal| {
                        let end = end_of(root, marker, next, terminal);
                        let mut call = Call::default();
                        call.feed(text);
                        format!("{}{}", end.name(), if call.finish(end).is_ok() { '+' } else { '-' })
                    });
                    let (root, marker, next) = (format!("{root:?}"), format!("{marker:?}"), format!("{next:?}"));
                    seen.push_str(&format!("{root:6} {marker:10} {next:8} {}\n", cells.join(" ")));
                }
            }
        }
        assert_eq!(seen, TABLE, "{seen}");
    }
}
