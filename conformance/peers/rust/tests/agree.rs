//! Two readers written apart, the exact one of the runner and argseal, agree on texts that nobody chose.

use argseal_conformance::exact::{self, Ending, Halves};
use argseal_conformance::{Answer, End, Request, Subject};
use argseal_conformance_peers::Argseal;

/// Pieces of which texts are made: the grammar's own, and what is near to it.
const PIECES: [&[u8]; 46] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\"",
    b"\"a\"",
    b"\"a\":",
    b"{\"a\":",
    b" ",
    b"\n",
    b"\t",
    b"\\",
    b"\\n",
    b"\\u",
    b"\\u0041",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud8",
    b"\\udc",
    b"d",
    b"0",
    b"1",
    b"12",
    b"-",
    b"+",
    b".",
    b"e",
    b"E",
    b"true",
    b"fals",
    b"null",
    b"nul",
    b"N",
    b"/",
    b"'",
    b"`",
    b"\xc3",
    b"\xa9",
    b"\xf0\x9f",
    b"\x98\x80",
    b"\xed",
    b"\xa0",
    b"\xff",
    b"\xef\xbb\xbf",
];

#[test]
fn accept_and_place_are_the_same() {
    // The same texts at each run: a linear congruential generator (Knuth, MMIX).
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut complete, mut broken) = (0, 0);
    for _ in 0..200_000 {
        let mut text = if next(2) == 0 { b"{\"a\":".to_vec() } else { Vec::new() };
        for _ in 0..next(9) {
            text.extend_from_slice(PIECES[next(PIECES.len())]);
        }
        if next(2) == 0 {
            text.push(b'}');
        }
        let deltas = vec![text.clone()];
        let request = Request::Read { deltas, end: End::Complete, tool: None, views: false };
        let Ok(Answer::Read(read)) = Argseal.ask(&request) else { panic!("no answer") };
        let reading = exact::read(&text, Halves::Refused);
        let shown = text.escape_ascii().to_string();
        match reading.ending {
            // argseal tells where the half begins, the exact reader where it is known to be one.
            Ending::Broken(at) if read.place.is_some_and(|place| is_half(&text, place as usize, at)) => {}
            Ending::Broken(at) => {
                broken += 1;
                assert_eq!(read.place, Some(at as u64), "{shown}");
            }
            Ending::Cut => assert_eq!(read.place, None, "{shown}"),
            // Two members of one name may be refused.
            Ending::Complete if reading.tree.has_object_root() && reading.tree.nodes.len() < 3 => {
                complete += 1;
                assert!(read.accept, "{shown}");
            }
            Ending::Complete => {}
        }
        assert!(!read.accept || reading.ending == Ending::Complete && reading.tree.has_object_root(), "{shown}");
    }
    assert!(complete > 500 && broken > 50_000, "{complete} {broken}");
}

/// Whether a text breaks at `at` because half a surrogate pair that begins at `place` has no other half.
fn is_half(text: &[u8], place: usize, at: usize) -> bool {
    let is_escape = |part: &[u8]| part.starts_with(b"\\ud");
    text.get(place..).is_some_and(is_escape) && (place..place + 12).contains(&at)
}
