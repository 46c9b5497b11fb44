import type { Db } from '../../platform/database/db.ts';
import {
  factOf,
  replaceFact,
  storeFact,
} from '../../platform/database/installation/installation-facts.ts';
import { type Clock, instantText, type Micros, microsOf } from '../../platform/time/clock.ts';

interface Deps {
  readonly db: Db;
  readonly system_clock: Clock;
}

/** Since when no earlier process sends: the first run after a restore remembers its time. */
export async function closedSince(
  { db, system_clock }: Deps,
  restored_to: string,
): Promise<Micros> {
  const now = `${restored_to} ${instantText(system_clock.now())}`;
  const stored = await storeFact(db, 'restore_since', now);
  const isOfThis = stored.startsWith(`${restored_to} `);
  if (!isOfThis) await replaceFact(db, 'restore_since', now);
  return timeOf(isOfThis ? stored : now);
}

/** The same after the last restore, for an open installation. Without a run it is now, so that messages may still arrive. */
export async function lastClosedSince({ db, system_clock }: Deps): Promise<Micros> {
  const stored = await factOf(db, 'restore_since');
  return stored === undefined ? system_clock.now() : timeOf(stored);
}

const timeOf = (stored: string): Micros => microsOf(stored.slice(stored.lastIndexOf(' ') + 1));
