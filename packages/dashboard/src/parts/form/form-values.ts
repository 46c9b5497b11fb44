import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { currencyNameOf, isAmount } from '../value/currency-of.ts';
import { decimalOf, minorUnitsOf } from './amounts.ts';
import { localOf } from './local-time.ts';

/** What an input holds: a text, a switch, a choice of several, or the inputs of the members. */
export type FormValue = string | boolean | readonly string[] | FormValues | readonly FormValues[];
export interface FormValues {
  readonly [name: string]: FormValue;
}

export type Fields = Readonly<Record<string, Field>>;

/** Fields that a write may set. */
export const writableFields = (fields: Fields, write: 'create' | 'update'): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field[write]));

/** The currency of an amount: that of its own, of the record, or the one that is known beforehand. */
export function currencyFor(
  name: string,
  values: AnyAttributes,
  outer: string | undefined,
): string | undefined {
  const key = currencyNameOf(name, (it) => typeof values[it] === 'string' && values[it] !== '');
  const found = key ? String(values[key]) : outer;
  return found && /^[A-Za-z]{3}$/.test(found) ? found.toUpperCase() : undefined;
}

/** What the inputs hold at first, of a record or of what is to become one. */
export function initialValues(
  fields: Fields,
  attributes: AnyAttributes = {},
  currency?: string,
): FormValues {
  const outer = currencyFor('amount_cents', attributes, currency);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const own = isAmount(name) ? currencyFor(name, attributes, outer) : outer;
      return [name, initialOf(name, field, attributes[name] ?? field.default, own)];
    }),
  );
}

function initialOf(
  name: string,
  field: Field,
  value: unknown,
  currency: string | undefined,
): FormValue {
  const { type, members = {}, values } = field;
  if (type === 'boolean') return value === true;
  if (type === 'object') return initialValues(members, (value ?? {}) as AnyAttributes, currency);
  if (type === 'objects') {
    return ((value ?? []) as AnyAttributes[]).map((it) => initialValues(members, it, currency));
  }
  if (type === 'metadata') {
    return Object.entries((value ?? {}) as Record<string, string>).map(([key, text]) => ({
      name: key,
      value: text,
    }));
  }
  if (type === 'strings') {
    const list = (value ?? []) as readonly string[];
    return values ? list : list.join('\n');
  }
  if (value === null || value === undefined) return '';
  if (type === 'timestamp') return localOf(String(value));
  if (isAmount(name) && currency) return decimalOf(Number(value), currency);
  return String(value);
}

/** What the inputs say, as a write says it; null is empty. `wrong` are paths of amounts that are none. */
export interface WrittenValues {
  readonly attributes: AnyAttributes;
  readonly wrong: readonly string[];
}

/** Reads the inputs back: those that are as they were `before` are left out. */
export function writtenValues(
  fields: Fields,
  values: FormValues,
  {
    before,
    currency,
  }: { readonly before?: FormValues; readonly currency?: string | undefined } = {},
): WrittenValues {
  const wrong: string[] = [];
  const outer = currencyFor('amount_cents', values, currency);
  const entries = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    if (value === undefined) return [];
    if (before && JSON.stringify(before[name]) === JSON.stringify(value)) return [];
    const own = isAmount(name) ? currencyFor(name, values, outer) : outer;
    const written = writtenOf(field, value, { path: name, currency: own, wrong });
    return written === null && !before ? [] : [[name, written]];
  });
  return { attributes: Object.fromEntries(entries), wrong };
}

interface Place {
  readonly path: string;
  readonly currency: string | undefined;
  readonly wrong: string[];
}

function writtenOf(field: Field, value: FormValue, place: Place): unknown {
  const { type } = field;
  if (type === 'boolean') return value === true;
  if (type === 'object') return membersOf(field, value as FormValues, place);
  if (type === 'objects') return listOf(field, value as readonly FormValues[], place);
  if (type === 'metadata') return metadataOf(value as readonly FormValues[]);
  if (type === 'strings') return stringsOf(value as string | readonly string[]);
  const text = String(value).trim();
  if (text === '') return null;
  if (type === 'timestamp') return new Date(text).toISOString();
  return type === 'integer' ? integerOf(text, place) : text;
}

function integerOf(text: string, { path, currency, wrong }: Place): number | null {
  const name = path.split('.').at(-1) ?? '';
  const number = isAmount(name) && currency ? minorUnitsOf(text, currency) : Number(text);
  if (number !== undefined && Number.isInteger(number)) return number;
  wrong.push(path);
  return null;
}

function membersOf(field: Field, values: FormValues, place: Place): AnyAttributes | null {
  const { attributes, wrong } = writtenValues(field.members ?? {}, values, place);
  place.wrong.push(...wrong.map((it) => `${place.path}.${it}`));
  return Object.keys(attributes).length === 0 ? null : attributes;
}

function listOf(field: Field, values: readonly FormValues[], place: Place): unknown {
  const list = values.map(
    (it, index) => membersOf(field, it, { ...place, path: `${place.path}.${index}` }) ?? {},
  );
  return list.length === 0 ? null : list;
}

function metadataOf(pairs: readonly FormValues[]): unknown {
  const named = pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]);
  return named.length === 0 ? null : Object.fromEntries(named);
}

function stringsOf(value: string | readonly string[]): readonly string[] | null {
  const list = typeof value === 'string' ? value.split('\n').map((it) => it.trim()) : value;
  const given = list.filter((it) => it !== '');
  return given.length === 0 ? null : given;
}
