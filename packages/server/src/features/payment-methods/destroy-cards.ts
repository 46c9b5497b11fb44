import { instantText, seconds } from '../../kernel/clock.ts';
import { claimDue } from '../../store/claim.ts';
import { forgetDiscarded, needOf } from '../../store/discarded-cards.ts';
import type { Row } from '../../store/row.ts';
import type { Scope } from '../../store/scope.ts';
import type { Services } from '../services.ts';

const DESTROY_BATCH_MAX = 100;
/** After that a card is tried again which the vault could not be told of, or which is still to pay. */
const LEASE_SECONDS = 30;

/**
 * Has the vault destroy cards whose last payment method was discarded, once no payment with them is under way and no subscription has them. A card
 * that is destroyed already is none to destroy, so that it is done as often as a process dies. Returns whether there may
 * be more.
 */
export async function destroyDiscarded(services: Services): Promise<boolean> {
  const now = services.clock.now();
  const rows = await claimDue(services.db, {
    table: 'discarded_cards',
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_SECONDS)),
    limit: DESTROY_BATCH_MAX,
  });
  await Promise.all(rows.map((row) => destroyOne(services, row)));
  return rows.length === DESTROY_BATCH_MAX;
}

async function destroyOne(services: Services, row: Row): Promise<void> {
  try {
    const need = await needOf(services.db, row);
    if (need === 'for a payment') return;
    if (!need) await destroy(services, row);
    await forgetDiscarded(services.db, row);
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ payment_method: row.id, err }, 'destroying a card failed');
  }
}

async function destroy({ relay }: Services, row: Row): Promise<void> {
  const { merchant_id, mode, card_pan_token } = row as unknown as Scope & {
    readonly card_pan_token: string;
  };
  const answer = await relay.destroy({ merchant_id, mode, card_pan_token });
  if ('error' in answer && answer.error !== 'unknown_token') throw new Error(answer.detail);
}
