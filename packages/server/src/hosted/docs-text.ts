import type { Schema } from '../openapi/schema.ts';
import { escapeHtml } from './page.ts';

/** Prose with `code` in backticks. */
export const prose = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

export const block = (text: string): string =>
  `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

export const json = (value: unknown): string => block(JSON.stringify(value, null, 2));

/** Cells are HTML. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p class="soft">None.</p>';
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

/** What a value looks like, in a few words: `string (email) or null`. */
export function typeWords(schema: Schema): string {
  const types = [schema.type].flat().map(String);
  const [main = 'any', ...others] = types;
  const base = main === 'array' ? `list of ${typeWords(itemsOf(schema))}` : main;
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : '';
  return [`${base}${format}`, ...others].join(' or ');
}

const itemsOf = ({ items }: Schema): Schema => (items ?? {}) as Schema;

/** The limits and the closed set of a value. */
export function limitWords(schema: Schema): string {
  const { enum: values } = schema.type === 'array' ? itemsOf(schema) : schema;
  const range = (low: string, high: string, unit: string): string | undefined => {
    const [min, max] = [schema[low], schema[high]];
    if (min === undefined && max === undefined) return undefined;
    if (max === undefined) return `at least ${min}${unit}`;
    return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
  };
  const parts = [
    Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : undefined,
    range('minimum', 'maximum', ''),
    range('minLength', 'maxLength', ' characters'),
    range('minItems', 'maxItems', ' items'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
