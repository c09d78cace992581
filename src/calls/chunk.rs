//! What comes for a call: starts and deltas, and what became of them.

use super::settled::Key;
use super::text::Input;
use crate::call::Progress;

/// One decoded delta, as providers send it: each part may be missing.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Chunk<'c> {
    /// The provider's index of the call.
    pub index: Option<u64>,
    /// The provider's id of the call; `""` is none.
    pub id: Option<&'c str>,
    /// The tool's name; `""` is none.
    pub name: Option<&'c str>,
    /// The next piece of the argument text.
    pub arguments: Option<&'c str>,
}

/// What [`Calls::chunk`](crate::Calls::chunk) did.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Fed {
    /// The call that the chunk belongs to.
    pub key: Key,
    /// What the chunk is to its call.
    pub place: Place,
    /// Where the call's text stands now. `Complete` is no leave to run it: more may follow.
    pub progress: Progress,
}

/// What a chunk is to its call.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// It is for a call beyond [`Limits::calls`](crate::Limits::calls), after the one that stands for all of them: it was
    /// counted, and nothing of it is kept.
    Beyond,
    /// It opened the call.
    First,
    /// It came after the call had been settled, and changed nothing.
    Late,
    /// It continues the call.
    Later,
}

/// How a format opens a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'c> {
    pub(crate) index: Option<u64>,
    pub(crate) id: Option<&'c str>,
    pub(crate) name: Option<&'c str>,
    pub(crate) carries: Carries,
    pub(crate) input: Input,
}

/// What kind of text a call carries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Carries {
    Arguments,
    Free,
}
