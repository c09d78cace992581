//! `coerce`: a string that is exactly the JSON text of the wanted scalar becomes it. Never null.

use super::draft::{Content, Draft};
use crate::document::Number;
use crate::schema::TypeSet;

/// What a member of the root becomes, whose schema wants one of `types` and no string.
pub(super) fn coerce_member(draft: &Draft<'_>, id: u32, types: TypeSet) -> Option<Content> {
    let text = draft.value_of(id).as_str()?;
    let is_boolean = || types.has(TypeSet::BOOLEAN) && matches!(text, "true" | "false");
    let is_wanted_number = || {
        let is_plain = !text.contains(['.', 'e', 'E']);
        types.has(TypeSet::NUMBER) || types.has(TypeSet::INTEGER) && is_plain
    };
    let fits = is_boolean() || is_wanted_number() && Number::from_text(text).is_some();
    fits.then_some(Content::Unquoted)
}
