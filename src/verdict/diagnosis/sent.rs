//! What was sent in place of a value of the wanted type.

use std::borrow::Cow;

use super::Diagnosis;
use crate::document::{Kind, ValueRef};
use crate::schema::TypeSet;
use crate::settings::limits::Limits;
use crate::syntax::Machine;
use crate::verdict::code::Code;

impl Diagnosis {
    /// The same, of a wrong type, with the type of the value that was sent, and whether it is a string that holds the wanted
    /// JSON. Nothing is said where the types are right, or are not all that is expected: then something else is wrong.
    pub(crate) fn with_sent(self, value: ValueRef<'_>, limits: Limits) -> Self {
        let wanted = self.more.as_ref().and_then(|more| wanted(&more.expected));
        let Some(wanted) = wanted.filter(|wanted| self.code == Code::TypeMismatch && !wanted.fits(value)) else {
            return self;
        };
        let sent = self.with_found(match value.kind() {
            Kind::Array => "array",
            Kind::Boolean => "boolean",
            Kind::Null => "null",
            Kind::Number => "number",
            Kind::Object => "object",
            Kind::String => "string",
        });
        let holds_json = value.as_str().is_some_and(|text| holds(text, wanted, limits));
        if holds_json { sent.with_json_in_string() } else { sent }
    }
}

fn wanted(expected: &[Cow<'static, str>]) -> Option<TypeSet> {
    let types = expected.iter().try_fold(TypeSet::NONE, |types, word| Some(types.with(TypeSet::named(word)?)))?;
    (!types.is_empty()).then_some(types)
}

/// Whether the text is one strict JSON text of a wanted type.
fn holds(text: &str, wanted: TypeSet, limits: Limits) -> bool {
    // A number at the root ends with what follows it.
    let machine = Machine::read(&format!("{text} "), limits);
    let is_json = machine.is_complete() && machine.tail().is_empty();
    is_json && machine.document.root().is_some_and(|root| wanted.fits(root))
}
