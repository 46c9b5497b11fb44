import type { ErrorCode } from '@florin/contract/errors.ts';
import { findNearest } from '@florin/contract/nearest.ts';
import type { Field, FieldType } from '@florin/contract/resources/define-resource.ts';
import { isUuid } from '../../platform/ids.ts';
import { isEmail, isHttpUrl, parsePhone } from '../values/contact.ts';
import { parseCountry } from '../values/country.ts';
import { parseCurrency } from '../values/currency.ts';
import { codePoints, isStorable, UNSTORABLE } from '../values/text.ts';
import { parseDate, parseTimestamp } from '../values/timestamp.ts';
import { isTimezone } from '../values/timezone.ts';

/** Validation error of a value: its code, a predicate for the detail ("email <is …>"), and the exceeded limit. */
export type ValueError = readonly [code: ErrorCode, predicate: string, limit?: number];

/** Parses text as the field's type. Returns the normalised text; undefined if malformed. */
type Normalise = (text: string, field: Field) => string | undefined;

const acceptIf =
  (test: (text: string) => boolean): Normalise =>
  (text) =>
    test(text) ? text : undefined;

const SLUG = /^[a-z][a-z0-9_]*$/;

interface TextForm {
  readonly normalise: Normalise;
  readonly errorOf: (field: Field, text: string) => ValueError;
}

const createTextForm = (normalise: Normalise, code: ErrorCode, predicate: string): TextForm => ({
  normalise,
  errorOf: () => [code, predicate],
});

const textForms: Readonly<Partial<Record<FieldType, TextForm>>> = {
  email: createTextForm(
    acceptIf(isEmail),
    'invalid',
    'must be an email address, such as name@example.com',
  ),
  phone: createTextForm(
    parsePhone,
    'invalid_phone',
    'must be a telephone number with + and the country code, such as +442071234567',
  ),
  url: createTextForm(acceptIf(isHttpUrl), 'invalid', 'must be an http or https address'),
  country: createTextForm(
    parseCountry,
    'invalid',
    'must be an ISO 3166-1 alpha-3 code, such as GBR',
  ),
  currency: createTextForm(parseCurrency, 'invalid', 'must be an ISO 4217 code, such as EUR'),
  timezone: createTextForm(
    acceptIf(isTimezone),
    'invalid',
    'must be a zone of the IANA time zone database, such as Europe/London',
  ),
  timestamp: createTextForm(
    parseTimestamp,
    'invalid',
    'must be an ISO 8601 timestamp, such as 2026-11-21T09:00:00Z',
  ),
  date: createTextForm(parseDate, 'invalid', 'must be a date, such as 2026-11-21'),
  uuid: createTextForm(acceptIf(isUuid), 'invalid', 'must be a UUID'),
  slug: createTextForm(
    acceptIf((text) => SLUG.test(text)),
    'invalid',
    'must begin with a letter a to z, and have only a to z, 0 to 9 and _',
  ),
  enum: {
    normalise: (text, { values }) => (values?.includes(text) ? text : undefined),
    errorOf: ({ values = [] }, text) => ['not_in_list', unlistedText(values, text)],
  },
};

/** Maximum number of enum values that an error's detail lists. */
const LISTED_MAX = 12;

function unlistedText(values: readonly string[], text: string): string {
  if (values.length <= LISTED_MAX) return `must be one of ${values.join(', ')}`;
  const nearestValues = findNearest(text, values);
  const hint = nearestValues.length > 0 ? `; the nearest are ${nearestValues.join(', ')}` : '';
  return `must be one of the ${values.length} values that the API reference lists${hint}`;
}

/** This limit is part of its error's title, so the error has a code of its own. */
const TITLED_MIN_CHARACTERS = 10;

/** Checks text against its field. Returns the normalised text, or the validation error. */
export function checkText(field: Field, text: string): { value: string } | { flaw: ValueError } {
  if (!isStorable(text)) return { flaw: ['invalid', UNSTORABLE] };
  const flaw = lengthError(field, text);
  if (flaw) return { flaw };
  if (field.pattern && !field.pattern.test(text)) {
    return { flaw: ['invalid', `must match ${field.pattern.source}`] };
  }
  const form = textForms[field.type];
  if (!form) return { value: text };
  const value = form.normalise(text, field);
  return value === undefined ? { flaw: form.errorOf(field, text) } : { value };
}

function lengthError(
  { min = 0, max = Number.POSITIVE_INFINITY }: Field,
  text: string,
): ValueError | undefined {
  if (text.length >= min * 2 && text.length <= max) return undefined;
  const length = codePoints(text);
  if (length < min) {
    const code = min === TITLED_MIN_CHARACTERS ? 'too_few_characters' : 'too_short';
    return [code, `must have at least ${min} characters`, min];
  }
  return length > max ? ['too_long', `must have at most ${max} characters`, max] : undefined;
}
