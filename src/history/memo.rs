//! What was said of each call's text, so that a conversation that grows is not judged again from its beginning.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::answer::{self, Answer};
use crate::schema::{Tool, Tools};
use crate::settings::Settings;

/// See the module.
#[derive(Default)]
pub(super) struct Memo {
    by_name: HashMap<Box<str>, Known>,
    /// Counts the passes.
    pass: u64,
}

/// The calls of one name.
struct Known {
    standing: Standing,
    by_text: HashMap<Box<str>, Said>,
}

/// What a name meant when the calls were judged.
enum Standing {
    /// A tool of the request.
    Tool(Tool),
    /// No tool of the request.
    Unknown,
    /// The request named no tools.
    Unnamed,
}

struct Said {
    answer: Arc<Answer>,
    /// The last pass that asked.
    pass: u64,
}

impl Memo {
    pub(super) fn begin(&mut self) {
        self.pass += 1;
    }

    /// Forgets what this pass did not ask for.
    pub(super) fn end(&mut self) {
        let pass = self.pass;
        self.by_name.retain(|_, known| {
            known.by_text.retain(|_, said| said.pass == pass);
            !known.by_text.is_empty()
        });
    }

    /// What is said of this text of a call of this name, now that these are the tools.
    pub(super) fn answer(&mut self, name: &str, text: &str, tools: &Tools, settings: &Settings) -> Arc<Answer> {
        let standing = match tools.get(name) {
            Some(tool) => Standing::Tool(tool.clone()),
            None if tools.is_empty() => Standing::Unnamed,
            None => Standing::Unknown,
        };
        if !self.by_name.get(name).is_some_and(|known| known.standing.is(&standing)) {
            self.by_name.insert(name.into(), Known { standing, by_text: HashMap::new() });
        }
        let Some(Known { standing, by_text }) = self.by_name.get_mut(name) else { return Arc::new(Answer::AsSent) };
        if let Some(said) = by_text.get_mut(text) {
            said.pass = self.pass;
            return Arc::clone(&said.answer);
        }
        let answer = Arc::new(match standing {
            Standing::Tool(tool) => answer::of(text, Some(tool), settings),
            Standing::Unknown => answer::of_unknown(text, settings),
            Standing::Unnamed => answer::of(text, None, settings),
        });
        by_text.insert(text.into(), Said { answer: Arc::clone(&answer), pass: self.pass });
        answer
    }
}

impl Standing {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tool(a), Self::Tool(b)) => a.is(b),
            (Self::Unknown, Self::Unknown) | (Self::Unnamed, Self::Unnamed) => true,
            (Self::Tool(_) | Self::Unknown | Self::Unnamed, _) => false,
        }
    }
}

/// Prints how many calls are remembered.
impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: usize = self.by_name.values().map(|known| known.by_text.len()).sum();
        f.debug_struct("Memo").field("calls", &calls).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;
    use crate::schema::{Tool, Tools};
    use crate::settings::Settings;
    use std::sync::Arc;

    #[test]
    fn an_answer_is_kept_while_the_call_comes_again_and_its_tool_is_the_same() {
        let tools: Tools = [Tool::opaque("a"), Tool::opaque("b")].into_iter().collect();
        let same_name: Tools = [Tool::opaque("a")].into_iter().collect();
        let settings = Settings::default();
        let mut memo = Memo::default();
        let mut pass = |calls: &[(&str, &str)], tools: &Tools| {
            memo.begin();
            let answers: Vec<_> = calls.iter().map(|(name, text)| memo.answer(name, text, tools, &settings)).collect();
            memo.end();
            (answers, format!("{memo:?}"))
        };
        let (first, size) = pass(&[("a", "{}"), ("a", "{}"), ("b", "{}"), ("b", "[]")], &tools);
        assert_eq!(size, "Memo { calls: 3 }");
        assert!(Arc::ptr_eq(&first[0], &first[1]) && !Arc::ptr_eq(&first[0], &first[2]));
        let (second, size) = pass(&[("a", "{}"), ("b", "[]")], &tools);
        assert_eq!(size, "Memo { calls: 2 }");
        assert!(Arc::ptr_eq(&first[0], &second[0]) && Arc::ptr_eq(&first[3], &second[1]));
        let (third, size) = pass(&[("a", "{}")], &same_name);
        assert_eq!(size, "Memo { calls: 1 }");
        assert!(!Arc::ptr_eq(&first[0], &third[0]));
    }
}
