//! How a text is cut into deltas.

use super::Random;

/// Where a text is cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// Deltas of this many bytes.
    Every(usize),
    /// Uniform between the two, both included.
    Between(usize, usize),
    Whole,
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Every(bytes) => write!(f, "{bytes} B"),
            Self::Between(least, most) => write!(f, "{least}-{most} B"),
            Self::Whole => write!(f, "whole"),
        }
    }
}

/// The deltas of `text`, cut where characters begin.
pub fn deltas(text: &str, cut: Cut) -> Vec<&str> {
    deltas_with(&mut lengths(), text, cut)
}

/// The deltas of each text. No two texts are cut alike, unless all deltas are of one length.
pub fn deltas_of_each(texts: &[String], cut: Cut) -> Vec<Vec<&str>> {
    let mut lengths = lengths();
    texts.iter().map(|text| deltas_with(&mut lengths, text, cut)).collect()
}

/// The deltas of `text` as bytes, cut anywhere.
pub fn byte_deltas(text: &str, cut: Cut) -> Vec<&[u8]> {
    let mut lengths = lengths();
    let mut deltas = Vec::new();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (delta, others) = rest.split_at(cut.next(&mut lengths, rest.len()));
        deltas.push(delta);
        rest = others;
    }
    deltas
}

fn deltas_with<'t>(lengths: &mut Random, text: &'t str, cut: Cut) -> Vec<&'t str> {
    let mut deltas = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (delta, others) = rest.split_at(rest.ceil_char_boundary(cut.next(lengths, rest.len())));
        deltas.push(delta);
        rest = others;
    }
    deltas
}

fn lengths() -> Random {
    Random::new(11)
}

impl Cut {
    /// The length of the next delta of a text of which `rest` bytes are left.
    fn next(self, lengths: &mut Random, rest: usize) -> usize {
        let len = match self {
            Self::Every(bytes) => bytes,
            Self::Between(least, most) => least + lengths.below(most - least + 1),
            Self::Whole => rest,
        };
        len.min(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{chinese, write_files};
    use super::*;

    #[test]
    fn deltas_are_the_text() {
        let text = chinese(4 << 10);
        for cut in [Cut::Every(1), Cut::Every(4), Cut::Between(3, 20), Cut::Whole] {
            assert_eq!(deltas(&text, cut).concat(), text);
            assert_eq!(byte_deltas(&text, cut).concat(), text.as_bytes());
        }
    }

    #[test]
    fn each_text_is_cut_in_its_own_way() {
        let texts = write_files(4 << 10, 16 << 10);
        let each = deltas_of_each(&texts, Cut::Between(3, 20));
        assert_eq!(each.iter().map(|deltas| deltas.concat()).collect::<Vec<_>>(), texts);
        let lengths: Vec<Vec<usize>> =
            each.iter().map(|deltas| deltas.iter().map(|delta| delta.len()).collect()).collect();
        assert!(texts.len() == 4 && lengths.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
