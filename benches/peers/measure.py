"""Peers in Python on the damaged calls: measure.py DAMAGE.ndjson. See README.md."""

import importlib.metadata
import json
import sys

import jiter
import json_repair
import jsonschema
import partial_json_parser

COLUMNS = ["equal", "rejected", "decorative", "executed"]


def jiter_partial(mode):
    return lambda text: jiter.from_json(text.encode("utf-8", "surrogatepass"), partial_mode=mode)


PEERS = [
    ("Python json", "json", json.loads),
    ("json_repair", "json_repair", json_repair.loads),
    ("jiter, partial", "jiter", jiter_partial("on")),
    ("jiter, partial with trailing strings", "jiter", jiter_partial("trailing-strings")),
    ("partial-json-parser", "partial-json-parser", partial_json_parser.loads),
]


def effect(call, value):
    """How a value that is executed differs from the one that was meant."""
    meant = call["meant"]
    if not isinstance(value, dict):
        return "rejected"  # every harness notices that
    names = [n for n in {**meant, **value} if (n in meant, meant.get(n)) != (n in value, value.get(n))
             or type(meant.get(n)) is not type(value.get(n))]
    decorative = call["tool"].get("closable", []) + call["tool"].get("may_lack", [])
    if not names:
        return "equal"
    return "decorative" if all(n in decorative for n in names) else "executed"


def main(path):
    calls = [json.loads(line) for line in open(path, encoding="utf-8")]
    validators = {}
    counts = {}
    altered = {}
    for call in calls:
        tool = call["tool"]
        if tool["name"] not in validators:
            validators[tool["name"]] = jsonschema.Draft202012Validator(tool["parameters"])
        for title, _, read in PEERS:
            try:
                value = read(call["text"])
            except Exception:  # each peer has errors of its own
                value = None
            plain = effect(call, value)
            fits = plain != "rejected" and validators[tool["name"]].is_valid(value)
            for name, what in ((title, plain), (title + " + validation", plain if fits else "rejected")):
                key = (name, call["detectable"], what)
                counts[key] = counts.get(key, 0) + 1
            try:
                kept = effect(call, read(call["control"])) == "equal"
            except Exception:
                kept = False
            altered[title] = altered.get(title, 0) + (not kept)
    for title, package, _ in PEERS:
        version = sys.version.split()[0] if package == "json" else importlib.metadata.version(package)
        for name in (title, title + " + validation"):
            row = [counts.get((name, seen, what), 0) for seen in (True, False) for what in COLUMNS]
            print(f"| {name} ({version}) | " + " | ".join(map(str, row + [altered[title]])) + " |")


main(sys.argv[1])
