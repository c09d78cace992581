//! `rename`: the one undeclared key that is there becomes the one required member that is not, if their names are
//! related and the value is of its type.

use super::draft::Draft;
use super::names::related;
use super::on_name;
use crate::schema::Tool;
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::text::pointer::{Token, write_token};
use crate::verdict::code::Code;

/// Renames, and says so.
pub(super) fn rename(draft: &mut Draft<'_>, tool: &Tool) -> Option<String> {
    let required = only(tool.required().filter(|name| draft.named(name).is_none()))?;
    let undeclared = only(draft.names().filter(|name| !tool.declares(name)))?.to_owned();
    if !related(&undeclared, required, tool.name()) {
        return None;
    }
    let id = draft.take(&undeclared, Rule::Rename)?;
    draft.rename_member(id, required, Rule::Rename);
    if has_wrong_type(draft, tool, required) {
        draft.keep_name(id);
        return None;
    }
    Some(on_name(Rule::Rename, &undeclared, required))
}

/// The only item there is.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

fn has_wrong_type(draft: &Draft<'_>, tool: &Tool, member: &str) -> bool {
    let renamed = draft.read(&draft.edits(), Limits::max());
    let Some(root) = renamed.document.root() else { return true };
    let mut pointer = String::new();
    // Writing to a String cannot fail.
    let _ = write_token(&mut pointer, Token::Name(member));
    tool.violations(root).iter().any(|violation| violation.code == Code::TypeMismatch && violation.pointer == pointer)
}
