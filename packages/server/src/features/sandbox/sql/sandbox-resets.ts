import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { CardPosition } from './sandbox-rows.ts';

/** Requests a reset of a sandbox. Does not affect a running reset. */
export async function requestReset(
  db: Db,
  merchant_id: string,
  { now, patient_until }: { readonly now: string; readonly patient_until: string },
): Promise<Row> {
  await db.query(
    `insert into sandbox_resets as r (merchant_id, requested_at, patient_until, due_at)
     values ($1, $2, $3, $2)
     on conflict (merchant_id) do update set requested_at = $2, patient_until = $3, due_at = $2,
       removed_count = 0, stuck_steps = 0, kept_cards = 0, cards_after = null, cards_after_at = null,
       finished_at = null where r.finished_at is not null`,
    [merchant_id, now, patient_until],
    'request_reset',
  );
  return (await findReset(db, merchant_id)) as Row;
}

/** Finds the latest reset of a merchant's sandbox. */
export async function findReset(db: Db, merchant_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    'select * from sandbox_resets where merchant_id = $1',
    [merchant_id],
    'find_reset',
  );
  return row;
}

/** Claims the reset that has been due longest: moves `due_at` to the end of the lease. */
export async function claimReset(
  db: Db,
  { now, lease_until }: { readonly now: string; readonly lease_until: string },
): Promise<Row | undefined> {
  const [row] = await db.query(
    `update sandbox_resets set due_at = $2 where merchant_id =
       (select merchant_id from sandbox_resets where due_at <= $1 and ${notStopped('merchant_id')}
        order by due_at limit 1 for update skip locked)
     returning *`,
    [now, lease_until],
    'claim_reset',
    'kept',
  );
  return row;
}

/** Progress of a reset after a step. */
export interface Progress {
  /** Lease that `claimReset` returned for this step. */
  readonly lease_until: string;
  readonly removed: number;
  /** Consecutive rounds without a destroyed card. */
  readonly stuck_steps: number;
  /** Number of cards that the vault failed to destroy in this round. */
  readonly kept_cards: number;
  /** Last card of the step. The next step continues after it; null if the round is finished. */
  readonly cards_after: CardPosition | null;
  readonly due_at: string | null;
  readonly now: string;
}

/**
 * Stores the progress and the next due time; `due_at` is null at the end. Stores nothing if the
 * step outlived its lease, because another step or reset has taken over.
 */
export const noteProgress = (
  db: Db,
  merchant_id: string,
  { lease_until, removed, stuck_steps, kept_cards, cards_after, due_at, now }: Progress,
): Promise<unknown> =>
  db.query(
    `update sandbox_resets set removed_count = removed_count + $2, due_at = $3,
       stuck_steps = $5, kept_cards = $6, cards_after = $7, cards_after_at = $9,
       finished_at = case when $3::timestamptz is null then $4::timestamptz end
     where merchant_id = $1 and due_at = $8`,
    [
      merchant_id,
      removed,
      due_at,
      now,
      stuck_steps,
      kept_cards,
      cards_after?.id ?? null,
      lease_until,
      cards_after?.created_at ?? null,
    ],
    'note_reset',
  );
