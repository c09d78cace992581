//! A reader of ABNF (RFC 5234) that derives sentences: enough of it for `grammar/json.abnf`.
