import type { Field } from './define-resource.ts';

/** Maximum number of a record's metadata members, and of characters in their names and values. */
export const metadataLimits = { members_max: 50, name_max: 40, value_max: 500 } as const;

const { members_max, name_max, value_max } = metadataLimits;

/** Notes of a merchant on a record, as names with values. */
export const metadata = {
  type: 'metadata',
  create: 'optional',
  opaque: true,
  description: `The merchant’s own data: at most ${members_max} texts of up to ${value_max} characters. Names have up to ${name_max} letters, digits, dashes and underscores. An update replaces the whole object.`,
} as const satisfies Field;
