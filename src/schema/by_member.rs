//! What a schema says against the members of the root, one by one.

use super::step::Names;
use super::{Additional, Constraint, Schema};
use crate::document::ValueRef;

/// A schema that says nothing of the root that depends on the values of its members, but what it says of each.
pub(crate) struct ByMember<'s> {
    schema: &'s Schema,
    /// The schema objects that judge the root.
    judges: Vec<u32>,
}

impl Schema {
    /// `None` where a keyword looks at the members together.
    pub(super) fn by_member(&self) -> Option<ByMember<'_>> {
        let looks_inside = |constraint: &Constraint| matches!(constraint, Constraint::Const(_) | Constraint::Enum(_));
        let mut judges = vec![0];
        let mut is_known = vec![false; self.nodes.len()];
        is_known[0] = true;
        let mut done = 0;
        while let Some(&judge) = judges.get(done) {
            let node = self.node(judge);
            if !node.groups.is_empty() || node.constraints.iter().any(looks_inside) {
                return None;
            }
            let also = node.also.of(&self.links).iter().copied();
            judges.extend(also.filter(|&also| !std::mem::replace(&mut is_known[also as usize], true)));
            done += 1;
        }
        Some(ByMember { schema: self, judges })
    }
}

impl ByMember<'_> {
    /// How many violations there are in the member of this name, if it has this value.
    pub(crate) fn count(&self, name: &str, value: ValueRef<'_>) -> usize {
        let judge = |&judge: &u32| {
            let node = self.schema.node(judge);
            match (self.schema.slot(node, name).and_then(|slot| slot.schema), node.additional) {
                (Some(judge), _) | (None, Additional::Schema(judge)) => Some(judge),
                (None, Additional::Any | Additional::Closed) => None,
            }
        };
        self.schema.check(value, self.judges.iter().filter_map(judge), Names::MayRepeat).count()
    }
}
