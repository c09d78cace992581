//! Whole text in one delta, one value.

use argseal::Call;
use jiter::{JsonValue, PartialMode};

pub fn argseal(text: &str) -> usize {
    let mut call = Call::default();
    call.feed(std::hint::black_box(text));
    assert!(call.is_complete(), "the payload is read to its end");
    std::hint::black_box(&call).raw().len()
}

pub fn serde_json(text: &str) -> usize {
    serde_json::from_str::<serde_json::Value>(std::hint::black_box(text))
        .map_or(0, |value| std::hint::black_box(&value).is_object().into())
}

pub fn sonic_rs(text: &str) -> usize {
    sonic_rs::from_str::<sonic_rs::Value>(std::hint::black_box(text)).map_or(0, |value| {
        std::hint::black_box(&value);
        1
    })
}

/// simd-json writes into its input: the copy is part of the work, as it is of argseal's.
pub fn simd_json(text: &str) -> usize {
    let mut bytes = std::hint::black_box(text).as_bytes().to_vec();
    simd_json::to_borrowed_value(&mut bytes).map_or(0, |value| {
        std::hint::black_box(&value);
        1
    })
}

pub fn jiter(text: &str) -> usize {
    JsonValue::parse_with_config(std::hint::black_box(text).as_bytes(), false, PartialMode::Off)
        .map_or(0, |value| matches!(std::hint::black_box(&value), JsonValue::Object(_)).into())
}
