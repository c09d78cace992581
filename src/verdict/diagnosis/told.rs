//! What a diagnosis tells: as data, to the model, in a line, and in the NDJSON interface.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{Diagnosis, Facts, names, words};

impl Diagnosis {
    /// The parts as data.
    pub fn facts(&self) -> Facts<'_> {
        let more = self.more.as_deref();
        Facts {
            code: self.code,
            fault: self.fault,
            at: self.at,
            pointer: self.pointer(),
            member: self.pointer().and_then(names::member),
            expected: more.map_or(&[], |more| &more.expected),
            found: more.and_then(|more| more.found),
            holds_json: more.is_some_and(|more| more.holds_json),
            other: more.and_then(|more| more.other.as_deref()),
            exceeded: more.and_then(|more| more.exceeded),
            suspect_quote: self.suspect_quote(),
            hint: words::remedy(self),
        }
    }

    /// Two sentences for the model: what is wrong in which member, and the remedy. None where the model has nothing to mend.
    ///
    /// Under 300 characters for any input. It depends on code, fault, place, expectation, type, limit, and whether a quote is
    /// suspect or a string holds the wanted JSON; of the arguments it repeats only names, clipped and escaped. What else
    /// depends on string values, line and column, is in [`suspect_quote`](Self::suspect_quote), `Display`
    /// and the reply.
    pub fn advice(&self) -> Option<String> {
        words::advice(self)
    }

    /// The advice as the answer to a call of this tool, with the line of a suspect quote and what the schema expects.
    pub(crate) fn reply(&self, tool: Option<&str>) -> Option<String> {
        words::reply(self, tool)
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::line(self))
    }
}

impl Serialize for Diagnosis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Diagnosis", 8)?;
        object.serialize_field("code", &self.code)?;
        object.serialize_field("fault", &self.fault)?;
        object.serialize_field("at", &self.at)?;
        object.serialize_field("pointer", &self.pointer())?;
        object.serialize_field("known_at", &self.known_at)?;
        object.serialize_field("suspect_quote", &self.suspect_quote())?;
        object.serialize_field("message", &words::line(self))?;
        object.serialize_field("advice", &self.advice())?;
        object.end()
    }
}
