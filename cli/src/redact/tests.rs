use super::*;

fn redacted(stream: &[u8]) -> String {
    String::from_utf8_lossy(&masked(stream, &mut Known::default())).into_owned()
}

#[test]
fn what_is_not_known_is_hidden() {
    for (stream, expected) in [
        ("data: <html>Internal secret 500</html>\n\n", "data: <xxxx>xxxxxxxx xxxxxx 100</xxxx>\n\n"),
        (": comment secretcomment\n", ": xxxxxxx xxxxxxxxxxxxx\n"),
        (":secret\n", ":xxxxxx\n"),
        ("data: notjsonsecret\n\n", "data: xxxxxxxxxxxxx\n\n"),
        ("data: \"secret\"\n\n", "data: \"xxxxxx\"\n\n"),
        ("data: 4111\n\n", "data: 1000\n\n"),
        ("{\"done\":false}\nplain secret 7\n{\"done\":true}", "{\"done\":false}\nxxxxx xxxxxx 1\n{\"done\":true}"),
        ("event: secretevent\n", "event: xxxxxxxxxxx\n"),
        ("event: content_block_delta\n", "event: content_block_delta\n"),
        (
            "event:ping\nid: se3\nretry: 12\nsecret: 1\nsecret\ndata\n",
            "event:ping\nid: xx0\nretry: 00\nxxxxxx: 0\nxxxxxx\ndata\n",
        ),
        ("data: {\"x\":1,\"y\":truesecret,\"z\":true}\n\n", "data: {\"x\":1,\"x\":xxxxxxxxxx,\"x\":true}\n\n"),
        ("data: {\"a\":nullsecret}\n\n", "data: {\"x\":xxxxxxxxxx}\n\n"),
        ("data: {\"a\":12secret}\n\n", "data: {\"x\":10xxxxxx}\n\n"),
        (
            "data: {\"type\":\"ab\ndata: secret\",\"type\":\"ping\"}\n\ndata: {\"type\":\"ping\"}\n\n",
            "data: {\"type\":\"xx\ndata: xxxxxx\",\"xxxx\":\"xxxx\"}\n\ndata: {\"type\":\"ping\"}\n\n",
        ),
        (
            "data: {\"type\":\"ab\r\ndata: \"type\":\"ping\"\r\n\r\ndata: [DONE]\r\n",
            "data: {\"type\":\"xx\r\ndata: \"xxxx\":\"xxxx\"\r\n\r\ndata: [DONE]\r\n",
        ),
        (
            "data: {\"type\":\"secret\",\"role\":\"assistant\"}\n",
            "data: {\"type\":\"xxxxxx\",\"role\":\"assistant\"}\n",
        ),
        (
            "data: {\"secret\":{\"name\":\"bash\",\"index\":3},\"name\":\"bash\",\"index\":3}\n",
            "data: {\"xxxxxx\":{\"xxxx\":\"xxxx\",\"xxxxx\":1},\"name\":\"bash\",\"index\":3}\n",
        ),
        ("data: {\"text\":\"\\s\\e\\usecr\\u0053\"}\n", "data: {\"text\":\"\\x\\x\\uxxxx\\u0078\"}\n"),
        ("data: {\"name\":\"Jane Doe\"}\n", "data: {\"name\":\"xxxx xxx\"}\n"),
        ("data: {\"a\":]],\"type\":\"ping\"}\n", "data: {\"x\":]],\"xxxx\":\"xxxx\"}\n"),
        ("\u{feff}data: é\n", "\u{feff}data: é\n"),
        (
            "[{\"candidates\":[],\n\"secret\":\"a\n\"type\":\"STOP\"}]",
            "[{\"candidates\":[],\n\"xxxxxx\":\"x\n\"xxxx\":\"xxxx\"}]",
        ),
        ("{\"args\":{\"who me\":[\"Jane\",7,true]}}", "{\"args\":{\"who me\":[\"xxxx\",1,true]}}"),
    ] {
        assert_eq!(redacted(stream.as_bytes()), expected, "{stream}");
    }
}

#[test]
fn bytes_that_are_not_utf8_stay_so_and_are_hidden() {
    let stream = b"data: \xe9secret\n\ndata: {\"text\":\"\xe9a\xef\xbf\xbf\"}\n\n";
    let expected = b"data: \xffxxxxxx\n\ndata: {\"text\":\"\xffx\xe6\x96\x87\"}\n\n";
    assert_eq!(masked(stream, &mut Known::default()), expected);
}
