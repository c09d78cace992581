//! Whether a value satisfies one schema object: asked for the alternatives of `anyOf` and `oneOf` and for `not`.
//!
//! Each question is answered once, so that alternatives within alternatives do not multiply; the questions that wait
//! stand on a stack of their own.

use std::collections::HashMap;

use super::step::{Names, Pending, Step};
use super::{Group, GroupKind, Schema};
use crate::document::ValueRef;

pub(super) struct Validity<'s, 'd> {
    schema: &'s Schema,
    /// Every value that is asked for is in it.
    top: ValueRef<'d>,
    names: Names,
    answers: HashMap<(u32, u32), bool>,
    /// Judges one value by one schema object, without what lies below.
    step: Option<Box<Step<'s, 'd>>>,
}

/// A question whose answer depends on others.
struct Question {
    asked: Pending,
    /// All must hold, but those that groups name.
    needs: Vec<Pending>,
    /// Where the alternatives of each group begin in `needs`.
    groups: Vec<usize>,
    next: usize,
}

impl<'s, 'd> Validity<'s, 'd> {
    pub(super) fn new(schema: &'s Schema, top: ValueRef<'d>, names: Names) -> Self {
        Self { schema, top, names, answers: HashMap::new(), step: None }
    }

    /// Whether the value satisfies the group.
    pub(super) fn holds(&mut self, group: &Group, value: u32) -> bool {
        let schemas = group.schemas.of(&self.schema.links);
        let fitting = schemas.iter().filter(|&&node| self.is_valid(Pending { value, node })).count();
        group.kind.allows(fitting)
    }

    fn is_valid(&mut self, asked: Pending) -> bool {
        let mut waiting: Vec<Question> = Vec::new();
        waiting.extend(self.ask(asked));
        while let Some(question) = waiting.last_mut() {
            if let Some(&need) = question.needs.get(question.next) {
                question.next += 1;
                waiting.extend(self.ask(need));
                continue;
            }
            let Some(question) = waiting.pop() else { break };
            let answer = self.answer(&question);
            self.answers.insert((question.asked.node, question.asked.value), answer);
        }
        self.known(asked)
    }

    /// What has to be answered first; `None` if the answer is known now.
    fn ask(&mut self, asked: Pending) -> Option<Question> {
        let key = (asked.node, asked.value);
        if self.answers.contains_key(&key) {
            return None;
        }
        // Until it is answered it holds: a schema that refers to itself for the same value demands nothing by that.
        self.answers.insert(key, true);
        let Self { schema, top, names, .. } = *self;
        let node = schema.node(asked.node);
        if node.is_trivial {
            return None;
        }
        let step = self.step.get_or_insert_with(|| Box::new(Step::new(schema, top, names)));
        let Some(mut needs) = step.below(ValueRef::new(top.document(), asked.value), asked.node) else {
            self.answers.insert(key, false);
            return None;
        };
        let same = |&node: &u32| Pending { value: asked.value, node };
        needs.extend(node.also.of(&schema.links).iter().map(same));
        let mut groups = Vec::with_capacity(node.groups.len());
        for group in &node.groups {
            groups.push(needs.len());
            needs.extend(group.schemas.of(&schema.links).iter().map(same));
        }
        Some(Question { asked, needs, groups, next: 0 })
    }

    fn answer(&self, question: &Question) -> bool {
        let Question { asked, needs, groups, .. } = question;
        let all = groups.first().copied().unwrap_or(needs.len());
        needs[..all].iter().all(|&need| self.known(need))
            && self.schema.node(asked.node).groups.iter().zip(groups).all(|(group, &start)| {
                let len = group.schemas.of(&self.schema.links).len();
                group.kind.allows(needs[start..start + len].iter().filter(|&&need| self.known(need)).count())
            })
    }

    fn known(&self, asked: Pending) -> bool {
        self.answers.get(&(asked.node, asked.value)).copied().unwrap_or(true)
    }
}

impl GroupKind {
    /// Whether so many fitting schemas satisfy the group.
    fn allows(self, fitting: usize) -> bool {
        match self {
            Self::Any => fitting > 0,
            Self::Not => fitting == 0,
            Self::One => fitting == 1,
        }
    }
}
