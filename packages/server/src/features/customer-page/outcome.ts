import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../platform/database/row.ts';
import { newestRow } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import type { Visit } from './open.ts';

/** Looks at a charge, and how long after one another, before the page says that it is under way: ten seconds. */
const LOOKS_MAX = 40;
const LOOK_MS = 250;
/** Customers of this process who wait at once; more are told at once that it is under way. */
const WAITING_MAX = 100;

const underWay: ReadonlySet<string> = new Set(['pending', 'processing']);

export const newestCharge = (
  { db }: Pick<Services, 'db'>,
  { link }: Visit,
): Promise<Row | undefined> =>
  newestRow(db, 'payment_demands', link.scope, { payment_subscription_id: link.subscription_id });

export const isUnderWay = (charge: Row | undefined): boolean =>
  charge !== undefined && underWay.has(charge.status as string);

/** Waits until the newest charge of a subscription has its outcome; says whether it has. */
export function createOutcomeWait({
  db,
}: Pick<Services, 'db'>): (visit: Visit) => Promise<boolean> {
  let waiting = 0;
  const wait = async (visit: Visit): Promise<boolean> => {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      if (!isUnderWay(await newestCharge({ db }, visit))) return true;
      await sleep(LOOK_MS);
    }
    return false;
  };
  return async (visit) => {
    if (waiting >= WAITING_MAX) return false;
    waiting += 1;
    try {
      return await wait(visit);
    } finally {
      waiting -= 1;
    }
  };
}
