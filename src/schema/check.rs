//! What a schema says against a value.
//!
//! One walk over the document with a stack of its own; each schema object judges each value at most once, so that the
//! work is bounded by the product of the two, and is linear in the document for a schema without references. A value of
//! which nothing is said costs no memory.

use smallvec::SmallVec;

use super::Schema;
use super::step::{Failure, Found, Keyword, Names, Pending, Step};
use super::validity::Validity;
use crate::document::ValueRef;

impl Schema {
    /// What these schema objects say of the value.
    pub(super) fn check(&self, top: ValueRef<'_>, judges: impl Iterator<Item = u32>, names: Names) -> Found {
        let mut step = Step::new(self, top, names);
        step.pending.extend(judges.map(|node| Pending { value: top.node(), node }));
        self.walk(&mut step, top, names);
        let mut found = step.found;
        found.missing.sort_by_key(|missing| missing.object);
        found.failures.sort_by_key(|failure| failure.value);
        found.unexpected.sort_unstable();
        found
    }

    /// Until nothing is pending.
    fn walk<'d>(&self, step: &mut Step<'_, 'd>, top: ValueRef<'d>, names: Names) {
        let mut validity = None;
        let mut applied = Applied::default();
        while let Some(&Pending { value, .. }) = step.pending.last() {
            applied.nodes.clear();
            while let Some(&next) = step.pending.last().filter(|next| next.value == value) {
                step.pending.pop();
                applied.add(self, next.node, value);
            }
            // `add` turned the order; allOf and references come after what names them.
            let mut done = 0;
            while let Some(&node) = applied.nodes.get(done) {
                for &also in self.node(node).also.of(&self.links) {
                    applied.add(self, also, value);
                }
                done += 1;
            }
            step.judge(ValueRef::new(top.document(), value), &applied.nodes);
            for &node in &applied.nodes {
                for (i, group) in self.node(node).groups.iter().enumerate() {
                    let validity = validity.get_or_insert_with(|| Validity::new(self, top, names));
                    if !validity.holds(group, value) {
                        step.found.failures.push(Failure { value, node, keyword: Keyword::Group(i as u32) });
                    }
                }
            }
        }
    }
}

/// The schema objects that judge the value at hand, each once: few are compared, many are marked.
#[derive(Default)]
struct Applied {
    nodes: SmallVec<[u32; 8]>,
    /// The value that each schema object judged last, of those with many judges.
    seen_at: Vec<u32>,
}

impl Applied {
    fn add(&mut self, schema: &Schema, node: u32, value: u32) {
        if schema.node(node).is_trivial {
            return;
        }
        let few = self.nodes.inline_size();
        if self.nodes.len() < few {
            if !self.nodes.contains(&node) {
                self.nodes.push(node);
            }
            return;
        }
        self.seen_at.resize(schema.nodes.len(), u32::MAX);
        if self.nodes.len() == few {
            self.nodes.iter().for_each(|&node| self.seen_at[node as usize] = value);
        }
        if std::mem::replace(&mut self.seen_at[node as usize], value) != value {
            self.nodes.push(node);
        }
    }
}
