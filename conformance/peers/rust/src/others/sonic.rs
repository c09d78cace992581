//! sonic-rs: a reader of whole texts by SIMD.
//!
//! Its `Value` keeps members in order; numbers beyond 64 bits become `f64` (raw numbers are a setting), so digits are not
//! promised.

use argseal_conformance::{Answer, Hello, Read, Request, Subject, SubjectError};
use sonic_rs::{JsonValueTrait, Value};

pub(crate) struct Sonic;

impl Subject for Sonic {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(crate::hello("sonic-rs", "0.5.10", &super::WHOLE, &["value/digits"]))
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let Request::Read { deltas, .. } = request else { return Ok(Answer::Unsupported("one text only".to_owned())) };
        Ok(Answer::Read(match sonic_rs::from_slice::<Value>(&deltas.concat()) {
            Ok(value) if value.is_object() => match sonic_rs::to_string(&value) {
                Ok(text) => Read { accept: true, value: Some(text), ..Read::default() },
                Err(_) => Read::default(),
            },
            Ok(_) => Read::default(),
            Err(error) => Read { place: Some(error.offset() as u64), ..Read::default() },
        }))
    }
}
