import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from '../support/client.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8'),
);

// JSON Schema does not know OpenAPI's vocabulary: discriminators and x- members.
// Each schema validates a few responses only, so optimising its validator would take longer than it saves.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  code: { optimize: false },
  inlineRefs: false,
});
formats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: document.components });
const validators = new Map<string, ValidateFunction>();

/** Violations of the committed document by a response: its body's schema and required headers. */
export function documentViolations(
  { method, path }: { readonly method: string; readonly path: string },
  { status, headers, body }: Answer,
): string[] {
  const response = resolve(document.paths[path]?.[method]?.responses?.[status]);
  if (!response) return [`${method} ${path} has no answer ${status}`];
  const schema = (response.content as Json | undefined)?.['application/vnd.api+json'] as
    | { readonly schema: { readonly $ref: string } }
    | undefined;
  const missingHeaders = ['X-Request-Id', 'Vary'].filter((name) => !headers.has(name));
  return [
    ...missingHeaders.map((name) => `no ${name}`),
    ...(schema ? bodyViolations(schema.schema.$ref, body) : []),
    ...(schema || body === undefined ? [] : ['a body where there is none']),
  ];
}

function bodyViolations(reference: string, body: unknown): string[] {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: `openapi${reference}` });
  validators.set(reference, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function resolve(response: Json | undefined): Json | undefined {
  const name = typeof response?.$ref === 'string' ? response.$ref.split('/').at(-1) : undefined;
  return name ? document.components.responses[name] : response;
}
