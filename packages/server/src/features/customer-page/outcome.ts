import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../platform/database/row.ts';
import { findNewestRow } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import type { Visit } from './open.ts';

/** Polls of a charge, every 250 ms. After ten seconds, the page shows the charge as in progress. */
const POLLS_MAX = 40;
const POLL_MS = 250;
/**
 * Maximum number of customers that wait in this process. Further customers see "in progress"
 * immediately.
 */
const WAITING_MAX = 100;

const IN_PROGRESS_STATUSES: ReadonlySet<string> = new Set(['pending', 'processing']);

export const findNewestCharge = (
  { db }: Pick<Services, 'db'>,
  { link }: Visit,
): Promise<Row | undefined> =>
  findNewestRow(db, 'payment_demands', link.scope, {
    payment_subscription_id: link.subscription_id,
  });

export const isInProgress = (charge: Row | undefined): boolean =>
  charge !== undefined && IN_PROGRESS_STATUSES.has(charge.status as string);

/** Waits for the outcome of a subscription's latest charge. Returns whether the charge has one. */
export function createOutcomeWait({
  db,
}: Pick<Services, 'db'>): (visit: Visit) => Promise<boolean> {
  let waitingCount = 0;
  const wait = async (visit: Visit): Promise<boolean> => {
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      if (!isInProgress(await findNewestCharge({ db }, visit))) return true;
      await sleep(POLL_MS);
    }
    return false;
  };
  return async (visit) => {
    if (waitingCount >= WAITING_MAX) return false;
    waitingCount += 1;
    try {
      return await wait(visit);
    } finally {
      waitingCount -= 1;
    }
  };
}
