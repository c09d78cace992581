//! `DashScope`'s own API: the payloads of Chat inside `output`, each delta holding the whole text so far unless
//! `incremental_output` was asked for.

use super::openai_chat;
use super::payload::{objects, text};
use super::router::Router;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

pub(super) fn decode(data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    let mut read = Ok(());
    objects(data, |payload: Payload<'_>| {
        if let Some(output) = payload.output {
            read = openai_chat::decode(output.get(), router);
        }
        if let Some(code) = text(payload.code).filter(|code| !code.is_empty()) {
            let parts = [Some(code), text(payload.message)];
            router.error(parts.into_iter().flatten().collect::<Vec<Cow<'_, str>>>().join(": "));
        }
    })?;
    read
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    output: Option<&'p RawValue>,
    code: Option<&'p RawValue>,
    message: Option<&'p RawValue>,
}
