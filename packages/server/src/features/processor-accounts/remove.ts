import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { type AccountActor, type AccountServices, moveAccount, requireAccount } from './change.ts';
import { type Obligations, readObligations } from './sql/obligations.ts';

/** Limit of each count. */
const COUNTED_MAX = 1_000;

export const obligationsOf = (db: Db, id: string): Promise<Obligations> =>
  readObligations(db, id, COUNTED_MAX);

/**
 * Removes an account and its secrets. Throws 405 while it is enabled, outcomes are open, amounts on hold, or captures
 * and refunds not sent. Without `give_up_refunds`, refundable payments and open disputes also keep the account.
 */
export async function removeAccount(
  services: AccountServices,
  actor: AccountActor,
  id: string,
  { give_up_refunds = false }: { readonly give_up_refunds?: boolean | undefined } = {},
): Promise<void> {
  const { mode, status } = await requireAccount(services.db, id);
  const requireUnneeded = async (tx: Db): Promise<object> => {
    const obligations = await obligationsOf(tx, id);
    refuseNeeded(obligations, give_up_refunds);
    const { refundable, open_disputes } = obligations;
    return { refundable, open_disputes };
  };
  if (status !== 'removed')
    await moveAccount(services, actor, id, { trigger: 'remove', require: requireUnneeded });
  if (services.is_dry) return;
  await services.relay.removeProcessorAccount({
    account_id: id,
    mode: mode as 'live' | 'sandbox',
  });
}

const countText = (count: number, one: string, many: string): string[] => {
  if (count === 0) return [];
  return [`${count >= COUNTED_MAX ? `${COUNTED_MAX} or more` : count} ${count === 1 ? one : many}`];
};

/** Throws 405 that says what needs the account, how much of it, and what to do. */
function refuseNeeded(
  { open_outcomes, holds, pending_follow_ups, refundable, open_disputes }: Obligations,
  give_up_refunds: boolean,
): void {
  const needs = [
    ...countText(open_outcomes, 'open outcome', 'open outcomes'),
    ...countText(holds, 'payment on hold', 'payments on hold'),
    ...countText(pending_follow_ups, 'pending capture or refund', 'pending captures and refunds'),
  ];
  if (needs.length > 0)
    throw problem(
      'invalid_state',
      `The account still has ${needs.join(', ')}. Capture or void the payments on hold, wait for the outcomes, and remove it then.`,
    );
  const given_up = [
    ...countText(refundable, 'refundable or disputed payment', 'refundable or disputed payments'),
    ...countText(open_disputes, 'open dispute', 'open disputes'),
  ];
  if (given_up.length === 0 || give_up_refunds) return;
  throw problem(
    'invalid_state',
    `The account has ${given_up.join(' and ')}. Keep it paused, or send give_up_refunds: true: refunds are then refused, and an operator closes open disputes by hand.`,
    { pointer: '/give_up_refunds' },
  );
}
