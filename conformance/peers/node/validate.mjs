// JSON Schema validation as harnesses do it; draft 2020-12 with a fall-back for older keywords is what tools send.
import Ajv2020 from 'ajv/dist/2020.js';
import { Unsupported } from './adapters.mjs';

const compiled = new Map();

/** The tool's schema → (value) => boolean. */
export function validator(schema) {
    const key = JSON.stringify(schema ?? {});
    if (!compiled.has(key)) {
        const { $schema: _, ...rest } = schema ?? {};
        try {
            compiled.set(key, new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(rest));
        } catch (error) {
            throw new Unsupported(`schema: ${error.message}`);
        }
    }
    return compiled.get(key);
}
