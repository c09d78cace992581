//! The draft as edits of the text that was sent.
//!
//! Every text of the draft has its own list of changes. The content of a decoded string is itself a change of the text
//! that holds the string, so that folding them from the innermost outwards leaves changes of the text that was sent.

use super::draft::{Content, Draft, Fate, Member, Place};
use crate::document::{Document, ValueRef};
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::syntax::Machine;
use crate::text::span::Span;
use crate::verdict::audit::{Audit, Edit};

/// One change of one text.
#[derive(Clone, Debug)]
struct Change {
    span: Span,
    insert: String,
    rules: Vec<Rule>,
}

/// The changes of one text of the draft.
#[derive(Default)]
struct Changes {
    /// Something of this text stands in the result.
    is_used: bool,
    list: Vec<Change>,
}

impl Draft<'_> {
    /// The edits of the text as sent: ascending, none touching another of the same rules.
    pub(super) fn edits(&self) -> Vec<Edit> {
        let mut layout = Layout { draft: self, texts: Vec::new() };
        layout.texts.resize_with(self.texts() as usize, Changes::default);
        layout.around();
        layout.members();
        layout.fold()
    }

    /// The text that the edits make, read.
    pub(super) fn read(&self, edits: &[Edit], limits: Limits) -> Machine {
        let sent = self.document(0).text();
        let text = Audit::new(sent.len(), edits.to_vec(), Vec::new()).apply(sent);
        Machine::read(&text, limits)
    }
}

struct Layout<'l> {
    draft: &'l Draft<'l>,
    texts: Vec<Changes>,
}

/// A comma: its text, and its place up to the next token.
#[derive(Clone, Copy)]
struct Comma {
    text: u32,
    span: Span,
}

/// One object whose members stand in the result.
struct Level<'l> {
    members: std::slice::Iter<'l, u32>,
    /// The member before, in the same object.
    before: Option<Place>,
    /// What closes it, where it was a wrapper's.
    closing: Option<Comma>,
}

impl Layout<'_> {
    /// Takes away what stands around the root.
    fn around(&mut self) {
        let mut place = self.draft.root;
        loop {
            let document = self.draft.document(place.text);
            if place.node != 0 {
                let whole = ValueRef::new(document, 0).span();
                let value = ValueRef::new(document, place.node).span();
                self.cut(place.text, Span::new(whole.start, after_colon(document, place)), &self.draft.around);
                self.cut(place.text, Span::new(skip_blanks(document, value.end), whole.end), &self.draft.around);
            }
            match self.used(place.text) {
                Some(holder) => place = holder,
                None => return,
            }
        }
    }

    /// Lays out the members: between those that stay there is one comma each.
    fn members(&mut self) {
        let draft = self.draft;
        let mut is_first = true;
        let mut last_rule = Rule::Merge;
        let mut comma: Option<Comma> = None;
        let mut open = vec![Level { members: draft.top.iter(), before: None, closing: None }];
        while let Some(level) = open.last_mut() {
            let Some(&id) = level.members.next() else {
                if let Some(closing) = level.closing {
                    self.cut(closing.text, closing.span, &[Rule::Merge]);
                }
                open.pop();
                continue;
            };
            let member = &draft.members[id as usize];
            let value = member.value;
            if let Some(before) = level.before.replace(value) {
                comma = Some(comma_after(draft.document(before.text), before));
            }
            match &member.fate {
                Fate::Spread(object, members) if !members.is_empty() => {
                    let closing = self.open_wrapper(value, *object);
                    last_rule = Rule::Merge;
                    open.push(Level { members: members.iter(), before: None, closing: Some(closing) });
                    continue;
                }
                Fate::Spread(..) => last_rule = self.drop_member(value, comma, Rule::Merge),
                Fate::Dropped(rule) => last_rule = self.drop_member(value, comma, *rule),
                Fate::Kept | Fate::Renamed(..) => {
                    if let Some(comma) = comma.filter(|_| is_first) {
                        self.cut(comma.text, comma.span, &[last_rule]);
                    }
                    is_first = false;
                    self.keep_member(member);
                }
            }
            comma = None;
        }
    }

    fn drop_member(&mut self, value: Place, comma: Option<Comma>, rule: Rule) -> Rule {
        if let Some(comma) = comma {
            self.cut(comma.text, comma.span, &[rule]);
        }
        let document = self.draft.document(value.text);
        let end = ValueRef::new(document, value.node).span().end;
        self.cut(value.text, Span::new(document.span(value.node - 1).start, end), &[rule]);
        rule
    }

    fn keep_member(&mut self, member: &Member) {
        let Place { text, node } = member.value;
        let document = self.draft.document(text);
        if let Fate::Renamed(name, rule) = &member.fate {
            let insert = serde_json::Value::from(name.as_str()).to_string();
            self.change(text, Change { span: document.span(node - 1), insert, rules: vec![*rule] });
        }
        let value = ValueRef::new(document, node);
        let Span { start, end } = value.span();
        match member.content {
            Content::AsSent => {}
            Content::Decoded(place) => {
                self.used(place.text);
            }
            Content::Unquoted => {
                let content = value.as_str().unwrap_or_default();
                if value.text().get(1..value.text().len() - 1) == Some(content) {
                    self.cut(text, Span::new(start, start + 1), &[Rule::Coerce]);
                    self.cut(text, Span::new(end - 1, end), &[Rule::Coerce]);
                } else {
                    let insert = content.to_owned();
                    self.change(text, Change { span: value.span(), insert, rules: vec![Rule::Coerce] });
                }
            }
        }
    }

    /// Takes away a wrapper's key and its object's opening brace; what closes it.
    fn open_wrapper(&mut self, wrapper: Place, object: Place) -> Comma {
        let key = self.draft.document(wrapper.text).span(wrapper.node - 1);
        let braces = self.draft.value(object).span();
        if object.text == wrapper.text {
            self.cut(wrapper.text, Span::new(key.start, braces.start + 1), &[Rule::Merge]);
            return Comma { text: object.text, span: Span::new(braces.end - 1, braces.end) };
        }
        self.used(object.text);
        let token = self.draft.value(wrapper).span();
        self.cut(wrapper.text, Span::new(key.start, token.start), &[Rule::Merge]);
        self.cut(object.text, Span::new(0, braces.start + 1), &[Rule::Merge]);
        let end = self.draft.document(object.text).text().len() as u32;
        Comma { text: object.text, span: Span::new(braces.end - 1, end) }
    }

    /// The text stands in the result; the string that holds it.
    fn used(&mut self, text: u32) -> Option<Place> {
        if let Some(changes) = self.texts.get_mut(text as usize) {
            changes.is_used = true;
        }
        self.draft.holder(text)
    }

    fn cut(&mut self, text: u32, span: Span, rules: &[Rule]) {
        if !span.is_empty() {
            self.change(text, Change { span, insert: String::new(), rules: rules.to_vec() });
        }
    }

    fn change(&mut self, text: u32, change: Change) {
        if let Some(changes) = self.texts.get_mut(text as usize) {
            changes.list.push(change);
        }
    }

    /// Puts the contents of strings in the place of the strings, from the innermost outwards.
    fn fold(mut self) -> Vec<Edit> {
        while let (Some(Changes { is_used, list }), text) = (self.texts.pop(), self.texts.len() as u32) {
            let list = joined(list);
            let Some(holder) = self.draft.holder(text) else {
                return list.into_iter().map(edit).collect();
            };
            if is_used {
                let mut rules = vec![Rule::Decode];
                for rule in list.iter().flat_map(|change| &change.rules) {
                    if !rules.contains(rule) {
                        rules.push(*rule);
                    }
                }
                let content = self.draft.document(text).text();
                let edits = list.into_iter().map(edit).collect();
                let insert = Audit::new(content.len(), edits, Vec::new()).apply(content);
                self.change(holder.text, Change { span: self.draft.value(holder).span(), insert, rules });
            }
        }
        Vec::new()
    }
}

fn edit(change: Change) -> Edit {
    let Change { span, insert, rules } = change;
    Edit::replacement(span.start as usize, span.len(), insert, rules)
}

/// In ascending order, those that touch and have the same rules as one.
fn joined(mut list: Vec<Change>) -> Vec<Change> {
    list.sort_by_key(|change| change.span);
    let mut out: Vec<Change> = Vec::with_capacity(list.len());
    for change in list {
        match out.last_mut() {
            Some(last) if last.span.end == change.span.start && last.rules == change.rules => {
                last.span.end = change.span.end;
                last.insert.push_str(&change.insert);
            }
            _ => out.push(change),
        }
    }
    out
}

/// The comma after a member that is not the last of its object.
fn comma_after(document: &Document, member: Place) -> Comma {
    let start = skip_blanks(document, ValueRef::new(document, member.node).span().end);
    Comma { text: member.text, span: Span::new(start, skip_blanks(document, start + 1)) }
}

/// Offset after the colon before a member's value.
fn after_colon(document: &Document, member: Place) -> u32 {
    skip_blanks(document, document.span(member.node - 1).end) + 1
}

fn skip_blanks(document: &Document, at: u32) -> u32 {
    let rest = document.text().as_bytes().get(at as usize..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
    at + blanks as u32
}
