// Peers in JavaScript on the damaged calls: measure.cjs DAMAGE.ndjson. See README.md.

const fs = require("node:fs");
const path = require("node:path");
const { isDeepStrictEqual } = require("node:util");
const { jsonrepair } = require("jsonrepair");
const partial = require("partial-json");

const columns = ["equal", "rejected", "decorative", "executed"];

const peers = [
  ["JSON.parse", null, (text) => JSON.parse(text)],
  ["jsonrepair", "jsonrepair", (text) => JSON.parse(jsonrepair(text))],
  ["partial-json", "partial-json", (text) => partial.parse(text)],
];

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// How a value that is executed differs from the one that was meant.
function effect(call, value) {
  if (!isObject(value)) return "rejected"; // every harness notices that
  const names = [...new Set([...Object.keys(call.meant), ...Object.keys(value)])]
    .filter((name) => !isDeepStrictEqual(call.meant[name], value[name]));
  const decorative = [...(call.tool.closable ?? []), ...(call.tool.may_lack ?? [])];
  if (names.length === 0) return "equal";
  return names.every((name) => decorative.includes(name)) ? "decorative" : "executed";
}

// The keywords that the twelve tools use.
function fits(schema, value) {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const is = (type) =>
    ({
      array: Array.isArray(value),
      boolean: typeof value === "boolean",
      integer: Number.isInteger(value),
      null: value === null,
      number: typeof value === "number",
      object: isObject(value),
      string: typeof value === "string",
    })[type];
  if (types.length > 0 && !types.some(is)) return false;
  if (schema.enum && !schema.enum.some((one) => isDeepStrictEqual(one, value))) return false;
  if (typeof value === "string") {
    const length = [...value].length;
    return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Infinity);
  }
  if (typeof value === "number") return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
  if (Array.isArray(value)) {
    return value.length >= (schema.minItems ?? 0) && value.every((element) => fits(schema.items ?? {}, element));
  }
  if (!isObject(value)) return true;
  return (
    (schema.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => {
      const inner = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      return inner ? fits(inner, member) : schema.additionalProperties !== false;
    })
  );
}

const counts = new Map();
const count = (...key) => counts.set(key.join(), (counts.get(key.join()) ?? 0) + 1);

for (const line of fs.readFileSync(process.argv[2], "utf8").trimEnd().split("\n")) {
  const call = JSON.parse(line);
  for (const [title, , read] of peers) {
    let value;
    try {
      value = read(call.text);
    } catch {
      value = undefined;
    }
    const plain = effect(call, value);
    count(title, call.detectable, plain);
    let control;
    try {
      control = read(call.control);
    } catch {
      control = undefined;
    }
    if (effect(call, control) !== "equal") count(title, "altered");
    const valid = plain !== "rejected" && fits(call.tool.parameters, value);
    count(`${title} + validation`, call.detectable, valid ? plain : "rejected");
  }
}

for (const [title, name] of peers) {
  const found = name && path.join(process.env.NODE_PATH ?? "node_modules", name, "package.json");
  const version = name ? JSON.parse(fs.readFileSync(found, "utf8")).version : process.version.slice(1);
  for (const row of [title, `${title} + validation`]) {
    const cells = [true, false].flatMap((seen) => columns.map((column) => counts.get([row, seen, column].join()) ?? 0));
    cells.push(counts.get([title, "altered"].join()) ?? 0);
    console.log(`| ${row} (${version}) | ${cells.join(" | ")} |`);
  }
}
