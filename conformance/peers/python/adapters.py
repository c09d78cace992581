"""One small adapter per package.

What stands in `levels` is what the package promises, or what a shipped framework does with what it returns; the source is named
at each. That the last of two equal names wins is documented for all of them, and is asked nevertheless: the tool runs with the
changed value. An object root is refused or accepted by the protocol loop, not by the package (`accept/root`). None of them
validates. Packages are imported when their subject starts.
"""

import json
import re


class Unsupported(Exception):
    """This request cannot be answered by this subject."""


class Refused(Exception):
    """The framework named at the adapter does not run the tool here."""


class Adapter:
    package = None
    without = []
    takes_bytes = False
    note = "no validation"

    def view(self, text):
        return None


class Json(Adapter):
    """The standard library. Docs: a "JSON decoder", `JSONDecodeError.pos` "the start index of doc where parsing failed"; it
    deserialises "a str, bytes or bytearray instance". NaN, Infinity and lone surrogates are documented deviations, and are
    asked nevertheless: the tool runs with them. openai-agents (FunctionTool) reads arguments with it, and so do many harnesses.

    The index counts characters, and is that of the token that failed (a literal, an escape, a number) and not of the byte in
    it, so the aspects of `place` inside a token are left out."""

    title = "json (python)"
    levels = ["accept", "value", "place", "cut", "damage"]
    without = ["accept/root", "place/strings", "place/literals", "place/numbers", "place/utf8"]
    takes_bytes = True
    note = "no validation; place: index of the token that failed, in bytes"

    def read(self, text, request):
        return json.loads(text)

    def place(self, error, text):
        if isinstance(error, UnicodeDecodeError):
            return error.start
        if not isinstance(error, json.JSONDecodeError):
            return None
        return len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))


class JsonRepair(Adapter):
    """README: "Repair malformed JSON from LLMs", "a drop-in fallback for json.loads()", and "Use json_repair with streaming:
    stream_stable". Strict reading is not promised, so there is no accept. cut and damage: RAGFlow (rag/llm/chat_model.py)
    runs `json_repair.loads(tool_call.function.arguments)` and calls the tool with the result."""

    title = "json_repair"
    package = "json-repair"
    levels = ["value", "views", "cut", "damage"]
    note = "no validation; json_repair.loads, as RAGFlow calls it; views with stream_stable=True"

    def __init__(self):
        import json_repair

        self.loads = json_repair.loads

    def read(self, text, request):
        return self.loads(text)

    def view(self, text):
        return self.loads(text, stream_stable=True)


class Jiter(Adapter):
    """Docs: from_json(..., partial_mode=True | 'trailing-strings'). cut and damage: anthropic-sdk-python makes a tool call's
    final `input` by `from_json(json_buf, partial_mode=True)` (lib/streaming/_messages.py), with no strict pass at
    content_block_stop; its tool runner runs the tool with it when the stop reason is tool_use (lib/tools/_beta_runner.py,
    _determine_next_step_from_stop_reason), so other ends are refused here. The SDK leaves `input` at {} when nothing came."""

    title = "jiter (python)"
    package = "jiter"
    levels = ["value", "views", "cut", "damage"]
    takes_bytes = True
    mode = True
    note = "no validation; as anthropic-sdk-python makes the final input; its runner executes at stop reason tool_use only"

    def __init__(self):
        from jiter import from_json

        self.from_json = from_json

    def read(self, text, request):
        if request.get("end", "complete") != "complete":
            raise Refused
        return self.view(text) if text else {}

    def view(self, text):
        return self.from_json(as_bytes(text), partial_mode=self.mode)


class JiterTrailing(Jiter):
    """The same with 'trailing-strings', which the SDK uses for fine-grained tool streaming (lib/streaming/_beta_messages.py)
    and for `snapshot` of input_json events (_types.py)."""

    title = "jiter trailing-strings (python)"
    mode = "trailing-strings"
    note = "no validation; as anthropic-sdk-python with fine-grained tool streaming; its runner executes at stop reason tool_use only"


class PydanticCore(Adapter):
    """Docs: from_json, allow_partial "off" is the default and raises ValueError; 'trailing-strings' for incomplete JSON.
    pydantic-ai (_tool_manager.py) reads final arguments with 'off', what is not final with 'trailing-strings'. Every error ends in
    "at line L column C"; the column counts bytes; for text that is not UTF-8 it is the beginning of the sequence, so place/utf8 is
    left out."""

    title = "pydantic-core"
    package = "pydantic-core"
    levels = ["accept", "value", "place", "views", "cut", "damage"]
    without = ["accept/root", "place/utf8"]
    takes_bytes = True
    note = "no validation; from_json: allow_partial 'off' at the end, 'trailing-strings' for views"
    POSITION = re.compile(r"at line (\d+) column (\d+)$")

    def __init__(self):
        from pydantic_core import from_json

        self.from_json = from_json

    def read(self, text, request):
        return self.from_json(as_bytes(text))

    def view(self, text):
        return self.from_json(as_bytes(text), allow_partial="trailing-strings")

    def place(self, error, text):
        found = self.POSITION.search(str(error))
        if not found:
            return None
        line, column = int(found[1]), int(found[2])
        lines = as_bytes(text).split(b"\n")
        # columns count from 1; an error at a line feed is column 0 of the next line
        place = sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
        return place if place >= 0 else None


class LangChain(Adapter):
    """AIMessageChunk.init_tool_calls: `parse_partial_json(chunk["args"]) if chunk["args"] else {}`, put into `tool_calls` when
    it is a dict, into `invalid_tool_calls` when not or when it raises; at the last chunk too, and whatever the finish reason.
    Agents execute `tool_calls`. split: chunks are added as AIMessageChunks; docs of ToolCallChunk: "Chunks are only merged if
    their values of index are equal and not None"."""

    title = "langchain-core"
    package = "langchain-core"
    levels = ["value", "views", "cut", "damage", "split"]
    without = ["split/no-index"]
    note = "no validation; AIMessageChunk: parse_partial_json makes tool_calls, at the last chunk too, whatever the finish reason"

    def __init__(self):
        from langchain_core.messages import AIMessageChunk
        from langchain_core.utils.json import parse_partial_json

        self.parse = parse_partial_json
        self.chunk = AIMessageChunk

    def view(self, text):
        return self.parse(text) if text else {}

    def read(self, text, request):
        return self.view(text)

    def split(self, chunks, request):
        message = None
        for chunk in chunks:
            parts = {"name": chunk.get("name"), "args": chunk.get("arguments"), "id": chunk.get("id"), "index": chunk.get("index")}
            piece = self.chunk(content="", tool_call_chunks=[{**parts, "type": "tool_call_chunk"}])
            message = piece if message is None else message + piece
        for part in message.tool_call_chunks if message else []:
            # one by one, as tool_calls and invalid_tool_calls are two lists and the order is asked
            parsed = self.chunk(content="", tool_call_chunks=[part]).tool_calls
            yield {"id": part["id"], "name": part["name"] or None, "value": parsed[0]["args"] if parsed else None}


class PartialJsonParser(Adapter):
    """README: to "stream the data to the user" before the JSON is complete; vLLM and SGLang use it for the deltas of streamed
    arguments, and not to execute anything, so there is no cut and no damage."""

    title = "partial-json-parser"
    package = "partial-json-parser"
    levels = ["value", "views"]
    note = "loads(text), Allow.ALL; for display by its README"

    def __init__(self):
        from partial_json_parser import loads

        self.loads = loads

    def view(self, text):
        return self.loads(text)

    def read(self, text, request):
        return self.loads(text)


class Ijson(Adapter):
    """README: "Iterative JSON parser", errors JSONError and IncompleteJSONError, push interface with coroutines; basic_parse
    events into its ObjectBuilder, whose `value` is there while it is built (whole scalars only). Fed delta by delta."""

    title = "ijson"
    package = "ijson"
    levels = ["accept", "value", "views", "cut", "damage"]
    without = ["accept/root"]
    takes_bytes = True

    def __init__(self):
        import sys

        import ijson

        sys.set_int_max_str_digits(0)  # its C backend ends the process (SIGSEGV) on an integer that CPython's limit refuses
        self.ijson = ijson
        self.note = f"no validation; backend {ijson.backend}; incremental: basic_parse_coro and ObjectBuilder"

    def open(self, request):
        return IjsonReader(self.ijson)


class IjsonReader:
    def __init__(self, ijson):
        self.events = ijson.sendable_list()
        self.parser = ijson.basic_parse_coro(self.events)
        self.builder = ijson.ObjectBuilder()
        self.began = False

    def feed(self, delta):
        if not delta:
            return  # an empty chunk is its end of input
        try:
            self.parser.send(as_bytes(delta))
        finally:
            self.take()

    def take(self):
        for event, value in self.events:
            self.builder.event(event, value)
            self.began = True
        del self.events[:]

    def value(self):
        return self.builder.value if self.began else None

    def finish(self):
        self.parser.close()
        self.take()
        return self.value()


def as_bytes(text):
    return text.encode("utf-8") if isinstance(text, str) else text


ADAPTERS = {
    "json": Json,
    "json_repair": JsonRepair,
    "jiter": Jiter,
    "jiter-trailing-strings": JiterTrailing,
    "pydantic-core": PydanticCore,
    "langchain-core": LangChain,
    "partial-json-parser": PartialJsonParser,
    "ijson": Ijson,
}
