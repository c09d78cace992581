//! Tools: the schema of the arguments, what it says against a value, and the grants of the tool's owner.

mod by_member;
mod check;
mod compile;
mod constant;
mod constraint;
mod definition;
mod error;
mod explain;
mod findings;
mod flat;
mod grants;
#[cfg(feature = "jsonschema")]
mod jsonschema;
mod keywords;
mod named;
mod place;
mod step;
mod tool;
mod tools;
mod types;
mod validity;
mod violation;

pub use error::SchemaError;
pub use grants::{GrantError, Grants, InnerCallGrant, Marker};
#[cfg(feature = "jsonschema")]
pub use jsonschema::JsonSchema;
pub use tool::Tool;
pub use tools::{ToolIssue, Tools};
pub use violation::{Unjudged, Validator, Violation};

pub(crate) use by_member::ByMember;
pub(crate) use findings::Findings;
pub(crate) use step::Names;
pub(crate) use types::TypeSet;

use crate::document::Bound;
use constant::{Allowed, Divisor, by_name};

/// A schema, compiled: nodes that refer to each other by index, so that references may form cycles and nothing recurses.
#[derive(Debug)]
pub(crate) struct Schema {
    /// One per schema object that can be reached; the root is the first.
    nodes: Box<[Node]>,
    /// The members that each node names, in the order of [`by_name`] within a node.
    slots: Box<[Slot]>,
    /// Indices into `slots`, in the order of `required`.
    required: Box<[u32]>,
    /// Node indices: `allOf`, `$ref`, `prefixItems` and groups.
    links: Box<[u32]>,
    /// The members that the root declares.
    members: Box<[RootMember]>,
    /// The root says all it says of its members by `properties`: none is declared, or limited, by another keyword.
    declares_all: bool,
    /// The types that the root names.
    root_types: TypeSet,
    unjudged: Box<[Unjudged]>,
}

/// One schema object.
#[derive(Debug)]
struct Node {
    types: Option<TypeSet>,
    /// `anyOf` and `oneOf` of plain types.
    alternatives: Vec<Alternatives>,
    /// `anyOf` and `oneOf` of other schemas, and `not`.
    groups: Vec<Group>,
    slots: Slice,
    required: Slice,
    additional: Additional,
    /// Schemas that the same value must satisfy too.
    also: Slice,
    prefix: Slice,
    items: Option<u32>,
    constraints: Vec<Constraint>,
    /// Nothing is judged here.
    is_trivial: bool,
    /// No other schema object judges the same value by what is said here.
    is_single: bool,
}

/// A member that a node names, by `properties` or by `required`.
#[derive(Debug)]
struct Slot {
    name: Box<str>,
    /// The schema of a declared member.
    schema: Option<u32>,
    is_required: bool,
}

/// What becomes of members that `properties` does not name.
#[derive(Clone, Copy, Debug)]
enum Additional {
    Any,
    Closed,
    Schema(u32),
}

/// `anyOf` or `oneOf` where each alternative names types and nothing else.
#[derive(Debug)]
enum Alternatives {
    Any(TypeSet),
    /// Exactly one must fit.
    One(Box<[TypeSet]>),
}

/// Schemas of which some must be satisfied, or none.
#[derive(Clone, Copy, Debug)]
struct Group {
    kind: GroupKind,
    /// Node indices in `links`.
    schemas: Slice,
}

/// How many schemas of a group must be satisfied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum GroupKind {
    /// `anyOf`: at least one.
    Any,
    /// `not`: none.
    Not,
    /// `oneOf`: exactly one.
    One,
}

/// A keyword that fails with `constraint-violation`.
#[derive(Debug)]
enum Constraint {
    Const(Allowed),
    Enum(Allowed),
    ExclusiveMaximum(Bound),
    ExclusiveMinimum(Bound),
    Maximum(Bound),
    MaxItems(u64),
    MaxLength(u64),
    MaxProperties(u64),
    Minimum(Bound),
    MinItems(u64),
    MinLength(u64),
    MinProperties(u64),
    MultipleOf(Divisor),
    /// The schema `false`.
    Never,
    UniqueItems,
}

/// A member that the root declares.
#[derive(Debug)]
struct RootMember {
    name: Box<str>,
    /// The types that its schema names; none where it names none.
    types: TypeSet,
    /// A string and nothing else: no enum, const, pattern, format.
    is_plain: bool,
}

/// A range of one of the schema's tables.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    fn of<T>(self, table: &[T]) -> &[T] {
        table.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

impl Schema {
    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The slot of this name in a node's range.
    fn slot(&self, node: &Node, name: &str) -> Option<&Slot> {
        /// Up to here comparing each costs less than a search.
        const FEW: usize = 12;
        let slots = node.slots.of(&self.slots);
        if slots.len() <= FEW {
            return slots.iter().find(|slot| *slot.name == *name);
        }
        slots.binary_search_by(|slot| by_name(&slot.name, name)).ok().map(|i| &slots[i])
    }

    fn member(&self, name: &str) -> Option<&RootMember> {
        self.members.binary_search_by(|member| (*member.name).cmp(name)).ok().map(|i| &self.members[i])
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.nodes.first().map_or(Slice::default(), |root| root.required);
        self.names(required)
    }

    /// The names of a node's required members, in order.
    fn names(&self, required: Slice) -> impl Iterator<Item = &str> {
        required.of(&self.required).iter().filter_map(|&slot| self.slots.get(slot as usize)).map(|slot| &*slot.name)
    }
}

#[cfg(test)]
mod tests;
