//! What was found in a conversation.

use argseal::history::{Effect, Finding, FindingKind, Mended};
use serde::Serialize;

/// One thing that was changed or is wrong.
///
/// ```
/// use argseal::{History, Settings, Tools};
/// use argseal_form::FindingForm;
/// let body = r#"[{"role":"tool","tool_call_id":"c1","content":"a"}]"#;
/// let mended = History::new(&Settings::default()).mend(body, &Tools::default())?;
/// assert_eq!(
///     serde_json::to_string(&FindingForm::new(&mended.findings[0]))?,
///     r#"{"message":0,"id":"c1","tool":null,"finding":"orphaned","code":null,"actions":[],"effect":"reported","words":"a result without its call: left as it is"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Serialize)]
pub struct FindingForm<'f> {
    message: usize,
    id: Option<&'f str>,
    tool: Option<&'f str>,
    finding: &'static str,
    code: Option<&'static str>,
    actions: &'f [String],
    effect: &'static str,
    words: String,
}

/// What is to be said of a conversation as a whole.
#[derive(Debug, Serialize)]
pub struct HistoryForm {
    history: Whole,
}

#[derive(Debug, Serialize)]
struct Whole {
    messages: usize,
    calls: usize,
    changed: usize,
    reported: usize,
    bytes_before: usize,
    bytes: usize,
}

impl<'f> FindingForm<'f> {
    /// The form of this finding.
    pub fn new(finding: &'f Finding) -> Self {
        let (code, actions) = match &finding.kind {
            FindingKind::Left { code } | FindingKind::Unparseable { code } => (Some(code.name()), &[][..]),
            FindingKind::Shape { actions } => (None, actions.as_slice()),
            _ => (None, &[][..]),
        };
        Self {
            message: finding.message,
            id: finding.id.as_deref(),
            tool: finding.tool.as_deref(),
            finding: finding.kind.name(),
            code,
            actions,
            effect: finding.effect.name(),
            words: finding.to_string(),
        }
    }
}

impl HistoryForm {
    /// The form of a conversation that was put right; `before` is its length as it came, in bytes.
    pub fn new(mended: &Mended<'_>, before: usize) -> Self {
        let changed = mended.findings.iter().filter(|finding| finding.effect == Effect::Changed).count();
        Self {
            history: Whole {
                messages: mended.messages,
                calls: mended.calls,
                changed,
                reported: mended.findings.len() - changed,
                bytes_before: before,
                bytes: mended.text.len(),
            },
        }
    }
}
