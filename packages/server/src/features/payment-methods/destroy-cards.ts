import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { claimEach } from '../records/claim-each.ts';
import { type CardDestruction, destroyCard } from './destroy-card.ts';
import { deleteDiscarded, needOf } from './sql.ts';

const DESTROY_BATCH_MAX = 100;
/**
 * Seconds until the next attempt to destroy a card, after the vault failed or while the card is
 * still needed.
 */
const LEASE_SECONDS = 30;

/**
 * Destroys cards whose last payment method was discarded, once no payment in flight or subscription
 * uses them. Repeating is safe, also after a crash. Returns whether there may be more.
 */
export async function destroyDiscarded(services: Services): Promise<boolean> {
  const claimedCount = await claimEach(services, {
    table: 'discarded_cards',
    limit: DESTROY_BATCH_MAX,
    lease_s: LEASE_SECONDS,
    failed: 'discarded card not destroyed: retried after its lease',
    work: (row) => destroyUnneeded(services, row),
  });
  return claimedCount === DESTROY_BATCH_MAX;
}

async function destroyUnneeded(services: Services, row: Row): Promise<void> {
  const cardNeed = await needOf(services.db, row);
  if (cardNeed === 'for a payment') return;
  if (!cardNeed) await destroyCard(services.relay, row as unknown as CardDestruction);
  await deleteDiscarded(services.db, row);
}
