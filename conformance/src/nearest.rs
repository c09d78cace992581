//! The known name that a mistyped one is near to.

/// The nearest of `known`, if it is at most two changes away.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    known.iter().map(|&other| (distance(name, other), other)).filter(|&(far, _)| far <= 2).min().map(|(_, other)| other)
}

/// How many letters must be put in, left out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_changes_are_near() {
        assert_eq!(nearest("delta", &["deltas", "chunks"]), Some("deltas"));
        assert_eq!(nearest("xyz", &["deltas"]), None);
    }
}
