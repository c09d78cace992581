//! Cut and damage: what would be executed is what was meant, or nothing.

use super::{Bench, Question, Stop, meant};
use crate::compare::{Apart, difference};
use crate::derive::{Cut, prefixes};
use crate::level::End;
use crate::tree::{Data, Tree, clip};

pub(super) fn cut(bench: &mut Bench<'_>, value: &str, decorative: &[String]) -> Result<(), Stop> {
    let whole = meant(value)?;
    let given = Cut { name: "whole".to_owned(), deltas: bench.case.deltas.clone() };
    accepted(bench, &given, &whole, value)?;
    let expected = if decorative.is_empty() {
        format!("refused, or {}", clip(value, 300))
    } else {
        format!("refused, or {} but for cut text of {}", clip(value, 300), decorative.join(", "))
    };
    let without = bench.hello.without();
    for cut in prefixes(&bench.case.deltas, bench.borders()) {
        let blank = cut.deltas.concat().iter().all(|byte| b" \t\n\r".contains(byte));
        for end in End::ALL {
            let question = Question { cut: &cut, end, views: false, expected: &expected };
            let read = bench.read(&question)?;
            if !read.accept {
                continue;
            }
            let got = question.value(&read)?;
            if blank && bench.may_be_empty() && is_empty_object(&got) {
                continue;
            }
            if let Some(words) = difference(&whole, &got, without, Apart::Prefix(decorative)) {
                return Err(question.failed(&format!("accepted, {words}")));
            }
        }
    }
    Ok(())
}

pub(super) fn damage(bench: &mut Bench<'_>, text: &str, decorative: &[String]) -> Result<(), Stop> {
    let whole = meant(text)?;
    let given = Cut { name: "what was meant".to_owned(), deltas: vec![text.as_bytes().to_vec()] };
    accepted(bench, &given, &whole, text)?;
    let expected = format!("refused, or {}", clip(text, 300));
    let damaged = Cut { name: "damaged".to_owned(), deltas: bench.case.deltas.clone() };
    let question = Question { cut: &damaged, end: bench.case.end, views: false, expected: &expected };
    let read = bench.read(&question)?;
    if !read.accept {
        return Ok(());
    }
    let got = question.value(&read)?;
    match difference(&whole, &got, bench.hello.without(), Apart::Anything(decorative)) {
        Some(words) => Err(question.failed(&format!("accepted, {words}"))),
        None => Ok(()),
    }
}

/// The undamaged text is accepted: a subject that refuses everything has understood nothing.
fn accepted(bench: &mut Bench<'_>, cut: &Cut, whole: &Tree, text: &str) -> Result<(), Stop> {
    let expected = clip(text, 300);
    let question = Question { cut, end: End::Complete, views: false, expected: &expected };
    let read = bench.read(&question)?;
    if !read.accept {
        return Err(question.failed("refused"));
    }
    let got = question.value(&read)?;
    match difference(whole, &got, bench.hello.without(), Apart::Nothing) {
        Some(words) => Err(question.failed(&words)),
        None => Ok(()),
    }
}

fn is_empty_object(tree: &Tree) -> bool {
    tree.nodes.len() == 1 && tree.nodes[0].data == Data::Object
}
