import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Failed checks after which these merchants refuse approved payments, by the merchant's id. */
export async function refusedMismatchesOf(
  tx: Db,
  merchants: readonly string[],
): Promise<ReadonlyMap<string, readonly CheckRule[]>> {
  if (merchants.length === 0) return new Map();
  const rows = await tx.query(
    'select id, refused_mismatches from merchants where id = any ($1::uuid[])',
    [[...new Set(merchants)]],
    'refused_mismatches',
  );
  return new Map(
    rows.map(({ id, refused_mismatches }) => [
      id as string,
      JSON.parse(refused_mismatches ?? '[]') as CheckRule[],
    ]),
  );
}
