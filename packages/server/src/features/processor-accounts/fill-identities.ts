import type { Row } from '../../platform/database/row.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import type { Services } from '../../services.ts';
import { identityOf } from './identity.ts';
import { selectUnidentified, setIdentity } from './sql/identities.ts';

type FillServices = Pick<Services, 'db' | 'adapters' | 'logger'>;

/**
 * Stores the identity of accounts that were added before identities. Two that are one account at their processor stay
 * as they are, and the log names them.
 */
export async function fillIdentities(services: FillServices): Promise<void> {
  for (const row of await selectUnidentified(services.db)) await fillIdentity(services, row);
}

async function fillIdentity({ db, adapters, logger }: FillServices, row: Row): Promise<void> {
  const adapter = Object.hasOwn(adapters, row.processor as string)
    ? adapters[row.processor as string]
    : undefined;
  if (!adapter) return;
  const { id, mode } = row as unknown as AccountSettings;
  const settings = JSON.parse(row.settings as string) as AccountSettings['settings'];
  const identity = identityOf(adapter, { id, mode, settings });
  if (identity === null || (await setIdentity(db, row, identity))) return;
  logger.error(
    { processor_account: id },
    'another account has the same settings at the processor, which notifies both of all payments: remove one',
  );
}
