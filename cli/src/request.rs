//! One line of the NDJSON interface, read.

use argseal::{Call, End, Settings};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::GeneralPurposeConfig;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::tool_list;

/// The members of a request, not yet read any further, so that a request with a bad member is answered under its id.
#[derive(Deserialize)]
pub(crate) struct Request<'r> {
    #[serde(borrow)]
    pub(crate) id: Option<&'r RawValue>,
    tool: Option<&'r RawValue>,
    text: Option<&'r RawValue>,
    deltas: Option<&'r RawValue>,
    deltas_b64: Option<&'r RawValue>,
    end: Option<&'r RawValue>,
    r#final: Option<&'r RawValue>,
}

/// A call that is ready to be judged.
pub(crate) struct Ready {
    pub(crate) call: Call,
    pub(crate) end: End,
    pub(crate) r#final: String,
}

impl<'r> Request<'r> {
    /// The members of one line.
    pub(crate) fn read(line: &'r [u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to()))?;
        if !text.trim_start().starts_with('{') {
            return Err(match serde_json::from_str::<&RawValue>(text) {
                Ok(_) => "not a JSON object".to_owned(),
                Err(error) => format!("not JSON: {error}"),
            });
        }
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => format!("not a request: {error}"),
            _ => format!("not JSON: {error}"),
        })
    }

    /// The call that it describes, fed with all of its text.
    pub(crate) fn prepare(&self, settings: &Settings) -> Result<Ready, String> {
        let mut call = match self.tool {
            Some(tool) => Call::new(&tool_list::tool(&member::<Value>("tool", tool)?)?),
            None => Call::default(),
        }
        .with_settings(settings);
        let end = match self.end {
            Some(end) => named_end(&member::<String>("end", end)?)?,
            None => End::Complete,
        };
        let r#final = self.r#final.map_or(Ok(String::new()), |text| member("final", text))?;
        match (self.text, self.deltas, self.deltas_b64) {
            (Some(text), None, None) => {
                call.feed(&member::<String>("text", text)?);
            }
            (None, Some(deltas), None) => {
                for delta in member::<Vec<String>>("deltas", deltas)? {
                    call.feed(&delta);
                }
            }
            (None, None, Some(deltas)) => {
                for (i, delta) in member::<Vec<String>>("deltas_b64", deltas)?.iter().enumerate() {
                    let bytes = BASE64.decode(delta).map_err(|error| format!("deltas_b64[{i}]: {error}"))?;
                    call.feed_bytes(&bytes);
                }
            }
            (None, None, None) if self.r#final.is_some() => {}
            (None, None, None) => return Err("none of text, deltas, deltas_b64 and final is there".to_owned()),
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                return Err("more than one of text, deltas and deltas_b64 is there".to_owned());
            }
        }
        Ok(Ready { call, end, r#final })
    }
}

/// Standard base64; the padding may be left out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

fn named_end(name: &str) -> Result<End, String> {
    End::from_name(name)
        .ok_or_else(|| format!("unknown end {name:?}; one of {} is expected", End::ALL.map(End::name).join(", ")))
}

fn member<'r, T: Deserialize<'r>>(name: &str, text: &'r RawValue) -> Result<T, String> {
    serde_json::from_str(text.get()).map_err(|error| format!("{name}: {error}"))
}
