import type { Db } from '../../platform/database/db.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import type { Services } from '../../services.ts';
import { ACCOUNTS_MAX } from './accounts.ts';
import { recordSeveralCaptures } from './sql/merchant-records.ts';
import { selectAccounts } from './sql.ts';

/** Stores for merchants what an account takes by its settings. Writes nothing that is already stored. */
export async function recordCapabilities(
  tx: Db,
  adapter: ProcessorAdapter,
  account: AccountSettings,
  at: string,
): Promise<void> {
  const { several_captures } = adapter.connect(account).metadata.capabilities;
  await recordSeveralCaptures(tx, { id: account.id, several_captures, at });
}

/** Stores the capabilities of accounts from before, and of adapters that changed with this version. */
export async function fillCapabilities({
  db,
  adapters,
  system_clock,
}: Pick<Services, 'db' | 'adapters' | 'system_clock'>): Promise<void> {
  const at = instantText(system_clock.now());
  for (const row of await selectAccounts(db, ACCOUNTS_MAX)) {
    const { id, mode, settings: stored, processor } = row as Readonly<Record<string, string>>;
    const adapter = adapters[processor as string];
    const settings = JSON.parse(stored as string) as AccountSettings['settings'];
    const account = { id, mode, settings } as AccountSettings;
    if (adapter) await db.transaction((tx) => recordCapabilities(tx, adapter, account, at));
  }
}
