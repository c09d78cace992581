// node subject.mjs NAME [--validate]
//
// The protocol loop (NDJSON over standard input and output) for every adapter of adapters.mjs. An adapter is
//   {package, levels, without, bytes, note, read(text, request) → value, view(text) → value, open?() → reader, split?}
// where a throw means "refused". An incremental reader is {feed(delta) → void, value() → value, finish() → value}.
//
// Rules that hold for every subject here:
// - What is answered is JSON.stringify of what the runtime holds (a number JSON cannot hold, such as Infinity, is null there:
//   that is what a tool that is called over JSON would get). An own loop takes over where JSON.stringify overflows the stack,
//   so that depth is judged by the package's reader and not by the writer.
// - Arguments are an object in every tool protocol: a result that is none is refused, as no harness can call a tool with it.
// - A parser that throws while it streams leaves on the screen what was there before; one that answers "nothing"
//   (undefined, null) clears it.
// - --validate: what the adapter accepts is validated against the tool's JSON Schema by Ajv, as harnesses do it;
//   such a subject takes part in cut and damage only, the levels that send a tool.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { adapters, Unsupported } from './adapters.mjs';
import { validator } from './validate.mjs';

const out = process.stdout;
for (const level of ['log', 'info', 'debug', 'dir']) console[level] = (...args) => console.error(...args); // stdout is the protocol's

process.on('unhandledRejection', (error) => console.error(error));

const [name, ...flags] = process.argv.slice(2);
const adapter = Object.hasOwn(adapters, name ?? '') ? adapters[name] : undefined;
if (!adapter) {
    console.error(`usage: node subject.mjs NAME [--validate]\nNAME: ${Object.keys(adapters).join(' ')}`);
    process.exit(2);
}
const validate = flags.includes('--validate');

const say = (answer) => new Promise((done) => out.write(`${JSON.stringify(answer)}\n`, done));

function versionOf(pkg) {
    if (!pkg) return process.versions.node;
    return JSON.parse(readFileSync(new URL(`./node_modules/${pkg}/package.json`, import.meta.url), 'utf8')).version;
}

/** JSON text of a value; null for "nothing" (undefined, a function). */
function text(value) {
    try {
        return JSON.stringify(value) ?? null;
    } catch (error) {
        if (error instanceof RangeError) return deepText(value);
        throw error;
    }
}

/** JSON.stringify without recursion. */
function deepText(root) {
    const parts = [];
    const work = [{ value: root }];
    while (work.length) {
        const top = work.pop();
        if (top.raw !== undefined) {
            parts.push(top.raw);
        } else if (top.value === null || typeof top.value !== 'object') {
            parts.push(JSON.stringify(top.value) ?? 'null');
        } else if (Array.isArray(top.value)) {
            work.push({ raw: ']' });
            for (let i = top.value.length - 1; i >= 0; i--) {
                work.push({ value: top.value[i] });
                if (i) work.push({ raw: ',' });
            }
            parts.push('[');
        } else {
            const members = Object.entries(top.value).filter(([, value]) => value !== undefined);
            work.push({ raw: '}' });
            for (let i = members.length - 1; i >= 0; i--) {
                work.push({ value: members[i][1] }, { raw: `${i ? ',' : ''}${JSON.stringify(members[i][0])}:` });
            }
            parts.push('{');
        }
    }
    return parts.join('');
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Reads a whole text by way of the deltas; answers {views, value} or {views, refused}. */
async function run(request, deltas) {
    const views = request.views ? [] : undefined;
    let shown = null;
    let refused = false;
    let value;
    const attempt = async (what) => {
        try {
            return await what();
        } catch (error) {
            if (error instanceof Unsupported) throw error;
            refused = true;
        }
    };
    if (adapter.open) {
        const reader = adapter.open(request);
        for (const delta of deltas) {
            if (!refused) await attempt(() => reader.feed(delta));
            if (views) {
                if (!refused) shown = text(reader.value());
                views.push(shown);
            }
        }
        if (!refused) value = await attempt(() => reader.finish());
    } else {
        let soFar = '';
        for (const delta of deltas) {
            soFar += delta;
            if (views) {
                try {
                    shown = text(await adapter.view(soFar));
                    if (shown === 'null') shown = null;
                } catch {
                    // what was shown stays
                }
                views.push(shown);
            }
        }
        value = await attempt(() => adapter.read(soFar, request));
    }
    return { views, value, refused };
}

async function read(request) {
    let deltas = request.deltas;
    if (request.deltas_b64) {
        if (!adapter.bytes) throw new Unsupported('takes text, not bytes');
        deltas = request.deltas_b64.map((delta) => new Uint8Array(Buffer.from(delta, 'base64')));
    }
    const { views, value, refused } = await run(request, deltas);
    let accept = !refused && isObject(value);
    if (accept && validate && request.tool) accept = validator(request.tool.parameters)(value);
    return { accept, value: accept ? text(value) : null, place: null, ...(views && { views }) };
}

async function split(request) {
    if (!adapter.split) throw new Unsupported('reads one call, does not split');
    const calls = await adapter.split(request.chunks, request);
    return {
        calls: calls.map(({ id, name, value }) => {
            const accept = isObject(value);
            return { id: id ?? null, name: name ?? null, accept, value: accept ? text(value) : null };
        }),
    };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (!line.trim()) continue;
    let request;
    try {
        request = JSON.parse(line);
        if (request.ask === 'hello') {
            await say({
                protocol: 1,
                name: `${adapter.title ?? name}${validate ? ' + ajv' : ''}`,
                version: versionOf(adapter.package),
                language: 'javascript',
                levels: validate ? adapter.levels.filter((level) => level === 'cut' || level === 'damage') : adapter.levels,
                without: adapter.without ?? [],
                bytes: adapter.bytes ?? false,
                note: validate ? adapter.note.replace('no validation', 'validated by ajv') : adapter.note,
            });
        } else if (request.ask === 'read') {
            await say({ id: request.id, ...(await read(request)) });
        } else if (request.ask === 'split') {
            await say({ id: request.id, ...(await split(request)) });
        } else {
            throw new Unsupported(`unknown request ${JSON.stringify(request.ask)}`);
        }
    } catch (error) {
        await say({ id: request?.id ?? null, unsupported: String(error?.message ?? error).slice(0, 200) });
    }
}
