//! `decode`: a string that is the wanted object or array becomes its content, once.
//!
//! The strings of wrappers are read by [`unwrap`](super::unwrap).

use super::draft::{Content, Draft};
use crate::document::Kind;
use crate::schema::TypeSet;

/// The root: arguments that were sent as a string of JSON.
pub(super) fn decode_root(draft: &mut Draft<'_>) -> bool {
    let Some(object) = draft.decode(draft.root, |kind| kind == Kind::Object) else { return false };
    draft.set_root(object);
    true
}

/// What a member of the root becomes, whose schema wants one of `types` and no string.
pub(super) fn decode_member(draft: &mut Draft<'_>, id: u32, types: TypeSet) -> Option<Content> {
    if !types.has(TypeSet::ARRAY.with(TypeSet::OBJECT)) {
        return None;
    }
    let wanted = |kind| match kind {
        Kind::Array => types.has(TypeSet::ARRAY),
        Kind::Object => types.has(TypeSet::OBJECT),
        Kind::Boolean | Kind::Null | Kind::Number | Kind::String => false,
    };
    let value = draft.members[id as usize].value;
    draft.decode(value, wanted).map(Content::Decoded)
}
