import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Official schemas of Adyen, if this machine has them. */
const FOLDER = join(import.meta.dirname, '../../../../../shared/data/adyen');

const files = {
  checkout: 'CheckoutService-v72.json',
  webhooks: 'Webhooks-v1.json',
} as const;

export const hasAdyenSchemas = existsSync(FOLDER);

let ajv: Ajv2020 | undefined;

/** Differences between a value and an official schema; empty without differences. */
export function adyenSchemaErrors(
  file: keyof typeof files,
  name: string,
  value: unknown,
): string[] {
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, logger: false });
    for (const [id, fileName] of Object.entries(files)) {
      const { components } = JSON.parse(readFileSync(join(FOLDER, fileName), 'utf8'));
      ajv.addSchema({ $id: id, components });
    }
  }
  const validate = ajv.getSchema(`${file}#/components/schemas/${name}`);
  if (!validate) throw new Error(`There is no schema ${name}.`);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
