import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import { findSameIdentity } from './sql.ts';

/** Text that is equal for two accounts of a mode that are one account at the processor. Null: never equal. */
export function identityOf(adapter: ProcessorAdapter, account: AccountSettings): string | null {
  const { identity } = adapter.metadata;
  if (!identity) return null;
  const [origin] = adapter.origins(account);
  return JSON.stringify([origin, identity.map((name) => account.settings[name])]);
}

/** Throws 422 if another account of the mode is the same at the processor. */
export async function requireDistinct(tx: Db, account: Row): Promise<void> {
  const name = account.identity && (await findSameIdentity(tx, account));
  if (!name) return;
  throw problem(
    'invalid',
    `The account ${name} has the same settings at the processor, which would notify both of all payments. Change ${name}, or remove it first.`,
    { pointer: '/settings' },
  );
}
