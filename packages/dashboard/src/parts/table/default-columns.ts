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

/** Returns the attribute that names a record. Undefined if only the id does. */
export const titleFieldOf = ({ fields }: Resource): string | undefined =>
  TITLES.find((name) => fields[name] && !fields[name].sensitive && !fields[name].write_only);

/** Default columns of a type: at most six, with the time last. */
export function defaultColumns(resource: Resource): readonly string[] {
  const { fields } = resource;
  const title = titleFieldOf(resource);
  const usual = USUAL.filter((name) => fields[name]);
  const others = queryableFields(resource).map(([name]) => name);
  const all = new Set([...(title ? [title] : []), ...usual, ...others]);
  for (const time of ['created_at', 'updated_at']) all.delete(time);
  const shown = [...all].slice(0, SHOWN_MAX - 1);
  return fields.created_at ? [...shown, 'created_at'] : shown;
}
