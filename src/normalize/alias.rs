//! `alias`: a name that the tool's owner granted becomes the declared one.

use super::draft::Draft;
use super::on_name;
use crate::schema::Tool;
use crate::settings::Rule;
use crate::verdict::code::Code;
use crate::verdict::diagnosis::Diagnosis;

/// Replaces the aliases; what was done. The error is two names of one member with different values.
pub(super) fn aliases(draft: &mut Draft<'_>, tool: &Tool) -> Result<Vec<String>, Diagnosis> {
    let mut actions = Vec::new();
    if tool.grants().aliases.is_empty() {
        return Ok(actions);
    }
    for member in draft.present() {
        let Some(canonical) = tool.canonical_of(draft.name(member)) else { continue };
        let name = draft.name(member).to_owned();
        let Some(alias) = draft.take(&name, Rule::Alias) else { continue };
        replace(draft, alias, canonical)?;
        actions.push(on_name(Rule::Alias, &name, canonical));
    }
    Ok(actions)
}

/// A null says nothing, and any value outranks it; `""` is a value.
fn replace(draft: &mut Draft<'_>, alias: u32, canonical: &str) -> Result<(), Diagnosis> {
    let value = draft.value_of(alias);
    if value.is_null() {
        draft.drop_member(alias, Rule::Alias);
        return Ok(());
    }
    let Some(known) = draft.take(canonical, Rule::Alias) else {
        draft.rename_member(alias, canonical, Rule::Alias);
        return Ok(());
    };
    let other = draft.value_of(known);
    if other.is_null() {
        draft.drop_member(known, Rule::Alias);
        draft.rename_member(alias, canonical, Rule::Alias);
    } else if draft.value_of(alias).same(other) {
        draft.drop_member(alias, Rule::Alias);
    } else {
        return Err(conflict(draft, alias, known, canonical));
    }
    Ok(())
}

fn conflict(draft: &Draft<'_>, alias: u32, known: u32, canonical: &str) -> Diagnosis {
    let place = draft.members[alias as usize].value;
    let expected = format!("the name `{canonical}`");
    Diagnosis::new(Code::AliasConflict)
        .with_at(draft.offset_as_sent(place))
        .with_pointer(draft.pointer_as_sent(place))
        .with_other(draft.sent_name(known))
        .with_expected([expected])
}
