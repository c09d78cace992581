//! The table of a stream's calls.

use argseal::{Payload, Settled};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::printable::clipped;
use crate::report::share_after;

/// One row a call.
pub(crate) fn of(calls: &[Settled]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
    let several = has_choices(calls);
    let mut header = vec!["call", "tool", "verdict", "what", "bytes", "deltas", "came after"];
    if several {
        header.push("choice");
    }
    table.set_header(header);
    for call in calls {
        let (verdict, what, after) = match &call.payload {
            Payload::Arguments(Ok(accepted)) => {
                (accepted.verdict().name(), accepted.audit().actions().join(", "), String::new())
            }
            Payload::Arguments(Err(rejected)) => {
                let diagnosis = rejected.diagnosis();
                let mut what = diagnosis.code().name().to_owned();
                if let Some(at) = diagnosis.at() {
                    what.push_str(&format!(" at {at}"));
                }
                if let Some(pointer) = diagnosis.pointer().filter(|pointer| !pointer.is_empty()) {
                    what.push_str(&format!(" in {pointer}"));
                }
                let after = share_after(diagnosis, call.ended.bytes).map(|share| format!("{share} %"));
                ("rejected", what, after.unwrap_or_default())
            }
            Payload::Text(_) => ("text", "not judged".to_owned(), String::new()),
        };
        let mut row = vec![
            identity(call),
            clipped(call.name.as_deref().unwrap_or("-"), MAX_NAME).into_owned(),
            verdict.to_owned(),
            clipped(&what, MAX_WHAT).into_owned(),
            call.ended.bytes.to_string(),
            call.ended.deltas.to_string(),
            after,
        ];
        if several {
            row.push(call.choice.unwrap_or_default().to_string());
        }
        table.add_row(row);
    }
    for column in [4, 5, 6, 7] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// Whether the calls are of several choices of the response: only then is their number worth a column.
pub(crate) fn has_choices(calls: &[Settled]) -> bool {
    calls.iter().any(|call| call.choice.unwrap_or_default() > 0)
}

/// Index and id of a call.
pub(crate) fn identity(call: &Settled) -> String {
    let id = call.id.as_deref().map(|id| clipped(id, MAX_NAME));
    match (call.index, id) {
        (Some(index), Some(id)) => format!("{index} {id}"),
        (Some(index), None) => index.to_string(),
        (None, Some(id)) => id.into_owned(),
        (None, None) => format!("#{}", call.key.position()),
    }
}

/// Characters of a name or id that are shown.
const MAX_NAME: usize = 40;

/// Characters of code and place that are shown.
const MAX_WHAT: usize = 80;
