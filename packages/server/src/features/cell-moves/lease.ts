import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { MoveCell } from './open-cell.ts';
import { endLease, LEASE_SECONDS, type MoveLease, renewLease } from './sql/directory.ts';
import { endHolder, tryHoldMerchant } from './sql/locks.ts';

/** How often a command extends its lease. */
const RENEW_MS = 10_000;
/** Time in which PostgreSQL ends the connection of an earlier command. */
const HOLD_MS = 10_000;
const HOLD_POLL_MS = 50;

export interface LeaseDeps {
  readonly global: Db;
  readonly clock: Clock;
}

/** Another command has taken over the move. */
export class LostLease extends Error {
  override name = 'LostLease';
}

/** Throws `LostLease` unless `change` was made with the lease. */
export async function requireLease(change: Promise<boolean>): Promise<void> {
  if (!(await change))
    throw new LostLease('another command has taken over the move: look at its output');
}

/**
 * Runs `work` with the lease of a move, and extends the lease meanwhile. `claim` begins the move if there is none, or takes
 * over one that has begun. Throws an `Error` for people while another command has the lease.
 */
export async function withLease<Claimed extends Pick<MoveLease, 'merchant_id'>>(
  { global, clock }: LeaseDeps,
  move: Claimed,
  work: (row: Row, lease: MoveLease) => Promise<void>,
  claim: (global: Db, move: Claimed & MoveLease) => Promise<Row | undefined>,
): Promise<void> {
  const lease = { merchant_id: move.merchant_id, lease_id: uuidv7(clock.now()) };
  const row = await claim(global, { ...move, ...lease });
  if (!row)
    throw new Error(
      `another command moves the merchant, perhaps to another cell: wait, or try again in ${LEASE_SECONDS} seconds`,
    );
  const timer = setInterval(() => void renewLease(global, lease).catch(() => {}), RENEW_MS);
  try {
    await work(row, lease);
  } finally {
    clearInterval(timer);
    await endLease(global, lease).catch(() => {});
  }
}

/**
 * Makes this command the only one that changes the merchant in the cells, as long as their connections last. A command that
 * had the lease before loses its connections, so it changes nothing when it wakes. Throws `LostLease` without the lease.
 */
export async function holdCells(
  global: Db,
  lease: MoveLease,
  cells: readonly MoveCell[],
): Promise<void> {
  for (const cell of cells) await holdCell(global, lease, cell);
  // The lease may have ended meanwhile. A command that takes it over from now on ends these connections.
  await requireLease(renewLease(global, lease));
}

async function holdCell(global: Db, lease: MoveLease, { db, name }: MoveCell): Promise<void> {
  const until = performance.now() + HOLD_MS;
  while (!(await tryHoldMerchant(db, lease.merchant_id))) {
    await requireLease(renewLease(global, lease));
    const holder = await endHolder(db, lease.merchant_id);
    if (performance.now() >= until)
      throw new Error(
        `an earlier command is still connected to the cell ${name}: end ${holder}, then repeat this one`,
      );
    await sleep(HOLD_POLL_MS);
  }
}
