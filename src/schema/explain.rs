//! What a schema says against a value, in full: for people, placed in the text, in the order in which it is reported.

use std::collections::HashSet;

use super::place::place;
use super::step::{Failure, Found, Keyword, Missing};
use super::{Alternatives, Constraint, Group, GroupKind, Schema, TypeSet, Violation};
use crate::document::ValueRef;
use crate::verdict::code::Code;

impl Schema {
    /// The violations that `keep` asks for, at most `limit`: missing members (outermost first, in the order of
    /// `required`), then types and constraints, then unexpected members, both in text order.
    pub(super) fn violations(
        &self,
        root: ValueRef<'_>,
        found: &Found,
        limit: usize,
        keep: impl Fn(Code) -> bool,
    ) -> Vec<Violation> {
        let mut chosen: Vec<(u32, Violation)> = Vec::new();
        if keep(Code::MissingRequired) {
            for &Missing { object, node, .. } in &found.missing {
                self.name_missing(root, object, node, &mut chosen);
                if chosen.len() >= limit {
                    break;
                }
            }
        }
        for failure in &found.failures {
            let code = self.code(failure);
            if keep(code) && chosen.len() < limit {
                let expected = self.expected(failure);
                chosen.push((failure.value, Violation { expected, ..Violation::new(code, "") }));
            }
        }
        if keep(Code::UnknownProperty) {
            let room = limit.saturating_sub(chosen.len());
            let unexpected = found.unexpected.iter().take(room);
            chosen.extend(unexpected.map(|&value| (value, Violation::new(Code::UnknownProperty, ""))));
        }
        chosen.truncate(limit);
        place(root, chosen)
    }

    fn name_missing(&self, root: ValueRef<'_>, object: u32, node: u32, out: &mut Vec<(u32, Violation)>) {
        let have: HashSet<&str> = ValueRef::new(root.document(), object).members().map(|member| member.name).collect();
        let missing = self.names(self.node(node).required).filter(|name| !have.contains(name));
        for name in missing.take(REPORTED) {
            let member = Some(name.to_owned());
            let slot = self.slot(self.node(node), name).and_then(|slot| slot.schema);
            let types = slot.and_then(|schema| self.node(schema).types).unwrap_or(TypeSet::NONE);
            let violation = Violation::new(Code::MissingRequired, "").with_expected(types.names());
            out.push((object, Violation { member, ..violation }));
        }
    }

    fn code(&self, failure: &Failure) -> Code {
        match failure.keyword {
            Keyword::Alternatives(_) | Keyword::Types => Code::TypeMismatch,
            Keyword::Constraint(_) => Code::ConstraintViolation,
            Keyword::Group(i) => match self.node(failure.node).groups[i as usize].kind {
                GroupKind::Any | GroupKind::One => Code::TypeMismatch,
                GroupKind::Not => Code::ConstraintViolation,
            },
        }
    }

    fn expected(&self, failure: &Failure) -> Vec<String> {
        let node = self.node(failure.node);
        let types = match failure.keyword {
            Keyword::Types => node.types.unwrap_or(TypeSet::NONE),
            Keyword::Alternatives(i) => match &node.alternatives[i as usize] {
                Alternatives::Any(types) => *types,
                Alternatives::One(types) => types.iter().copied().fold(TypeSet::NONE, TypeSet::with),
            },
            Keyword::Group(i) => {
                let group = node.groups[i as usize];
                match group.kind {
                    GroupKind::Not => return Vec::new(),
                    GroupKind::Any | GroupKind::One => return self.expected_by(group),
                }
            }
            Keyword::Constraint(i) => return node.constraints[i as usize].words(),
        };
        types.names().map(str::to_owned).collect()
    }

    /// The types that the alternatives name; words for those that name none.
    fn expected_by(&self, group: Group) -> Vec<String> {
        let types = || group.schemas.of(&self.links).iter().map(|&node| self.node(node).types);
        let named = types().flatten().fold(TypeSet::NONE, TypeSet::with);
        let mut expected: Vec<String> = named.names().map(str::to_owned).collect();
        if !expected.is_empty() && types().any(|types| types.is_none()) {
            expected.push("another value that the schema allows".to_owned());
        }
        expected
    }
}

/// As many violations are named in full: each carries its pointer, so that their size is bounded.
pub(super) const REPORTED: usize = 256;

impl Constraint {
    fn words(&self) -> Vec<String> {
        vec![match self {
            Self::Const(allowed) | Self::Enum(allowed) => return allowed.words().to_vec(),
            Self::ExclusiveMaximum(bound) => format!("less than {bound}"),
            Self::ExclusiveMinimum(bound) => format!("more than {bound}"),
            Self::Maximum(bound) => format!("at most {bound}"),
            Self::Minimum(bound) => format!("at least {bound}"),
            Self::MultipleOf(divisor) => format!("a multiple of {}", divisor.text),
            Self::MaxLength(bound) => format!("at most {bound} characters"),
            Self::MinLength(bound) => format!("at least {bound} characters"),
            Self::MaxItems(bound) => format!("at most {bound} elements"),
            Self::MinItems(bound) => format!("at least {bound} elements"),
            Self::MaxProperties(bound) => format!("at most {bound} members"),
            Self::MinProperties(bound) => format!("at least {bound} members"),
            Self::Never => "no value".to_owned(),
            Self::UniqueItems => "elements that all differ".to_owned(),
        }]
    }
}
