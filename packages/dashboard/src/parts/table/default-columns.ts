import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { queryableFields } from './filter/queryable.ts';

const SHOWN_MAX = 6;

/** Attributes that may name a record, best first. */
const TITLES = [
  'title',
  'business_name',
  'name',
  'email',
  'slug',
  'purchase_reference',
  'label',
  'code',
  'url',
  'subject',
  'last_four',
  'value',
  'resource_type',
] as const;

/** Attributes shown for every type that has them, in this order. */
const USUAL = [
  'status',
  'amount_cents',
  'email',
  'failure_reason',
  'reason',
  'kind',
  'amount_currency',
  'description',
  'mode',
  'expiry',
  'due_at',
] as const;

/** Attributes from which the dashboard writes the text of an alert. */
export const PARTS_OF_MESSAGE: readonly string[] = ['message_code', 'message_parameters'];

/** Attributes that say little in a list, or are empty in nearly all rows. */
const RARE = ['created_at', 'updated_at', 'idempotency_key', 'removed_at', ...PARTS_OF_MESSAGE];

/** Returns the attribute that names a record. Undefined if only the id does. */
export const titleFieldOf = ({ fields }: Resource): string | undefined =>
  TITLES.find((name) => fields[name] && !fields[name].sensitive && !fields[name].write_only);

/** Default columns of a type: at most six, with the time last. */
export function defaultColumns(resource: Resource): readonly string[] {
  const { fields } = resource;
  const title = titleFieldOf(resource);
  const usualNames = USUAL.filter((name) => fields[name]);
  const otherNames = queryableFields(resource).map(([name]) => name);
  const names = new Set([...(title ? [title] : []), ...usualNames, ...otherNames]);
  for (const name of RARE) names.delete(name);
  const shownNames = [...names].slice(0, SHOWN_MAX - 1);
  return fields.created_at ? [...shownNames, 'created_at'] : shownNames;
}
