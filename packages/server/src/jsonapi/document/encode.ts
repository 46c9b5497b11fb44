import type { FieldType } from '@florin/contract/resources/define-resource.ts';

/** Encodes a column's PostgreSQL text as JSON text. */
type Encode = (value: string | null | undefined) => string;

/** Characters that JSON escapes. `JSON.stringify` handles surrogates, because it repairs lone ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

const encodeText: Encode = (value) =>
  value == null ? 'null' : NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;

/** Copies numbers and JSON unchanged. */
const encodeVerbatim: Encode = (value) => value ?? 'null';

const encodeQuoted: Encode = (value) => (value == null ? 'null' : `"${value}"`);

const encodeBoolean: Encode = (value) =>
  value == null ? 'null' : value === 't' || value === 'true' ? 'true' : 'false';

/** Length of a PostgreSQL timestamp with all six decimals. */
const FULL_LENGTH = '2026-11-21 03:44:00.123456+00'.length;
const MICRO_DIGITS = '000000';

/** Encodes `2026-11-21 03:44:00.1+00` or ISO text, always UTC, as ISO 8601 with six decimals. */
const encodeTimestamp: Encode = (value) => {
  if (value == null) return 'null';
  if (value.length === FULL_LENGTH) return `"${value.slice(0, 10)}T${value.slice(11, 26)}Z"`;
  const end = value.endsWith('Z') ? value.length - 1 : value.length - 3;
  const decimals = value.slice(20, end);
  return `"${value.slice(0, 10)}T${value.slice(11, 19)}.${decimals}${MICRO_DIGITS.slice(decimals.length)}Z"`;
};

/** Encoders by field type. */
export const encode: Readonly<Record<FieldType, Encode>> = {
  string: encodeText,
  integer: encodeVerbatim,
  boolean: encodeBoolean,
  timestamp: encodeTimestamp,
  date: encodeText,
  email: encodeText,
  phone: encodeText,
  url: encodeText,
  country: encodeText,
  currency: encodeText,
  timezone: encodeText,
  uuid: encodeQuoted,
  slug: encodeQuoted,
  enum: encodeText,
  strings: encodeVerbatim,
  object: encodeVerbatim,
  objects: encodeVerbatim,
  metadata: encodeVerbatim,
};
