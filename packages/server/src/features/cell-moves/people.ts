import type { Db } from '../../platform/database/db.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { copyAccount } from '../people/accounts/account-copies.ts';
import { ensureIntegration, readIntegrations, readPeople } from './sql/people.ts';
import type { Arrival } from './tables.ts';

/** Gives the target copies of the people whom records of the merchant name. Harmless alone. */
export async function copyPeople(
  source: Db,
  target: Db,
  global: Db,
  merchant_id: string,
): Promise<void> {
  for (const { id } of await readPeople(source, merchant_id))
    await copyAccount(target, global, id as string);
}

/** Integrations of the source, each with that of the same name in the target, which gets those that it lacks. */
export async function matchIntegrations(
  source: Db,
  target: Db,
  merchant_id: string,
  { now }: Pick<Clock, 'now'>,
): Promise<Arrival['integrations']> {
  const map: Record<string, string> = {};
  for (const integration of await readIntegrations(source, merchant_id)) {
    const id = await ensureIntegration(target, integration, uuidv7(now()));
    if (id !== integration.id) map[integration.id as string] = id;
  }
  return map;
}
