//! Normalize: valid JSON in the wrong shape, put right as one plan (design, section 4).
//!
//! Each rule has a file. They work on a [`draft`]: the members of the call, where each stands in the text, and what
//! becomes of it; only at the end is it laid out as edits of the text that was sent. [`plan`] holds the order of the
//! rules and decides whether anything is kept.

mod alias;
mod coerce;
mod decode;
mod draft;
mod layout;
mod names;
mod plan;
mod rename;
mod unwrap;

pub(crate) use plan::{Normalized, Planned, plan, unwrapped};
pub(crate) use unwrap::{ENVELOPE, swallowed_wrapper};

use std::fmt::Write;

use crate::schema::Tool;
use crate::settings::{Rule, Settings};
use crate::text::pointer::{Token, write_token};

/// Which rules may act on a call of one tool.
#[derive(Clone, Copy)]
struct Switches<'s> {
    settings: &'s Settings,
    /// A keyword that is not judged leaves only `alias`: nobody knows whether the others put the shape right.
    is_fully_judged: bool,
}

impl<'s> Switches<'s> {
    fn new(tool: &Tool, settings: &'s Settings) -> Self {
        Self { settings, is_fully_judged: tool.schema_is_fully_judged() }
    }

    fn any(self) -> bool {
        const RULES: [Rule; 6] = [Rule::Alias, Rule::Coerce, Rule::Decode, Rule::Merge, Rule::Rename, Rule::Unwrap];
        RULES.into_iter().any(|rule| self.allows(rule))
    }

    fn allows(self, rule: Rule) -> bool {
        self.settings.allows(rule) && (self.is_fully_judged || rule == Rule::Alias)
    }
}

/// An action on one member: `decode:/items`.
fn on_member(rule: Rule, name: &str) -> String {
    let mut action = format!("{}:", rule.name());
    // Writing to a String cannot fail.
    let _ = write_token(&mut action, Token::Name(name));
    action
}

/// An action that gives a member another name: `alias:cmd→command`.
fn on_name(rule: Rule, from: &str, to: &str) -> String {
    let mut action = String::new();
    // Writing to a String cannot fail.
    let _ = write!(action, "{}:{from}→{to}", rule.name());
    action
}
