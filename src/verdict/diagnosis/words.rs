//! A diagnosis in English: one line for the harness author, two sentences for the model.
//!
//! The sentences per code are here; `grammar/codes.toml` repeats them, and a test compares the two.

use std::borrow::Cow;

use super::names::{NAME, clipped, place, quoted};
use super::{Diagnosis, Unit};
use crate::verdict::code::{Code, Fault, Group};

/// What is wrong, with slots in braces, and what the model can do about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) problem: &'static str,
    pub(super) remedy: Option<&'static str>,
}

/// The words where a length limit cut the text: the model can only send less.
pub(super) const BUDGET: Words = told(
    "The length limit of the output cut the text off in {place}.",
    "Send the call again with less text, for instance as several smaller calls.",
);

/// The words for a missing member where the last string seems to have swallowed it, or ended before it.
pub(super) const ENDED_EARLY: Words = told(
    "Required {place} is missing, and the string in {quote} may have been ended by a double quote inside it.",
    "Write each double quote inside a string as \\\", and send every required member.",
);

/// The words for a wrong type where the string that was sent holds the wanted JSON.
pub(super) const JSON_IN_STRING: Words = told(
    "The value of {place} must be {expected}, not {found}.",
    "Send the value itself, not a string that holds JSON.",
);

/// The words for a number that is not held, where the schema allows a string in its place.
pub(super) const AS_STRING: Words = told(NOT_HELD, "Write this identifier as a string, in double quotes.");

/// Two sentences for the model.
pub(super) fn advice(diagnosis: &Diagnosis) -> Option<String> {
    let remedy = remedy(diagnosis)?;
    Some(format!("{} {remedy}", problem(diagnosis)))
}

/// The second of them, if there is something to mend.
pub(super) fn remedy(diagnosis: &Diagnosis) -> Option<&'static str> {
    match diagnosis.fault {
        Fault::Budget | Fault::Model => words(diagnosis).remedy,
        Fault::Transport => None,
        // What a provider or a limit refuses can still be written otherwise; what only the end refuses cannot.
        Fault::Host | Fault::Provider if depends_on_end(diagnosis.code) => None,
        Fault::Host | Fault::Provider => words(diagnosis).remedy,
    }
}

/// The advice as the answer to a call.
pub(super) fn reply(diagnosis: &Diagnosis, tool: Option<&str>) -> Option<String> {
    let advice = advice(diagnosis)?;
    let mut text = match tool {
        Some(tool) => format!("The call of tool {} was not run. {advice}", quoted(tool, NAME)),
        None => format!("The call was not run. {advice}"),
    };
    if let Some(quote) = diagnosis.suspect_quote().filter(|_| quote_explains(diagnosis.code)) {
        text.push_str(&format!(
            " Look at line {}, column {} of the string in {}.",
            quote.line,
            quote.column,
            place(Some(&quote.pointer))
        ));
    }
    if let (Code::MissingRequired, Some(expected)) = (diagnosis.code, any_of(diagnosis.facts().expected)) {
        text.push_str(&format!(" The tool expects {expected} there."));
    }
    Some(text)
}

/// One line for the harness author.
pub(super) fn line(diagnosis: &Diagnosis) -> String {
    let problem = problem(diagnosis);
    let problem = problem.strip_suffix('.').unwrap_or(&problem);
    let mut line = diagnosis.code.name().to_owned();
    if let Some(at) = diagnosis.at {
        line.push_str(&format!(" at byte {at}"));
    }
    line.push_str(": ");
    // Every problem begins with a plain word of ASCII.
    let (first, rest) = problem.split_at_checked(1).unwrap_or(("", problem));
    line.push_str(&first.to_ascii_lowercase());
    line.push_str(rest);
    let facts = diagnosis.facts();
    let template = words(diagnosis).problem;
    if let Some(expected) = any_of(facts.expected).filter(|_| !template.contains("{expected}")) {
        line.push_str(&format!("; expected {expected}"));
    }
    if let Some(found) = facts.found.filter(|_| !template.contains("{found}")) {
        line.push_str(&format!("; found {}", phrase(found)));
    }
    if let Some(exceeded) = facts.exceeded {
        line.push_str(&format!("; size {}", exceeded.size));
    }
    if let Some(quote) = facts.suspect_quote {
        line.push_str(&format!(
            "; suspect quote at byte {}, line {}, column {} of {}",
            quote.at,
            quote.line,
            quote.column,
            place(Some(&quote.pointer))
        ));
    }
    line
}

/// The words for a code at a normal end.
pub(super) const fn words_of(code: Code) -> Words {
    match code {
        Code::TruncatedInString => told("The text stops inside a string in {place}.", AGAIN),
        Code::TruncatedInKey => told("The text stops inside a key in {place}.", AGAIN),
        Code::TruncatedInEscape => told("The text stops inside an escape sequence in {place}.", AGAIN),
        Code::TruncatedInSurrogatePair => told("The text stops between two surrogate escapes in {place}.", AGAIN),
        Code::TruncatedInUtf8 => told("The text stops inside a character in {place}.", AGAIN),
        Code::TruncatedInNumber => told("The text stops after a number in {place}.", AGAIN),
        Code::TruncatedInLiteral => told("The text stops inside true, false or null in {place}.", AGAIN),
        Code::TruncatedInContainer => told("The text stops before every bracket is closed, in {place}.", AGAIN),
        Code::TruncatedAfterKey => told("The text stops after the key of {place}.", AGAIN),
        Code::TruncatedAfterColon => told("The text stops before the value of {place}.", AGAIN),
        Code::EmptyArguments => told("The call came without arguments.", "Send the arguments as one JSON object."),
        Code::UnexpectedAfterString => told(
            "A string in {place} was ended by a double quote inside it, or a comma is missing after it.",
            "Write each double quote inside a string as \\\", and put a comma between members.",
        ),
        Code::UnexpectedToken => told("Something stands in {place} where JSON needs {expected}.", AGAIN),
        Code::TrailingData => told(
            "Something follows the closing bracket of the arguments.",
            "Send one JSON object with nothing after it, and write each double quote inside a string as \\\".",
        ),
        Code::ConcatenatedValues => told(
            "A second JSON value follows the arguments.",
            "Send one JSON object in each call, with nothing after it.",
        ),
        Code::InvalidEscape => told(
            "A string in {place} holds a backslash that begins no JSON escape.",
            "Write a backslash as \\\\; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits.",
        ),
        Code::ControlCharInString => told(
            "A string in {place} holds a raw line break or another control character.",
            "Write it as an escape: \\n, \\r, \\t, or \\u with four hex digits.",
        ),
        Code::LoneSurrogate => told(
            "A string in {place} holds one half of a surrogate pair.",
            "Write the character itself, or both halves as \\u escapes.",
        ),
        Code::InvalidUtf8 => told("The text in {place} is not UTF-8.", "Send the call again as UTF-8 text."),
        Code::Bom => told("The text begins with a byte order mark.", "Begin the arguments with an opening brace."),
        Code::InvalidNumber => told(
            "A number in {place} is not written as JSON numbers are.",
            "Write no leading zero or plus sign and a digit on both sides of a point, or put the text in double quotes.",
        ),
        Code::NonJsonLiteral => told(
            "A word in {place} is not a JSON value.",
            "Write true, false or null in lower case, and any other text in double quotes.",
        ),
        Code::SingleQuote => {
            told("A key or string in {place} begins with a single quote.", "Put every key and string in double quotes.")
        }
        Code::UnquotedKey => told("A key in {place} has no quotes.", "Put every key in double quotes."),
        Code::UnquotedValue => told("A value in {place} has no quotes.", "Put text in double quotes."),
        Code::TrailingComma => {
            told("A comma stands before a closing bracket in {place}.", "Put commas only between members or elements.")
        }
        Code::Comment => {
            told("A comment or a slash stands in {place} outside a string.", "Leave comments out: JSON has none.")
        }
        Code::CodeFence => {
            told("The text begins with a back quote.", "Send the JSON object alone, without a code fence.")
        }
        Code::MissingRequired => told("Required {place} is missing.", "Send every required member."),
        Code::TypeMismatch => told(
            "The value of {place} must be {expected}, not {found}.",
            "Send a value of the type that the tool declares.",
        ),
        Code::UnknownProperty => {
            told("The tool does not declare {place}{near}.", "Leave it out, or use the name that the tool declares.")
        }
        Code::ConstraintViolation => {
            told("The value of {place} must be {expected}.", "Send a value that the tool's schema allows.")
        }
        Code::DuplicateKey => told("The key of {place} stands twice, with different values.", "Send each key once."),
        Code::AliasConflict => told(
            "Two names of one parameter, {place} and {other}, have different values.",
            "Send it once, under the name that the tool declares.",
        ),
        Code::AmbiguousWrapper => told(
            "It is not clear whether {place} wraps the arguments or is one of them.",
            "Send the parameters themselves as members of the object, without a wrapper.",
        ),
        Code::UnknownTool => told("There is no tool{named}.", "Call one of the listed tools by its exact name."),
        Code::FinalMismatch => untold("The final event holds other arguments than the deltas."),
        Code::CallConflict => untold("One call was given two identities."),
        Code::Disconnected => untold("The stream broke after the arguments were closed."),
        Code::Cancelled => untold("The host cancelled after the arguments were closed."),
        Code::DepthLimit => told(
            "The arguments are nested deeper than the limit{limit}.",
            "Send flatter arguments, or nested data as several calls.",
        ),
        Code::SizeLimit => {
            told("The arguments exceed the limit{limit}.", "Send less, for instance as several smaller calls.")
        }
        Code::InlineLimit => {
            told("The string in {place} is longer than the limit{limit}.", "Split the text into several smaller calls.")
        }
        Code::Placeholder => {
            told("The string in {place} holds a marker in place of the text itself.", "Write the whole text.")
        }
        Code::CallLimit => told("The response holds more calls than the limit{limit}.", "Send fewer calls at a time."),
        Code::NumberNotHeld => {
            told(NOT_HELD, "Send a number that it can hold, such as a whole number of at most 15 digits.")
        }
    }
}

const NOT_HELD: &str = "The number in {place} is one that a 64-bit floating-point number cannot hold.";

const AGAIN: &str = "Send the whole call again as one complete JSON object.";

const fn told(problem: &'static str, remedy: &'static str) -> Words {
    Words { problem, remedy: Some(remedy) }
}

const fn untold(problem: &'static str) -> Words {
    Words { problem, remedy: None }
}

fn words(diagnosis: &Diagnosis) -> Words {
    if diagnosis.fault == Fault::Budget {
        BUDGET
    } else if diagnosis.code == Code::MissingRequired && diagnosis.suspect_quote().is_some() {
        ENDED_EARLY
    } else if diagnosis.code == Code::TypeMismatch && diagnosis.more.as_ref().is_some_and(|more| more.holds_json) {
        JSON_IN_STRING
    } else if diagnosis.code == Code::NumberNotHeld && diagnosis.more.is_some() {
        AS_STRING
    } else {
        words_of(diagnosis.code)
    }
}

/// The text was cut: nothing is wrong with what is there.
fn depends_on_end(code: Code) -> bool {
    code.group() == Group::Truncation
}

/// A quote that ended a string too early leads to such a code; the other codes have a plainer cause.
fn quote_explains(code: Code) -> bool {
    matches!(
        code,
        Code::MissingRequired
            | Code::TrailingData
            | Code::UnexpectedAfterString
            | Code::UnexpectedToken
            | Code::UnquotedKey
            | Code::UnquotedValue
    )
}

/// The first sentence, its slots filled.
fn problem(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    let mut rest = words(diagnosis).problem;
    while let Some((before, after)) = rest.split_once('{') {
        let (slot, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&fill(slot, diagnosis));
        rest = after;
    }
    text + rest
}

fn fill(slot: &str, diagnosis: &Diagnosis) -> Cow<'static, str> {
    let facts = diagnosis.facts();
    match slot {
        "place" => place(facts.pointer).into(),
        "quote" => place(facts.suspect_quote.map(|quote| quote.pointer.as_str())).into(),
        "expected" => any_of(facts.expected).map_or("something that is allowed there".into(), Cow::Owned),
        "found" => facts.found.map_or("what was sent".into(), phrase),
        "other" => facts.other.map_or("another member".into(), |name| format!("member {}", quoted(name, NAME)).into()),
        "near" => facts.other.map_or("".into(), |name| format!(" (it declares {})", quoted(name, NAME)).into()),
        "named" => facts.other.map_or(" of that name".into(), |name| format!(" named {}", quoted(name, NAME)).into()),
        "limit" => facts.exceeded.map_or("".into(), |exceeded| {
            let unit = match exceeded.unit {
                Unit::Bytes => "bytes",
                Unit::Calls => "calls",
                Unit::Chars => "characters",
                Unit::Levels => "levels",
                Unit::Members => "members",
                Unit::Utf16 => "UTF-16 units",
            };
            format!(" of {} {unit}", exceeded.limit).into()
        }),
        // A test reads every template.
        _ => "".into(),
    }
}

/// As many of the words as fit in a sentence, joined by `or`. Words for the rest, which begin with `another`, stand last
/// and are always shown.
fn any_of(expected: &[Cow<'static, str>]) -> Option<String> {
    let (words, rest) = match expected {
        [words @ .., rest] if rest.starts_with("another ") => (words, Some(phrase(rest))),
        words => (words, None),
    };
    let mut shown: Vec<Cow<'static, str>> = Vec::new();
    let mut length = 0;
    for word in words {
        let word = phrase(word);
        length += word.chars().count() + ", ".len();
        if length > EXPECTED && !shown.is_empty() {
            break;
        }
        shown.push(word);
    }
    let is_cut = shown.len() < words.len();
    shown.extend(rest.or_else(|| is_cut.then(|| "another that is allowed".into())));
    let last = shown.pop()?;
    Some(if shown.is_empty() { last.into_owned() } else { format!("{} or {last}", shown.join(", ")) })
}

/// The room for what was expected, in characters; at least that of the values which a schema names.
const EXPECTED: usize = 60;

/// The name of a type with its article, a token in back quotes, other words clipped. A value is never clipped: the model
/// would send the half of it.
fn phrase(word: &str) -> Cow<'static, str> {
    match word {
        "array" => "an array".into(),
        "boolean" => "a boolean".into(),
        "integer" => "an integer".into(),
        "number" => "a number".into(),
        "object" => "an object".into(),
        "string" => "a string".into(),
        _ if word.chars().all(|c| c.is_ascii_punctuation() && c != '`') => {
            format!("`{}`", clipped(word, EXPECTED)).into()
        }
        _ => {
            let text = clipped(word, EXPECTED);
            let is_value = word.starts_with(['"', '[', '{']);
            if is_value && text.ends_with('…') { "a value that the schema names".into() } else { text.into() }
        }
    }
}
