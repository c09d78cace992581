//! The tools of one request.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::definition::{self, Definition};
use super::flat::Flat;
use super::{GrantError, Grants, SchemaError, Tool};

/// The tools that a request offers. Cheap to clone and to share.
#[derive(Clone, Default)]
pub struct Tools {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    entries: Vec<Arc<Entry>>,
    by_name: HashMap<Arc<str>, usize>,
}

/// One tool and what it was made of.
struct Entry {
    tool: Tool,
    definition: Flat,
    grants: Grants,
    issues: Vec<ToolIssue>,
}

const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Tools>();
};

impl Tools {
    /// The tools of these definitions, in any shape that [`Tool::from_json`] reads or Gemini's
    /// `{"functionDeclarations":[…]}`, with the grants that `grants` gives for each name. What is [built
    /// in](Tool::built_in) is passed over: no call names it.
    ///
    /// It never fails as a whole: a tool with an unreadable schema is opaque, one with contradictory grants has none,
    /// and both are reported. Definitions that `before` has with the same grants are not read again, so that this may
    /// be called for every request.
    pub fn of(definitions: &[Value], grants: &dyn Fn(&str) -> Grants, before: Option<&Self>) -> (Self, Vec<ToolIssue>) {
        let mut entries: Vec<Arc<Entry>> = Vec::with_capacity(definitions.len());
        let mut issues = Vec::new();
        for (position, definition) in definition::each(definitions).enumerate() {
            let name = match Definition::read(definition) {
                Ok(Definition::Tool { name, .. }) => name,
                Ok(Definition::BuiltIn { .. }) => continue,
                Err(error) => {
                    issues.push(ToolIssue::Unnamed { position, error });
                    continue;
                }
            };
            let asked = grants(name);
            let known = before.and_then(|before| {
                let here = before.inner.entries.get(entries.len()).filter(|entry| entry.tool.name() == name);
                here.or_else(|| before.entry(name))
            });
            let known = known.filter(|entry| entry.grants == asked && entry.definition.is(definition));
            let entry = known.map_or_else(|| Arc::new(Entry::new(name, definition, asked)), Arc::clone);
            issues.extend(entry.issues.iter().cloned());
            entries.push(entry);
        }
        if let Some(before) = before
            && before.inner.entries.len() == entries.len()
            && before.inner.entries.iter().zip(&entries).all(|(a, b)| Arc::ptr_eq(a, b))
        {
            return (before.clone(), issues);
        }
        let mut inner = Inner { entries: Vec::with_capacity(entries.len()), by_name: HashMap::new() };
        for entry in entries {
            let name = entry.tool.name_shared();
            if inner.by_name.contains_key(&name) {
                issues.push(ToolIssue::Duplicate { tool: name.to_string() });
                continue;
            }
            inner.by_name.insert(name, inner.entries.len());
            inner.entries.push(entry);
        }
        (Self { inner: Arc::new(inner) }, issues)
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.entry(name).map(|entry| &entry.tool)
    }

    /// The names, in the order of the definitions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.inner.entries.iter().map(|entry| entry.tool.name())
    }

    /// Whether there are no tools: names are not checked then.
    pub fn is_empty(&self) -> bool {
        self.inner.entries.is_empty()
    }

    fn entry(&self, name: &str) -> Option<&Arc<Entry>> {
        self.inner.by_name.get(name).map(|&at| &self.inner.entries[at])
    }
}

impl FromIterator<Tool> for Tools {
    /// The tools themselves; of one name the first.
    fn from_iter<I: IntoIterator<Item = Tool>>(tools: I) -> Self {
        let mut inner = Inner::default();
        for tool in tools {
            let name = tool.name_shared();
            if !inner.by_name.contains_key(&name) {
                inner.by_name.insert(name, inner.entries.len());
                let (definition, grants) = (Flat::of(&Value::Null), tool.grants().clone());
                inner.entries.push(Arc::new(Entry { tool, definition, grants, issues: Vec::new() }));
            }
        }
        Self { inner: Arc::new(inner) }
    }
}

impl Entry {
    fn new(name: &str, definition: &Value, grants: Grants) -> Self {
        let mut issues = Vec::new();
        let tool = Tool::from_json(definition).unwrap_or_else(|error| {
            issues.push(ToolIssue::Schema { tool: name.to_owned(), error });
            Tool::opaque(name)
        });
        let tool = tool.clone().with_grants(grants.clone()).unwrap_or_else(|error| {
            issues.push(ToolIssue::Grants { tool: name.to_owned(), error });
            tool
        });
        issues.extend(tool.issues());
        Self { tool, definition: Flat::of(definition), grants, issues }
    }
}

/// Something wrong with one tool of a list; the others are not touched by it.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ToolIssue {
    /// A second definition of a name: the first one is used.
    Duplicate {
        /// The name.
        tool: String,
    },
    /// The grants contradict each other or the schema: the tool has none.
    Grants {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        error: GrantError,
    },
    /// The schema cannot be read: the tool is opaque.
    Schema {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        error: SchemaError,
    },
    /// A definition without a name that is not of what is built in: it is left out.
    Unnamed {
        /// Its place in the list, counted from 0.
        position: usize,
        /// What is wrong.
        error: SchemaError,
    },
    /// A grant for a member that the tool does not declare: it never applies.
    UnusedGrant {
        /// The tool's name.
        tool: String,
        /// The grant's field name.
        grant: &'static str,
        /// The member.
        member: String,
    },
}

impl fmt::Display for ToolIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { tool } => write!(f, "tool `{tool}`: defined twice; the first definition is used"),
            Self::Grants { tool, error } => write!(f, "tool `{tool}`: {error}; no grants are in force"),
            Self::Schema { tool, error } => write!(f, "tool `{tool}`: {error}; its arguments are not judged"),
            Self::Unnamed { position, error } => write!(f, "definition {position}: {error}"),
            Self::UnusedGrant { tool, grant, member } => {
                write!(f, "tool `{tool}`: `{grant}` names `{member}`, which is not declared; it never applies")
            }
        }
    }
}

impl std::error::Error for ToolIssue {}

impl Tool {
    /// Grants that never apply, because the tool does not declare their member.
    pub fn issues(&self) -> Vec<ToolIssue> {
        if !self.has_schema() {
            return Vec::new();
        }
        let Grants {
            aliases,
            closable,
            inner_call,
            may_lack,
            max_inline_bytes,
            max_inline_chars,
            max_inline_utf16,
            placeholders,
            ..
        } = self.grants();
        let inline = [
            ("max_inline_bytes", max_inline_bytes),
            ("max_inline_chars", max_inline_chars),
            ("max_inline_utf16", max_inline_utf16),
        ];
        let inline = inline.into_iter().flat_map(|(grant, members)| members.keys().map(move |member| (grant, member)));
        aliases
            .keys()
            .map(|member| ("aliases", member))
            .chain(closable.iter().map(|member| ("closable", member)))
            .chain(inner_call.iter().map(|grant| ("inner_call", &grant.payload)))
            .chain(may_lack.iter().map(|member| ("may_lack", member)))
            .chain(placeholders.keys().map(|member| ("placeholders", member)))
            .chain(inline)
            .filter(|(_, member)| !self.declares(self.canonical_of(member).unwrap_or(member)))
            .map(|(grant, member)| ToolIssue::UnusedGrant {
                tool: self.name().to_owned(),
                grant,
                member: member.clone(),
            })
            .collect()
    }
}

/// Prints the number of tools.
impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tools").field("tools", &self.inner.entries.len()).finish()
    }
}
