//! What each fuzz target does with its bytes, by the target's name. `cargo test` calls the same functions with the
//! regressions that were kept, and with seeded bytes.

use serde_json::Value;

use super::generate::{Damage, Damaged, Draw, Effect, Owned, Sample, Shaped, fits, owned};
use super::{
    api, bounds, chunking as keeps_chunking, fuse, idempotence, inserts_only, judgement, monotony, nothing_vanishes,
    observe, reads_plainly, replay as keeps_replay, shown, strict as keeps_strict,
};
use argseal::_internals::{ends_in_a_string, is_special, looks_agree, plain_run};
use argseal::{Assembler, Format, Stream};
use argseal::{End, Payload};
use argseal::{Grants, Judgement, Limits, Policy, Rule, Settings, Tool, Tools};

/// The body of one target.
pub type Body = fn(&[u8]);

/// The targets: names and bodies.
pub const TARGETS: [(&str, Body); 10] = [
    ("chunking", chunking),
    ("partial", partial),
    ("plan", plan),
    ("program", program),
    ("repair", repair),
    ("replay", replay),
    ("scan", scan),
    ("schema", schema),
    ("strict", strict),
    ("wire", wire),
];

/// Laws 1, 8 and 10, of any text under any settings.
pub fn chunking(bytes: &[u8]) {
    let Sample { text, cuts, tool, settings, end } = Sample::of(bytes);
    keeps_chunking(text, &cuts, tool, &settings, end);
    bounds(text, &cuts, settings.limits());
    api(text, &cuts, tool, &settings, end);
}

/// Law 6, of any text.
pub fn partial(bytes: &[u8]) {
    let Sample { text, cuts, .. } = Sample::of(bytes);
    monotony(text, &cuts);
}

/// Laws 1, 2, 3, 4, 5, 9 and 10, of valid JSON whose shape is wrong.
pub fn plan(bytes: &[u8]) {
    let mut draw = Draw::of(bytes);
    let mut settings = Settings::default().with_policy(Policy::Full);
    settings = settings.with_judgement(*draw.pick(&[Judgement::Schema, Judgement::Schema, Judgement::Shape]));
    if draw.once_in(2) {
        settings = settings.with_rule(Rule::Rename);
    }
    let Some(Shaped { owned, text, end }) = Shaped::of(&mut draw) else { return };
    keeps_all(text.as_bytes(), &[text.len() / 2], Some(&owned.tool), &settings, end);
    judgement(text.as_bytes(), &owned.tool, &settings, end, |value| fits(owned.schema(), value));
}

/// Laws 1, 3, 4 and 5, of any program in the payload of a call that lacks its description.
pub fn program(bytes: &[u8]) {
    let program = String::from_utf8_lossy(bytes);
    let text = format!("{{\"code\":{}}}", Value::from(program.as_ref()));
    let settings = Settings::default().with_judgement(Judgement::Schema);
    for owned in owned().iter().filter(|owned| owned.payload().is_some()) {
        keeps_all(text.as_bytes(), &[text.len() / 2], Some(&owned.tool), &settings, End::Complete);
        if let Ok(accepted) = argseal::judge(&owned.tool, &text, End::Complete) {
            let made = accepted.get("code").and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
            let kept = made.starts_with(program.trim_end());
            assert!(kept && accepted.audit().completes_program(), "another program: {}", shown(bytes));
            assert!(!ends_in_a_string(&made), "not completed: {}", shown(bytes));
        }
    }
}

/// The promise and the laws of a verdict, of a valid call with one of twenty damages: what anyone can see to be damaged never runs
/// with another executed value.
pub fn repair(bytes: &[u8]) {
    let mut draw = Draw::of(bytes);
    let varied = if draw.once_in(2) { draw.pick(owned()).varied(&mut draw) } else { None };
    let owned: &Owned = match &varied {
        Some(varied) => varied,
        None => draw.pick(owned()),
    };
    let damage = *draw.pick(&Damage::ALL);
    let Some(damaged) = Damaged::of(&mut draw, owned, damage) else { return };
    let settings = Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema);
    let effect = damaged.effect(&settings);
    // Blank text means no arguments where none is required, as providers document it.
    let seen = damaged.is_detectable() && !damaged.text().trim_ascii().is_empty();
    assert!(!seen || effect != Effect::Executed, "runs as {effect:?}: {damage:?} {}", shown(&damaged.text()));
    let mut cuts = Vec::new();
    for delta in &damaged.deltas {
        cuts.push(cuts.last().copied().unwrap_or_default() + delta.len());
    }
    keeps_all(&damaged.text(), &cuts, Some(&owned.tool), &settings, damaged.end);
    judgement(&damaged.text(), &owned.tool, &settings, damaged.end, |value| fits(owned.schema(), value));
}

/// Laws 2, 3, 4, 5, 7 and 9, of any text under any settings.
pub fn replay(bytes: &[u8]) {
    let Sample { text, cuts, tool, settings, end } = Sample::of(bytes);
    keeps_laws_of_the_end(text, tool, &settings, end);
    let (before, after) = text.split_at(cuts.first().copied().unwrap_or(text.len() / 2));
    fuse(before, after, tool, &settings, end);
    let owned = tool.and_then(|tool| owned().iter().find(|owned| owned.tool.name() == tool.name()));
    if let Some(owned) = owned {
        judgement(text, &owned.tool, &settings, end, |value| fits(owned.schema(), value));
    }
}

/// The engine against the plain interpreter of the step table, as any text and as text of a string; its scan of strings
/// against one that looks at every byte, from every offset; wide looks at blocks against the portable ones; and law 1 where each byte is a delta, so that no wide load is
/// ever used.
pub fn scan(bytes: &[u8]) {
    let Sample { text, cuts, .. } = Sample::of(bytes);
    let string = [b"{\"a\":\"", text].concat();
    for (text, cuts) in [(text, cuts.clone()), (&string, cuts.iter().map(|cut| cut + 6).collect())] {
        let valid = std::str::from_utf8(text).unwrap_or_else(|error| valid_prefix(text, error));
        reads_plainly(valid, &cuts);
    }
    let mut plain = bytes.len();
    for start in (0..=bytes.len()).rev() {
        if bytes.get(start).is_some_and(|&byte| is_special(byte)) {
            plain = start;
        }
        assert!(start + plain_run(&bytes[start..]) == plain, "from {start}: {}", shown(bytes));
    }
    for block in bytes.windows(16).filter_map(<[u8]>::first_chunk) {
        assert!(looks_agree(block), "wide looks at {block:x?}");
    }
    let each: Vec<usize> = (1..string.len()).collect();
    keeps_chunking(&string, &each, None, &Settings::default(), End::Complete);
}

fn valid_prefix(text: &[u8], error: std::str::Utf8Error) -> &str {
    std::str::from_utf8(&text[..error.valid_up_to()]).expect("valid up to there")
}

/// Any JSON as a tool, a schema or grants; what follows it is a call of that tool.
pub fn schema(bytes: &[u8]) {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let Some(Ok(definition)) = values.next() else { return };
    let text = &bytes[values.byte_offset()..];
    let (of_schema, of_definition) = (Tool::new("tool", &definition), Tool::from_json(&definition));
    let granted = |tool: Tool| match Grants::beside(&definition).or_else(|_| Grants::from_json(&definition)) {
        Ok(grants) => tool.clone().with_grants(grants).unwrap_or(tool),
        Err(_) => tool,
    };
    let settings = Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema);
    for tool in [of_schema, of_definition].into_iter().flatten().map(granted) {
        keeps_laws_of_the_end(text, Some(&tool), &settings, End::Complete);
        keeps_chunking(text, &[text.len() / 2], Some(&tool), &settings, End::Complete);
    }
    let definitions = [definition.clone(), definition];
    let (tools, _) = Tools::of(&definitions, &|_| Grants::default(), None);
    Tools::of(&definitions, &|_| Grants::default(), Some(&tools));
}

/// Law 2.
pub fn strict(bytes: &[u8]) {
    keeps_strict(bytes);
}

/// Any bytes as a stream of any format: the same calls and errors however they are cut, and what is accepted keeps the
/// laws.
pub fn wire(bytes: &[u8]) {
    let Sample { text, cuts, settings, .. } = Sample::of(bytes);
    let (&choice, text) = text.split_first().unwrap_or((&0, text));
    let format = Format::ALL.get(usize::from(choice) % (Format::ALL.len() + 1)).copied();
    let definitions: Vec<Value> = owned().iter().map(|owned| owned.definition.clone()).collect();
    let (tools, _) = Tools::of(&definitions, &|_| Grants::default(), None);
    let read = |pieces: &[&[u8]]| {
        let mut assembler = match format {
            Some(format) => Assembler::new(format, &tools, &settings),
            None => Assembler::detecting(&tools, &settings),
        };
        pieces.iter().for_each(|piece| assembler.push(piece, &mut |_| {}));
        assembler.finish()
    };
    let whole = read(&[text]);
    let cut = told(&read(&super::pieces(text, &cuts)));
    assert!(told(&whole) == cut, "cut at {cuts:?}: {}\nwhole: {}\ncut: {cut}", shown(text), told(&whole));
    for call in &whole.calls {
        if let Payload::Arguments(Ok(accepted)) = &call.payload {
            assert!(accepted.audit().apply(accepted.raw()) == accepted.text(), "the edits: {}", shown(text));
            let again = observe(&[accepted.text().as_bytes()], call.tool.as_ref(), &settings, End::Complete);
            assert!(again.outcome.code().is_none(), "judged again it is rejected: {}", shown(text));
        }
    }
}

/// All that a stream tells, contents included.
fn told(stream: &Stream) -> String {
    let calls = stream.calls.iter().map(|call| {
        let answer = match &call.payload {
            Payload::Arguments(Ok(accepted)) => accepted.text(),
            Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name(),
            Payload::Text(text) => text,
        };
        format!("{call:?} {} {answer}\n", call.raw())
    });
    format!("{}{stream:?}", calls.collect::<String>())
}

fn keeps_all(text: &[u8], cuts: &[usize], tool: Option<&Tool>, settings: &Settings, end: End) {
    keeps_chunking(text, cuts, tool, settings, end);
    api(text, cuts, tool, settings, end);
    keeps_laws_of_the_end(text, tool, settings, end);
}

fn keeps_laws_of_the_end(text: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    keeps_replay(text, tool, settings, end);
    inserts_only(text, tool, settings, end);
    nothing_vanishes(text, tool, settings, end);
    // What is repaired within limits may pass them after: the accepted text is judged without.
    idempotence(text, tool, &settings.clone().with_limits(Limits::max()), end);
}
