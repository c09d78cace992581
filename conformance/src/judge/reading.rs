//! Accept, value, place: one text, cut in every way.

use super::{Bench, Question, Stop, meant};
use crate::compare::{Apart, difference};
use crate::derive::splits;
use crate::tree::clip;

pub(super) fn accept(bench: &mut Bench<'_>, accept: bool) -> Result<(), Stop> {
    let expected = if accept { "accepted" } else { "refused" };
    for cut in splits(&bench.case.deltas, bench.borders()) {
        let question = Question { cut: &cut, end: bench.case.end, views: false, expected };
        let read = bench.read(&question)?;
        if read.accept != accept {
            let value = read.value.unwrap_or_default();
            return Err(question.failed(&if accept { "refused".to_owned() } else { format!("accepted as {value}") }));
        }
    }
    Ok(())
}

pub(super) fn value(bench: &mut Bench<'_>, value: &str, or_refuse: bool) -> Result<(), Stop> {
    let whole = meant(value)?;
    let expected = clip(value, 300) + if or_refuse { ", or refused" } else { "" };
    for cut in splits(&bench.case.deltas, bench.borders()) {
        let question = Question { cut: &cut, end: bench.case.end, views: false, expected: &expected };
        let read = bench.read(&question)?;
        if !read.accept {
            if or_refuse {
                continue;
            }
            return Err(question.failed("refused"));
        }
        let got = question.value(&read)?;
        if let Some(words) = difference(&whole, &got, bench.hello.without(), Apart::Nothing) {
            return Err(question.failed(&words));
        }
    }
    Ok(())
}

pub(super) fn place(bench: &mut Bench<'_>, place: u64) -> Result<(), Stop> {
    let expected = format!("refused at byte {place}");
    for cut in splits(&bench.case.deltas, bench.borders()) {
        let question = Question { cut: &cut, end: bench.case.end, views: false, expected: &expected };
        let read = bench.read(&question)?;
        let got = match (read.accept, read.place) {
            (false, Some(at)) if at == place => continue,
            (false, Some(at)) => format!("refused at byte {at}"),
            (false, None) => "refused at no byte".to_owned(),
            (true, _) => format!("accepted as {}", read.value.unwrap_or_default()),
        };
        return Err(question.failed(&got));
    }
    Ok(())
}
