//! What a sink hears while the text streams.

use crate::text::pointer::Pointer;

/// One step of the text. Borrowed text lives as long as the delta; adjacent [`Event::Text`] pieces belong together.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'e> {
    /// `[`
    BeginArray,
    /// `{`
    BeginObject,
    /// The opening `"` of a string value.
    BeginString,
    /// `true` or `false`, complete.
    Bool(bool),
    /// `]`
    EndArray,
    /// `}`
    EndObject,
    /// The closing `"` of a string value.
    EndString,
    /// A member name, complete and decoded.
    Key(&'e str),
    /// `null`, complete.
    Null,
    /// A number, complete, as the model wrote it.
    Number(&'e str),
    /// Decoded text of the string value that is open.
    Text(&'e str),
}

/// Receives events while a call is fed. `at` is the place of the value that the event belongs to (of the container,
/// for its beginning and end; of the member, for its key).
pub trait Sink {
    /// Called once for each event, in text order.
    fn event(&mut self, at: &Pointer, event: Event<'_>);

    /// Whether [`Event::Text`] is listened to: if not, it need not be told.
    #[doc(hidden)]
    #[inline(always)]
    fn hears_text(&self) -> bool {
        true
    }
}

/// Hears nothing: what `feed` uses.
pub(crate) struct Silent;

impl Sink for Silent {
    #[inline(always)]
    fn event(&mut self, _: &Pointer, _: Event<'_>) {}

    #[inline(always)]
    fn hears_text(&self) -> bool {
        false
    }
}

/// Sinks made of closures.
pub mod sink {
    use super::{Event, Pointer, Sink};

    /// A sink that calls `f`.
    ///
    /// ```
    /// use argseal::{Call, Event, sink};
    /// let mut written = String::new();
    /// let mut call = Call::default();
    /// call.feed_with(r#"{"content":"a\tb"#, &mut sink::from_fn(|at, event| {
    ///     if let (true, Event::Text(text)) = (*at == *"/content", event) { written.push_str(text) }
    /// }));
    /// assert_eq!(written, "a\tb");
    /// ```
    pub fn from_fn<F: FnMut(&Pointer, Event<'_>)>(f: F) -> FromFn<F> {
        FromFn(f)
    }

    /// See [`from_fn`].
    pub struct FromFn<F>(F);

    impl<F: FnMut(&Pointer, Event<'_>)> Sink for FromFn<F> {
        fn event(&mut self, at: &Pointer, event: Event<'_>) {
            (self.0)(at, event);
        }
    }
}
