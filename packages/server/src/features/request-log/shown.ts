import { hasRawCard, isForbiddenName, maskCards } from '@florin/contract/card/scan.ts';
import { createLru } from '@florin/contract/lru.ts';
import { isMisspelt } from '@florin/contract/nearest.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import { isStorable } from '../../jsonapi/values/text.ts';
import { isUuid } from '../../platform/ids.ts';

/** Replaces secrets and values that do not fit their field. */
export const REDACTED = '[redacted]';
/** Replaces possible personal data. */
export const MASKED = '[masked]';

/** Names of fields whose text is machine-readable. Other text fields may contain personal data. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([
  'code',
  'error',
  'failure_reason',
  'idempotency_key',
  'last_error',
  'purchase_reference',
]);

/** Fields that processors, banks or Florin write, with the form of their texts: developers search for them. */
const MACHINE_FORMS: Readonly<Record<string, RegExp>> = {
  authorisation_code: /^[0-9A-Za-z]{1,12}$/,
  last_four: /^\d{4}$/,
  processor: /^[a-z][a-z0-9_]{0,62}$/,
  processor_reference: /^[\w.:-]{1,100}$/,
  sha256_hash: /^[0-9a-f]{64}$/,
  slug: /^[a-z][a-z0-9_.:*]{0,100}$/,
};

const TEXT_MAX = 255;
const INTEGER_MAX = 1e12;
const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const WORD = /^[a-z][a-z0-9_]{0,62}$/;
/** Characters that occur in every email address, and prefixes of Florin's keys. */
const SECRET = /@|%40|(?:ept|whsec)_/i;

const zones: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/**
 * Whether a text is storable and contains no card number (in any notation), email address or key.
 */
export const isClean = (text: string, length_max = TEXT_MAX): boolean =>
  text.length <= length_max &&
  isStorable(text) &&
  !SECRET.test(text) &&
  !hasRawCard(text) &&
  maskCards(text) === text;

const PLAIN_NAMES_MAX = 2_000;
/** Names that can be shown. Nearly all requests repeat them, and each check costs as much as reading a document. */
const plainNames = createLru<true>(PLAIN_NAMES_MAX);

/** Dates in other orders, and amounts with decimals. Four digits at most are together, as in a year. */
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})$/;
const DECIMAL = /^-?\d{1,7}[.,]\d{1,3}$/;

/** Length of the longest text that is compared with known words. */
const WORD_LENGTH_MAX = 60;

/**
 * Whether a wrong value is a misspelt known word, a date or an amount. Most refusals are about such values, so that
 * developers look for it. Other words may be names of people or passwords.
 */
export const isMistake = (text: string, knownWords: Iterable<string> = []): boolean =>
  isClean(text, WORD_LENGTH_MAX) &&
  (DATE.test(text) || DECIMAL.test(text) || isMisspelt(text, knownWords));

/** Whether the name of an unknown member can be shown. */
export function isPlainName(name: string): boolean {
  if (plainNames.get(name)) return true;
  const isPlain = WORD.test(name) && isClean(name) && !isForbiddenName(name);
  if (isPlain) plainNames.set(name, true);
  return isPlain;
}

/** Shows numbers, booleans and null. Other values are redacted as possible secrets. */
export const scalarOf = (value: unknown): unknown =>
  value === null || typeof value === 'boolean' || isAmount(value) ? value : REDACTED;

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < INTEGER_MAX;

/**
 * Shown form of a field's value that is no object. Shows the value itself if the field's definition
 * limits it.
 */
export function shownValue(name: string, field: Field, value: unknown): unknown {
  if (value === null) return null;
  if (isSecret(field)) return REDACTED;
  if (typeof value === 'number' && isMistake(String(value))) return value;
  if (typeof value !== 'string') return fitsNoText(field) ? scalarOf(value) : REDACTED;
  return shownText(name, field, value);
}

export const isSecret = ({ sensitive, write_only, shown_once, sealed }: Field): boolean =>
  [sensitive, write_only, shown_once, sealed].includes(true);

const fitsNoText = ({ type }: Field): boolean => type === 'integer' || type === 'boolean';

function shownText(name: string, field: Field, text: string): string {
  if (field.values)
    return field.values.includes(text) || isMistake(text, field.values) ? text : REDACTED;
  const matchesForm = matchersByType[field.type];
  if (matchesForm) {
    const knownWords = field.type === 'timezone' ? zones : [];
    return matchesForm(text) || isMistake(text, knownWords) ? text : REDACTED;
  }
  if (field.type === 'url') return originOf(text);
  const form = Object.hasOwn(MACHINE_FORMS, name) ? MACHINE_FORMS[name] : field.pattern;
  const isPlain = form?.test(text) || PLAIN_TEXTS.has(name);
  return isPlain && isClean(text) ? text : MASKED;
}

const matchersByType: Readonly<Partial<Record<Field['type'], (text: string) => boolean>>> = {
  timestamp: (text) => INSTANT.test(text),
  date: (text) => INSTANT.test(text),
  country: (text) => /^[A-Za-z]{2,3}$/.test(text),
  currency: (text) => /^[A-Za-z]{3}$/.test(text),
  timezone: (text) => zones.has(text),
  uuid: isUuid,
  slug: (text) => WORD.test(text) && isClean(text),
  integer: () => false,
  boolean: () => false,
  enum: () => false,
};

/** Origin of an address. Paths often contain secrets. */
export function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !isClean(url.host)) return MASKED;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : `${url.origin}/…`;
}
