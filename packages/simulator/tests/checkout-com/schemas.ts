import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

/** Official schemas of Checkout.com, if this machine has them. */
const FOLDER = join(
  import.meta.dirname,
  '../../../../../shared/data/checkout/nas_spec/components/schemas',
);

export const hasSchemas = existsSync(FOLDER);

/** Names in the official document have no folder and no number at their start. */
function readSchemas(): Record<string, unknown> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => [basename(file, '.yaml'), parse(readFileSync(join(FOLDER, file), 'utf8'))]),
  );
}

let ajv: Ajv | undefined;

/** Differences between a value and an official schema; empty without differences. */
export function schemaErrors(name: string, value: unknown): string[] {
  if (!ajv) {
    ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false });
    ajv.addSchema({ $id: 'nas', components: { schemas: readSchemas() } });
  }
  const validate = ajv.getSchema(`nas#/components/schemas/${name}`);
  if (!validate) throw new Error(`There is no schema ${name}.`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
