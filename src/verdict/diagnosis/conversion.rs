//! Why a value cannot be had as another type.

use super::Diagnosis;
use crate::document::{DeCause, DeError, ValueRef};
use crate::text::pointer::{Token, write_token};
use crate::verdict::code::Code;

/// Why `serde_json` cannot hold the value: a number, or nesting.
pub(crate) fn not_a_value(value: ValueRef<'_>) -> Diagnosis {
    match value.first_not_serde() {
        Some(number) => of(Code::NumberNotHeld, number),
        None => Diagnosis::new(Code::DepthLimit).with_pointer(value.place()),
    }
}

/// What does not fit the type that was asked for, in `root` or below it.
pub(crate) fn does_not_fit(root: ValueRef<'_>, error: DeError) -> Diagnosis {
    let value = error.node.map_or(root, |node| ValueRef::new(root.document(), node));
    match error.cause {
        DeCause::Altered => of(Code::NumberNotHeld, value),
        DeCause::Custom(words) => of(Code::ConstraintViolation, value).with_expected([words]),
        DeCause::Missing(name) => {
            let mut pointer = value.place();
            // Writing to a String cannot fail.
            let _ = write_token(&mut pointer, Token::Name(name));
            Diagnosis::new(Code::MissingRequired).with_pointer(pointer)
        }
        DeCause::Type { found, expected } => of(Code::TypeMismatch, value).with_found(found).with_expected([expected]),
        DeCause::Unknown(name) => of(Code::UnknownProperty, value).with_other(name),
    }
}

fn of(code: Code, value: ValueRef<'_>) -> Diagnosis {
    Diagnosis::new(code).with_at(value.span().start.into()).with_pointer(value.place())
}
