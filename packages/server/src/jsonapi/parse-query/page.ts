import { problem } from '@florin/contract/errors.ts';
import { unknownName } from '../unknown-name.ts';
import { errorLinks, type ProfileUse } from './cursor-profile.ts';
import { INT32_MAX, PAGE_OFFSET_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts';
import type { Parameter } from './parameters.ts';
import type { PageParameters } from './query.ts';

const keys = ['number', 'size', 'offset', 'limit', 'after', 'before', 'total'] as const;
type Key = (typeof keys)[number];
type PageParameterValues = Partial<Record<Key, string>>;

/** Parameters that exclude each other: different pagination styles, or different names of one value. */
const exclusivePairs: readonly (readonly [Key, Key])[] = [
  ['number', 'offset'],
  ['number', 'limit'],
  ['size', 'offset'],
  ['size', 'limit'],
  ['number', 'after'],
  ['number', 'before'],
  ['offset', 'after'],
  ['offset', 'before'],
  ['after', 'before'],
];

const sourceOfParameter = (key: Key) => ({ parameter: `page[${key}]` });

/**
 * Parses one of three pagination styles: number and size; offset and limit; after or before, with size or
 * limit. Ill-typed values are 422, under the cursor profile 400.
 */
export function parsePage(parameters: readonly Parameter[], profile?: ProfileUse): PageParameters {
  const parameterValues = collectPageParameters(parameters);
  for (const [firstKey, secondKey] of exclusivePairs) {
    if (parameterValues[firstKey] !== undefined && parameterValues[secondKey] !== undefined) {
      throw problem(
        'invalid_page',
        `page[${firstKey}] and page[${secondKey}] cannot be combined. Send one of them.`,
        sourceOfParameter(secondKey),
        firstKey === 'after' ? errorLinks(profile, 'range-pagination-not-supported') : {},
      );
    }
  }
  const limitKey =
    parameterValues.size !== undefined
      ? 'size'
      : parameterValues.limit !== undefined
        ? 'limit'
        : undefined;
  const limit = limitKey ? sizeOf(parameterValues, limitKey, profile) : PAGE_SIZE_DEFAULT;
  return {
    limit,
    offset: offsetOf(parameterValues, limit, profile),
    anchor: anchorOf(parameterValues),
    limit_key: limitKey,
    total: totalOf(parameterValues.total),
  };
}

function collectPageParameters(parameters: readonly Parameter[]): PageParameterValues {
  const parameterValues: PageParameterValues = {};
  for (const { name, brackets, value } of parameters) {
    if (brackets.length === 0 && value === '') continue;
    const key = keys.find((pageKey) => pageKey === brackets[0]);
    if (!key || brackets.length !== 1) {
      throw problem(
        'invalid_page',
        unknownName(
          'A page',
          'parameter',
          brackets.join('.'),
          keys.map((pageKey) => `page[${pageKey}]`),
        ),
        {
          parameter: name,
        },
      );
    }
    if (parameterValues[key] !== undefined)
      throw problem('invalid_page', `page[${key}] is given twice.`, sourceOfParameter(key));
    if (value !== '') parameterValues[key] = value;
  }
  return parameterValues;
}

function parseInteger(
  parameterValues: PageParameterValues,
  key: Key,
  min: number,
  profile: ProfileUse,
): number {
  const text = parameterValues[key] ?? '';
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value >= min && value <= INT32_MAX) return value;
  throw problem(
    profile ? 'invalid_page' : 'invalid_value',
    `page[${key}] must be an integer from ${min} to ${INT32_MAX}.`,
    sourceOfParameter(key),
  );
}

function sizeOf(
  parameterValues: PageParameterValues,
  key: 'size' | 'limit',
  profile: ProfileUse,
): number {
  const size = parseInteger(parameterValues, key, 1, profile);
  if (size <= PAGE_SIZE_MAX) return size;
  throw problem(
    'invalid_page',
    `A page can have at most ${PAGE_SIZE_MAX} records.`,
    sourceOfParameter(key),
    {
      ...errorLinks(profile, 'max-size-exceeded'),
      meta: { limit: PAGE_SIZE_MAX, page: { maxSize: PAGE_SIZE_MAX } },
    },
  );
}

function offsetOf(
  parameterValues: PageParameterValues,
  limit: number,
  profile: ProfileUse,
): number {
  const key = parameterValues.number !== undefined ? 'number' : 'offset';
  if (parameterValues[key] === undefined) return 0;
  const offset =
    key === 'number'
      ? (parseInteger(parameterValues, key, 1, profile) - 1) * limit
      : parseInteger(parameterValues, key, 0, profile);
  if (offset <= PAGE_OFFSET_MAX) return offset;
  throw problem(
    'invalid_page',
    `page[${key}] reaches only the first ${PAGE_OFFSET_MAX} records. Follow links.next to read further.`,
    sourceOfParameter(key),
    { meta: { limit: PAGE_OFFSET_MAX } },
  );
}

function anchorOf({ after, before }: PageParameterValues): PageParameters['anchor'] {
  if (after !== undefined) return { side: 'after', cursor: after };
  return before === undefined ? undefined : { side: 'before', cursor: before };
}

function totalOf(text: string | undefined): boolean {
  if (text === undefined || text === 'true' || text === 'false') return text === 'true';
  throw problem('invalid_value', 'page[total] must be true or false.', sourceOfParameter('total'));
}
