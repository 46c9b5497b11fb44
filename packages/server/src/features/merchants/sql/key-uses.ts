import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';

/** Stores when keys were last used. An older time does not replace a newer one. */
export async function touchKeys(
  db: Db,
  uses: readonly { readonly merchant_id: string; readonly id: string; readonly at: string }[],
): Promise<void> {
  await db.query(
    `update merchant_tokens t set last_used_at = u.at
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (merchant_id, id, at)
     where t.merchant_id = u.merchant_id and t.id = u.id
       and (t.last_used_at is null or t.last_used_at < u.at) and ${notStopped('t.merchant_id')}`,
    [
      uses.map(({ merchant_id }) => merchant_id),
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
    ],
    'touch_keys',
  );
}
