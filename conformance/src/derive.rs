//! The ways to cut one text.

use std::collections::HashSet;

/// Where a text may be cut.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Borders {
    /// Between any two bytes.
    Bytes,
    /// Between characters only.
    Characters,
}

/// One way to cut a text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Cut {
    /// What it is, for the report.
    pub name: String,
    /// The pieces.
    pub deltas: Vec<Vec<u8>>,
}

/// A text as given, whole, piece by piece, in every two pieces, and in every three if it is short. Each once.
///
/// Of a text of more than 2 KiB, the cuts in two are some 500, evenly spread: all would cost its length squared.
pub fn splits(given: &[Vec<u8>], borders: Borders) -> Vec<Cut> {
    let text = given.concat();
    let places = places(&text, borders);
    let mut cuts = vec![
        Cut { name: "as given".to_owned(), deltas: given.to_vec() },
        Cut { name: "whole".to_owned(), deltas: vec![text.clone()] },
        singly(&text, borders),
    ];
    let step = if text.len() > LONG { places.len().div_ceil(SPREAD) } else { 1 };
    for &place in places.iter().step_by(step.max(1)) {
        let deltas = vec![text[..place].to_vec(), text[place..].to_vec()];
        cuts.push(Cut { name: format!("cut at {place}"), deltas });
    }
    if text.len() <= SHORT {
        for (index, &first) in places.iter().enumerate() {
            for &second in &places[index + 1..] {
                let deltas = vec![text[..first].to_vec(), text[first..second].to_vec(), text[second..].to_vec()];
                cuts.push(Cut { name: format!("cut at {first} and {second}"), deltas });
            }
        }
    }
    distinct(cuts)
}

/// A text piece by piece, and as given.
pub fn steps(given: &[Vec<u8>], borders: Borders) -> Vec<Cut> {
    let given = Cut { name: "as given".to_owned(), deltas: given.to_vec() };
    let text = given.deltas.concat();
    distinct(vec![singly(&text, borders), given])
}

/// Every proper prefix of a text, in the pieces in which it is given.
pub fn prefixes(given: &[Vec<u8>], borders: Borders) -> Vec<Cut> {
    let text = given.concat();
    let mut cuts = Vec::new();
    for place in std::iter::once(0).chain(places(&text, borders)).filter(|&place| place < text.len()) {
        let mut left = place;
        let mut deltas = Vec::new();
        for delta in given {
            let taken = left.min(delta.len());
            if taken > 0 {
                deltas.push(delta[..taken].to_vec());
            }
            left -= taken;
        }
        cuts.push(Cut { name: format!("cut off at {place}"), deltas });
    }
    cuts
}

/// Whether pieces can be sent to a subject without bytes.
pub fn are_texts(deltas: &[Vec<u8>]) -> bool {
    deltas.iter().all(|delta| str::from_utf8(delta).is_ok())
}

fn singly(text: &[u8], borders: Borders) -> Cut {
    let mut deltas = Vec::new();
    let mut start = 0;
    for place in places(text, borders).into_iter().chain([text.len()]) {
        deltas.push(text[start..place].to_vec());
        start = place;
    }
    let name = match borders {
        Borders::Bytes => "byte by byte",
        Borders::Characters => "character by character",
    };
    Cut { name: name.to_owned(), deltas }
}

/// The places inside a text at which it may be cut.
fn places(text: &[u8], borders: Borders) -> Vec<usize> {
    let continues = |byte: u8| byte & 0xc0 == 0x80;
    (1..text.len()).filter(|&at| borders == Borders::Bytes || !continues(text[at])).collect()
}

fn distinct(cuts: Vec<Cut>) -> Vec<Cut> {
    let mut seen = HashSet::new();
    cuts.into_iter().filter(|cut| seen.insert(cut.deltas.clone())).collect()
}

/// Up to this many bytes, every cut in three is made.
const SHORT: usize = 24;
/// Beyond this many bytes, not every cut in two is made.
const LONG: usize = 2048;
/// How many are made then.
const SPREAD: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_cut_stands_once() {
        let names = |given: &[&str], borders| {
            let given: Vec<_> = given.iter().map(|delta| delta.as_bytes().to_vec()).collect();
            splits(&given, borders).into_iter().map(|cut| cut.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["{}"], Borders::Bytes), ["as given", "byte by byte"]);
        assert_eq!(names(&["é"], Borders::Bytes), ["as given", "byte by byte"]);
        assert_eq!(names(&["é"], Borders::Characters), ["as given"]);
        let three = names(&["{\"", "a"], Borders::Characters);
        assert_eq!(three, ["as given", "whole", "character by character", "cut at 1"]);
        let long = vec![vec![b' '; 10_000]];
        assert!(splits(&long, Borders::Bytes).len() < 510);
    }

    #[test]
    fn prefixes_keep_the_deltas() {
        let given = [b"{\"".to_vec(), b"a".to_vec()];
        let found: Vec<_> = prefixes(&given, Borders::Bytes).into_iter().map(|cut| cut.deltas).collect();
        assert_eq!(found, [vec![], vec![b"{".to_vec()], vec![b"{\"".to_vec()]]);
    }
}
