import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Official schemas of Adyen, if this machine has them. */
const FOLDER = join(import.meta.dirname, '../../../../../shared/data/adyen');

const files = {
  checkout: 'CheckoutService-v72.json',
  webhooks: 'Webhooks-v1.json',
  disputes: 'DisputeService-v30.json',
} as const;

export const hasAdyenSchemas = existsSync(FOLDER);

interface OfficialDocument {
  readonly components: object;
  readonly webhooks: Readonly<Record<string, object>>;
}

const readDocument = (file: keyof typeof files): OfficialDocument =>
  JSON.parse(readFileSync(join(FOLDER, files[file]), 'utf8')) as OfficialDocument;

let ajv: Ajv2020 | undefined;

/** Differences between a value and an official schema; empty without differences. */
export function adyenSchemaErrors(
  file: keyof typeof files,
  name: string,
  value: unknown,
): string[] {
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, logger: false });
    for (const id of ['checkout', 'webhooks', 'disputes'] as const)
      ajv.addSchema({ $id: id, components: readDocument(id).components });
  }
  const validate = ajv.getSchema(`${file}#/components/schemas/${name}`);
  if (!validate) throw new Error(`There is no schema ${name}.`);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

let notificationSchemas: Map<string, string> | undefined;

/**
 * Differences between a notification and the official schema of its event. The shared list of event codes lacks some
 * codes, so it does not count.
 */
export function adyenNotificationErrors(eventCode: string, body: unknown): string[] {
  notificationSchemas ??= new Map(
    Object.entries(readDocument('webhooks').webhooks).map(([path, operation]) => [
      path.slice(1),
      /schemas\/(\w+NotificationRequest|NotificationRequest)"/.exec(
        JSON.stringify(operation),
      )?.[1] ?? '',
    ]),
  );
  const name = notificationSchemas.get(eventCode) ?? '';
  return adyenSchemaErrors('webhooks', name, body).filter(
    (text) => !/eventCode must be/.test(text),
  );
}
