//! What the validator in force says against one value: asked once, told in parts.

use super::explain::REPORTED;
use super::step::{Found, Names};
use super::{Schema, Validator, Violation};
use crate::document::ValueRef;
use crate::verdict::code::Code;

/// What the validator in force says against one value.
pub(crate) struct Findings<'v> {
    root: ValueRef<'v>,
    said: Said<'v>,
}

enum Said<'v> {
    /// The host's validator, in its order.
    Host(Vec<Violation>),
    /// The value cannot be shown to the host's validator.
    NotShown,
    /// Nothing is judged.
    Nothing,
    Schema(&'v Schema, Found),
}

impl<'v> Findings<'v> {
    pub(super) fn of_host(validator: &dyn Validator, root: ValueRef<'v>) -> Self {
        let violations = root.to_value_near().map(|value| validator.violations(&value));
        Self { root, said: violations.map_or(Said::NotShown, Said::Host) }
    }

    pub(super) fn of_schema(schema: &'v Schema, root: ValueRef<'v>, names: Names) -> Self {
        Self { root, said: Said::Schema(schema, schema.check(root, std::iter::once(0), names)) }
    }

    pub(super) fn nothing(root: ValueRef<'v>) -> Self {
        Self { root, said: Said::Nothing }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match &self.said {
            Said::Host(violations) => violations.is_empty(),
            Said::NotShown => false,
            Said::Nothing => true,
            Said::Schema(_, found) => found.is_empty(),
        }
    }

    /// How many violations there are, without a bound.
    pub(crate) fn count(&self) -> usize {
        match &self.said {
            Said::Host(violations) => violations.len(),
            Said::NotShown => 1,
            Said::Nothing => 0,
            Said::Schema(_, found) => found.count(),
        }
    }

    /// All of them, ordered; at most 256.
    pub(crate) fn violations(&self) -> Vec<Violation> {
        self.some(REPORTED, |_| true)
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<Violation> {
        self.some(1, |_| true).pop()
    }

    /// The first missing member or wrong type.
    pub(crate) fn first_of_shape(&self) -> Option<Violation> {
        self.some(1, |code| matches!(code, Code::MissingRequired | Code::TypeMismatch)).pop()
    }

    fn some(&self, limit: usize, keep: impl Fn(Code) -> bool) -> Vec<Violation> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut violations = match &self.said {
            Said::Host(violations) => placed(violations, self.root),
            Said::NotShown => vec![not_shown(self.root)],
            Said::Nothing => Vec::new(),
            Said::Schema(schema, found) => return schema.violations(self.root, found, limit, keep),
        };
        violations.retain(|violation| keep(violation.code));
        violations.truncate(limit);
        violations
    }
}

fn not_shown(root: ValueRef<'_>) -> Violation {
    let limits = ["numbers within the range of f64, at most 128 levels deep"];
    let violation = Violation::new(Code::ConstraintViolation, "").with_expected(limits);
    Violation { at: Some(root.span().start), ..violation }
}

/// What the host's validator said, placed in the text and ordered.
fn placed(said: &[Violation], root: ValueRef<'_>) -> Vec<Violation> {
    let mut violations = said.to_vec();
    violations.sort_by_key(Violation::class);
    violations.truncate(REPORTED);
    let mut placed: Vec<(u32, Violation)> = violations
        .into_iter()
        .map(|mut violation| {
            let (parent, name) = violation.pointer.rsplit_once('/').unwrap_or_default();
            let is_missing = violation.code == Code::MissingRequired;
            let value = root.pointer(if is_missing { parent } else { &violation.pointer });
            if !is_missing {
                violation.at = value.map(|value| value.span().start);
            }
            if violation.member.is_none() && !violation.pointer.is_empty() {
                violation.member = Some(name.replace("~1", "/").replace("~0", "~"));
            }
            (value.map_or(0, |value| value.span().start), violation)
        })
        .collect();
    placed.sort_by_key(|(start, violation)| (violation.class(), *start));
    placed.into_iter().map(|(_, violation)| violation).collect()
}
