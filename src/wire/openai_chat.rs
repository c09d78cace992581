//! `OpenAI` Chat Completions, and the many that speak it: OpenRouter, DeepSeek, Qwen, Mistral, Z.ai, Groq, xAI, llama.cpp,
//! vLLM, SGLang, Cerebras.

use super::payload::{complaint, list, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Chunk, Input, Start};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

pub(super) fn decode(data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    let mut read = Ok(());
    objects(data, |payload: Payload<'_>| {
        let choices = list::<Choice<'_>>(payload.choices);
        read = choices.map(|choices| choices.iter().for_each(|choice| self::choice(choice, router)));
        if let Some(error) = payload.error {
            router.error(complaint(error));
        } else if text(payload.object).is_some_and(|object| object == "error") {
            let message = text(payload.message).map_or_else(|| "error".to_owned(), Cow::into_owned);
            router.error(message);
        }
    })?;
    read
}

fn choice(choice: &Choice<'_>, router: &mut Router<'_>) {
    router.turn_to(number(choice.index));
    if let Some(delta) = choice.delta.as_ref().or(choice.message.as_ref()) {
        for (at, call) in delta.tool_calls.iter().flatten().enumerate() {
            tool_call(at, call, router);
        }
        if let Some(function) = &delta.function_call {
            let name = text(function.name);
            let chunk = Chunk { name: name.as_deref(), ..Chunk::default() };
            router.delta(&chunk, Carries::Arguments, piece(function.arguments));
        }
    }
    if let Some(reason) = text(choice.finish_reason).filter(|reason| !matches!(&**reason, "" | "null")) {
        router.terminal(&reason, text(choice.native_finish_reason).as_deref());
    }
}

fn tool_call(at: usize, call: &ToolCall<'_>, router: &mut Router<'_>) {
    let (carries, function) = match (&call.custom, &call.function) {
        (Some(custom), _) => (Carries::Free, Some(custom)),
        (None, function) => (Carries::Arguments, function.as_ref()),
    };
    let (index, id) = (number(call.index), text(call.id));
    let name = function.and_then(|function| text(function.name));
    let arguments = function.and_then(|function| piece(function.arguments.or(function.input)));
    let chunk = Chunk { index, id: id.as_deref(), name: name.as_deref(), arguments: None };
    // Two entries of one list are two calls, even where nothing else tells them apart.
    let sibling = at > 0 && index.is_none() && chunk.id.is_none_or(str::is_empty);
    if sibling && chunk.name.is_some_and(|name| !name.is_empty()) {
        let key = router.open(&Start { index, id: None, name: chunk.name, carries, input: Input::Absent });
        if let Some(arguments) = arguments {
            router.feed(key, &arguments);
        }
    } else {
        router.delta(&chunk, carries, arguments);
    }
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    choices: Option<&'p RawValue>,
    error: Option<&'p RawValue>,
    message: Option<&'p RawValue>,
    object: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Choice<'p> {
    #[serde(borrow)]
    index: Option<&'p RawValue>,
    delta: Option<Delta<'p>>,
    message: Option<Delta<'p>>,
    finish_reason: Option<&'p RawValue>,
    native_finish_reason: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Delta<'p> {
    #[serde(borrow)]
    tool_calls: Option<Vec<ToolCall<'p>>>,
    function_call: Option<Function<'p>>,
}

#[derive(Deserialize)]
struct ToolCall<'p> {
    #[serde(borrow)]
    index: Option<&'p RawValue>,
    id: Option<&'p RawValue>,
    function: Option<Function<'p>>,
    custom: Option<Function<'p>>,
}

/// A function and its arguments, or a custom tool and its input.
#[derive(Deserialize)]
struct Function<'p> {
    #[serde(borrow)]
    name: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
    input: Option<&'p RawValue>,
}
