//! What schema objects say of one value, without what lies below it.

use std::cmp::Ordering;
use std::collections::HashSet;

use smallvec::SmallVec;

use super::constant::elements_differ;
use super::{Additional, Alternatives, Constraint, Node, Schema};
use crate::document::{Bound, Kind, Prints, ValueRef, all_differ};

/// Judges values of one document, one after the other.
pub(super) struct Step<'s, 'd> {
    schema: &'s Schema,
    names: Names,
    prints: Prints<'d>,
    /// What lies below the values and is yet to be judged; what judges one value lies together.
    pub(super) pending: SmallVec<[Pending; 8]>,
    pub(super) found: Found,
}

impl<'s, 'd> Step<'s, 'd> {
    /// For `top` and the values in it.
    pub(super) fn new(schema: &'s Schema, top: ValueRef<'d>, names: Names) -> Self {
        Self { schema, names, prints: Prints::of(top), pending: SmallVec::new(), found: Found::default() }
    }

    /// What lies below the value and must be judged for this schema object to hold; `None` if it fails already.
    pub(super) fn below(&mut self, value: ValueRef<'d>, node: u32) -> Option<Vec<Pending>> {
        self.judge(value, &[node]);
        let below = self.pending.drain(..).collect();
        std::mem::take(&mut self.found).is_empty().then_some(below)
    }

    /// By these schema objects, without what lies below containers.
    pub(super) fn judge(&mut self, value: ValueRef<'d>, applied: &[u32]) {
        for &node in applied {
            self.types(value, node);
        }
        let size = match value.kind() {
            Kind::Object => self.object(value, applied),
            Kind::Array => self.array(value, applied),
            Kind::Boolean | Kind::Null | Kind::Number | Kind::String => 0,
        };
        for &node in applied {
            self.constraints(value, node, size);
        }
    }

    #[inline(always)]
    fn types(&mut self, value: ValueRef<'d>, id: u32) {
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

    /// `size`: elements, or different member names.
    #[inline(always)]
    fn constraints(&mut self, value: ValueRef<'d>, id: u32, size: u64) {
        for (i, constraint) in self.schema.node(id).constraints.iter().enumerate() {
            if !constraint.holds(value, size, &mut self.prints) {
                self.fail(value, id, Keyword::Constraint(i as u32));
            }
        }
    }

    #[cold]
    fn fail(&mut self, value: ValueRef<'d>, node: u32, keyword: Keyword) {
        self.found.failures.push(Failure { value: value.node(), node, keyword });
    }

    fn scalar(&mut self, value: ValueRef<'d>, id: u32) {
        self.types(value, id);
        self.constraints(value, id, 0);
    }

    fn array(&mut self, array: ValueRef<'d>, applied: &[u32]) -> u64 {
        let begun = self.pending.len();
        let mut size = 0;
        for element in array.elements() {
            for &node in applied {
                let node = self.schema.node(node);
                let prefix = node.prefix.of(&self.schema.links);
                let judge = usize::try_from(size).ok().and_then(|i| prefix.get(i).copied()).or(node.items);
                if let Some(judge) = judge {
                    self.child(element, judge, applied.len());
                }
            }
            size += 1;
        }
        self.pending[begun..].reverse();
        size
    }

    fn object(&mut self, object: ValueRef<'d>, applied: &[u32]) -> u64 {
        let begun = self.pending.len();
        let mut size = 0;
        let names = if applied.is_empty() { self.names } else { self.names.of(object) };
        for &node in applied {
            size = self.members(object, node, applied.len(), names);
        }
        if applied.len() > 1 {
            self.pending[begun..].sort_by_key(|pending| pending.value);
        }
        self.pending[begun..].reverse();
        size
    }

    /// What one schema object of so many says of the members; how many there are.
    fn members(&mut self, object: ValueRef<'d>, id: u32, applied: usize, names: Names) -> u64 {
        let node: &Node = self.schema.node(id);
        let mut seen = match names {
            Names::Differ => None,
            Names::MayRepeat => Some(HashSet::new()),
        };
        let (mut size, mut found) = (0, 0);
        for member in object.members() {
            if seen.as_mut().is_some_and(|seen| !seen.insert(member.name)) {
                continue;
            }
            size += 1;
            let slot = self.schema.slot(node, member.name);
            found += u32::from(slot.is_some_and(|slot| slot.is_required));
            match (slot.and_then(|slot| slot.schema), node.additional) {
                (Some(judge), _) | (None, Additional::Schema(judge)) => self.child(member.value, judge, applied),
                (None, Additional::Closed) => self.found.unexpected.push(member.value.node()),
                (None, Additional::Any) => {}
            }
        }
        let count = node.required.end - node.required.start - found;
        if count > 0 {
            self.found.missing.push(Missing { object: object.node(), node: id, count });
        }
        size
    }

    /// A child of a value that so many schema objects judge. Most children are scalars of which one schema object says
    /// all there is to say.
    #[inline]
    fn child(&mut self, value: ValueRef<'d>, id: u32, applied: usize) {
        let node = self.schema.node(id);
        if node.is_trivial {
            return;
        }
        if applied == 1 && node.is_single && !matches!(value.kind(), Kind::Array | Kind::Object) {
            self.scalar(value, id);
        } else {
            self.pending.push(Pending { value: value.node(), node: id });
        }
    }
}

/// Everything that is said, in text order.
#[derive(Default)]
pub(super) struct Found {
    pub(super) missing: Vec<Missing>,
    pub(super) failures: Vec<Failure>,
    /// The values of the unexpected members.
    pub(super) unexpected: Vec<u32>,
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.failures.is_empty() && self.unexpected.is_empty()
    }

    /// How many violations there are, exactly.
    pub(super) fn count(&self) -> usize {
        let missing = self.missing.iter().map(|missing| missing.count as usize);
        missing.sum::<usize>() + self.failures.len() + self.unexpected.len()
    }
}

pub(super) struct Missing {
    pub(super) object: u32,
    pub(super) node: u32,
    count: u32,
}

pub(super) struct Failure {
    pub(super) value: u32,
    pub(super) node: u32,
    pub(super) keyword: Keyword,
}

/// Which keyword of a node failed.
#[derive(Clone, Copy)]
pub(super) enum Keyword {
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

/// What is known of the member names of a document.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Names {
    /// None stands twice in one object.
    Differ,
    MayRepeat,
}

impl Names {
    /// The same, of the names of this object.
    fn of(self, object: ValueRef<'_>) -> Self {
        match self {
            Self::MayRepeat if !all_differ(object) => Self::MayRepeat,
            Self::Differ | Self::MayRepeat => Self::Differ,
        }
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
    fn holds<'d>(&self, value: ValueRef<'d>, size: u64, prints: &mut Prints<'d>) -> bool {
        let number = |bound: &Bound, fits: fn(Ordering) -> bool| {
            value.as_number().is_none_or(|number| fits(bound.compare(number)))
        };
        let length = || value.as_str().map(|text| text.chars().count() as u64);
        match self {
            Self::Const(allowed) | Self::Enum(allowed) => allowed.allows(value, prints),
            Self::ExclusiveMaximum(bound) => number(bound, Ordering::is_lt),
            Self::ExclusiveMinimum(bound) => number(bound, Ordering::is_gt),
            Self::Maximum(bound) => number(bound, Ordering::is_le),
            Self::Minimum(bound) => number(bound, Ordering::is_ge),
            Self::MultipleOf(divisor) => value.as_number().is_none_or(|number| divisor.divides(number)),
            Self::MaxLength(bound) => {
                value.most_chars().is_some_and(|most| most <= *bound) || length().is_none_or(|length| length <= *bound)
            }
            Self::MinLength(bound) => {
                value.least_chars().is_some_and(|least| least >= *bound)
                    || length().is_none_or(|length| length >= *bound)
            }
            Self::MaxItems(bound) => value.kind() != Kind::Array || size <= *bound,
            Self::MinItems(bound) => value.kind() != Kind::Array || size >= *bound,
            Self::MaxProperties(bound) => value.kind() != Kind::Object || size <= *bound,
            Self::MinProperties(bound) => value.kind() != Kind::Object || size >= *bound,
            Self::Never => false,
            Self::UniqueItems => elements_differ(value, prints),
        }
    }
}
