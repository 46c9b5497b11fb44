import { escapeHtml } from '@florin/contract/html.ts';
import type { Schema } from '../../jsonapi/openapi/schema.ts';

/** Converts text with `code` in backticks to HTML. */
export const renderProse = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

export const renderCode = (text: string): string => `<code>${escapeHtml(text)}</code>`;

export const renderBlock = (text: string): string =>
  `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

export const renderJson = (value: unknown): string => renderBlock(JSON.stringify(value, null, 2));

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

/** The limits and accepted values of an attribute, in sentences. */
export function limitText(schema: Schema): string {
  const { enum: values } = isListSchema(schema) ? itemsOf(schema) : schema;
  const rangeText = (low: string, high: string, unit: string): string | undefined => {
    const [min, max] = [schema[low], schema[high]];
    if (min === undefined && max === undefined) return undefined;
    if (max === undefined) return `At least ${min}${unit}.`;
    return min === undefined ? `At most ${max}${unit}.` : `${min} to ${max}${unit}.`;
  };
  const limitTexts = [
    Array.isArray(values) ? choiceText(values) : undefined,
    rangeText('minimum', 'maximum', ''),
    rangeText('minLength', 'maxLength', ' characters'),
    rangeText('minItems', 'maxItems', ' items'),
  ];
  return limitTexts.filter((part) => part !== undefined).join(' ');
}

const choiceText = (values: readonly unknown[]): string =>
  `One of ${values
    .filter((value) => value !== null)
    .map((value) => `\`${value}\``)
    .join(', ')}.`;

/** Whether a schema describes a list, or a list or null. */
export const isListSchema = ({ type }: Schema): boolean => [type].flat().includes('array');
