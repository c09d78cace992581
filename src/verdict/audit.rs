//! The edits between the model's text and the accepted text.

use serde::Serialize;

use crate::settings::Rule;

/// One edit, in offsets of the raw text.
#[derive(Clone, Eq, PartialEq, Serialize)]
pub struct Edit {
    at: u64,
    delete: u64,
    insert: String,
    #[serde(serialize_with = "names")]
    rules: Vec<Rule>,
}

impl Edit {
    pub(crate) fn insertion(at: usize, insert: impl Into<String>, rule: Rule) -> Self {
        Self::replacement(at, 0, insert, vec![rule])
    }

    pub(crate) fn replacement(at: usize, delete: usize, insert: impl Into<String>, rules: Vec<Rule>) -> Self {
        Self { at: at as u64, delete: delete as u64, insert: insert.into(), rules }
    }

    /// Offset of the edit in the raw text, in bytes.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// How many bytes of the raw text it removes.
    pub fn delete(&self) -> u64 {
        self.delete
    }

    /// What it inserts.
    pub fn insert(&self) -> &str {
        &self.insert
    }

    /// The rules that made it: more than one where a later rule changed text made by an earlier one.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// Prints sizes and rules, never contents.
impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edit")
            .field("at", &self.at)
            .field("delete", &self.delete)
            .field("insert", &format_args!("{} bytes", self.insert.len()))
            .field("rules", &self.rules)
            .finish()
    }
}

fn names<S: serde::Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rules.iter().map(|rule| rule.name()))
}

/// The offset, before the edits, of what stands at offset `at` after them; of an edit's place, if that made it.
pub(crate) fn offset_before(edits: &[Edit], at: u64) -> u64 {
    let (mut before, mut after) = (0, 0);
    for edit in edits {
        let kept = edit.at() - before;
        if at < after + kept {
            break;
        }
        after += kept;
        let made = edit.insert().len() as u64;
        if at < after + made {
            return edit.at();
        }
        after += made;
        before = edit.at() + edit.delete();
    }
    before + (at - after)
}

/// All that was changed: edits in ascending order that do not overlap (those at one offset in the order of the list),
/// and what was done in words.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Audit {
    edits: Vec<Edit>,
    actions: Vec<String>,
    binding: Option<String>,
    /// Length of the raw text.
    len: u64,
}

impl Audit {
    pub(crate) fn new(raw_len: usize, edits: Vec<Edit>, actions: Vec<String>) -> Self {
        Self { edits, actions, binding: None, len: raw_len as u64 }
    }

    pub(crate) fn with_actions(self, actions: Vec<String>) -> Self {
        Self { actions, ..self }
    }

    pub(crate) fn with_binding(self, binding: Option<String>) -> Self {
        Self { binding, ..self }
    }

    /// The edits; none if the text was accepted as it came.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// What was done, such as `close-description` or `alias:cmd→command`, in the order in which it was done.
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// The name to which the completed inner call is bound, if it is bound to one.
    pub fn binding(&self) -> Option<&str> {
        self.binding.as_deref()
    }

    /// Applies the edits to the raw text: the accepted text. Another text gives what the edits make of it, cut to its
    /// length.
    pub fn apply(&self, raw: &str) -> String {
        let mut out = String::with_capacity(raw.len() + self.edits.iter().map(|edit| edit.insert.len()).sum::<usize>());
        let mut done = 0;
        for edit in &self.edits {
            let at = (edit.at as usize).max(done);
            out.push_str(raw.get(done..at).unwrap_or_default());
            out.push_str(&edit.insert);
            done = at + edit.delete as usize;
        }
        out.push_str(raw.get(done..).unwrap_or_default());
        out
    }

    /// What to append to the raw text, if appending is all that was changed: what a proxy that has forwarded every
    /// delta can still send. Empty for a text that was accepted as it came.
    pub fn suffix(&self) -> Option<&str> {
        match self.edits.as_slice() {
            [] => Some(""),
            [edit] if edit.delete == 0 && edit.at == self.len => Some(&edit.insert),
            _ => None,
        }
    }

    /// Whether a program's closing tokens were completed: the one case in which an executed value is not exactly what
    /// the model wrote.
    pub fn completes_program(&self) -> bool {
        self.edits.iter().any(|edit| edit.rules.contains(&Rule::InnerCall))
    }
}

/// Prints sizes and rules, never contents: an action and a binding may name what the model wrote.
impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit")
            .field("edits", &self.edits)
            .field("actions", &self.actions.len())
            .field("binding", &self.binding.is_some())
            .field("raw_bytes", &self.len)
            .finish()
    }
}
