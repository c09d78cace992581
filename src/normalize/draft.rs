//! The call while the plan works on it: its members, where each stands, and what becomes of it.
//!
//! Values are never copied. A [`Place`] names a value in one of several texts: the one that was sent, or the content of
//! a string that a rule decoded. [`layout`](super::layout) turns the draft into edits.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use smallvec::{SmallVec, smallvec};

use crate::document::{Document, Kind, ValueRef, duplicates};
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::syntax::Machine;

/// A value: the text that holds it (0: the one that was sent) and its node there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Place {
    pub(super) text: u32,
    pub(super) node: u32,
}

/// The content of a string.
struct Decoded {
    document: Document,
    holder: Place,
}

/// One member of the call.
pub(super) struct Member {
    /// Its value; the node before is its name.
    pub(super) value: Place,
    pub(super) fate: Fate,
    pub(super) content: Content,
    /// How many wrappers it stood in, itself or its equal in the innermost of them.
    pub(super) depth: u32,
    /// The object in its string, once that was looked for.
    inner: Option<Option<Place>>,
}

/// What becomes of a member.
pub(super) enum Fate {
    /// It goes, with its comma.
    Dropped(Rule),
    Kept,
    /// It has another name.
    Renamed(String, Rule),
    /// The members of this object, a wrapper's content, stand in its place.
    Spread(Place, Vec<u32>),
}

/// What becomes of a member's value.
#[derive(Clone, Copy)]
pub(super) enum Content {
    AsSent,
    /// The content of the string, which is this value.
    Decoded(Place),
    /// The text of the string without its quotes.
    Unquoted,
}

/// See the module.
pub(super) struct Draft<'r> {
    sent: &'r Document,
    limits: Limits,
    decoded: Vec<Decoded>,
    /// The value that stands alone in the end, braces included.
    pub(super) root: Place,
    /// The rules that took away what stood around it.
    pub(super) around: SmallVec<[Rule; 2]>,
    /// The rules that removed wrappers so far.
    layers: SmallVec<[Rule; 2]>,
    /// How many wrappers were removed.
    depth: u32,
    pub(super) members: Vec<Member>,
    /// The members that stand in the root itself, in text order.
    pub(super) top: Vec<u32>,
    /// The members of the call by name; those of one name in text order.
    names: HashMap<Cow<'r, str>, SmallVec<[u32; 1]>>,
}

impl<'r> Draft<'r> {
    /// `sent` has a root, which is closed.
    pub(super) fn new(sent: &'r Document, limits: Limits) -> Self {
        let mut draft = Self {
            sent,
            limits,
            decoded: Vec::new(),
            root: Place { text: 0, node: 0 },
            around: SmallVec::new(),
            layers: SmallVec::new(),
            depth: 0,
            members: Vec::new(),
            top: Vec::new(),
            names: HashMap::new(),
        };
        draft.set_root(draft.root);
        draft
    }

    /// From here on this value stands alone: what stood around it, its siblings included, goes.
    pub(super) fn set_root(&mut self, root: Place) {
        self.root = root;
        self.names.clear();
        self.top = self.add_members(root, None);
    }

    /// The object of a wrapper takes the place of everything around it.
    pub(super) fn unwrap(&mut self, object: Place) {
        self.layer(Rule::Unwrap);
        self.around = self.layers.clone();
        self.set_root(object);
    }

    fn layer(&mut self, rule: Rule) {
        self.depth += 1;
        if !self.layers.contains(&rule) {
            self.layers.push(rule);
        }
    }

    /// The members of the object stand in the place of the member `wrapper`; those that are there already, with an
    /// equal value, go.
    pub(super) fn spread(&mut self, wrapper: u32, object: Place) {
        self.layer(Rule::Merge);
        self.forget(wrapper);
        let members = self.add_members(object, Some(Rule::Merge));
        self.members[wrapper as usize].fate = Fate::Spread(object, members);
    }

    /// Adds the members of an object. With a rule, names that are there already are dropped by it.
    fn add_members(&mut self, object: Place, known: Option<Rule>) -> Vec<u32> {
        let first = self.members.len() as u32;
        let Self { members, names, depth, .. } = self;
        let mut adding = Adding { members, names, first, known, depth: *depth };
        match self.decoded.get((object.text as usize).wrapping_sub(1)) {
            // The names of the text as sent outlive the draft: there may be very many.
            None => ValueRef::new(self.sent, object.node)
                .members()
                .for_each(|member| adding.add(member.name.into(), object.text, member.value)),
            Some(decoded) => ValueRef::new(&decoded.document, object.node)
                .members()
                .for_each(|member| adding.add(member.name.to_owned().into(), object.text, member.value)),
        }
        (first..self.members.len() as u32).collect()
    }

    /// The one member of this name. Where a key stands several times (with equal values), all but the last are dropped
    /// by the rule that asks.
    pub(super) fn take(&mut self, name: &str, rule: Rule) -> Option<u32> {
        let ids = self.names.get_mut(name)?;
        let last = *ids.last()?;
        for id in ids.drain(..ids.len() - 1) {
            self.members[id as usize].fate = Fate::Dropped(rule);
        }
        Some(last)
    }

    pub(super) fn drop_member(&mut self, id: u32, rule: Rule) {
        self.forget(id);
        self.members[id as usize].fate = Fate::Dropped(rule);
    }

    pub(super) fn rename_member(&mut self, id: u32, name: &str, rule: Rule) {
        self.forget(id);
        self.names.insert(name.to_owned().into(), smallvec![id]);
        self.members[id as usize].fate = Fate::Renamed(name.to_owned(), rule);
    }

    /// Takes a rename back.
    pub(super) fn keep_name(&mut self, id: u32) {
        self.forget(id);
        self.members[id as usize].fate = Fate::Kept;
        let name = self.name(id).to_owned();
        self.names.insert(name.into(), smallvec![id]);
    }

    /// The name leads to this member no more.
    fn forget(&mut self, id: u32) {
        let name = self.name(id).to_owned();
        self.names.remove(&*name);
    }

    /// The value that a string holds, if it is one strict JSON text of a wanted kind.
    pub(super) fn decode(&mut self, holder: Place, wanted: impl Fn(Kind) -> bool) -> Option<Place> {
        let machine = Machine::read(self.value(holder).as_str()?, self.limits);
        let is_json = machine.is_complete() && machine.tail().is_empty();
        let kind = machine.document.root()?.kind();
        if !is_json || !wanted(kind) || duplicates(&machine.document).unequal.is_some() {
            return None;
        }
        self.decoded.push(Decoded { document: machine.document, holder });
        Some(Place { text: self.decoded.len() as u32, node: 0 })
    }

    /// The object that the member is, or holds as a string where strings are read. Each string is read once.
    pub(super) fn object_in(&mut self, id: u32, strings: Strings) -> Option<Place> {
        let Member { value, inner, .. } = self.members[id as usize];
        match (self.value(value).kind(), strings) {
            (Kind::Object, _) => Some(value),
            (Kind::String, Strings::Read) => {
                let found = inner.unwrap_or_else(|| self.decode(value, |kind| kind == Kind::Object));
                self.members[id as usize].inner = Some(found);
                found
            }
            (Kind::String | Kind::Array | Kind::Boolean | Kind::Null | Kind::Number, _) => None,
        }
    }

    /// How many members there are, those of one name counted once.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The last member of this name.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        self.names.get(name)?.last().copied()
    }

    /// The member's name, as it is by now.
    pub(super) fn name(&self, id: u32) -> &str {
        match &self.members[id as usize].fate {
            Fate::Renamed(name, _) => name,
            Fate::Dropped(_) | Fate::Kept | Fate::Spread(..) => self.sent_name(id),
        }
    }

    /// The member's name as it was sent.
    pub(super) fn sent_name(&self, id: u32) -> &str {
        let Place { text, node } = self.members[id as usize].value;
        ValueRef::new(self.document(text), node - 1).as_str().unwrap_or_default()
    }

    /// The names of the members, each once, in no order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// The members that are there, in text order; of those of one name the last.
    pub(super) fn present(&self) -> Vec<u32> {
        let mut members = self.in_order();
        members.retain(|&id| self.named(self.name(id)) == Some(id));
        members
    }

    /// The members that are no wrappers, in text order.
    fn in_order(&self) -> Vec<u32> {
        let mut order = Vec::new();
        let mut open = vec![self.top.iter()];
        while let Some(level) = open.last_mut() {
            let Some(&id) = level.next() else {
                open.pop();
                continue;
            };
            match &self.members[id as usize].fate {
                Fate::Spread(_, members) => open.push(members.iter()),
                Fate::Dropped(_) | Fate::Kept | Fate::Renamed(..) => order.push(id),
            }
        }
        order
    }

    pub(super) fn value(&self, place: Place) -> ValueRef<'_> {
        value(self.sent, &self.decoded, place)
    }

    pub(super) fn value_of(&self, id: u32) -> ValueRef<'_> {
        self.value(self.members[id as usize].value)
    }

    pub(super) fn document(&self, text: u32) -> &Document {
        document(self.sent, &self.decoded, text)
    }

    /// How many texts there are.
    pub(super) fn texts(&self) -> u32 {
        self.decoded.len() as u32 + 1
    }

    /// The string whose content this text is.
    pub(super) fn holder(&self, text: u32) -> Option<Place> {
        self.decoded.get((text as usize).checked_sub(1)?).map(|decoded| decoded.holder)
    }

    /// Where the value stands in the text as sent: its pointer there, through the strings that hold it.
    pub(super) fn pointer_as_sent(&self, place: Place) -> String {
        let mut steps = vec![place];
        while let Some(holder) = steps.last().and_then(|place| self.holder(place.text)) {
            steps.push(holder);
        }
        steps.iter().rev().map(|place| self.document(place.text).pointer_of(place.node)).collect()
    }

    /// A pointer into the root of the draft, as a pointer into the text as sent: the member that it leads through stands
    /// at `member`, or is missing.
    pub(super) fn pointer_below(&self, member: Option<Place>, pointer: &str) -> String {
        let mut around = self.pointer_as_sent(member.unwrap_or(self.root));
        if member.is_some() {
            around.truncate(around.rfind('/').unwrap_or_default());
        }
        around + pointer
    }

    /// Offset of the value in the text as sent; of the string that holds it.
    pub(super) fn offset_as_sent(&self, mut place: Place) -> u64 {
        while let Some(holder) = self.holder(place.text) {
            place = holder;
        }
        self.value(place).span().start.into()
    }
}

/// The members of one object on their way into the draft.
struct Adding<'a, 'r> {
    members: &'a mut Vec<Member>,
    names: &'a mut HashMap<Cow<'r, str>, SmallVec<[u32; 1]>>,
    first: u32,
    known: Option<Rule>,
    depth: u32,
}

impl<'r> Adding<'_, 'r> {
    fn add(&mut self, name: Cow<'r, str>, text: u32, value: ValueRef<'_>) {
        let id = self.members.len() as u32;
        let mut fate = Fate::Kept;
        match (self.names.entry(name), self.known) {
            (Entry::Occupied(ids), Some(rule)) if ids.get()[0] < self.first => {
                ids.get().iter().for_each(|&id| self.members[id as usize].depth = self.depth);
                fate = Fate::Dropped(rule);
            }
            (Entry::Occupied(mut ids), _) => ids.get_mut().push(id),
            (Entry::Vacant(place), _) => {
                place.insert(smallvec![id]);
            }
        }
        let value = Place { text, node: value.node() };
        self.members.push(Member { value, fate, content: Content::AsSent, depth: self.depth, inner: None });
    }
}

/// Whether the content of strings is looked at.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Strings {
    Left,
    Read,
}

fn document<'d>(sent: &'d Document, decoded: &'d [Decoded], text: u32) -> &'d Document {
    match (text as usize).checked_sub(1) {
        None => sent,
        Some(i) => &decoded[i].document,
    }
}

fn value<'d>(sent: &'d Document, decoded: &'d [Decoded], place: Place) -> ValueRef<'d> {
    ValueRef::new(document(sent, decoded, place.text), place.node)
}
