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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with these views of a text, one for each delta.
    fn wrong(deltas: &[&str], views: &[&str], without: Without) -> Option<String> {
        let deltas: Vec<Vec<u8>> = deltas.iter().map(|delta| delta.as_bytes().to_vec()).collect();
        let text = deltas.concat();
        let reading = exact::read(&text, Halves::Refused);
        let rules = Rules { whole: &reading.tree, sound: &text, without };
        let shown: Vec<_> = views.iter().map(|view| (*view != "null").then(|| (*view).to_owned())).collect();
        let last = (reading.ending == Ending::Complete).then_some(&reading.tree);
        rules.broken_by(&Cut { name: String::new(), deltas }, &shown, last)
    }

    #[test]
    fn views_are_true_and_are_not_taken_back() {
        let text = ["{\"s\":\"a", "b\",\"n\":1", "2}"];
        let all = Without::default();
        for views in [
            [r#"{"s":"a"}"#, r#"{"s":"ab"}"#, r#"{"s":"ab","n":12}"#],
            ["null", "{}", r#"{"s":"ab","n":12}"#],
            [r#"{"s":""}"#, r#"{"s":"ab"}"#, r#"{"s":"ab","n":12.0}"#],
        ] {
            assert_eq!(wrong(&text, &views, all), None, "{views:?}");
        }
        for (views, words) in [
            ([r#"{"s":"a"}"#, r#"{"s":"ab","n":1}"#, "{}"], "1 where the text has 12"),
            ([r#"{"s":"a"}"#, "{}", "{}"], "member \"s\" vanishes"),
            ([r#"{"s":"a"}"#, "null", "{}"], "vanishes"),
            ([r#"{"s":"ax"}"#, "null", "{}"], "does not begin"),
            ([r#"{"s":null}"#, "null", "{}"], "null where the text has"),
            ([r#"{"s":"a","n":null}"#, "null", "{}"], "null where the text has"),
            ([r#"{"":1}"#, "null", "{}"], "is not there"),
            (["{", "null", "{}"], "no JSON text"),
            ([r#"{"s":"ab"}"#, r#"{"s":"a"}"#, "{}"], "\"ab\" becomes \"a\""),
            ([r#"{"s":"a"}"#, r#"{"s":"ab"}"#, r#"{"s":"ab"}"#], "the last view: root: member \"n\" is missing"),
            (["null", "null", "null"], "nothing is shown at the end"),
        ] {
            let told = wrong(&text, &views, all).unwrap_or_default();
            assert!(told.contains(words), "{views:?}: {told}");
        }
    }

    #[test]
    fn a_later_member_of_one_name_takes_the_place_once_it_is_complete() {
        let text = [r#"{"a":"x","a":"#, "\"y", "z\"", "}"];
        let first = r#"{"a":"x"}"#;
        let (open, later) = (r#"{"a":"y"}"#, r#"{"a":"yz"}"#);
        let all = Without::default();
        for views in [[first; 4], [first, first, later, later], [first, first, first, later]] {
            assert_eq!(wrong(&text, &views, all), None, "{views:?}");
        }
        assert!(wrong(&text, &[first, open, later, later], all).is_some_and(|words| words.contains("becomes")));
        let both = r#"{"a":"x","a":"yz"}"#;
        assert_eq!(wrong(&text, &[first, r#"{"a":"x","a":"y"}"#, both, both], all), None);
    }
}
