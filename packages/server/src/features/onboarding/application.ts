import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';

/** Legal forms of businesses. */
export const entityTypes = [
  'sole_proprietorship',
  'private_partnership',
  'private_corporation',
  'public_corporation',
  'llc',
  'non_profit',
  'government',
] as const;

export const taxIdTypes = ['ein', 'ssn', 'vat', 'other'] as const;

/** Columns that the review of a merchant requires. */
const requiredFields = [
  'business_name',
  'business_description',
  'business_email',
  'business_website',
  'phone_number',
  'business_zip_code',
  'entity_type',
  'category_code',
  'tax_id_type',
  'prior_bankruptcies',
] as const;

/** Kinds of records; an application needs at least one record of each kind. */
const records = ['officials', 'owners', 'addresses', 'banks'] as const;

export type MissingItem = (typeof requiredFields)[number] | (typeof records)[number];

/** Names of columns and record kinds that an application still lacks. */
export const missingOf = (application: Row): readonly MissingItem[] => [
  ...requiredFields.filter((column) => application[column] == null || application[column] === ''),
  ...records.filter((name) => Number(application[name] ?? 0) === 0),
];

/** Throws 422 for an incomplete application, with one error per missing part. */
export function requireComplete(application: Row): void {
  const problems = missingOf(application).map(
    (name): Problem => ({
      code: 'blank',
      detail: `${name} is required before the application can be submitted.`,
      source: { pointer: `/${name}` },
    }),
  );
  if (problems.length > 0) throw new ProblemError(problems);
}
