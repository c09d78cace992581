//! What a schema says against a value.
//!
//! One walk over the document with a stack of its own; each schema object judges each value at most once, so that the
//! work is bounded by the product of the two, and is linear in the document for a schema without references.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::place::place;
use super::validity::Validity;
use super::{Additional, Alternatives, Constraint, GroupKind, Node, Schema, TypeSet, Violation};
use crate::code::Code;
use crate::document::{Document, Kind, Number, ValueRef};

impl Schema {
    /// The violations that `keep` asks for, at most [`REPORTED`]: missing members (outermost first, in the order of
    /// `required`), then types and constraints, then unexpected members, both in text order.
    pub(super) fn violations(&self, root: ValueRef<'_>, keep: impl Fn(Code) -> bool) -> Vec<Violation> {
        let found = self.check(root);
        let mut chosen: Vec<(u32, Violation)> = Vec::new();
        if keep(Code::MissingRequired) {
            for &Missing { object, node, .. } in &found.missing {
                self.name_missing(root, object, node, &mut chosen);
                if chosen.len() >= REPORTED {
                    break;
                }
            }
        }
        for failure in &found.failures {
            let code = self.code(failure);
            if keep(code) && chosen.len() < REPORTED {
                let expected = self.expected(failure);
                chosen.push((failure.value, Violation { expected, ..Violation::new(code, "") }));
            }
        }
        if keep(Code::UnknownProperty) {
            let room = REPORTED.saturating_sub(chosen.len());
            let unexpected = found.unexpected.iter().take(room);
            chosen.extend(unexpected.map(|&value| (value, Violation::new(Code::UnknownProperty, ""))));
        }
        chosen.truncate(REPORTED);
        place(root, chosen)
    }

    /// How many violations there are, exactly.
    pub(super) fn count(&self, root: ValueRef<'_>) -> usize {
        let found = self.check(root);
        found.missing.iter().map(|missing| missing.count as usize).sum::<usize>()
            + found.failures.len()
            + found.unexpected.len()
    }

    fn check(&self, root: ValueRef<'_>) -> Found {
        let mut walk = Walk::new(self, root.document());
        walk.pending.push(Pending { value: root.node(), node: 0 });
        walk.run();
        let mut found = walk.found;
        found.missing.sort_by_key(|missing| missing.object);
        found.failures.sort_by_key(|failure| failure.value);
        found.unexpected.sort_unstable();
        found
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
                    GroupKind::Any | GroupKind::One => {
                        let types = group.schemas.of(&self.links).iter().map(|&node| self.node(node).types);
                        types.map(|types| types.unwrap_or(TypeSet::NONE)).fold(TypeSet::NONE, TypeSet::with)
                    }
                }
            }
            Keyword::Constraint(i) => return node.constraints[i as usize].words(),
        };
        types.names().map(str::to_owned).collect()
    }
}

/// As many violations are named in full: each carries its pointer, so that their size is bounded.
pub(super) const REPORTED: usize = 256;

#[derive(Default)]
struct Found {
    missing: Vec<Missing>,
    failures: Vec<Failure>,
    /// The values of the unexpected members.
    unexpected: Vec<u32>,
}

struct Missing {
    object: u32,
    node: u32,
    count: u32,
}

struct Failure {
    value: u32,
    node: u32,
    keyword: Keyword,
}

/// Which keyword of a node failed.
#[derive(Clone, Copy)]
enum Keyword {
    Alternatives(u32),
    Constraint(u32),
    Group(u32),
    Types,
}

/// A value that a schema object has yet to judge.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) value: u32,
    pub(super) node: u32,
}

pub(super) struct Walk<'s, 'd> {
    schema: &'s Schema,
    document: &'d Document,
    /// What judges one value lies together.
    pending: Vec<Pending>,
    /// The value that each schema object judged last.
    seen_at: Vec<u32>,
    /// The schema objects that judge the value at hand.
    applied: Vec<u32>,
    found: Found,
}

impl<'s, 'd> Walk<'s, 'd> {
    pub(super) fn new(schema: &'s Schema, document: &'d Document) -> Self {
        Self {
            schema,
            document,
            pending: Vec::new(),
            seen_at: vec![u32::MAX; schema.nodes.len()],
            applied: Vec::new(),
            found: Found::default(),
        }
    }

    /// What lies below the value and must be judged for this schema object to hold; `None` if it fails already.
    pub(super) fn below(&mut self, value: ValueRef<'d>, node: u32) -> Option<Vec<Pending>> {
        self.applied.clear();
        self.applied.push(node);
        self.judge(value);
        let below = std::mem::take(&mut self.pending);
        let Found { missing, failures, unexpected } = std::mem::take(&mut self.found);
        (missing.is_empty() && failures.is_empty() && unexpected.is_empty()).then_some(below)
    }

    fn run(&mut self) {
        let mut validity = Validity::new(self.schema, self.document);
        while let Some(&Pending { value, .. }) = self.pending.last() {
            self.applied.clear();
            while let Some(next) = self.pending.pop_if(|next| next.value == value) {
                self.apply(value, next.node);
            }
            // `apply` turned the order; allOf and references come after what names them.
            let mut done = 0;
            while let Some(&node) = self.applied.get(done) {
                for &also in self.schema.node(node).also.of(&self.schema.links) {
                    self.apply(value, also);
                }
                done += 1;
            }
            self.judge(ValueRef::new(self.document, value));
            for &node in &self.applied {
                for (i, group) in self.schema.node(node).groups.iter().enumerate() {
                    if !validity.holds(group, value) {
                        self.found.failures.push(Failure { value, node, keyword: Keyword::Group(i as u32) });
                    }
                }
            }
        }
    }

    fn apply(&mut self, value: u32, node: u32) {
        if !self.schema.node(node).is_trivial && std::mem::replace(&mut self.seen_at[node as usize], value) != value {
            self.applied.push(node);
        }
    }

    fn judge(&mut self, value: ValueRef<'d>) {
        for i in 0..self.applied.len() {
            let id = self.applied[i];
            let node = self.schema.node(id);
            if node.types.is_some_and(|types| !types.fits(value)) {
                self.fail(value, id, Keyword::Types);
            }
            for (i, alternatives) in node.alternatives.iter().enumerate() {
                if !alternatives.fit(value) {
                    self.fail(value, id, Keyword::Alternatives(i as u32));
                }
            }
        }
        match value.kind() {
            Kind::Object => self.object(value),
            Kind::Array => self.array(value),
            Kind::Boolean | Kind::Null | Kind::Number | Kind::String => self.constraints(value, 0),
        }
    }

    fn fail(&mut self, value: ValueRef<'d>, node: u32, keyword: Keyword) {
        self.found.failures.push(Failure { value: value.node(), node, keyword });
    }

    /// `size`: elements, or different member names.
    fn constraints(&mut self, value: ValueRef<'d>, size: u64) {
        for i in 0..self.applied.len() {
            let id = self.applied[i];
            for (i, constraint) in self.schema.node(id).constraints.iter().enumerate() {
                if !constraint.holds(value, size) {
                    self.fail(value, id, Keyword::Constraint(i as u32));
                }
            }
        }
    }

    fn array(&mut self, array: ValueRef<'d>) {
        let mut size = 0;
        let begun = self.pending.len();
        for element in array.elements() {
            for &id in &self.applied {
                let node = self.schema.node(id);
                let prefix = node.prefix.of(&self.schema.links);
                let judge = usize::try_from(size).ok().and_then(|i| prefix.get(i).copied()).or(node.items);
                self.pending.extend(judge.map(|node| Pending { value: element.node(), node }));
            }
            size += 1;
        }
        self.pending[begun..].reverse();
        self.constraints(array, size);
    }

    fn object(&mut self, object: ValueRef<'d>) {
        let mut found: SmallVec<[u32; 8]> = SmallVec::from_elem(0, self.applied.len());
        let mut names = Names::default();
        let mut size = 0;
        let begun = self.pending.len();
        if !self.applied.is_empty() {
            for member in object.members() {
                if !names.add(member.name) {
                    continue;
                }
                size += 1;
                let value = member.value.node();
                for (&id, found) in self.applied.iter().zip(&mut found) {
                    let node: &Node = self.schema.node(id);
                    let slot = self.schema.slot(node, member.name);
                    *found += u32::from(slot.is_some_and(|slot| slot.is_required));
                    match (slot.and_then(|slot| slot.schema), node.additional) {
                        (Some(node), _) | (None, Additional::Schema(node)) => {
                            self.pending.push(Pending { value, node });
                        }
                        (None, Additional::Closed) => self.found.unexpected.push(value),
                        (None, Additional::Any) => {}
                    }
                }
            }
        }
        self.pending[begun..].reverse();
        for (&node, found) in self.applied.iter().zip(&found) {
            let required = self.schema.node(node).required;
            let count = required.end - required.start - found;
            if count > 0 {
                self.found.missing.push(Missing { object: object.node(), node, count });
            }
        }
        self.constraints(object, size);
    }
}

/// The names of one object: few are compared, many are hashed.
#[derive(Default)]
struct Names<'d> {
    few: SmallVec<[&'d str; 16]>,
    many: HashSet<&'d str>,
}

impl<'d> Names<'d> {
    /// Whether the name is new.
    fn add(&mut self, name: &'d str) -> bool {
        if self.few.len() < self.few.inline_size() {
            let is_new = !self.few.contains(&name);
            if is_new {
                self.few.push(name);
            }
            return is_new;
        }
        if self.many.is_empty() {
            self.many.extend(&self.few);
        }
        self.many.insert(name)
    }
}

impl Alternatives {
    fn fit(&self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Any(types) => types.fits(value),
            Self::One(alternatives) => alternatives.iter().filter(|types| types.fits(value)).count() == 1,
        }
    }
}

impl Constraint {
    fn holds(&self, value: ValueRef<'_>, size: u64) -> bool {
        let number = |holds: &dyn Fn(Number<'_>) -> bool| value.as_number().is_none_or(holds);
        let length = || value.as_str().map(|text| text.chars().count() as u64);
        match self {
            Self::Const(allowed) | Self::Enum(allowed) => allowed.allows(value),
            Self::ExclusiveMaximum(bound) => number(&|n| n < Number::new(bound)),
            Self::ExclusiveMinimum(bound) => number(&|n| n > Number::new(bound)),
            Self::Maximum(bound) => number(&|n| n <= Number::new(bound)),
            Self::Minimum(bound) => number(&|n| n >= Number::new(bound)),
            Self::MultipleOf(divisor) => number(&|n| divisor.divides(n)),
            Self::MaxLength(bound) => length().is_none_or(|length| length <= *bound),
            Self::MinLength(bound) => length().is_none_or(|length| length >= *bound),
            Self::MaxItems(bound) => value.kind() != Kind::Array || size <= *bound,
            Self::MinItems(bound) => value.kind() != Kind::Array || size >= *bound,
            Self::MaxProperties(bound) => value.kind() != Kind::Object || size <= *bound,
            Self::MinProperties(bound) => value.kind() != Kind::Object || size >= *bound,
            Self::Never => false,
            Self::UniqueItems => super::constant::all_differ(value),
        }
    }

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
