//! Views: what is shown while the text streams is true, and is not taken back.

use super::{Bench, Question, Stop, meant};
use crate::compare::{Apart, Without, difference};
use crate::derive::{Cut, steps};
use crate::exact::{self, Ending, Halves};
use crate::number;
use crate::tree::{Data, Tree, clip};

pub(super) fn views(bench: &mut Bench<'_>, value: Option<&str>) -> Result<(), Stop> {
    let text = bench.case.deltas.concat();
    // Of broken text counts what stands before the first wrong byte.
    let sound = match exact::read(&text, Halves::Refused).ending {
        Ending::Broken(at) => &text[..at],
        Ending::Complete | Ending::Cut => &text[..],
    };
    let whole = exact::read(sound, Halves::Refused).tree;
    let last = value.map(meant).transpose()?;
    let expected = match value {
        Some(value) => format!("only what is in {}, and all of it at the end", clip(value, 300)),
        None => format!("only what is in {}", clip(&String::from_utf8_lossy(sound), 300)),
    };
    for cut in steps(&bench.case.deltas, bench.borders()) {
        let question = Question { cut: &cut, end: bench.case.end, views: true, expected: &expected };
        let read = bench.read(&question)?;
        let Some(shown) = read.views else { return Err(question.failed("no views")) };
        if shown.len() != cut.deltas.len() {
            return Err(question.failed(&format!("{} views of {} deltas", shown.len(), cut.deltas.len())));
        }
        let rules = Rules { whole: &whole, sound, without: bench.hello.without() };
        if let Some(words) = rules.broken_by(&cut, &shown, last.as_ref()) {
            return Err(question.failed(&words));
        }
    }
    Ok(())
}

struct Rules<'r> {
    whole: &'r Tree,
    /// The text up to the first wrong byte.
    sound: &'r [u8],
    without: Without,
}

impl Rules<'_> {
    fn broken_by(&self, cut: &Cut, shown: &[Option<String>], last: Option<&Tree>) -> Option<String> {
        let mut sent = 0;
        let mut before: Option<Tree> = None;
        for (index, (view, delta)) in shown.iter().zip(&cut.deltas).enumerate() {
            sent += delta.len();
            let wrong = |words: &str| {
                Some(format!("view {} {}: {words}", index + 1, view.as_deref().map_or("null".into(), |v| clip(v, 200))))
            };
            let Some(text) = view else {
                if before.is_some() {
                    return wrong("what was shown vanishes");
                }
                continue;
            };
            let Some(tree) = exact::value(text, Halves::Kept) else { return wrong("no JSON text") };
            if self.whole.is_empty() {
                return wrong("nothing is there to be shown");
            }
            if let Err(words) = self.is_in(&tree, 0, 0) {
                return wrong(&words);
            }
            if let Some(before) = &before {
                let now = exact::read(&self.sound[..sent.min(self.sound.len())], Halves::Refused).tree;
                if let Err(words) = self.is_kept(before, &tree, &now) {
                    return wrong(&words);
                }
            }
            before = Some(tree);
        }
        let last = last?;
        let Some(end) = before else { return Some("nothing is shown at the end".to_owned()) };
        let without = Without { duplicates: true, ..self.without };
        let strict = difference(last, &end, self.without, Apart::Nothing)?;
        difference(last, &end, without, Apart::Nothing).map(|_| format!("the last view: {strict}"))
    }

    /// Everything in a view stands in the text, at its place.
    fn is_in(&self, view: &Tree, shown: usize, real: usize) -> Result<(), String> {
        let mut pairs = vec![(shown, real)];
        while let Some((v, d)) = pairs.pop() {
            let (left, right) = (&view.nodes[v], &self.whole.nodes[d]);
            let wrong =
                |words: &str| Err(format!("{}: {} {words} {}", view.place(v), view.brief(v), self.whole.brief(d)));
            match (&left.data, &right.data) {
                (Data::Null, Data::Null) => {}
                (Data::Bool(x), Data::Bool(y)) if x == y => {}
                (Data::Number(x), Data::Number(y)) if self.is_same_number(x, y) => {}
                (Data::String(x), Data::String(y)) if y.0.starts_with(&x.0) => {}
                (Data::String(_), Data::String(_)) => return wrong("does not begin"),
                (Data::Array, Data::Array) => {
                    let (x, y): (Vec<_>, Vec<_>) = (view.children(v).collect(), self.whole.children(d).collect());
                    if x.len() > y.len() {
                        return wrong("holds more than");
                    }
                    pairs.extend(x.into_iter().zip(y));
                }
                (Data::Object, Data::Object) => {
                    let there = self.whole.by_name(d);
                    for (name, x) in view.by_name(v) {
                        let y = there.get(name).map_or(&[][..], Vec::as_slice);
                        if x.len() > y.len() {
                            return Err(format!("{}: member {name} is not there", view.place(v)));
                        }
                        if let (&[one], true) = (x.as_slice(), y.len() > 1) {
                            // Any of the members of one name may be shown.
                            if !y.iter().any(|&other| self.is_in(view, one, other).is_ok()) {
                                return Err(format!("{}: is none of the members of this name", view.place(one)));
                            }
                        } else {
                            pairs.extend(x.into_iter().zip(y.iter().copied()));
                        }
                    }
                }
                (Data::Null | Data::Bool(_) | Data::Number(_) | Data::String(_) | Data::Array | Data::Object, _) => {
                    return wrong("where the text has");
                }
            }
        }
        Ok(())
    }

    /// Everything that the view before shows is still shown: a string may have grown, a container too. Of members of one
    /// name, a later one may take the place once it is closed in the text so far.
    fn is_kept(&self, before: &Tree, view: &Tree, now: &Tree) -> Result<(), String> {
        let mut pairs = vec![(0, 0, (!now.is_empty()).then_some(0))];
        while let Some((b, v, n)) = pairs.pop() {
            let (old, new) = (&before.nodes[b], &view.nodes[v]);
            let changed = || Err(format!("{}: {} becomes {}", before.place(b), before.brief(b), view.brief(v)));
            match (&old.data, &new.data) {
                (Data::String(x), Data::String(y)) if y.0.starts_with(&x.0) => {}
                (Data::Array, Data::Array) => {
                    let (x, y): (Vec<_>, Vec<_>) = (before.children(b).collect(), view.children(v).collect());
                    if x.len() > y.len() {
                        return changed();
                    }
                    let there: Vec<_> = n.map(|n| now.children(n).collect()).unwrap_or_default();
                    let pair = |(index, (x, y))| (x, y, there.get(index).copied());
                    pairs.extend(x.into_iter().zip(y).enumerate().map(pair));
                }
                (Data::Object, Data::Object) => {
                    let there = n.map(|n| now.by_name(n)).unwrap_or_default();
                    let shown = view.by_name(v);
                    for (name, x) in before.by_name(b) {
                        let y = shown.get(name).map_or(&[][..], Vec::as_slice);
                        if x.len() > y.len() {
                            return Err(format!("{}: member {name} vanishes", before.place(b)));
                        }
                        let members = there.get(name).map_or(&[][..], Vec::as_slice);
                        for (index, (&x, &y)) in x.iter().zip(y).enumerate() {
                            if members.len() > 1 && self.is_later(view, y, now, members) {
                                continue;
                            }
                            pairs.push((x, y, members.get(index).copied()));
                        }
                    }
                }
                (x, y) if x == y => {}
                (Data::Number(x), Data::Number(y)) if self.is_same_number(x, y) => {}
                (Data::Null | Data::Bool(_) | Data::Number(_) | Data::String(_) | Data::Array | Data::Object, _) => {
                    return changed();
                }
            }
        }
        Ok(())
    }

    /// A member is shown as a later one of its name, which is complete.
    fn is_later(&self, view: &Tree, shown: usize, now: &Tree, members: &[usize]) -> bool {
        let one = view.part(shown);
        let without = Without { duplicates: true, ..self.without };
        members[1..].iter().any(|&member| {
            now.nodes[member].closed && difference(&now.part(member), &one, without, Apart::Nothing).is_none()
        })
    }

    fn is_same_number(&self, x: &str, y: &str) -> bool {
        number::same(x, y) || self.without.digits && number::same_rounded(x, y)
    }
}
