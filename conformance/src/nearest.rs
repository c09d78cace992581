//! The known name that a mistyped one is near to.

/// The nearest of `known`, if it is at most two changes away.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    known
        .iter()
        .map(|&other| (strsim::levenshtein(name, other), other))
        .filter(|&(far, _)| far <= 2)
        .min()
        .map(|(_, other)| other)
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
