//! Names that mean the same member.

/// Whether undeclared key `undeclared` may stand for required member `required` of the tool named `tool_name`.
///
/// Equal when case and separators are folded; or leading words added that are `file` or words of the tool's name; or as
/// many words, all equal but one that differs by a plural or, of two words or more, by being a prefix of at least three
/// letters.
pub(crate) fn related(undeclared: &str, required: &str, tool_name: &str) -> bool {
    if !(undeclared.is_ascii() && required.is_ascii()) {
        return false;
    }
    let (a, b) = (words(undeclared), words(required));
    if a.iter().copied().flat_map(letters).eq(b.iter().copied().flat_map(letters)) {
        return true;
    }
    let (short, long) = if b.len() < a.len() { (&b, &a) } else { (&a, &b) };
    if short.len() < long.len() {
        let (added, rest) = long.split_at(long.len() - short.len());
        return !short.is_empty()
            && rest.iter().zip(short).all(|(x, y)| x.eq_ignore_ascii_case(y))
            && added.iter().all(|word| word.eq_ignore_ascii_case("file") || is_word_of(word, tool_name));
    }
    let mut different = a.iter().zip(&b).filter(|(x, y)| !x.eq_ignore_ascii_case(y));
    let (Some((x, y)), None) = (different.next(), different.next()) else { return false };
    let (short, long) = if y.len() < x.len() { (y, x) } else { (x, y) };
    is_plural(short, long) || a.len() > 1 && short.len() >= 3 && begins(long, short)
}

/// The words of a name: runs of capitals that no small letter follows, a capital with small letters, small letters,
/// digits. Everything else separates.
fn words(name: &str) -> Vec<&str> {
    let bytes = name.as_bytes();
    let run = |from: usize, is: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| is(byte)).count();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let len = if first.is_ascii_uppercase() {
            let capitals = run(at, u8::is_ascii_uppercase);
            match (run(at + capitals, u8::is_ascii_lowercase), capitals) {
                (0, _) => capitals,
                (small, 1) => 1 + small,
                // The last capital begins the next word.
                (_, _) => capitals - 1,
            }
        } else if first.is_ascii_lowercase() {
            run(at, u8::is_ascii_lowercase)
        } else {
            run(at, u8::is_ascii_digit)
        };
        // What is no letter and no digit is no word.
        words.extend(name.get(at..at + len).filter(|word| !word.is_empty()));
        at += len.max(1);
    }
    words
}

fn letters(word: &str) -> impl Iterator<Item = u8> + '_ {
    word.bytes().map(|byte| byte.to_ascii_lowercase())
}

fn is_word_of(word: &str, name: &str) -> bool {
    words(name).iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn begins(long: &str, short: &str) -> bool {
    long.get(..short.len()).is_some_and(|start| start.eq_ignore_ascii_case(short))
}

/// `query`/`queries`, `path`/`paths`, `box`/`boxes`.
fn is_plural(one: &str, many: &str) -> bool {
    let ends = |stem: &str, ending: &str| {
        many.len() == stem.len() + ending.len()
            && begins(many, stem)
            && many.get(stem.len()..).is_some_and(|rest| rest.eq_ignore_ascii_case(ending))
    };
    let before_y = one.strip_suffix(['y', 'Y']);
    ends(one, "s") || ends(one, "es") || before_y.is_some_and(|stem| ends(stem, "ies"))
}

#[cfg(test)]
mod tests;
