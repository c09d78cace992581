//! Conversions of numbers in a build where the feature `arbitrary_precision` of `serde_json` is on.

#[cfg(test)]
mod tests {
    use argseal::{Accepted, Call, Code, End, NoteKind, Number, Numbers, Progress, Settings};
    use serde::Deserialize;
    use serde_json::Value;
    use serde_json::value::RawValue;

    const NUMBERS: [&str; 16] = [
        "0",
        "-0",
        "1",
        "-17",
        "1.50",
        "1e3",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "9007199254740993.0",
        "0.1234567890123456789012345678901234567890",
        "1e400",
        "-1e-400",
        "3e-324",
        "1e99999999999999999999",
        "123456789012345678901234567890123456789012345678901234567890",
    ];

    #[derive(Deserialize)]
    struct Of<T> {
        a: T,
    }

    fn accepted(text: &str) -> Accepted {
        let mut call = Call::default();
        call.feed(&format!("{{\"a\":{text}}}"));
        call.finish(End::Complete).expect("a call")
    }

    /// A later version of `serde_json` may write an exponent with a plus sign.
    fn same(text: &str, got: &str) -> bool {
        Number::from_text(text).expect("a number") == Number::from_text(got).expect("a number")
    }

    #[test]
    fn values_keep_every_digit() {
        for text in NUMBERS {
            let call = accepted(text);
            let got = [
                call.clone().into_value().expect("a value")["a"].to_string(),
                call.clone().into_map().expect("a map")["a"].to_string(),
                call.to::<Value>().expect("a value")["a"].to_string(),
                call.to::<Of<serde_json::Number>>().expect("a number").a.to_string(),
                call.to::<Of<Option<Value>>>().expect("a value").a.expect("some").to_string(),
            ];
            assert!(got.iter().all(|got| same(text, got)), "{text} becomes {got:?}");
            assert_eq!(call.to::<Of<&RawValue>>().expect("a text").a.get(), text);
            let mut open = Call::default();
            open.feed(&format!("{{\"a\":{text},"));
            let shown = open.partial().to_value().expect("a value")["a"].to_string();
            assert!(same(text, &shown), "{text} becomes {shown}");
        }
    }

    #[test]
    fn other_types_are_what_they_are_without() {
        for (text, held) in [("1.50", true), ("1e400", false), ("1e-400", false), ("18446744073709551616", false)] {
            let got = accepted(text).to::<Of<f64>>();
            assert_eq!(got.is_ok(), held, "{text}");
            assert!(got.err().is_none_or(|told| told.code() == Code::NumberNotHeld), "{text}");
        }
        assert_eq!(accepted("18446744073709551616").to::<Of<u128>>().expect("it fits").a, 1 << 64);
        assert!(accepted("18446744073709551616").to::<Of<u64>>().is_err());
        assert!(accepted("18446744073709551616").to::<Of<String>>().is_err());
        let noted = accepted("0.1234567890123456789");
        assert!(noted.notes().iter().any(|note| note.kind() == NoteKind::RoundedNumber));
    }

    #[test]
    fn readers_that_hold_doubles_hold_no_more() {
        for (text, held) in [("18446744073709551616", false), ("18446744073709552000", true), ("1e400", false)] {
            let settings = Settings::default().with_numbers(Numbers::Double);
            let mut call = Call::default().with_settings(&settings);
            let progress = call.feed(&format!("{{\"a\":{text}}}"));
            assert_eq!(progress, if held { Progress::Complete } else { Progress::Rejected }, "{text}");
        }
    }
}
