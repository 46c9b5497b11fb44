import type { Field } from '@florin/contract/resources/define-resource.ts';
import { merchants } from '@florin/contract/resources/merchants.ts';
import type { Row } from '../../platform/database/row.ts';

const fields: readonly (readonly [string, Field])[] = Object.entries(merchants.fields);
const columns = new Set(
  fields.flatMap(([name, { column = name, per_mode }]) => (per_mode ? [column] : [])),
);

/** A new merchant's row, whose sandbox has the settings of live mode. */
export const inBothModes = (merchant: Row): Row => ({
  ...Object.fromEntries(
    [...columns].map((column) => [`sandbox_${column}`, merchant[column] ?? null]),
  ),
  ...merchant,
});
