import type { Row } from './row.ts';

/** Primary key of a record. */
export interface RowKey {
  readonly merchant_id: string;
  readonly id: string;
}

export const keyOf = ({ merchant_id, id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: id as string,
});

/** Converts keys to two arrays for `unnest`. */
export const keyColumns = (keys: readonly RowKey[]): [string[], string[]] => [
  keys.map(({ merchant_id }) => merchant_id),
  keys.map(({ id }) => id),
];

export const keyText = (key: { merchant_id?: string | null; id?: string | null }): string =>
  `${key.merchant_id} ${key.id}`;

/** Parses a key that `keyText` wrote. */
export function keyOfText(text: string): RowKey {
  const [merchant_id = '', id = ''] = text.split(' ');
  return { merchant_id, id };
}
