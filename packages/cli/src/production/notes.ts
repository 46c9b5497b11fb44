import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { STOP_LIMIT_MS } from '../supervisor/child.ts';
import type { Facts, Role } from './gap.ts';

/** Sentences about an installation that can run, but could run better. */
export const notesOf = (role: Role, { env }: Facts): string[] => [
  ...((role === 'server' || role === 'worker') && !listens(env) ? [POLLING] : []),
  ...(role !== 'vault' && role !== 'worker' ? stopNotes(env) : []),
];

/** Seconds that a process needs to end after its pause: the supervisor's limit, and a margin. */
const STOP_SECONDS = STOP_LIMIT_MS / 1_000 + 10;
/** `TimeoutStopSec` of the units in the documentation. */
const UNIT_STOP_SECONDS = 60;

/** Only the operator sees the unit, so the note says what it needs. */
function stopNotes({ FLORIN_DRAIN_SECONDS }: Facts['env']): string[] {
  const needed = Number(FLORIN_DRAIN_SECONDS || 0) + STOP_SECONDS;
  if (!(needed > UNIT_STOP_SECONDS)) return [];
  return [
    `Note: with FLORIN_DRAIN_SECONDS=${FLORIN_DRAIN_SECONDS} a stop needs up to ${needed} s. Set TimeoutStopSec=${needed} in the unit of this process, or systemd kills it earlier.`,
  ];
}

/** Whether a process learns of other processes' work immediately. */
function listens({ DATABASE_URL = '', FLORIN_LISTEN_DATABASE_URL }: Facts['env']): boolean {
  return !parseDatabaseAddress(FLORIN_LISTEN_DATABASE_URL || DATABASE_URL).is_pooled;
}

const POLLING =
  'Note: work of other processes waits up to a second for a poll, because PgBouncer passes no notifications on. Set FLORIN_LISTEN_DATABASE_URL to the address of PostgreSQL itself.';
