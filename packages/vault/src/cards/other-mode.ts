import type { Refusals } from '../audit/refusals.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { findCard } from './card-store.ts';

export interface OtherModeDeps {
  readonly db: Db;
  readonly refusals: Pick<Refusals, 'countCall'>;
}

/** Counts a call for an unknown card as an alarm if the merchant has the card in the other mode. */
export async function countOtherMode(
  { db, refusals }: OtherModeDeps,
  { merchant_id, mode }: Scope,
  token: string,
): Promise<void> {
  const other = mode === 'live' ? 'sandbox' : 'live';
  if (await findCard(db, { merchant_id, mode: other }, token))
    refusals.countCall('card_of_other_mode', `A call in ${mode} names a card of ${other}.`);
}
