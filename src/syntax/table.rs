//! The grammar of RFC 8259 on one screen: which class of byte may come in which state.
//!
//! [`step`] and [`after`] are the only source of transitions. The engine reads them from [`STEPS`]; a test prints them
//! and compares the print with `grammar/machine.txt`.

use crate::lex::outside::Class;
use crate::lex::scalar::Literal;
use crate::text::pointer::Container;
use crate::verdict::code::Code;

/// Where the machine stands between tokens.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum State {
    /// Before the root value.
    #[default]
    Root,
    /// After `{`: a name or `}`.
    FirstName,
    /// After a comma in an object: a name.
    NextName,
    /// After a name.
    Colon,
    /// After a colon.
    Value,
    /// After `[`: a value or `]`.
    FirstElement,
    /// After a comma in an array: a value.
    NextElement,
    /// After a string value in an object.
    MemberString,
    /// After any other value in an object.
    Member,
    /// After a string value in an array.
    ElementString,
    /// After any other value in an array.
    Element,
    /// After a root that is an object or an array.
    EndContainer,
    /// After any other root.
    EndScalar,
}

impl State {
    pub(crate) const ALL: [Self; 13] = [
        Self::Root,
        Self::FirstName,
        Self::NextName,
        Self::Colon,
        Self::Value,
        Self::FirstElement,
        Self::NextElement,
        Self::MemberString,
        Self::Member,
        Self::ElementString,
        Self::Element,
        Self::EndContainer,
        Self::EndScalar,
    ];

    /// The root value is complete.
    pub(crate) const fn is_end(self) -> bool {
        matches!(self, Self::EndContainer | Self::EndScalar)
    }

    /// The code of a text that ends here; `None` after the root.
    pub(crate) const fn truncated(self) -> Option<Code> {
        match self {
            Self::Root => Some(Code::EmptyArguments),
            Self::Colon => Some(Code::TruncatedAfterKey),
            Self::Value => Some(Code::TruncatedAfterColon),
            Self::FirstName
            | Self::NextName
            | Self::FirstElement
            | Self::NextElement
            | Self::MemberString
            | Self::Member
            | Self::ElementString
            | Self::Element => Some(Code::TruncatedInContainer),
            Self::EndContainer | Self::EndScalar => None,
        }
    }

    /// What may come here, in words.
    pub(crate) const fn expected(self) -> &'static [&'static str] {
        match self {
            Self::Root | Self::Value | Self::NextElement => &["a JSON value"],
            Self::FirstName => &["a member name in double quotes", "`}`"],
            Self::NextName => &["a member name in double quotes"],
            Self::Colon => &["`:`"],
            Self::FirstElement => &["a JSON value", "`]`"],
            Self::MemberString | Self::Member => &["`,`", "`}`"],
            Self::ElementString | Self::Element => &["`,`", "`]`"],
            Self::EndContainer | Self::EndScalar => &["the end of the text"],
        }
    }
}

/// What the machine does with a byte.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    /// Insignificant.
    Blank,
    /// A container begins.
    Begin(Container),
    /// The innermost container ends.
    End,
    /// A comma or colon; the state that follows.
    Go(State),
    /// A literal name begins.
    Literal(Literal),
    /// A member name begins.
    Name,
    /// A number begins.
    Number,
    /// A string value begins.
    String,
    /// No JSON text goes on like this.
    Reject(Code),
}

/// What kind of value has just been completed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Completed {
    Container,
    Scalar,
    String,
}

/// The state after a value inside `container` (`None`: the root).
pub(crate) const fn after(container: Option<Container>, value: Completed) -> State {
    match (container, value) {
        (None, Completed::Container) => State::EndContainer,
        (None, Completed::Scalar | Completed::String) => State::EndScalar,
        (Some(Container::Object), Completed::String) => State::MemberString,
        (Some(Container::Object), Completed::Container | Completed::Scalar) => State::Member,
        (Some(Container::Array), Completed::String) => State::ElementString,
        (Some(Container::Array), Completed::Container | Completed::Scalar) => State::Element,
    }
}

/// The transition for a byte of `class` in `state`. Total: every pair has exactly one meaning.
pub(crate) const fn step(state: State, class: Class) -> Step {
    if matches!(class, Class::Blank) {
        return Step::Blank;
    }
    match state {
        State::Root => value(class, true),
        State::Value | State::NextElement | State::FirstElement => match (state, class) {
            (State::FirstElement, Class::EndArray) => Step::End,
            (State::NextElement, Class::EndArray) => Step::Reject(Code::TrailingComma),
            _ => value(class, false),
        },
        State::FirstName | State::NextName => match (state, class) {
            (_, Class::Quote) => Step::Name,
            (State::FirstName, Class::EndObject) => Step::End,
            (_, Class::EndObject) => Step::Reject(Code::TrailingComma),
            (_, Class::SingleQuote) => Step::Reject(Code::SingleQuote),
            (_, Class::Slash) => Step::Reject(Code::Comment),
            (_, Class::True | Class::False | Class::Null | Class::Capital | Class::Letter) => {
                Step::Reject(Code::UnquotedKey)
            }
            _ => Step::Reject(Code::UnexpectedToken),
        },
        State::Colon => match class {
            Class::Colon => Step::Go(State::Value),
            _ => Step::Reject(Code::UnexpectedToken),
        },
        State::MemberString | State::Member => match (state, class) {
            (_, Class::Comma) => Step::Go(State::NextName),
            (_, Class::EndObject) => Step::End,
            (_, Class::Slash) => Step::Reject(Code::Comment),
            (State::MemberString, _) => Step::Reject(Code::UnexpectedAfterString),
            _ => Step::Reject(Code::UnexpectedToken),
        },
        State::ElementString | State::Element => match (state, class) {
            (_, Class::Comma) => Step::Go(State::NextElement),
            (_, Class::EndArray) => Step::End,
            (_, Class::Slash) => Step::Reject(Code::Comment),
            (State::ElementString, _) => Step::Reject(Code::UnexpectedAfterString),
            _ => Step::Reject(Code::UnexpectedToken),
        },
        State::EndContainer => match class {
            Class::BeginObject | Class::BeginArray => Step::Reject(Code::ConcatenatedValues),
            _ => Step::Reject(Code::TrailingData),
        },
        State::EndScalar => Step::Reject(Code::TrailingData),
    }
}

/// Where a value may begin. Bare words are told from other junk only inside of containers: before the root there is no
/// member that they could be the value of.
const fn value(class: Class, root: bool) -> Step {
    match class {
        Class::BeginObject => Step::Begin(Container::Object),
        Class::BeginArray => Step::Begin(Container::Array),
        Class::Quote => Step::String,
        Class::Number => Step::Number,
        Class::True => Step::Literal(Literal::True),
        Class::False => Step::Literal(Literal::False),
        Class::Null => Step::Literal(Literal::Null),
        Class::SingleQuote => Step::Reject(Code::SingleQuote),
        Class::Capital => Step::Reject(Code::NonJsonLiteral),
        Class::Slash => Step::Reject(Code::Comment),
        Class::BackQuote if root => Step::Reject(Code::CodeFence),
        Class::Colon | Class::Comma | Class::EndObject | Class::BackQuote | Class::Junk | Class::High => {
            Step::Reject(Code::UnexpectedToken)
        }
        Class::Blank => Step::Blank,
        Class::EndArray | Class::Letter | Class::Other if root => Step::Reject(Code::UnexpectedToken),
        Class::EndArray | Class::Letter | Class::Other => Step::Reject(Code::UnquotedValue),
    }
}

/// [`step`] as a table.
pub(crate) static STEPS: [[Step; Class::ALL.len()]; State::ALL.len()] = {
    let mut table = [[Step::Blank; Class::ALL.len()]; State::ALL.len()];
    let mut state = 0;
    while state < State::ALL.len() {
        let mut class = 0;
        while class < Class::ALL.len() {
            table[state][class] = step(State::ALL[state], Class::ALL[class]);
            class += 1;
        }
        state += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn print() -> String {
        use std::fmt::Write;
        let mut out =
            String::from("# The step table, printed by a test of src/syntax/table.rs. One row a state and class.\n");
        for state in State::ALL {
            let _ = writeln!(out, "\n{state:?}  (ends: {})", state.truncated().map_or("accepted", Code::name));
            for class in Class::ALL {
                let _ = writeln!(
                    out,
                    "  {:<12} {}",
                    format!("{class:?}"),
                    match step(state, class) {
                        Step::Reject(code) => code.name().to_owned(),
                        other => format!("{other:?}"),
                    }
                );
            }
        }
        out.push_str("\nAfter a value\n");
        for container in [None, Some(Container::Object), Some(Container::Array)] {
            for value in [Completed::Container, Completed::Scalar, Completed::String] {
                let inside = container.map_or("root".to_owned(), |c| format!("{c:?}"));
                let _ = writeln!(out, "  {inside:<7} {:<10} {:?}", format!("{value:?}"), after(container, value));
            }
        }
        out
    }

    #[test]
    fn the_golden_print_is_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/machine.txt");
        if std::env::var_os("ARGSEAL_PRINT_MACHINE").is_some() {
            std::fs::write(path, print()).expect("grammar/ can be written");
        }
        let golden = std::fs::read_to_string(path).expect("grammar/machine.txt is there");
        assert!(golden == print(), "grammar/machine.txt is not the table; ARGSEAL_PRINT_MACHINE=1 writes it anew");
    }

    #[test]
    fn states_and_classes_are_their_indexes() {
        for (i, state) in State::ALL.into_iter().enumerate() {
            assert_eq!(state as usize, i);
        }
        for (i, class) in Class::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, i);
        }
    }
}
