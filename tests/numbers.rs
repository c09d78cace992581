//! No conversion returns another number without an error or a note: generated texts, judged by exact arithmetic; and what
//! types get, and what a host is told whose readers hold doubles.

mod support;

use argseal::{
    Accepted, Call, Code, Diagnosis, End, Grants, Held, Judgement, Note, NoteKind, Number, Numbers, Partial, Policy,
    Progress, Settings, Tool,
};
use num_bigint::BigInt;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::random::Random;

/// `mantissa × 10^exponent`; no mantissa ends with a zero, and that of zero has the exponent 0: equal numbers are equal.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Exact {
    mantissa: BigInt,
    exponent: i64,
}

impl Exact {
    fn of(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_end_matches('0');
        let mantissa: BigInt = if digits.trim_start_matches('-').is_empty() {
            return Self { mantissa: BigInt::ZERO, exponent: 0 };
        } else {
            digits.parse().expect("digits")
        };
        let exponent: i64 = exponent.parse().expect("a short exponent");
        Self { mantissa, exponent: exponent - fraction.len() as i64 + (all.len() - digits.len()) as i64 }
    }

    fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    fn is_zero(&self) -> bool {
        self.mantissa == BigInt::ZERO
    }

    /// How far the double is, times a power of ten and a power of two that all doubles share.
    fn distance(&self, double: f64) -> BigInt {
        // Every double is a whole number of these.
        const SMALLEST: i64 = -1074;
        let bits = double.to_bits();
        let field = (bits >> 52 & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (significand, power) =
            if field == 0 { (fraction, SMALLEST) } else { (fraction | 1 << 52, field - 1 + SMALLEST) };
        let significand = if double.is_sign_negative() { -BigInt::from(significand) } else { significand.into() };
        let down = (-self.exponent).max(0) as u32;
        let sent = (&self.mantissa * BigInt::from(10).pow(self.exponent.max(0) as u32)) << -SMALLEST;
        let kept = (significand << (power - SMALLEST)) * BigInt::from(10).pow(down);
        let apart = sent - kept;
        if apart < BigInt::ZERO { -apart } else { apart }
    }

    /// Whether no double is nearer.
    fn is_nearest(&self, double: f64) -> bool {
        let apart = self.distance(double);
        [double.next_up(), double.next_down()].iter().all(|&other| !other.is_finite() || apart <= self.distance(other))
    }
}

/// What may be made of a number.
#[derive(Debug, PartialEq)]
enum Expected {
    Itself,
    /// The nearest double, with a note.
    Nearest,
    Nothing,
}

/// What a double may be, by exact arithmetic.
fn of_double(text: &str, sent: &Exact) -> Expected {
    let nearest: f64 = text.parse().expect("a number");
    let is_itself = nearest.is_finite() && Exact::of(&json!(nearest).to_string()) == *sent;
    if is_itself {
        Expected::Itself
    } else if nearest.is_infinite() || nearest == 0.0 || sent.is_whole() {
        Expected::Nothing
    } else {
        assert!(sent.is_nearest(nearest), "{nearest:e} is not the nearest of {text}");
        Expected::Nearest
    }
}

/// What a value may be: one that keeps whole numbers of 64 bits.
fn of_value(text: &str, sent: &Exact) -> Expected {
    let plain = !text.contains(['.', 'e', 'E']);
    if plain && (text.parse::<u64>().is_ok() || text.parse::<i64>().is_ok()) {
        return Expected::Itself;
    }
    of_double(text, sent)
}

fn check(text: &str, what: &str, expected: &Expected, got: Result<String, Diagnosis>, noted: bool) {
    let sent = Exact::of(text);
    match (expected, got) {
        (Expected::Itself, Ok(got)) => assert!(Exact::of(&got) == sent, "{what}: {text} becomes {got}"),
        (Expected::Nearest, Ok(got)) => {
            let double: f64 = got.parse().expect("a number");
            assert!(sent.is_nearest(double), "{what}: {text} becomes {got}");
            assert!(noted, "{what}: {text} becomes {got} without a note");
        }
        (Expected::Nothing, Err(diagnosis)) => {
            let told = (diagnosis.code(), diagnosis.at(), diagnosis.pointer());
            assert_eq!(told, (Code::NumberNotHeld, Some(5), Some("/a")), "{what}: {text}");
            assert!(diagnosis.advice().is_some(), "{what}: {text}");
        }
        (expected, got) => panic!("{what}: {text} becomes {got:?}; expected is {expected:?}"),
    }
}

#[derive(Deserialize)]
struct Of<T> {
    a: T,
}

fn accepted(text: &str) -> Accepted {
    let mut call = Call::default();
    call.feed(&format!("{{\"a\":{text}}}"));
    call.finish(End::Complete).expect("a call")
}

fn is_rounded(note: &Note) -> bool {
    let placed = (note.at(), note.detail()) == (Some(5), Some("/a"));
    assert!(note.kind() != NoteKind::RoundedNumber || placed, "{note:?}");
    note.kind() == NoteKind::RoundedNumber
}

fn number_of(text: &str) -> Option<i128> {
    text.parse().ok()
}

fn goes_right(text: &str) {
    let sent = Exact::of(text);
    let (double, value) = (of_double(text, &sent), of_value(text, &sent));
    let call = accepted(text);
    let noted = call.notes().iter().any(is_rounded);
    assert_eq!(noted, double == Expected::Nearest, "{text}");
    let held = Number::from_text(text).expect("a number").in_double();
    let expected = match double {
        Expected::Itself => Held::Same,
        Expected::Nearest => Held::Rounded,
        Expected::Nothing => Held::Altered,
    };
    assert_eq!(held, expected, "{text}");

    check(text, "to::<f64>", &double, call.to::<Of<f64>>().map(|of| json!(of.a).to_string()), noted);
    check(text, "to::<Value>", &value, call.to::<Value>().map(|value| value["a"].to_string()), noted);
    check(text, "to::<Number>", &value, call.to::<Of<serde_json::Number>>().map(|of| of.a.to_string()), noted);
    assert_eq!(call.to::<Of<&RawValue>>().map(|of| of.a.get().to_owned()).as_deref(), Ok(text));
    assert_eq!(call.to::<Of<Box<RawValue>>>().map(|of| of.a.get().to_owned()).as_deref(), Ok(text));
    assert!(call.to::<serde::de::IgnoredAny>().is_ok());
    for wide in [call.to::<Of<i128>>().map(|of| of.a.to_string()), call.to::<Of<u128>>().map(|of| of.a.to_string())] {
        assert!(wide.is_err() || wide.as_deref() == Ok(text) || sent.is_zero(), "{text} becomes {wide:?}");
    }
    assert_eq!(call.to::<Of<i128>>().ok().map(|of| of.a), number_of(text), "{text}");
    if let Ok(Of { a }) = call.to::<Of<f32>>() {
        let same = Exact::of(&format!("{a:e}")) == sent;
        assert!(same || a != 0.0 && a.is_finite() && !sent.is_whole(), "{text} becomes {a}");
    }
    for narrow in [call.to::<Of<i64>>().map(|of| of.a.to_string()), call.to::<Of<u64>>().map(|of| of.a.to_string())] {
        assert!(narrow.is_err() || narrow.as_deref() == Ok(text) || sent.is_zero(), "{text} becomes {narrow:?}");
    }
    check(text, "into_value", &value, call.clone().into_value().map(|value| value["a"].to_string()), noted);
    check(text, "into_map", &value, call.into_map().map(|map| map["a"].to_string()), noted);

    let mut open = Call::default();
    open.feed(&format!("{{\"a\":{text},"));
    let partial: Partial<'_> = open.partial();
    let rounded = partial.rounded().is_some_and(|note| is_rounded(&note));
    check(text, "Partial::to_value", &value, partial.to_value().map(|value| value["a"].to_string()), rounded);
    check(text, "Partial::to", &double, partial.to::<Of<f64>>().map(|of| json!(of.a).to_string()), rounded);
    let member = partial.get("a").expect("a member").to_value().map(|value| value.to_string());
    check(text, "PartialValue::to_value", &value, member, rounded);

    let settings = Settings::default().with_numbers(Numbers::Double);
    let mut call = Call::default().with_settings(&settings);
    assert_eq!(call.feed(&format!("{{\"a\":{text}")), Progress::Open, "{text}");
    let progress = call.feed("}");
    if double == Expected::Nothing {
        assert_eq!(progress, Progress::Rejected, "{text}");
        let known = call.diagnosis().and_then(Diagnosis::known_at);
        assert_eq!(known, Some(text.len() as u64 + 6), "{text}");
        let told = call.finish(End::Complete).expect_err("rejected").diagnosis().clone();
        check(text, "numbers double", &double, Err(told), false);
    } else {
        assert_eq!(progress, Progress::Complete, "{text}");
    }
}

/// A number of 1 to 400 digits: any, with zeros inside, near a power of two or a power of ten, or near a double.
fn generated(random: &mut Random) -> String {
    let mut text = String::new();
    if random.once_in(2) {
        text.push('-');
    }
    match random.below(8) {
        0 => {
            // Near what integers and doubles end at.
            let power = *random.pick(&[24, 31, 32, 52, 53, 54, 62, 63, 64, 65, 127, 128, 1023, 1024]);
            let near: BigInt = (BigInt::from(1) << power) + (random.below(5) as i64 - 2);
            text.push_str(&near.to_string());
        }
        1 => {
            // As doubles are printed, in both ways.
            let double = f64::from_bits(random.bits() & !(1 << 63));
            let double = if double.is_finite() { double } else { 0.1 };
            text.push_str(&if random.once_in(2) { format!("{double}") } else { format!("{double:e}") });
        }
        2 => {
            // Half way between two doubles, and near it.
            let significand = BigInt::from(random.bits() >> 11) * 2 + 1;
            let near: BigInt = (significand << random.below(300)) + (random.below(3) as i64 - 1);
            text.push_str(&near.magnitude().to_string());
        }
        _ => {
            let digits = 1 + if random.once_in(2) { random.below(25) } else { random.below(400) };
            let fraction = if random.once_in(2) { 0 } else { random.below(digits) };
            let zeros = random.below(4) == 0;
            for i in 0..digits {
                if i > 0 && i == digits - fraction {
                    text.push('.');
                }
                let digit = if zeros && random.below(8) > 0 { 0 } else { random.below(10) };
                let leads = i == 0 && digits - fraction > 1;
                text.push_str(&digit.max(usize::from(leads)).to_string());
            }
        }
    }
    if text.len() <= 400 && !text.contains('e') && random.once_in(3) {
        let exponent = match random.below(4) {
            0 => random.below(25) as i64,
            1 => 280 + random.below(70) as i64,
            2 => text.len() as i64 + random.below(20) as i64,
            _ => random.below(2_000) as i64,
        };
        let sign = *random.pick(&["", "+", "-", "-"]);
        let zeros = *random.pick(&["", "", "", "00"]);
        text.push_str(&format!("{}{sign}{zeros}{exponent}", random.pick(&["e", "E"])));
    }
    text
}

#[test]
fn a_hundred_thousand_numbers_stay_what_they_are() {
    let mut random = Random::seeded(5);
    let mut made = [0; 3];
    for _ in 0..100_000 {
        let text = generated(&mut random);
        goes_right(&text);
        made[of_double(&text, &Exact::of(&text)) as usize] += 1;
    }
    assert!(made.iter().all(|&made| made > 10_000), "itself, nearest, nothing: {made:?}");
}

#[test]
fn numbers_that_are_known_to_be_hard() {
    let texts = [
        "0",
        "-0",
        "0.0",
        "0e5",
        "-0.0e-400",
        "1",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709552000",
        "-9223372036854775808",
        "-9223372036854775809",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992e0",
        "1e400",
        "-1e400",
        "1e-400",
        "1e-324",
        "3e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e308",
        "1e23",
        "8.5e22",
        "1.2345678901234567",
        "0.1234567890123456789",
        "16777217",
        "1e3",
        "1.0",
        "1.50",
        "100e-2",
        "1e00300",
    ];
    texts.into_iter().for_each(goes_right);
}

#[test]
fn exponents_of_any_length_are_told() {
    for text in ["1e99999999999999999999", "-1e-99999999999999999999", "1e400000"] {
        let call = accepted(text);
        let codes = [call.to::<Of<f64>>().err(), call.to::<Value>().err(), call.into_value().err()];
        for code in codes {
            assert_eq!(code.map(|diagnosis| diagnosis.code()), Some(Code::NumberNotHeld));
        }
    }
    assert!(accepted("0e99999999999999999999").into_value().is_ok());
    let one = format!("0.{}1e700001", "0".repeat(700_000));
    assert!(accepted(&one).to::<Of<f64>>().map_or(true, |of| of.a == 1.0));
}

#[test]
fn a_number_goes_to_a_type_that_holds_it() {
    let mut call = Call::default();
    call.feed(
        r#"{"id":340282366920938463463374607431768211455,"low":-170141183460469231731687303715884105728,"raw":[1.50]}"#,
    );
    let call = call.finish(End::Complete).expect("a call");
    #[derive(Deserialize)]
    struct Wide<'a> {
        id: u128,
        low: i128,
        #[serde(borrow)]
        raw: &'a RawValue,
    }
    let wide: Wide<'_> = call.to().expect("it fits");
    assert_eq!((wide.id, wide.low, wide.raw.get()), (u128::MAX, i128::MIN, "[1.50]"));
    // What a type does not ask for is not altered.
    #[derive(Deserialize)]
    struct Other {
        #[serde(default)]
        more: bool,
    }
    assert!(call.to::<Other>().is_ok_and(|other| !other.more));
    let told = call.clone().into_value().expect_err("not held");
    assert_eq!((told.code(), told.at(), told.pointer()), (Code::NumberNotHeld, Some(6), Some("/id")));
    // A value that is not complete has no text.
    let mut open = Call::default();
    open.feed(r#"{"raw":[1.50"#);
    assert!(open.partial().to::<Wide<'_>>().is_err());
}

fn tool() -> Tool {
    let schema = json!({"type": "object", "properties": {
        "id": {"type": ["integer", "string"]}, "count": {"type": "integer"}, "list": {"type": "array"},
        "options": {"type": "object", "properties": {"id": {"type": ["integer", "string"]}}}}});
    let grants = Grants::from_json(&json!({"aliases": {"id": ["identifier"]}})).expect("grants");
    Tool::new("store", &schema).expect("a schema").with_grants(grants).expect("grants that fit")
}

fn doubles() -> Settings {
    Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema).with_numbers(Numbers::Double)
}

#[test]
fn a_string_is_advised_where_the_schema_allows_one() {
    let wanted = [
        (r#"{"id":18446744073709551616}"#, true),
        (r#"{"identifier":18446744073709551616}"#, true),
        (r#"{"count":18446744073709551616}"#, false),
        (r#"{"list":[18446744073709551616]}"#, false),
        (r#"{"options":{"id":18446744073709551616}}"#, false),
        (r#"{"other":18446744073709551616}"#, false),
    ];
    for (text, string) in wanted {
        let mut call = Call::new(&tool()).with_settings(&doubles());
        assert_eq!(call.feed(text), Progress::Rejected, "{text}");
        // The tool is known late.
        let mut late = Call::default().with_settings(&doubles());
        late.feed(text);
        late.set_tool(&tool());
        let early = call.diagnosis().cloned();
        assert_eq!(late.diagnosis(), early.as_ref(), "{text}");
        let told = call.finish(End::Complete).expect_err("rejected").diagnosis().clone();
        assert_eq!(Some(&told), early.as_ref(), "{text}");
        assert_eq!(late.finish(End::Complete).expect_err("rejected").diagnosis(), &told, "{text}");
        let advice = told.advice().expect("advice");
        assert_eq!(advice.contains("as a string"), string, "{text}: {advice}");
    }
}

#[test]
fn a_full_value_is_held_to_the_same() {
    let end = |sent: &str, full: &str| {
        let mut call = Call::new(&tool()).with_settings(&doubles());
        call.feed(sent);
        match call.finish_with(End::Complete, full) {
            Ok(_) => "accepted".to_owned(),
            Err(rejected) => {
                let notes: Vec<String> = rejected.notes().iter().map(|note| format!(" {:?}", note.kind())).collect();
                format!("{}{}", rejected.diagnosis().code(), notes.concat())
            }
        }
    };
    let (large, small) = (r#"{"id":18446744073709551616}"#, r#"{"id":1}"#);
    assert_eq!(end(large, large), "number-not-held FinalConfirmed");
    assert_eq!(end(large, small), "final-mismatch");
    assert_eq!(end(small, large), "final-mismatch");
    assert_eq!(end("", large), "number-not-held FinalUsed");
    assert_eq!(end(r#"{"id":1844"#, large), "number-not-held FinalUsed");
    assert_eq!(end(small, small), "accepted");
}

#[test]
fn a_number_that_is_the_root_ends_with_the_text() {
    for (text, accepted) in [("18446744073709551616", false), ("18446744073709552000", true)] {
        let mut call = Call::default().with_settings(&doubles().any_root());
        assert_eq!(call.feed(text), Progress::Open);
        let verdict = call.finish(End::Complete);
        let told = verdict.as_ref().map_err(argseal::Rejected::diagnosis).err();
        let place = told.map(|told| (told.code(), told.at(), told.pointer(), told.known_at()));
        assert_eq!(place, (!accepted).then_some((Code::NumberNotHeld, Some(0), Some(""), None)));
        let mut call = Call::default().with_settings(&doubles().any_root());
        call.feed(text);
        assert_eq!(call.finish_with(End::Complete, text).is_ok(), accepted);
    }
}
