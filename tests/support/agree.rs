//! A case is run: the engine says what the case says, and the same however it is cut.

use argseal::{End, Rule, Settings};
use argseal_laws::{self as laws, Outcome};

use super::lines::{Case, Quote, write};

/// With any root, and without the rule that blank text means no arguments.
pub fn agree(case: &Case, cuts: &[usize]) {
    let settings = Settings::default().any_root().without_rule(Rule::Empty);
    laws::chunking(&case.text, cuts, None, &settings, End::Complete);
    let said = said(case, &laws::pieces(&case.text, cuts), &settings);
    let quote = case.quote.as_ref().and(said.quote.clone());
    let said = Case { quote, ..said };
    assert!(said == *case, "specified {}\nanswered  {}", write(case), write(&said));
}

/// The same, and no quote is suspect where the case has none.
pub fn agree_on_quotes(case: &Case) {
    let settings = Settings::default().any_root().without_rule(Rule::Empty);
    let said = said(case, &[&case.text], &settings);
    assert!(said.quote == case.quote, "{}: {:?}", write(case), said.quote);
}

fn said(case: &Case, pieces: &[&[u8]], settings: &Settings) -> Case {
    let accepted = Case {
        code: "ok".into(),
        at: case.text.len() as u64,
        known_at: None,
        pointer: String::new(),
        text: case.text.clone(),
        quote: None,
    };
    match laws::observe(pieces, None, settings, End::Complete).outcome {
        Outcome::Accepted { .. } => accepted,
        // The grammar has no say in duplicate keys.
        Outcome::Rejected { diagnosis, .. } if diagnosis.code().name() == "duplicate-key" => accepted,
        Outcome::Rejected { diagnosis, .. } => Case {
            code: diagnosis.code().name().into(),
            at: diagnosis.at().expect("broken text has a place"),
            known_at: diagnosis.known_at(),
            pointer: diagnosis.pointer().expect("broken text has a pointer").into(),
            quote: diagnosis.suspect_quote().map(|quote| Quote {
                at: quote.at,
                line: quote.line,
                column: quote.column,
                pointer: quote.pointer.clone(),
            }),
            ..accepted
        },
    }
}
