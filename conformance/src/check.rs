//! Whether the cases are right in themselves, by the exact reader.

use crate::cases::{Case, Expect};
use crate::compare::{Apart, Without, difference};
use crate::exact::{self, Ending, Halves, Reading};
use crate::tree::{Text, Tree, clip};

/// What is wrong with a case, one sentence each.
pub fn check(cases: &[Case]) -> Vec<String> {
    cases.iter().filter_map(|case| wrong(case).map(|words| format!("{}: {}: {words}", case.source, case.id))).collect()
}

fn wrong(case: &Case) -> Option<String> {
    let text = case.deltas.concat();
    let Reading { tree, ending } = exact::read(&text, Halves::Refused);
    match &case.expect {
        Expect::Accept(accept) => {
            let right = ending == Ending::Complete && tree.has_object_root();
            (*accept != right).then(|| {
                let what =
                    if ending == Ending::Complete { "one JSON text of another root".into() } else { told(ending) };
                if right { "the text is one JSON object".to_owned() } else { format!("the text is {what}") }
            })
        }
        Expect::Place(place) => match ending {
            // RFC 8259, section 8.2: the grammar allows it, so no byte of it is the first wrong one.
            _ if exact::read(&text, Halves::Kept).ending != ending => {
                Some("half a surrogate pair has no place that readers agree on".to_owned())
            }
            Ending::Broken(at) if at as u64 == *place => None,
            Ending::Broken(_) | Ending::Complete | Ending::Cut => {
                Some(format!("the text is {}, not broken at byte {place}", told(ending)))
            }
        },
        Expect::Value { value, .. } => is_value(&tree, ending, value),
        Expect::Views(Some(value)) => is_value(&tree, ending, value),
        Expect::Views(None) => {
            (ending == Ending::Complete).then(|| "the text is whole: a value is expected".to_owned())
        }
        Expect::Cut { value, decorative } => is_value(&tree, ending, value).or_else(|| decorated(&tree, decorative)),
        Expect::Damage { meant, decorative } => {
            let whole = match object(meant) {
                Ok(whole) => whole,
                Err(words) => return Some(words),
            };
            let same =
                ending == Ending::Complete && difference(&whole, &tree, Without::default(), Apart::Nothing).is_none();
            same.then(|| "the text is not damaged: it has the value that was meant".to_owned())
                .or_else(|| decorated(&whole, decorative))
        }
        Expect::Split(calls) => {
            calls.iter().filter_map(|call| call.value.as_deref()).find_map(|value| object(value).err())
        }
    }
}

fn is_value(tree: &Tree, ending: Ending, value: &str) -> Option<String> {
    let whole = match object(value) {
        Ok(whole) => whole,
        Err(words) => return Some(words),
    };
    if ending != Ending::Complete {
        return Some(format!("the text is {}", told(ending)));
    }
    difference(&whole, tree, Without::default(), Apart::Nothing)
        .map(|words| format!("the text has another value than the one expected: {words}"))
}

fn decorated(tree: &Tree, decorative: &[String]) -> Option<String> {
    let names = tree.by_name(0);
    decorative
        .iter()
        .find(|name| !names.contains_key(&Text::from(name.as_str())))
        .map(|name| format!("decorative {name:?} is no member of the root"))
}

fn object(text: &str) -> Result<Tree, String> {
    match exact::value(text, Halves::Refused) {
        Some(tree) if tree.has_object_root() => Ok(tree),
        Some(_) | None => Err(format!("what is expected is no JSON object: {}", clip(text, 100))),
    }
}

fn told(ending: Ending) -> String {
    match ending {
        Ending::Broken(at) => format!("broken at byte {at}"),
        Ending::Complete => "one JSON text".to_owned(),
        Ending::Cut => "cut".to_owned(),
    }
}
