import type { Field } from './define-resource.ts';

/** Maximum members of a record's metadata, and characters of names and values. */
export const metadataLimits = { members_max: 50, name_max: 40, value_max: 500 } as const;

const { members_max, name_max, value_max } = metadataLimits;

/** A merchant's own notes on a record. */
export const metadata = {
  type: 'metadata',
  create: 'optional',
  opaque: true,
  description: `Texts of the merchant’s own by names of its own: at most ${members_max}, names of up to ${name_max} letters, digits, dashes and underscores, values of up to ${value_max} characters. It is replaced as a whole.`,
} as const satisfies Field;
