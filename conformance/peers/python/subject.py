"""python subject.py NAME [--validate]

The protocol loop (NDJSON over standard input and output) for every adapter of adapters.py. An adapter has
    package, levels, without, takes_bytes, note, read(text, request) -> value, view(text) -> value,
    optionally open(request) -> reader, place(error, text) -> int, split(chunks, request) -> calls
where a raised exception means "refused". An incremental reader has feed(delta), value() and finish() -> value.

Rules that hold for every subject here:
- What is answered is the JSON text of what the runtime holds: json.dumps with ensure_ascii=False; a lone surrogate is escaped,
  a Decimal keeps its digits, a float that is not finite becomes the string "Infinity", "-Infinity" or "NaN", so that the
  comparison fails and the reader of the report sees why. An own loop takes over where json.dumps overflows the stack, so that
  depth is judged by the package's reader and not by the writer.
- Arguments are an object in every tool protocol: a result that is none is refused, as no harness can call a tool with it.
- A parser that raises while it streams leaves on the screen what was there before; one that answers None clears it.
- --validate: what the adapter accepts is validated against the tool's JSON Schema by jsonschema, as harnesses do it;
  such a subject takes part in cut and damage only, the levels that send a tool.
"""

import base64
import contextlib
import json
import platform
import re
import sys
from decimal import Decimal
from importlib.metadata import version
from json.encoder import encode_basestring

from adapters import ADAPTERS, Unsupported

LONE = re.compile("[\ud800-\udfff]")


def escape_lone(text):
    return LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def string(text):
    return escape_lone(encode_basestring(text))


def scalar(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, (float, Decimal)):
        number = repr(value) if isinstance(value, float) else str(value)
        return {"inf": '"Infinity"', "-inf": '"-Infinity"', "nan": '"NaN"'}.get(number.lower().replace("infinity", "inf"), number)
    raise Unsupported(f"a {type(value).__name__} has no JSON text")


def deep_text(root):
    """JSON text without recursion."""
    parts = []
    work = [(None, root)]
    while work:
        raw, value = work.pop()
        if raw is not None:
            parts.append(raw)
        elif isinstance(value, dict):
            parts.append("{")
            work.append(("}", None))
            for i, (name, member) in reversed(list(enumerate(value.items()))):
                name = name if isinstance(name, str) else scalar(name)
                work.append((None, member))
                work.append((f"{',' if i else ''}{string(name)}:", None))
        elif isinstance(value, (list, tuple)):
            parts.append("[")
            work.append(("]", None))
            for i, item in reversed(list(enumerate(value))):
                work.append((None, item))
                if i:
                    work.append((",", None))
        else:
            parts.append(scalar(value))
    return "".join(parts)


def to_text(value):
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a long integer that the reader took may be written
    try:
        return escape_lone(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    except (ValueError, TypeError, RecursionError):
        return deep_text(value)
    finally:
        sys.set_int_max_str_digits(limit)


def shown_text(value):
    return None if value is None else to_text(value)


VALIDATORS = {}


def valid(value, tool):
    from jsonschema.validators import Draft202012Validator, validator_for

    key = json.dumps(tool.get("parameters"), sort_keys=True)
    if key not in VALIDATORS:
        schema = tool.get("parameters") or {}
        VALIDATORS[key] = validator_for(schema, default=Draft202012Validator)(schema)
    return VALIDATORS[key].is_valid(value)


class Subject:
    def __init__(self, adapter, validate):
        self.adapter = adapter
        self.validate = validate

    def hello(self):
        adapter = self.adapter
        levels = [level for level in adapter.levels if level in ("cut", "damage")] if self.validate else adapter.levels
        return {
            "protocol": 1,
            "name": adapter.title + (" + jsonschema" if self.validate else ""),
            "version": version(adapter.package) if adapter.package else platform.python_version(),
            "language": "python",
            "levels": levels,
            "without": adapter.without,
            "bytes": adapter.takes_bytes,
            "note": adapter.note.replace("no validation", "validated by jsonschema") if self.validate else adapter.note,
        }

    def read(self, request):
        adapter = self.adapter
        deltas = request.get("deltas")
        joined = ""
        if deltas is None:
            if not adapter.takes_bytes:
                raise Unsupported("takes text, not bytes")
            deltas = [base64.b64decode(delta) for delta in request["deltas_b64"]]
            joined = b""
        views = [] if request.get("views") else None
        shown = None
        value = error = None
        try:
            if hasattr(adapter, "open"):
                reader = adapter.open(request)
                for delta in deltas:
                    if error is None:
                        try:
                            reader.feed(delta)
                        except Unsupported:
                            raise
                        except Exception as caught:
                            error = caught
                    if views is not None:
                        if error is None:
                            shown = shown_text(reader.value())
                        views.append(shown)
                if error is None:
                    value = reader.finish()
            else:
                for delta in deltas:
                    joined += delta
                    if views is not None:
                        with contextlib.suppress(Exception):  # what was shown stays
                            shown = shown_text(adapter.view(joined))
                        views.append(shown)
                value = adapter.read(joined, request)
        except Unsupported:
            raise
        except Exception as caught:
            error = caught
        accept = error is None and isinstance(value, dict)
        place = None
        if error is not None and hasattr(adapter, "place"):
            place = adapter.place(error, joined)
        if accept and self.validate and request.get("tool"):
            accept = valid(value, request["tool"])
        answer = {"accept": accept, "value": to_text(value) if accept else None, "place": place}
        if views is not None:
            answer["views"] = views
        return answer

    def split(self, request):
        if not hasattr(self.adapter, "split"):
            raise Unsupported("reads one call, does not split")
        try:
            found = list(self.adapter.split(request["chunks"], request))
        except Exception:  # the stream ends in an error: nothing is run
            found = []
        calls = []
        for call in found:
            accept = isinstance(call.get("value"), dict)
            calls.append(
                {
                    "id": call.get("id"),
                    "name": call.get("name"),
                    "accept": accept,
                    "value": to_text(call["value"]) if accept else None,
                }
            )
        return {"calls": calls}

    def answer(self, request):
        ask = request.get("ask")
        if ask == "hello":
            return self.hello()
        if ask == "read":
            return {"id": request.get("id"), **self.read(request)}
        if ask == "split":
            return {"id": request.get("id"), **self.split(request)}
        raise Unsupported(f"unknown request {ask!r}")


def main():
    arguments = sys.argv[1:]
    validate = "--validate" in arguments
    names = [argument for argument in arguments if argument != "--validate"]
    if len(names) != 1 or names[0] not in ADAPTERS:
        print(f"{__doc__}\nNAME: {' '.join(ADAPTERS)}", file=sys.stderr)
        sys.exit(2)
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # standard output is the protocol's
    subject = Subject(ADAPTERS[names[0]](), validate)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        request = {}
        try:
            request = json.loads(line)
            answer = subject.answer(request)
        except Exception as error:
            identity = request.get("id") if isinstance(request, dict) else None
            answer = {"id": identity, "unsupported": (str(error) or type(error).__name__)[:200]}
        out.write(json.dumps(answer).encode() + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
