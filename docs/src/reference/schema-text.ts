import type { Schema } from '@florin/server/jsonapi/openapi/schema.ts';

/** Inline code of Markdown. */
export const code = (text: string): string => `\`${text}\``;

/** Text of the definitions as Markdown: `code` stays, all else that HTML or Vue would read is escaped. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? part : escapeProse(part)))
    .join('');

const escapeProse = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('*', '\\*');

/** Describes a value's type in a few words: `string (email) or null`. */
export function typeText(schema: Schema): string {
  const types = [schema.type].flat().map(String);
  const [firstType = 'any', ...otherTypes] = types;
  const base = firstType === 'array' ? `list of ${typeText(itemsOf(schema))}` : firstType;
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : '';
  return [`${base}${format}`, ...otherTypes].join(' or ');
}

/** The schema of each item of a list. */
export const itemsOf = ({ items }: Schema): Schema => (items ?? {}) as Schema;

/** Whether a schema describes a list, or a list or null. */
export const isListSchema = ({ type }: Schema): boolean => [type].flat().includes('array');

/** The limits and accepted values of an attribute, in sentences. */
export function limitText(schema: Schema): string {
  const { enum: values } = isListSchema(schema) ? itemsOf(schema) : schema;
  const limitTexts = [
    Array.isArray(values) ? choiceText(values) : undefined,
    rangeText(schema, 'minimum', 'maximum', ''),
    rangeText(schema, 'minLength', 'maxLength', ' characters'),
    rangeText(schema, 'minItems', 'maxItems', ' items'),
  ];
  return limitTexts.filter((part) => part !== undefined).join(' ');
}

function rangeText(schema: Schema, low: string, high: string, unit: string): string | undefined {
  const [min, max] = [schema[low], schema[high]];
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `At least ${min}${unit}.`;
  return min === undefined ? `At most ${max}${unit}.` : `${min} to ${max}${unit}.`;
}

const choiceText = (values: readonly unknown[]): string =>
  `One of ${values
    .filter((value) => value !== null)
    .map((value) => `\`${value}\``)
    .join(', ')}.`;
