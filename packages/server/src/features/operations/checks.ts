import type { Db } from '../../platform/database/db.ts';
import { factOf, replaceFact } from '../../platform/database/installation/installation-facts.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';

/** Checks that an operator runs, and the backup, whose time an operator records. */
export const checks = ['ledger', 'audit', 'backup'] as const;
export type CheckName = (typeof checks)[number];

export interface OperatorCheck {
  readonly name: CheckName;
  readonly at: Micros;
  readonly is_ok: boolean;
}

/** Stores the result of a check in place of the previous one. */
export const storeCheckResult = (db: Db, { name, at, is_ok }: OperatorCheck): Promise<unknown> =>
  replaceFact(db, `check_${name}`, `${instantText(at)} ${is_ok ? 'ok' : 'failed'}`);

/** The last result of each check that ever ran. */
export async function readCheckResults(db: Db): Promise<OperatorCheck[]> {
  const results: OperatorCheck[] = [];
  for (const name of checks) {
    const [at = '', outcome] = (await factOf(db, `check_${name}`))?.split(' ') ?? [];
    if (at) results.push({ name, at: microsOf(at), is_ok: outcome === 'ok' });
  }
  return results;
}
