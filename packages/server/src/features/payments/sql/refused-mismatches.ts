import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { modeColumns } from '../../../platform/mode-columns.ts';

/**
 * Failed checks after which the merchants of these attempts refuse approved payments, by the attempt's id. Each mode has
 * its own rules.
 */
export async function refusedMismatchesOf(
  tx: Db,
  attempts: readonly RowKey[],
): Promise<ReadonlyMap<string, readonly CheckRule[]>> {
  if (attempts.length === 0) return new Map();
  const rows = await tx.query(
    `select a.id, ${modeColumns(['refused_mismatches'], { mode: 'a.mode', alias: 'm' })}
     from unnest($1::uuid[], $2::uuid[]) k (merchant_id, id)
       join attempts a on a.merchant_id = k.merchant_id and a.id = k.id
       join merchants m on m.id = a.merchant_id`,
    [attempts.map(({ merchant_id }) => merchant_id), attempts.map(({ id }) => id)],
    'refused_mismatches',
  );
  return new Map(
    rows.map(({ id, refused_mismatches }) => [
      id as string,
      JSON.parse(refused_mismatches ?? '[]') as CheckRule[],
    ]),
  );
}
