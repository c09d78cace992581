//! `close-description`: a text that is cut inside the string value of a closable member of the root gets `"}`.
//!
//! Nothing else that is cut is ever closed: a value that is executed could mean anything until its end is there.

use crate::document::duplicates;
use crate::schema::Tool;
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::syntax::Machine;
use crate::verdict::audit::Edit;
use crate::verdict::code::Code;

/// The repair of a text that is cut with `code`, as the edit and the text that it makes; `None` where a condition of the
/// signature or of the gate fails.
pub(crate) fn close_description(cut: &Machine, code: Code, tool: &Tool) -> Option<(Edit, Machine)> {
    if code != Code::TruncatedInString || cut.pointer.depth() != 1 {
        return None;
    }
    let member = cut.pointer.root_member()?;
    if !tool.is_closable(member) || swallows(cut.open_string()?) {
        return None;
    }
    let edit = Edit::insertion(cut.len(), "\"}", Rule::CloseDescription);
    let mut text = String::with_capacity(cut.len() + edit.insert().len());
    text.push_str(cut.document.text());
    text.push_str(edit.insert());
    let repaired = Machine::read(&text, Limits::max());
    let twice = duplicates(&repaired.document);
    let unique = twice.equal.is_none() && twice.unequal.is_none();
    (unique && fits(&repaired, tool)).then_some((edit, repaired))
}

/// The gate for both repairs: no declared member may have followed unseen, the whole schema is judged, and nothing is
/// violated.
pub(super) fn fits(repaired: &Machine, tool: &Tool) -> bool {
    repaired.document.root().is_some_and(|root| {
        tool.schema_is_fully_judged() && tool.gate(|name| root.get(name).is_some()) && tool.violations(root).is_empty()
    })
}

/// Whether the text is blank, or may hold what was meant to follow it: a quote with `,` `:` or `}` after it.
fn swallows(text: &str) -> bool {
    let follows = |rest: &str| rest.trim_start().starts_with([',', ':', '}']);
    text.trim().is_empty() || text.match_indices('"').any(|(quote, _)| follows(&text[quote + 1..]))
}
