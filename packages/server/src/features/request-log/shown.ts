import { hasRawCard, isForbiddenName, maskCards } from '@florin/contract/card/scan.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import { isStorable } from '../../jsonapi/values/text.ts';
import { isUuid } from '../../platform/ids.ts';

/** Stands for what nobody may read again: secrets, and values that are not what their field says. */
export const REDACTED = '[redacted]';
/** Stands for what may tell of a person. */
export const MASKED = '[masked]';

/** Text that people write for machines. All other text may tell of a person. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([
  'code',
  'error',
  'failure_reason',
  'idempotency_key',
  'last_error',
  'purchase_reference',
]);

const TEXT_MAX = 255;
const INTEGER_MAX = 1e12;
const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const WORD = /^[a-z][a-z0-9_]{0,62}$/;
/** What an address of mail or a key of ours cannot do without. */
const SECRET = /@|%40|(?:ept|whsec)_/i;

const zones: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/** Whether the database can store a text that holds neither a card number, however it is written, nor an e-mail address, nor a key. */
export const isClean = (text: string, length_max = TEXT_MAX): boolean =>
  text.length <= length_max &&
  isStorable(text) &&
  !SECRET.test(text) &&
  !hasRawCard(text) &&
  maskCards(text) === text;

/** Whether the name of a member may be shown, whoever made it up. */
export const isPlainName = (name: string): boolean =>
  WORD.test(name) && isClean(name) && !isForbiddenName(name);

/** Numbers, truth and nothing; what was meant for something else is as good as a secret. */
export const scalar = (value: unknown): unknown =>
  value === null || typeof value === 'boolean' || isAmount(value) ? value : REDACTED;

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < INTEGER_MAX;

/** What is shown of the value of a field that is no object: itself where its definition says what it can be. */
export function shownValue(name: string, field: Field, value: unknown): unknown {
  if (value === null) return null;
  if (isSecret(field)) return REDACTED;
  if (typeof value !== 'string') return fitsNoText(field) ? scalar(value) : REDACTED;
  return shownText(name, field, value);
}

export const isSecret = ({ sensitive, write_only, shown_once, sealed }: Field): boolean =>
  [sensitive, write_only, shown_once, sealed].includes(true);

const fitsNoText = ({ type }: Field): boolean => type === 'integer' || type === 'boolean';

function shownText(name: string, field: Field, text: string): string {
  if (field.values) return field.values.includes(text) ? text : REDACTED;
  const fits = forms[field.type];
  if (fits) return fits(text) ? text : REDACTED;
  if (field.type === 'url') return originOf(text);
  const isPlain = field.pattern?.test(text) || PLAIN_TEXTS.has(name);
  return isPlain && isClean(text) ? text : MASKED;
}

const forms: Readonly<Partial<Record<Field['type'], (text: string) => boolean>>> = {
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

/** Addresses have secrets in their paths as often as not. */
export function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !isClean(url.host)) return MASKED;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : `${url.origin}/…`;
}
