import { isUuid } from '../../platform/ids.ts';
import type { FieldModel } from '../model.ts';
import { parsePhone } from '../values/contact.ts';
import { parseCountry } from '../values/country.ts';
import { isStorable } from '../values/text.ts';
import { parseDate, parseTimestamp } from '../values/timestamp.ts';

type Coerce = (text: string, field: FieldModel) => string | undefined;

const acceptIf =
  (test: (text: string) => boolean): Coerce =>
  (text) =>
    test(text) ? text : undefined;

const storableOrNothing = (text: string): string | undefined =>
  isStorable(text) ? text : undefined;

const coerceListed: Coerce = (text, { definition }) =>
  definition.values?.includes(text) ? text : undefined;

const coercions: Readonly<Record<string, Coerce>> = {
  integer: acceptIf((text) => /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))),
  boolean: acceptIf((text) => text === 'true' || text === 'false'),
  uuid: acceptIf(isUuid),
  timestamp: parseTimestamp,
  date: parseDate,
  enum: coerceListed,
  string: (text, field) =>
    field.definition.values ? coerceListed(text, field) : storableOrNothing(text),
  country: (text) => parseCountry(text) ?? storableOrNothing(text),
  phone: (text) => parsePhone(text) ?? storableOrNothing(text),
};

/** Converts a filter's text to the column's form; undefined if it does not fit the field's type. */
export const coerceFilterValue = (field: FieldModel, text: string): string | undefined =>
  (coercions[field.definition.type] ?? storableOrNothing)(text, field);

/** Describes valid values of the field, for an error's detail. */
export function expectedForm({ definition }: FieldModel): string {
  if (definition.values) return `one of ${definition.values.join(', ')}`;
  const forms: Readonly<Record<string, string>> = {
    integer: 'an integer',
    boolean: 'true or false',
    uuid: 'a UUID',
    timestamp: 'an ISO 8601 timestamp',
    date: 'a date such as 2026-11-21',
  };
  return forms[definition.type] ?? 'text';
}

/**
 * Splits at commas, trims, and drops blank items. `\,` is a literal comma, `\\` a backslash. Undefined if the
 * text ends in a single backslash.
 */
export function splitFilterValue(text: string): string[] | undefined {
  if (!text.includes('\\')) return trimAll(text.split(','));
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) return undefined;
  const items = text.match(/(?:\\[\s\S]|[^\\,])+/g) ?? [];
  return trimAll(items.map((item) => item.replace(/\\([\\,])/g, '$1')));
}

const trimAll = (items: readonly string[]): string[] =>
  items.map((item) => item.trim()).filter((part) => part !== '');
