import type { Field } from '@florin/contract/resources/define-resource.ts';
import { type AmountProblem, decimalOf, readAmount } from '@florin/contract/typed-amounts.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { currencyNameOf, isAmount } from '../value/currency-of.ts';
import { localOf } from './local-time.ts';

/** Value of an input: a text, a switch, several choices, or the values of members. */
export type FormValue = string | boolean | readonly string[] | FormValues | readonly FormValues[];
export interface FormValues {
  readonly [name: string]: FormValue;
}

export type Fields = Readonly<Record<string, Field>>;

/** Returns the value at a path of nested values, or undefined. */
export const valueAt = (values: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);

/** Fields that a write may set, without old names of fields. */
export const writableFields = (fields: Fields, write: 'create' | 'update'): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, field]) => field[write] && !field.deprecated_for),
  );

/** Returns the currency of an amount: the amount's own, the record's, or `outerCurrency`. */
export function currencyFor(
  name: string,
  values: AnyAttributes,
  outerCurrency: string | undefined,
): string | undefined {
  const key = currencyNameOf(name, (it) => typeof values[it] === 'string' && values[it] !== '');
  const currency = key ? String(values[key]) : outerCurrency;
  return currency && /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : undefined;
}

/** Locale and fallback currency of amounts. */
interface AmountFormat {
  readonly currency?: string | undefined;
  readonly locale?: string | undefined;
}

/** Initial values of the inputs, for a new or an existing record. */
export function initialValues(
  fields: Fields,
  attributes: AnyAttributes = {},
  { currency, locale }: AmountFormat = {},
): FormValues {
  const outerCurrency = currencyFor('amount_cents', attributes, currency);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const own = isAmount(name) ? currencyFor(name, attributes, outerCurrency) : outerCurrency;
      const value = attributes[name] ?? field.default;
      return [name, initialOf(name, field, value, { currency: own, locale })];
    }),
  );
}

function initialOf(
  name: string,
  field: Field,
  value: unknown,
  amountFormat: AmountFormat,
): FormValue {
  const { type, members = {}, values } = field;
  if (type === 'boolean') return value === true;
  if (type === 'object')
    return initialValues(members, (value ?? {}) as AnyAttributes, amountFormat);
  if (type === 'objects') {
    return ((value ?? []) as AnyAttributes[]).map((it) => initialValues(members, it, amountFormat));
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
  const { currency, locale } = amountFormat;
  return isAmount(name) && currency ? decimalOf(Number(value), currency, locale) : String(value);
}

/** Problem of a number input, with its path in the form. */
export interface NumberProblem {
  readonly path: string;
  readonly problem: AmountProblem | 'currency_first' | 'not_a_number';
  readonly currency?: string | undefined;
}

/** Attributes of a write; null clears a value. */
export interface WrittenValues {
  readonly attributes: AnyAttributes;
  readonly wrong: readonly NumberProblem[];
}

interface ReadFormOptions extends AmountFormat {
  /** Initial values, to find the changed ones. */
  readonly before?: FormValues;
  /** Whether an enclosing field has the input for the currency. */
  readonly hasCurrencyInput?: boolean;
}

/** Converts the inputs to attributes. Values equal to `before` are left out. */
export function attributesOfForm(
  fields: Fields,
  values: FormValues,
  readOptions: ReadFormOptions = {},
): WrittenValues {
  const { before, currency, locale } = readOptions;
  const numberProblems: NumberProblem[] = [];
  const outerCurrency = currencyFor('amount_cents', values, currency);
  const entries = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    if (value === undefined) return [];
    const isMoney = isAmount(name, values);
    const own = isMoney ? currencyFor(name, values, outerCurrency) : outerCurrency;
    if (before && isAsBefore(name, value, { before, currency, own })) return [];
    const hasCurrencyInput =
      readOptions.hasCurrencyInput || currencyNameOf(name, (it) => it in fields) !== undefined;
    const inputPlace = {
      path: name,
      isMoney,
      currency: own,
      locale,
      hasCurrencyInput,
      wrong: numberProblems,
    };
    const writtenValue = writtenOf(field, value, inputPlace);
    return writtenValue === null && !before ? [] : [[name, writtenValue]];
  });
  return { attributes: Object.fromEntries(entries), wrong: numberProblems };
}

interface ComparedRecord {
  readonly before: FormValues;
  readonly currency: string | undefined;
  /** Current currency of the amount. */
  readonly own: string | undefined;
}

/** Whether an input is unchanged. The same digits in another currency are a different amount. */
function isAsBefore(
  name: string,
  value: FormValue,
  { before, currency, own }: ComparedRecord,
): boolean {
  if (JSON.stringify(before[name]) !== JSON.stringify(value)) return false;
  if (!isAmount(name) || value === '') return true;
  return own === currencyFor(name, before, currencyFor('amount_cents', before, currency));
}

interface InputPlace {
  readonly path: string;
  /** Whether the field is an amount in minor units. */
  readonly isMoney: boolean;
  readonly currency: string | undefined;
  readonly locale: string | undefined;
  readonly hasCurrencyInput: boolean;
  readonly wrong: NumberProblem[];
}

function writtenOf(field: Field, value: FormValue, inputPlace: InputPlace): unknown {
  const { type } = field;
  if (type === 'boolean') return value === true;
  if (type === 'object') return membersOf(field, value as FormValues, inputPlace);
  if (type === 'objects') return listOf(field, value as readonly FormValues[], inputPlace);
  if (type === 'metadata') return metadataOf(value as readonly FormValues[]);
  if (type === 'strings') return stringsOf(value as string | readonly string[]);
  const text = String(value).trim();
  if (text === '') return null;
  if (type === 'timestamp') return new Date(text).toISOString();
  return type === 'integer' ? integerOf(text, inputPlace) : text;
}

function integerOf(text: string, place: InputPlace): number | null {
  const { path, currency, wrong } = place;
  const read = readInteger(text, place);
  if (typeof read === 'number') return read;
  wrong.push({ path, problem: read, currency });
  return null;
}

/** Reads an amount in its currency. Reads minor units if there is no currency and no input for one. */
function readInteger(
  text: string,
  { isMoney, currency, locale, hasCurrencyInput }: InputPlace,
): number | NumberProblem['problem'] {
  if (isMoney) {
    if (!currency && hasCurrencyInput) return 'currency_first';
    const amount = currency ? readAmount(text, currency, locale) : undefined;
    if (amount) return 'cents' in amount ? amount.cents : amount.problem;
  }
  return /^-?\d{1,15}$/.test(text) ? Number(text) : 'not_a_number';
}

function membersOf(field: Field, values: FormValues, place: InputPlace): AnyAttributes | null {
  const { attributes, wrong } = attributesOfForm(field.members ?? {}, values, place);
  place.wrong.push(...wrong.map((it) => ({ ...it, path: `${place.path}.${it.path}` })));
  return Object.keys(attributes).length === 0 ? null : attributes;
}

function listOf(field: Field, values: readonly FormValues[], place: InputPlace): unknown {
  const list = values.map(
    (it, index) => membersOf(field, it, { ...place, path: `${place.path}.${index}` }) ?? {},
  );
  return list.length === 0 ? null : list;
}

function metadataOf(pairs: readonly FormValues[]): unknown {
  const namedPairs = pairs
    .filter(({ name }) => name !== '')
    .map(({ name, value }) => [name, value]);
  return namedPairs.length === 0 ? null : Object.fromEntries(namedPairs);
}

function stringsOf(value: string | readonly string[]): readonly string[] | null {
  const strings = typeof value === 'string' ? linesOf(value) : value;
  return strings.length === 0 ? null : strings;
}

/** Values of an input that takes one value per line. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
