import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import type { Facts, Role } from './gap.ts';

/** Sentences about an installation that can run, but could run better. */
export const notesOf = (role: Role, { env }: Facts): string[] =>
  role !== 'vault' && role !== 'api' && !listens(env) ? [POLLING] : [];

/** Whether a process learns of other processes' work immediately. */
function listens({ DATABASE_URL = '', FLORIN_LISTEN_DATABASE_URL }: Facts['env']): boolean {
  return !parseDatabaseAddress(FLORIN_LISTEN_DATABASE_URL || DATABASE_URL).is_pooled;
}

const POLLING =
  'Note: work of other processes waits up to a second for a poll, because PgBouncer passes no notifications on. Set FLORIN_LISTEN_DATABASE_URL to the address of PostgreSQL itself.';
