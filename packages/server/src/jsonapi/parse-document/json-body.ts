import { isUtf8 } from 'node:buffer';
import { problem } from '@florin/contract/errors.ts';

/** Maximum nesting of a request document. */
const JSON_DEPTH_MAX = 20;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, neither array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a relationship object has no `data`. Links and meta of a returned response are ignored. */
export const isWithoutData = (value: unknown): boolean =>
  isObject(value) &&
  value.data === undefined &&
  (value.links !== undefined || value.meta !== undefined);

/** Parses a body as JSON. Throws `malformed_json`, or `invalid_document` if nested too deep. */
export function parseJson(body: Buffer | string): unknown {
  const value = parseUtf8Json(body);
  if (isDeeper(value, JSON_DEPTH_MAX)) {
    throw problem(
      'invalid_document',
      `The document must have at most ${JSON_DEPTH_MAX} levels.`,
      undefined,
      { meta: { limit: JSON_DEPTH_MAX } },
    );
  }
  return value;
}

function parseUtf8Json(body: Buffer | string): unknown {
  if (typeof body !== 'string' && !isUtf8(body)) {
    throw problem('malformed_json', 'The body is not UTF-8. Send JSON in UTF-8.');
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    // The parser's own message quotes the body, which may contain card data.
    throw problem(
      'malformed_json',
      'The body is not valid JSON. Check its quotes, commas and brackets.',
    );
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
