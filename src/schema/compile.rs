//! A schema, read from JSON once.
//!
//! What is judged is the table in [`Compiler::keyword`]; every other keyword that could reject a value is listed as not
//! judged. Only schema objects that can be reached from the root are read. A worklist, no recursion.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::constant::{DEPTH, by_name};
use super::constraint::constraint;
use super::keywords::{self, is_annotation};
use super::named::{Named, is_upper_case, local, types};
use super::{
    Additional, Alternatives, Constraint, Group, GroupKind, Node, Schema, SchemaError, Slice, Slot, TypeSet, Unjudged,
};
use crate::text::pointer::{Token, write_token};

impl Schema {
    pub(super) fn compile(root: &Value) -> Result<Self, SchemaError> {
        let mut compiler = Compiler { root, origins: Vec::new(), ids: HashMap::new(), out: Tables::default() };
        compiler.intern(root, Origin { value: root, place: Place::Root, depth: 0, is_rebased: false });
        let mut nodes = Vec::new();
        while nodes.len() < compiler.origins.len() {
            nodes.push(compiler.node(nodes.len() as u32)?);
        }
        compiler.leave_out(&mut nodes);
        let named = Named { root };
        let Tables { slots, required, links, unjudged, partial: _ } = compiler.out;
        Ok(Self {
            nodes: nodes.into(),
            slots: slots.into(),
            required: required.into(),
            links: links.into(),
            members: named.members(),
            declares_all: keywords::declares_all(root),
            root_types: named.named_types(root),
            unjudged: unjudged.into(),
        })
    }
}

/// A schema object that was reached, and how.
struct Origin<'s> {
    value: &'s Value,
    place: Place<'s>,
    depth: usize,
    /// Below a `$id`: references there do not start from the root.
    is_rebased: bool,
}

enum Place<'s> {
    Root,
    /// By a reference, which is its pointer.
    Referred(String),
    Under {
        parent: u32,
        keyword: &'s str,
        token: Option<Token<'s>>,
    },
}

#[derive(Default)]
struct Tables {
    slots: Vec<Slot>,
    required: Vec<u32>,
    links: Vec<u32>,
    unjudged: Vec<Unjudged>,
    /// The nodes that hold a keyword that is not judged.
    partial: Vec<u32>,
}

struct Compiler<'s> {
    root: &'s Value,
    origins: Vec<Origin<'s>>,
    /// Nodes by the address of their value: a reference may lead to one that is known.
    ids: HashMap<*const Value, u32>,
    out: Tables,
}

/// What one schema object has said so far.
struct Draft<'s> {
    node: Node,
    slots: Vec<Slot>,
    required: Vec<&'s str>,
    also: Vec<u32>,
    prefix: Vec<u32>,
    groups: Vec<(GroupKind, Vec<u32>)>,
}

impl<'s> Compiler<'s> {
    fn intern(&mut self, value: &'s Value, origin: Origin<'s>) -> u32 {
        let next = self.origins.len() as u32;
        let id = *self.ids.entry(std::ptr::from_ref(value)).or_insert(next);
        if id == next {
            self.origins.push(origin);
        }
        id
    }

    fn node(&mut self, id: u32) -> Result<Node, SchemaError> {
        let origin = &self.origins[id as usize];
        if origin.depth > DEPTH {
            return Err(SchemaError::new("", format!("nested deeper than {DEPTH} levels; flatten it, or use `$ref`")));
        }
        let mut draft = Draft {
            node: Node {
                types: None,
                alternatives: Vec::new(),
                groups: Vec::new(),
                slots: Slice::default(),
                required: Slice::default(),
                additional: Additional::Any,
                also: Slice::default(),
                prefix: Slice::default(),
                items: None,
                constraints: Vec::new(),
                is_trivial: false,
                is_single: false,
            },
            slots: Vec::new(),
            required: Vec::new(),
            also: Vec::new(),
            prefix: Vec::new(),
            groups: Vec::new(),
        };
        match origin.value {
            Value::Bool(true) => {}
            Value::Bool(false) => draft.node.constraints.push(Constraint::Never),
            Value::Object(members) => {
                if members.contains_key("$id") && id != 0 {
                    self.origins[id as usize].is_rebased = true;
                }
                for (keyword, value) in members {
                    self.keyword(id, members, keyword, value, &mut draft)?;
                }
            }
            _ => return Err(self.error(id, "a schema is an object, `true` or `false`")),
        }
        Ok(self.close(draft))
    }

    fn close(&mut self, draft: Draft<'_>) -> Node {
        let Draft { mut node, mut slots, required, also, prefix, groups } = draft;
        let declared = slots.len();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut order = Vec::new();
        for name in required {
            // Declared members are sorted, as serde_json sorts them.
            let slot = match slots[..declared].binary_search_by(|slot| (*slot.name).cmp(name)) {
                Ok(slot) => slot,
                Err(_) => *known.entry(name).or_insert_with(|| {
                    slots.push(Slot { name: name.into(), schema: None, is_required: false });
                    slots.len() - 1
                }),
            };
            if !slots[slot].is_required {
                slots[slot].is_required = true;
                order.push(slot);
            }
        }
        let mut sorted: Vec<usize> = (0..slots.len()).collect();
        sorted.sort_by(|&a, &b| by_name(&slots[a].name, &slots[b].name));
        let mut rank = vec![0; slots.len()];
        for (place, &slot) in sorted.iter().enumerate() {
            rank[slot] = place;
        }
        let start = self.out.slots.len();
        let required = order.into_iter().map(|slot| (start + rank[slot]) as u32);
        node.required = append(&mut self.out.required, required);
        slots.sort_by(|a, b| by_name(&a.name, &b.name));
        node.slots = append(&mut self.out.slots, slots);
        node.also = append(&mut self.out.links, also);
        node.prefix = append(&mut self.out.links, prefix);
        for (kind, schemas) in groups {
            node.groups.push(Group { kind, schemas: append(&mut self.out.links, schemas) });
        }
        node.is_single = node.groups.is_empty() && node.also.start == node.also.end;
        node.is_trivial = node.types.is_none()
            && node.alternatives.is_empty()
            && node.groups.is_empty()
            && node.slots.start == node.slots.end
            && matches!(node.additional, Additional::Any)
            && node.also.start == node.also.end
            && node.prefix.start == node.prefix.end
            && node.items.is_none()
            && node.constraints.is_empty();
        node
    }

    /// `oneOf` and `not` would reject what a keyword that is not judged lets pass: where one can be reached, they are
    /// not judged either.
    fn leave_out(&mut self, nodes: &mut [Node]) {
        let mut from: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            let slots = node.slots.of(&self.out.slots).iter().filter_map(|slot| slot.schema);
            let links = [node.also, node.prefix].into_iter().chain(node.groups.iter().map(|group| group.schemas));
            let links = links.flat_map(|slice| slice.of(&self.out.links)).copied();
            let additional = match node.additional {
                Additional::Schema(schema) => Some(schema),
                Additional::Any | Additional::Closed => None,
            };
            for to in slots.chain(links).chain(additional).chain(node.items) {
                from[to as usize].push(id as u32);
            }
        }
        let mut is_partial = vec![false; nodes.len()];
        let mut pending = self.out.partial.clone();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut is_partial[id as usize], true) {
                pending.extend(&from[id as usize]);
            }
        }
        for (id, node) in nodes.iter_mut().enumerate() {
            for group in std::mem::take(&mut node.groups) {
                let reaches = group.schemas.of(&self.out.links).iter().any(|&schema| is_partial[schema as usize]);
                match group.kind {
                    GroupKind::Not if reaches => self.unjudged(id as u32, "not"),
                    GroupKind::One if reaches => self.unjudged(id as u32, "oneOf"),
                    GroupKind::Any | GroupKind::Not | GroupKind::One => node.groups.push(group),
                }
            }
        }
    }

    fn keyword(
        &mut self,
        id: u32,
        members: &'s Map<String, Value>,
        keyword: &'s str,
        value: &'s Value,
        draft: &mut Draft<'s>,
    ) -> Result<(), SchemaError> {
        match keyword {
            "type" => draft.node.types = Some(types(members, value).map_err(|reason| self.error(id, reason))?),
            "properties" => {
                let Value::Object(properties) = value else {
                    return Err(self.error(id, "`properties` is an object of schemas"));
                };
                for (name, schema) in properties {
                    let schema = Some(self.child(id, keyword, Some(Token::Name(name)), schema));
                    draft.slots.push(Slot { name: name.as_str().into(), schema, is_required: false });
                }
            }
            "required" => {
                let names = value.as_array().and_then(|names| names.iter().map(Value::as_str).collect());
                let Some(names) = names else {
                    return Err(self.error(id, "`required` is an array of member names"));
                };
                draft.required = names;
            }
            "additionalProperties" if members.contains_key("patternProperties") => self.unjudged(id, keyword),
            "additionalProperties" => {
                draft.node.additional = match value {
                    Value::Bool(true) => Additional::Any,
                    Value::Bool(false) => Additional::Closed,
                    schema => Additional::Schema(self.child(id, keyword, None, schema)),
                };
            }
            "items" if value.is_array() => self.unjudged(id, keyword),
            "items" => draft.node.items = Some(self.child(id, keyword, None, value)),
            "prefixItems" | "allOf" => {
                let Value::Array(schemas) = value else {
                    return Err(self.error(id, format!("`{keyword}` is an array of schemas")));
                };
                let ids = schemas.iter().enumerate();
                let ids = ids.map(|(i, schema)| self.child(id, keyword, Some(Token::Index(i as u32)), schema));
                let ids: Vec<_> = ids.collect();
                if keyword == "allOf" { draft.also.extend(ids) } else { draft.prefix = ids }
            }
            "$ref" => match self.target(id, value)? {
                Some((value, pointer)) => {
                    let depth = pointer.matches('/').count();
                    let place = Place::Referred(pointer);
                    draft.also.push(self.intern(value, Origin { value, place, depth, is_rebased: false }));
                }
                None => self.unjudged(id, keyword),
            },
            "anyOf" | "oneOf" => {
                let Value::Array(alternatives) = value else {
                    return Err(self.error(id, format!("`{keyword}` is an array of schemas")));
                };
                let rebased = self.origins[id as usize].is_rebased;
                let named = Named { root: self.root };
                let types: Option<Vec<_>> =
                    alternatives.iter().map(|schema| if rebased { None } else { named.plain_types(schema) }).collect();
                match types {
                    None => {
                        let schemas = alternatives.iter().enumerate();
                        let ids =
                            schemas.map(|(i, schema)| self.child(id, keyword, Some(Token::Index(i as u32)), schema));
                        let kind = if keyword == "anyOf" { GroupKind::Any } else { GroupKind::One };
                        draft.groups.push((kind, ids.collect()));
                    }
                    Some(types) if keyword == "oneOf" => {
                        draft.node.alternatives.push(Alternatives::One(types.into()));
                    }
                    Some(types) => {
                        let any = types.into_iter().fold(TypeSet::NONE, TypeSet::with);
                        draft.node.alternatives.push(Alternatives::Any(any));
                    }
                }
            }
            "not" => {
                let schema = self.child(id, keyword, None, value);
                draft.groups.push((GroupKind::Not, vec![schema]));
            }
            "$id" if id == 0 => {}
            // A dialect of its own may give keywords another meaning.
            "$schema" if value.as_str().is_some_and(|uri| uri.contains("://json-schema.org/")) => {}
            "nullable" if value.as_bool() == Some(false) || is_upper_case(members) => {}
            _ if is_annotation(keyword) => {}
            _ => match constraint(keyword, value).map_err(|reason| self.error(id, reason))? {
                Some(constraint) => draft.node.constraints.push(constraint),
                None if keyword == "uniqueItems" => {}
                None => self.unjudged(id, keyword),
            },
        }
        Ok(())
    }

    fn child(&mut self, parent: u32, keyword: &'s str, token: Option<Token<'s>>, value: &'s Value) -> u32 {
        let Origin { depth, is_rebased, .. } = self.origins[parent as usize];
        let place = Place::Under { parent, keyword, token };
        self.intern(value, Origin { value, place, depth: depth + 1, is_rebased })
    }

    /// The schema that a `$ref` of this document leads to, and its pointer; `None` where it leads elsewhere.
    fn target(&self, id: u32, reference: &Value) -> Result<Option<(&'s Value, String)>, SchemaError> {
        let Some(pointer) = local(reference) else { return Ok(None) };
        if self.origins[id as usize].is_rebased {
            return Ok(None);
        }
        match self.root.pointer(&pointer) {
            Some(target) => Ok(Some((target, pointer))),
            None => {
                let clipped: String = pointer.chars().take(80).flat_map(char::escape_debug).collect();
                Err(self.error(id, format!("`$ref` \"#{clipped}\" leads nowhere; declare that schema, under `$defs`")))
            }
        }
    }

    fn unjudged(&mut self, id: u32, keyword: &str) {
        let pointer = self.pointer(id);
        self.out.unjudged.push(Unjudged::new(keyword, pointer));
        self.out.partial.push(id);
    }

    fn error(&self, id: u32, reason: impl Into<String>) -> SchemaError {
        SchemaError::new(self.pointer(id), reason)
    }

    fn pointer(&self, mut id: u32) -> String {
        let mut tokens = Vec::new();
        let mut pointer = loop {
            match &self.origins[id as usize].place {
                Place::Root => break String::new(),
                Place::Referred(pointer) => break pointer.clone(),
                Place::Under { parent, keyword, token } => {
                    tokens.extend(*token);
                    tokens.push(Token::Name(keyword));
                    id = *parent;
                }
            }
        };
        for token in tokens.into_iter().rev() {
            // Writing to a String cannot fail.
            let _ = write_token(&mut pointer, token);
        }
        pointer
    }
}

fn append<T>(table: &mut Vec<T>, entries: impl IntoIterator<Item = T>) -> Slice {
    let start = table.len() as u32;
    table.extend(entries);
    Slice { start, end: table.len() as u32 }
}
